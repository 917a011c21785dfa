// Marks the public interface: the only symbols that the shared library exports. scripts/check/install links the
// examples against it.
#pragma once

#define ESPALIER_API __attribute__((visibility("default")))

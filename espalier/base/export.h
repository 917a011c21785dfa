// Marks the interface: what programs may use, and all that the shared library shows. scripts/check_install links
// the examples against it.
#pragma once

#define ESPALIER_API __attribute__((visibility("default")))

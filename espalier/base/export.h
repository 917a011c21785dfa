// Marks what programs may use. Shared libraries show what cmake/exports.map lists, which is the same;
// scripts/check_install checks it.
#pragma once

#define ESPALIER_API __attribute__((visibility("default")))

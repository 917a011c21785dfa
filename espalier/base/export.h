// What a shared library shows: everything is compiled with hidden symbols, and only what is marked here can be linked
// against. The marked names are those that the headers of app/ offer and use. scripts/check_install checks it.
#pragma once

#define ESPALIER_API __attribute__((visibility("default")))

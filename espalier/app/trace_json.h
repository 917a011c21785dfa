// Traces as JSON (docs/server.md explains the fields). Tested by trace_json_test.cc.
#pragma once

#include <string>

#include "espalier/app/model.h"

namespace espalier {

ESPALIER_API std::string trace_json(const Trace& trace);

}  // namespace espalier

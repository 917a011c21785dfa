// How a tree came about, as /v1/parse tells it (docs/server.md). Tested by trace_json_test.cc.
#pragma once

#include <string>

#include "espalier/app/model.h"

namespace espalier::server {

std::string trace_json(const Trace& trace);

}  // namespace espalier::server

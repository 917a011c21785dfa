// POST /v1/parse: JSON in, JSON out (docs/server.md). Tested by service_test.cc and fuzz/request_fuzz.cc.
#pragma once

#include "espalier/base/stop.h"
#include "server/http.h"
#include "server/metrics.h"
#include "server/models.h"
#include "server/options.h"

namespace espalier::server {

Response answer_parse(const Request& request, const ModelSet& models, const Limits& limits, Metrics& metrics,
                      const Stop& stop);

}  // namespace espalier::server

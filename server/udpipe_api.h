// The interface of UDPipe's REST service, so that its clients work here: /models and /process
// (lindat.mff.cuni.cz/services/udpipe/api-reference.php). Tested by udpipe_api_test.cc and scripts/check/server.
#pragma once

#include "espalier/base/stop.h"
#include "server/http.h"
#include "server/metrics.h"
#include "server/models.h"
#include "server/options.h"

namespace espalier::server {

/// {"models": {NAME: ["tokenizer", "tagger", "parser"]}, "default_model": NAME}
Response answer_udpipe_models(const ModelSet& models);

/// {"model": NAME, "acknowledgements": [...], "result": TEXT}. Errors are plain text, as UDPipe's are.
Response answer_udpipe_process(const Request& request, const ModelSet& models, const Limits& limits, Metrics& metrics,
                               const Stop& stop);

}  // namespace espalier::server

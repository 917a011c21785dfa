// A request, as the network hands it over, to an answer: routes, queries, forms, multipart forms and JSON, with a model
// that knows nothing. The input's first line is "METHOD TARGET", its second the content type; the rest is the body.
#include <cstdint>
#include <nlohmann/json.hpp>

#include "fuzz/round_trip.h"
#include "server/service.h"
#include "tests/toy_model.h"

namespace {

std::string take_line(std::string& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string line = text.substr(0, end);
  text.erase(0, std::min(end + 1, text.size()));
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace espalier;
  using namespace espalier::server;
  static const ServerOptions options;
  static const ModelStore models({{"en_chain-1", "", chain_model()}, {"other", "", chain_model()}});
  static Metrics metrics;
  static const Service service(options, models, metrics);

  Request request;
  request.body.assign(reinterpret_cast<const char*>(data), size);
  const std::string line = take_line(request.body);
  request.headers = {{"Content-Type", take_line(request.body)}};
  const size_t space = std::min(line.find(' '), line.size());
  request.method = line.substr(0, space);
  request.target = line.substr(std::min(space + 1, line.size()));

  service.takes_work(request);
  service.route_name(request);
  Response response = service.answer(request);
  fuzz::require(response.status >= 200 && response.status != 500 && response.status < 600);
  while (response.more && response.more(response.body)) {
  }
  if (response.content_type == "application/json" && response.status != 204)
    fuzz::require(nlohmann::json::accept(response.body));
  return 0;
}

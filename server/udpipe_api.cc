#include "server/udpipe_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "espalier/app/files.h"
#include "espalier/base/json_text.h"
#include "server/answer.h"
#include "server/form.h"

namespace espalier::server {
namespace {

using nlohmann::ordered_json;

/// A format as UDPipe names it, perhaps with options behind it: "conllu=v2".
std::string our_format(std::string_view name) {
  name = name.substr(0, name.find('='));
  return name == "plaintext" ? "text" : std::string(name);
}

/// The parameters of a request; UDPipe's switches count if they are present, whatever their value.
class Process {
 public:
  explicit Process(Parameters parameters) : parameters_(std::move(parameters)) {
    if (!parameters_.contains("data")) throw HttpError(400, "The parameter 'data' is required.");
  }
  bool has(std::string_view name) const { return parameters_.contains(name); }
  std::string value(std::string_view name, const std::string& otherwise) const {
    const auto entry = parameters_.find(name);
    return entry == parameters_.end() ? otherwise : entry->second;
  }

  SentenceSource source(const Model& model, const Stop& stop) {
    const std::string input = value("input", "conllu");
    ParseOptions options;
    options.stop = stop;
    options.rules = !has("tokenizer");
    std::string data = std::move(parameters_["data"]);
    if (has("tokenizer") || input == "generic_tokenizer") return read_raw_text(model, std::move(data), options);
    const std::string format = our_format(input);
    if (std::ranges::find(kInputs, format) == kInputs.end())
      throw HttpError(400, fmt::format("Unknown input format '{}'; known: generic_tokenizer, {}.", input,
                                       fmt::join(kInputs, ", ")));
    return read_format(std::move(data), format);
  }
  std::string output() const {
    const std::string format = our_format(value("output", "conllu"));
    if (std::ranges::find(kOutputs, format) == kOutputs.end())
      throw HttpError(400, fmt::format("Unknown output format '{}'; known: plaintext, {}.", value("output", ""),
                                       fmt::join(kOutputs, ", ")));
    return format;
  }

 private:
  static constexpr std::array<std::string_view, 3> kInputs = {"conllu", "horizontal", "vertical"};
  static constexpr std::array<std::string_view, 4> kOutputs = {"conllu", "horizontal", "vertical", "text"};
  Parameters parameters_;
};

/// Restores the columns that were not requested.
void keep_unasked(const Sentence& given, bool tagger, bool parser, Sentence& sentence) {
  for (size_t i = 0; i < given.tokens.size() && i < sentence.tokens.size(); ++i) {
    const Token& from = given.tokens[i];
    Token& token = sentence.tokens[i];
    if (!tagger) {
      token.lemma = from.lemma, token.upos = from.upos, token.xpos = from.xpos, token.feats = from.feats;
    }
    if (!parser) token.head = from.head, token.deprel = from.deprel;
  }
}

/// The text as part of a JSON string.
std::string within_quotes(std::string_view text) {
  const std::string quoted = json_string(text);
  return quoted.substr(1, quoted.size() - 2);
}

Response process(const Request& request, const ModelSet& models, const Limits& limits, Metrics& metrics,
                 const Stop& stop) {
  Process asked(parameters(request));
  const NamedModel& model = models.find(asked.value("model", ""));
  const bool tagger = asked.has("tagger"), parser = asked.has("parser");
  auto work = std::make_shared<Work>(Work{model, {}, {}, limits, &metrics, tagger || parser});
  work->options.stop = stop;
  work->options.keep.tags = !tagger && model.predicts("tags");  // the parser uses the given tags
  if (!tagger || !parser)
    work->adjust = [=](const Sentence& given, Sentence& parsed) { keep_unasked(given, tagger, parser, parsed); };
  const std::string output = asked.output();
  work->source = asked.source(model.model, stop);

  const std::string licence = model.note("licence");
  Form form;
  form.open = fmt::format("{{\n \"model\": {},\n \"acknowledgements\": [{}],\n \"result\": \"", json_string(model.name),
                          licence.empty() ? "" : json_string(licence));
  if (output == "conllu")
    form.open +=
        within_quotes(fmt::format("# generator = Espalier {}\n# udpipe_model = {}\n# udpipe_model_licence = {}\n",
                                  version(), model.name, licence));
  form.close = "\"\n}\n";
  form.write = [output](const Document& one, std::string& out) {
    out += within_quotes(write_text(one.sentences, output));
  };
  form.fail = [](int, const std::string& message) {
    return fmt::format("\",\n \"error\": {}\n}}\n", json_string(message));
  };
  return answer_with(std::move(work), std::move(form));
}

}  // namespace

Response answer_udpipe_models(const ModelSet& models) {
  ordered_json all = ordered_json::object();
  for (const NamedModel& model : models.all()) {
    ordered_json& parts = all[model.name] = {"tokenizer"};
    if (model.predicts("tags")) parts.push_back("tagger");
    if (model.predicts("heads")) parts.push_back("parser");
  }
  const ordered_json answer = {{"models", all}, {"default_model", models.all().front().name}};
  return {.body = json_text(answer, 1) + "\n"};
}

Response answer_udpipe_process(const Request& request, const ModelSet& models, const Limits& limits, Metrics& metrics,
                               const Stop& stop) {
  try {
    return process(request, models, limits, metrics, stop);
  } catch (...) {
    return plain_response_to_exception();
  }
}

}  // namespace espalier::server

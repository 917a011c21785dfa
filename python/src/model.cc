// Models and pipes. Long work runs without Python's lock.
#include <nlohmann/json.hpp>

#include <chrono>

#include "bindings.h"
#include "espalier/app/files.h"
#include "espalier/app/stream.h"

namespace espalier::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

Keep keep_of(std::string_view columns) {
  const bool both = columns == "tags,heads";
  const Keep keep{both || columns == "tags", both || columns == "heads"};
  if (!keep && !columns.empty()) throw nb::value_error("keep is tags, heads or tags,heads");
  return keep;
}

/// The clock of `timeout` starts now.
ParseOptions options_of(int kbest, bool features, bool confidence, bool trace, std::string_view keep, double timeout,
                        const std::string& language, bool rules) {
  ParseOptions options;
  options.kbest = kbest;
  options.features = features;
  options.confidence = confidence;
  options.trace = trace;
  options.keep = keep_of(keep);
  options.language = language;
  options.rules = rules;
  if (timeout > 0)
    options.stop =
        Stop::after(std::chrono::duration_cast<Stop::Clock::duration>(std::chrono::duration<double>(timeout)));
  return options;
}

Doc parse_text(const Model& model, nb::str text, const ParseOptions& options) {
  std::string bytes = utf8(text);
  const nb::gil_scoped_release unlocked;
  return Doc(model.parse_text(std::move(bytes), options));
}

Doc tokenize(const Model& model, nb::str text, const ParseOptions& options) {
  Document document;
  document.text = utf8(text);
  const nb::gil_scoped_release unlocked;
  document.sentences = model.tokenize(document.text, options);
  place_words(document);
  return Doc(std::move(document));
}

Doc parse_document(const Model& model, const Doc& from, const ParseOptions& options) {
  Document document;
  document.text = from.document.text;
  document.sentences = from.document.sentences;
  model.parse(document, options);
  return Doc(std::move(document));
}

Doc parse_words(const Model& model, nb::list sentences, const ParseOptions& options) {
  Document document;
  for (const nb::handle sentence : sentences) {
    std::vector<std::string> words;
    for (const nb::handle word : sentence) words.push_back(utf8(word));
    document.sentences.push_back(sentence_of(words));
  }
  const nb::gil_scoped_release unlocked;
  place_words(document);
  model.parse(document, options);
  return Doc(std::move(document));
}

std::tuple<size_t, size_t, size_t, size_t> parse_to_file(const Model& model, std::vector<std::string> inputs,
                                                         std::string output, std::string from, std::string to,
                                                         int threads, const ParseOptions& options) {
  ParseFiles request;
  request.inputs = std::move(inputs);
  request.output = std::move(output);
  request.from = std::move(from);
  request.to = std::move(to);
  request.threads = threads;
  request.parse = options;
  const ParsedFiles counts = parse_files(model, request);
  return {counts.sentences, counts.tokens, counts.skipped, counts.failed};
}

void put_text(DocumentPipe& pipe, nb::str text) {
  Document document;
  document.text = utf8(text);
  pipe.put(std::move(document));
}

std::vector<std::string> abilities(const Model& model) {
  std::vector<std::string> names;
  if (model.can_tokenize()) names.emplace_back("tokenize");
  if (model.has_kbest()) names.emplace_back("kbest");
  if (model.has_features()) names.emplace_back("features");
  if (model.has_trace()) names.emplace_back("trace");
  if (model.has_confidence()) names.emplace_back("confidence");
  if (model.can_constrain()) names.emplace_back("constrain");
  return names;
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<ParseOptions>(module, "Options")
      .def(
          "__init__",
          [](ParseOptions* self, int kbest, bool features, bool confidence, bool trace, std::string_view keep,
             double timeout, const std::string& language, bool rules) {
            new (self) ParseOptions(options_of(kbest, features, confidence, trace, keep, timeout, language, rules));
          },
          nb::kw_only(), nb::arg("kbest") = 0, nb::arg("features") = false, nb::arg("confidence") = false,
          nb::arg("trace") = false, nb::arg("keep") = "", nb::arg("timeout") = 0.0, nb::arg("language") = "",
          nb::arg("rules") = false);

  nb::class_<Model>(module, "Model")
      .def(nb::init<const std::string&, const std::vector<std::string>&>(), nb::arg("file"), nb::arg("settings"),
           Unlocked())
      .def_static(
          "from_bytes",
          [](nb::bytes bytes, const std::string& name, const std::vector<std::string>& settings) {
            return Model::from_bytes({bytes.c_str(), bytes.size()}, name, settings);
          },
          nb::arg("bytes"), nb::arg("name"), nb::arg("settings"))
      .def("info", [](const Model& model) { return model.info().dump(); })
      .def("kind", &Model::kind)
      .def("language", &Model::language)
      .def("predicts", &Model::predicts)
      .def("abilities", &abilities)
      .def("parse_text", &parse_text, nb::arg("text"), nb::arg("options"))
      .def("tokenize", &tokenize, nb::arg("text"), nb::arg("options"))
      .def("parse_document", &parse_document, nb::arg("document"), nb::arg("options"), Unlocked())
      .def("parse_words", &parse_words, nb::arg("sentences"), nb::arg("options"),
           nb::sig("def parse_words(self, sentences: list[list[str]], options: Options) -> Document"))
      .def("parse_files", &parse_to_file, nb::arg("inputs"), nb::arg("output"), nb::arg("from_format"),
           nb::arg("to_format"), nb::arg("threads"), nb::arg("options"), Unlocked());

  nb::class_<DocumentPipe>(module, "Pipe")
      .def(nb::init<const Model&, int, const ParseOptions&>(), nb::arg("model"), nb::arg("threads"), nb::arg("options"))
      .def("full", &DocumentPipe::full)
      .def("put", &put_text, nb::arg("text"))
      .def(
          "take", [](DocumentPipe& pipe) { return Doc(pipe.take()); }, Unlocked());
}

}  // namespace espalier::python

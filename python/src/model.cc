// Models and pipes. Whatever takes time runs without Python's lock.
#include <nlohmann/json.hpp>

#include <chrono>

#include "bindings.h"
#include "espalier/app/files.h"
#include "espalier/app/stream.h"

namespace espalier::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

ParseOptions options_of(int kbest, bool features, const std::string& language, bool rules, double seconds) {
  ParseOptions options;
  options.kbest = kbest;
  options.features = features;
  options.language = language;
  options.rules = rules;
  if (seconds > 0)
    options.stop =
        Stop::after(std::chrono::duration_cast<Stop::Clock::duration>(std::chrono::duration<double>(seconds)));
  return options;
}

Doc parse_text(const Model& model, nb::str text, int kbest, bool features, const std::string& language, bool rules,
               double seconds) {
  std::string bytes = utf8(text);
  const nb::gil_scoped_release unlocked;
  return Doc(model.parse_text(std::move(bytes), options_of(kbest, features, language, rules, seconds)));
}

Doc tokenize(const Model& model, nb::str text, const std::string& language, bool rules) {
  Document document;
  document.text = utf8(text);
  const nb::gil_scoped_release unlocked;
  document.sentences = model.tokenize(document.text, options_of(0, false, language, rules, 0));
  place_words(document);
  return Doc(std::move(document));
}

Doc parse_document(const Model& model, const Doc& from, int kbest, bool features, double seconds) {
  Document document;
  document.text = from.document.text;
  document.sentences = from.document.sentences;
  model.parse(document, options_of(kbest, features, "", false, seconds));
  return Doc(std::move(document));
}

Doc parse_words(const Model& model, nb::list sentences, int kbest, bool features, double seconds) {
  Document document;
  for (const nb::handle sentence : sentences) {
    std::vector<std::string> words;
    for (const nb::handle word : sentence) words.push_back(utf8(word));
    document.sentences.push_back(sentence_of(words));
  }
  const nb::gil_scoped_release unlocked;
  place_words(document);
  model.parse(document, options_of(kbest, features, "", false, seconds));
  return Doc(std::move(document));
}

std::tuple<size_t, size_t, size_t, size_t> parse_to_file(const Model& model, std::vector<std::string> inputs,
                                                         std::string output, std::string from, std::string to,
                                                         int threads, int kbest, Message message) {
  ParseFiles request;
  request.inputs = std::move(inputs);
  request.output = std::move(output);
  request.from = std::move(from);
  request.to = std::move(to);
  request.threads = threads;
  request.kbest = kbest;
  if (message)
    request.message = [message](const std::string& line) {
      const nb::gil_scoped_acquire locked;
      message(line);
    };
  ParsedFiles counts;
  {
    const nb::gil_scoped_release unlocked;
    counts = parse_files(model, request);
  }
  return {counts.sentences, counts.tokens, counts.skipped, counts.failed};
}

void put_text(DocumentPipe& pipe, nb::str text) {
  Document document;
  document.text = utf8(text);
  pipe.put(std::move(document));
}

}  // namespace

void bind_model(nb::module_& module) {
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
      .def("has_kbest", &Model::has_kbest)
      .def("has_features", &Model::has_features)
      .def("can_tokenize", &Model::can_tokenize)
      .def("parse_text", &parse_text, nb::arg("text"), nb::arg("kbest"), nb::arg("features"), nb::arg("language"),
           nb::arg("rules"), nb::arg("seconds"))
      .def("tokenize", &tokenize, nb::arg("text"), nb::arg("language"), nb::arg("rules"))
      .def("parse_document", &parse_document, nb::arg("document"), nb::arg("kbest"), nb::arg("features"),
           nb::arg("seconds"), Unlocked())
      .def("parse_words", &parse_words, nb::arg("sentences"), nb::arg("kbest"), nb::arg("features"), nb::arg("seconds"),
           nb::sig("def parse_words(self, sentences: list[list[str]], kbest: int, features: bool, seconds: float) -> "
                   "Document"))
      .def("parse_files", &parse_to_file, nb::arg("inputs"), nb::arg("output"), nb::arg("from_format"),
           nb::arg("to_format"), nb::arg("threads"), nb::arg("kbest"), nb::arg("message").none());

  nb::class_<DocumentPipe>(module, "Pipe")
      .def(
          "__init__",
          [](DocumentPipe* self, const Model& model, int threads, int kbest, const std::string& language, bool rules) {
            new (self) DocumentPipe(model, threads, options_of(kbest, false, language, rules, 0));
          },
          nb::arg("model"), nb::arg("threads"), nb::arg("kbest"), nb::arg("language"), nb::arg("rules"))
      .def("empty", &DocumentPipe::empty)
      .def("full", &DocumentPipe::full)
      .def("put", &put_text, nb::arg("text"))
      .def(
          "take", [](DocumentPipe& pipe) { return Doc(pipe.take()); }, Unlocked());

  module.def(
      "describe_model", [](const std::string& file) { return describe_model(file).dump(); }, nb::arg("file"));
}

}  // namespace espalier::python

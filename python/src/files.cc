// Treebank files: read, check, convert, score. Reports are JSON texts; Python reads them.
#include "espalier/app/files.h"

#include <nlohmann/json.hpp>

#include "bindings.h"
#include "espalier/app/evaluate.h"

namespace espalier::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

/// `original`: the text that the sentences were cut from, if it is known.
Doc read_string(nb::str text, const std::string& format, nb::str original) {
  const std::string bytes = utf8(text);
  Document document;
  document.text = utf8(original);
  const nb::gil_scoped_release unlocked;
  document.sentences = read_text(bytes, format);
  place_words(document);
  return Doc(std::move(document));
}

using Scores = std::tuple<std::string, std::string, std::vector<std::string>>;
Scores scores_of(const Evaluation& evaluation) {
  return {evaluation.json().dump(), evaluation.table(true), evaluation.messages()};
}

EvaluateOptions evaluation(std::string format, std::string punct, bool strict) {
  EvaluateOptions options;
  options.format = std::move(format);
  options.punct = std::move(punct);
  options.strict = strict;
  return options;
}

using ProblemTuple = std::tuple<std::string, long, int, std::string>;
std::tuple<size_t, size_t, bool, std::vector<ProblemTuple>, std::vector<std::string>> check(const std::string& file,
                                                                                            const std::string& format) {
  std::vector<ProblemTuple> problems;
  std::vector<std::string> messages;
  const CheckedFile counts = check_file(
      file, format,
      [&](const Problem& problem) {
        problems.emplace_back(problem.file, problem.line, problem.token, problem.message);
      },
      [&](const std::string& message) { messages.push_back(message); });
  return {counts.sentences, counts.words, counts.readable, problems, messages};
}

size_t convert(std::string input, std::string output, std::string from, std::string to, std::string language,
               bool strip, long first, long count) {
  ConvertFile request;
  request.input = std::move(input);
  request.output = std::move(output);
  request.from = std::move(from);
  request.to = std::move(to);
  request.language = std::move(language);
  request.strip = strip;
  request.first = first;
  request.count = count;
  return convert_file(request);
}

}  // namespace

void bind_files(nb::module_& module) {
  module.def("read_text", &read_string, nb::arg("text"), nb::arg("format"), nb::arg("original") = "");
  module.def(
      "read_file",
      [](const std::string& file, const std::string& format) { return document_of(read_treebank(file, format)); },
      nb::arg("file"), nb::arg("format"), Unlocked());
  module.def("formats", [] { return std::make_pair(format_names(), output_format_names()); });
  module.def(
      "evaluate_files",
      [](const std::string& gold, const std::string& system, std::string format, std::string punct, bool strict) {
        return scores_of(evaluate_files(gold, system, evaluation(std::move(format), std::move(punct), strict)));
      },
      nb::arg("gold"), nb::arg("system"), nb::arg("format"), nb::arg("punct"), nb::arg("strict"), Unlocked());
  module.def(
      "evaluate",
      [](const Doc& gold, const Doc& system, std::string format, std::string punct, bool strict) {
        return scores_of(evaluate(gold.document.sentences, system.document.sentences,
                                  evaluation(std::move(format), std::move(punct), strict)));
      },
      nb::arg("gold"), nb::arg("system"), nb::arg("format"), nb::arg("punct"), nb::arg("strict"), Unlocked());
  module.def(
      "compare_files",
      [](const std::string& gold, const std::string& a, const std::string& b, std::string format, std::string punct,
         std::string metric, long trials, long resamples, uint64_t seed) {
        CompareOptions options;
        options.format = std::move(format);
        options.punct = std::move(punct);
        options.metric = std::move(metric);
        options.trials = trials;
        options.resamples = resamples;
        options.seed = seed;
        return compare_files(gold, a, b, options).dump();
      },
      nb::arg("gold"), nb::arg("a"), nb::arg("b"), nb::arg("format"), nb::arg("punct"), nb::arg("metric"),
      nb::arg("trials"), nb::arg("resamples"), nb::arg("seed"), Unlocked());
  module.def("check_file", &check, nb::arg("file"), nb::arg("format"), Unlocked());
  module.def("convert_file", &convert, nb::arg("input"), nb::arg("output"), nb::arg("from_format"),
             nb::arg("to_format"), nb::arg("language"), nb::arg("strip"), nb::arg("first"), nb::arg("count"),
             Unlocked());
}

}  // namespace espalier::python

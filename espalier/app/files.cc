#include "espalier/app/files.h"

#include <fmt/ranges.h>

#include <optional>
#include <sstream>
#include <utility>

#include "espalier/app/input.h"
#include "espalier/app/warnings.h"
#include "espalier/base/error.h"
#include "espalier/base/output_file.h"
#include "espalier/format/check/ud_rules.h"
#include "espalier/format/text/language.h"
#include "espalier/tree/head_dependencies.h"
#include "espalier/tree/strip_annotation.h"

namespace espalier {
namespace {

std::string output_format(const std::string& format, const std::string& file) {
  const std::string name = format.empty() ? guess_format(file) : format;
  if (name.empty())
    throw usage_error("{}: the name does not tell the format; give one of {}", file,
                      fmt::join(output_format_names(), ", "));
  return name;
}

void write_all(std::span<const Sentence> sentences, Writer& writer) {
  for (const Sentence& sentence : sentences) writer.write(sentence);
  writer.finish();
}

}  // namespace

std::string write_text(std::span<const Sentence> sentences, const std::string& format, const WriterOptions& options) {
  std::ostringstream output;
  write_all(sentences, *make_writer(format, output, options));
  return std::move(output).str();
}

void write_file(std::span<const Sentence> sentences, const std::string& file, const std::string& format,
                const WriterOptions& options) {
  OutputFile output(file);
  write_all(sentences, *make_writer(output_format(format, file), output.stream(), options));
  output.commit();
}

std::string write_document(const Document& document, const std::string& format, const WriterOptions& options) {
  if (document.alternatives.empty()) return write_text(document.sentences, format, options);
  std::ostringstream output;
  const auto writer = make_writer(format, output, options);
  for (size_t i = 0; i < document.sentences.size(); ++i) {
    const std::vector<ScoredAnalysis> list(document.alternatives[i].begin(), document.alternatives[i].end());
    writer->write_list(document.sentences[i], list);
  }
  writer->finish();
  return std::move(output).str();
}

std::vector<Sentence> read_text(std::string_view text, const std::string& format) {
  std::istringstream input{std::string(text)};
  ReaderOptions options;
  options.name = "text";
  const auto reader = make_reader(format, input, options);
  std::vector<Sentence> sentences;
  for (Sentence sentence; reader->next(sentence);) sentences.push_back(sentence);
  return sentences;
}

size_t convert_file(const ConvertFile& request) {
  const std::string from = input_format(request.from, request.input, "");
  const std::string to = output_format(request.to, request.output);
  ReaderOptions reading;
  reading.name = request.input;
  reading.language = request.language;
  reading.sentences = request.sentences;
  reading.offsets = request.offsets;
  if (const std::string warning = from == "text" ? language_warning(request.language) : "";
      request.message && !warning.empty())
    request.message(warning);
  const Input input = Input::of(request.input, from == "text", request.encoding);
  const auto reader = make_reader(from, *input.stream, reading);
  OutputFile output(request.output);
  const auto writer =
      std::make_unique<DropWatch>(make_writer(to, output.stream(), request.writing), to, request.message);
  std::optional<OpenHeadRules> heads;
  if (!request.head_rules.empty()) {
    head_rules_text(request.head_rules);  // throws before anything is written if there are none
    heads.emplace(request.head_rules);
  }
  Stripped stripped;
  size_t written = 0;
  Sentence sentence;
  for (long number = 1; reader->next(sentence); ++number) {
    if (number < request.first) continue;
    if (heads) add_dependencies(sentence, *heads);
    if (request.strip) stripped += strip_annotation(sentence.constituents);
    const bool empty = request.strip && sentence.tokens.empty();  // only traces
    if (!empty) writer->write(sentence), ++written;
    if (request.count > 0 && number - request.first + 1 >= request.count) break;
  }
  writer->finish();
  output.commit();
  input.warn_of_replaced(request.input, request.message);
  if (request.strip && request.message) {
    request.message(
        fmt::format("stripped {} function tags, {} coindices, {} traces and {} constituents that were left empty",
                    stripped.function_tags, stripped.coindices, stripped.traces, stripped.constituents));
  }
  return written;
}

CheckedFile check_file(const std::string& file, const std::string& format,
                       const std::function<void(const Problem&)>& report, const Message& message, int level,
                       const std::function<void(const Problem&)>& warning) {
  CheckedFile counts;
  const auto warn = [&](const Problem& problem) {
    ++counts.warnings;
    if (warning) warning(problem);
  };
  ReaderOptions options;
  options.name = file;
  options.bad = BadSentence::kKeep;
  options.warn = true;
  options.report = [&](const Problem& problem) {
    ++counts.problems;
    if (report) report(problem);
  };
  size_t problems_before = 0;
  try {
    const std::string name = input_format(format, file, "");
    const auto input = open_input(file);
    const auto reader = make_reader(name, *input, options);
    UdRules rules(name == "conllu" ? level : 0);
    for (Sentence sentence; reader->next(sentence);) {
      const bool bad = std::exchange(problems_before, counts.problems) != counts.problems;
      if (!bad) rules.check(sentence, file, warn);
      ++counts.sentences;
      counts.words += sentence.tokens.size();
    }
    rules.finish(file, warn);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kUsage) throw;
    ++counts.problems;
    counts.readable = error.kind() != ErrorKind::kRun;
    if (message) message(error.what());
  }
  return counts;
}

}  // namespace espalier

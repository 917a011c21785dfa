#include "cli/input.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <istream>

#include "espalier/base/error.h"
#include "espalier/base/parallel.h"

namespace espalier::cli {

void SkipLog::report(const Problem& problem) {
  constexpr size_t kShown = 100;
  if (count_++ < kShown) fmt::print(stderr, "{} (sentence skipped)\n", problem.text());
  if (count_ == kShown) fmt::print(stderr, "more of these are counted, not shown; `espalier check` lists them all\n");
}

void SkipLog::skip(const std::string& file, const Sentence& sentence, int token, const std::string& message) {
  report({file, sentence.line, token, message});
}

std::string input_format(const std::string& from, const std::string& file, const std::string& otherwise) {
  if (std::error_code ignored; std::filesystem::is_directory(file, ignored))
    throw run_error("cannot read '{}': it is a directory", file);
  std::string format = from.empty() ? guess_format(file) : from;
  if (format.empty()) format = otherwise;
  if (format.empty()) {
    throw usage_error("{}: the name does not tell the format; say --from with one of {}", file,
                      fmt::join(format_names(), ", "));
  }
  return format;
}

Input open_sentences(const std::string& file, const std::string& format, SkipLog* log, const std::string& language) {
  Input input;
  input.stream = open_input(file);
  ReaderOptions options;
  options.name = file;
  options.bad = BadSentence::kSkip;
  options.language = language;
  options.report = [log](const Problem& problem) { log->report(problem); };
  input.reader = make_reader(format, *input.stream, std::move(options));
  return input;
}

std::vector<Sentence> read_sentences(const std::vector<std::string>& files, const std::string& from, SkipLog* log) {
  std::vector<Sentence> sentences;
  for (const std::string& file : files) {
    const Input input = open_sentences(file, input_format(from, file, ""), log);
    for (Sentence sentence; input.reader->next(sentence);) sentences.push_back(sentence);
  }
  return sentences;
}

int thread_count(int option) { return option > 0 ? option : hardware_threads(); }

}  // namespace espalier::cli

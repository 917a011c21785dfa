#include "espalier/app/input.h"

#include <fmt/ranges.h>

#include <filesystem>
#include <istream>
#include <utility>

#include "espalier/base/error.h"

namespace espalier {

void SkipLog::report(const Problem& problem) {
  constexpr size_t kShown = 100;
  ++count_;
  if (!message_) return;
  if (seen_.size() < kShown && seen_.insert(problem.message).second) {
    message_(problem.text() + " (sentence skipped)");
  } else if (!std::exchange(hides_, true)) {
    message_("more of the same is counted, not shown; `espalier check` lists it all");
  }
}

void SkipLog::skip(const std::string& file, const Sentence& sentence, int token, const std::string& message) {
  report({file, sentence.line, token, message});
}

std::string input_format(const std::string& format, const std::string& file, const std::string& otherwise) {
  if (std::error_code ignored; std::filesystem::is_directory(file, ignored))
    throw run_error("cannot read '{}': it is a directory", file);
  std::string name = format.empty() ? guess_format(file) : format;
  if (name.empty()) name = otherwise;
  if (name.empty()) {
    throw usage_error("{}: the name does not tell the format; give --from, one of {}", file,
                      fmt::join(format_names(), ", "));
  }
  return name;
}

Input Input::of(const std::string& file, bool raw_text, const std::string& encoding) {
  Input input;
  input.stream = open_input(file, encoding);
  if (!raw_text) return input;
  input.file = std::move(input.stream);
  input.repaired = std::make_unique<RepairedText>(*input.file->rdbuf(), encoding.empty() ? file : "");
  input.stream = std::make_unique<std::istream>(input.repaired.get());
  return input;
}

void Input::warn_of_replaced(const std::string& name, const Message& message) const {
  if (!message || !repaired || repaired->replaced() == 0) return;
  message(fmt::format(
      "{}:{}: not UTF-8, or NUL: {} characters were replaced by U+FFFD; if the text is in another encoding, say which "
      "(--encoding), or convert it first (iconv)",
      name, repaired->first_line(), repaired->replaced()));
}

Input open_sentences(const std::string& file, const std::string& format, SkipLog* log, ReaderOptions options,
                     const std::string& encoding) {
  Input input = Input::of(file, format == "text", encoding);
  options.name = file;
  options.bad = BadSentence::kSkip;
  options.report = [log](const Problem& problem) { log->report(problem); };
  input.reader = make_reader(format, *input.stream, std::move(options));
  return input;
}

SentencesRead read_sentences(std::span<const std::string> files, const std::string& format, const Message& message) {
  SentencesRead result;
  SkipLog log(message);
  for (const std::string& file : files) {
    const Input input = open_sentences(file, input_format(format, file, ""), &log);
    for (Sentence sentence; input.reader->next(sentence);) result.sentences.push_back(sentence);
  }
  result.skipped = log.count();
  return result;
}

}  // namespace espalier

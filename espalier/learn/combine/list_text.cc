#include "espalier/learn/combine/list_text.h"

#include <fmt/format.h>

#include <charconv>

#include "espalier/base/error.h"
#include "espalier/format/brackets.h"

namespace espalier {
namespace {

Error damaged() { return run_error("the candidates of a finished fold are damaged; train without --resume"); }

std::string_view take(std::string_view& text, char end) {
  const size_t length = text.find(end);
  if (length == std::string_view::npos) throw damaged();
  const std::string_view field = text.substr(0, length);
  text.remove_prefix(length + 1);
  return field;
}

template <class Number>
Number number(std::string_view field) {
  Number value{};
  const char* end = field.data() + field.size();
  if (std::from_chars(field.data(), end, value).ptr != end) throw damaged();
  return value;
}

/// "head TAB relation TAB" per word.
Analysis read_dependencies(std::string_view line, int words) {
  Analysis analysis;
  analysis.heads.assign(1, -1);
  analysis.deprels.assign(1, "");
  for (int i = 0; i < words; ++i) {
    analysis.heads.push_back(number<int>(take(line, '\t')));
    if (analysis.heads.back() < 0 || analysis.heads.back() > words) throw damaged();
    analysis.deprels.emplace_back(take(line, '\t'));
  }
  if (!line.empty()) throw damaged();
  return analysis;
}

Analysis read_constituents(std::string_view line, int words) {
  Sentence sentence;
  BracketParser parser;
  if (!parser.feed(line, sentence, [](const std::string&) { throw damaged(); }) || sentence.size() != words)
    throw damaged();
  Analysis analysis;
  analysis.constituents = std::move(sentence.constituents);
  return analysis;
}

}  // namespace

void append_list(const Sentence& sentence, const CandidateList& list, std::string& text) {
  Sentence copy;
  for (const Candidate& candidate : list) {
    const Analysis& analysis = candidate.analysis;
    fmt::format_to(std::back_inserter(text), "{:a}\t", candidate.score);
    for (size_t i = 1; i < analysis.heads.size(); ++i)
      fmt::format_to(std::back_inserter(text), "{}\t{}\t", analysis.heads[i], analysis.deprels[i]);
    if (!analysis.constituents.empty()) {
      copy.tokens = sentence.tokens;
      copy.constituents = analysis.constituents;
      append_brackets(copy, text);
    }
    text += '\n';
  }
  text += '\n';
}

std::vector<CandidateList> read_lists(std::span<const Sentence> sentences, size_t size, std::string_view text) {
  std::vector<CandidateList> lists;
  for (const Sentence& sentence : sentences) {
    CandidateList& list = lists.emplace_back();
    for (std::string_view line; !(line = take(text, '\n')).empty();) {
      if (list.size() == size) continue;
      Candidate& candidate = list.emplace_back();
      const std::string_view score = take(line, '\t');
      double value = 0;
      // from_chars wants hexadecimal numbers without their "0x".
      const bool minus = score.starts_with('-');
      const std::string_view digits = score.substr(minus + 2u <= score.size() ? minus + 2u : 0);
      if (std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::hex).ec !=
          std::errc())
        throw damaged();
      candidate.score = minus ? -value : value;
      candidate.analysis =
          line.starts_with('(') ? read_constituents(line, sentence.size()) : read_dependencies(line, sentence.size());
    }
  }
  if (!text.empty()) throw damaged();
  return lists;
}

}  // namespace espalier

#include "espalier/tree/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace espalier {

bool Sentence::has_heads() const {
  return std::ranges::all_of(tokens, [](const Token& t) { return t.head != Token::kNoHead; });
}

void Sentence::clear() {
  comments.clear();
  tokens.clear();
  extra.clear();
  constituents.clear();
  line = 0;
}

std::optional<MultiwordToken> as_multiword(const ExtraLine& line) {
  const std::string_view text = line.text;
  const char* const end = text.data() + text.size();
  MultiwordToken result = {};
  const auto first = std::from_chars(text.data(), end, result.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto last = std::from_chars(first.ptr + 1, end, result.last);
  if (last.ec != std::errc() || last.ptr == end || *last.ptr != '\t') return std::nullopt;
  const std::string_view columns(last.ptr + 1, static_cast<size_t>(end - last.ptr - 1));
  result.form = columns.substr(0, columns.find('\t'));
  const size_t last_tab = columns.rfind('\t');
  result.misc = last_tab == std::string_view::npos ? std::string_view() : columns.substr(last_tab + 1);
  return result;
}

std::vector<TreeProblem> tree_problems(const Sentence& sentence, Roots roots) {
  std::vector<TreeProblem> problems;
  const int n = sentence.size();
  int root = 0;
  for (int i = 1; i <= n; ++i) {
    const int head = sentence.word(i).head;
    if (head == Token::kNoHead)
      problems.push_back({i, "HEAD is missing"});
    else if (head < 0)
      problems.push_back({i, fmt::format("HEAD {} is negative", head)});
    else if (head > n)
      problems.push_back({i, fmt::format("HEAD {} is past the end of the sentence", head)});
    else if (head == i)
      problems.push_back({i, "the word is its own head"});
    else if (head == 0 && root && roots == Roots::kOne)
      problems.push_back({i, fmt::format("a second root (the first is token {})", root)});
    else if (head == 0)
      root = i;
  }
  if (n && !root && problems.empty()) problems.push_back({1, "no word has HEAD 0"});
  // Climb from every word; a word seen in the current climb closes a cycle.
  std::vector<int> seen(n + 1, 0);
  for (int start = 1; start <= n; ++start) {
    int i = start, last = 0;
    while (i > 0 && i <= n && seen[i] == 0) {
      seen[i] = start;
      last = i;
      i = sentence.word(i).head;
    }
    const bool closes_cycle = i > 0 && i <= n && seen[i] == start;
    if (closes_cycle && i != last) problems.push_back({i, "the word is part of a cycle"});
  }
  return problems;
}

std::string tree_problem(const Sentence& sentence, int* word, Roots roots) {
  const std::vector<TreeProblem> problems = tree_problems(sentence, roots);
  if (problems.empty()) return "";
  if (word) *word = problems.front().word;
  return problems.front().message;
}

}  // namespace espalier

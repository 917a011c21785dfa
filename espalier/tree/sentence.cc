#include "espalier/tree/sentence.h"

#include <fmt/format.h>

#include <algorithm>

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

std::string tree_problem(const Sentence& sentence, int* word) {
  int dummy;
  int& at = word ? *word : dummy;
  const int n = sentence.size();
  int root = 0;
  for (at = 1; at <= n; ++at) {
    const int head = sentence.word(at).head;
    if (head == Token::kNoHead) return "HEAD is missing";
    if (head < 0) return fmt::format("HEAD {} is negative", head);
    if (head > n) return fmt::format("HEAD {} is past the end of the sentence", head);
    if (head == at) return "the word is its own head";
    if (head == 0) {
      if (root) return fmt::format("a second root (the first is token {})", root);
      root = at;
    }
  }
  at = 1;
  if (n && !root) return "no word has HEAD 0";
  // Climb from every word; a word seen in the current climb closes a cycle.
  std::vector<int> seen(static_cast<size_t>(n) + 1, 0);
  for (at = 1; at <= n; ++at) {
    int i = at;
    while (i != 0 && seen[static_cast<size_t>(i)] == 0) {
      seen[static_cast<size_t>(i)] = at;
      i = sentence.word(i).head;
    }
    if (i != 0 && seen[static_cast<size_t>(i)] == at) {
      at = i;
      return "the word is part of a cycle";
    }
  }
  return "";
}

}  // namespace espalier

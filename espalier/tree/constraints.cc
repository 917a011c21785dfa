#include "espalier/tree/constraints.h"

#include <fmt/format.h>

#include <algorithm>

namespace espalier {
namespace {

const std::string kFree = "_";

std::vector<std::string> column_of(const Sentence& sentence, std::string Token::*column) {
  if (std::ranges::none_of(sentence.tokens, [&](const Token& token) { return is_given(token.*column); })) return {};
  std::vector<std::string> texts{kFree};
  for (const Token& token : sentence.tokens) texts.push_back(is_given(token.*column) ? token.*column : kFree);
  return texts;
}

}  // namespace

const std::string& Constraints::text(const std::vector<std::string>& column, int word) {
  return column.empty() ? kFree : column[word];
}

Constraints constraints_of(const Sentence& sentence, Keep keep) {
  Constraints given;
  if (keep.tags) {
    given.upos = column_of(sentence, &Token::upos);
    given.xpos = column_of(sentence, &Token::xpos);
    given.feats = column_of(sentence, &Token::feats);
  }
  if (!keep.heads) return given;
  given.deprels = column_of(sentence, &Token::deprel);
  if (std::ranges::all_of(sentence.tokens, [](const Token& token) { return token.head == Token::kNoHead; }))
    return given;
  given.heads = {Token::kNoHead};
  for (const Token& token : sentence.tokens) given.heads.push_back(token.head);
  return given;
}

std::vector<TreeProblem> drop_impossible(Constraints& constraints, Roots roots) {
  std::vector<TreeProblem> problems;
  std::vector<int>& heads = constraints.heads;
  const int n = static_cast<int>(heads.size()) - 1;
  std::vector<int> kept(heads.size(), Token::kNoHead);
  const auto leads_to = [&](int from, int word) {
    while (from > 0 && from != word) from = kept[from];
    return from == word;
  };
  int root = 0;
  for (int word = 1; word <= n; ++word) {
    const int head = heads[word];
    std::string why;
    if (head == Token::kNoHead) continue;
    if (head < 0 || head > n)
      why = fmt::format("HEAD {} is not a word of the sentence", head);
    else if (head == word)
      why = "the word is its own head";
    else if (head == 0 && root && roots == Roots::kOne)
      why = fmt::format("a second root (the first is token {})", root);
    else if (leads_to(head, word))
      why = "the given heads make a cycle";
    if (!why.empty()) {
      problems.push_back({word, std::move(why)});
      continue;
    }
    kept[word] = head;
    if (head == 0) root = word;
  }
  heads = std::move(kept);
  return problems;
}

bool is_partial(const Sentence& sentence) {
  const auto free = std::ranges::count(sentence.tokens, Token::kNoHead, &Token::head);
  return free > 0 && free < sentence.size();
}

bool has_given_heads(const std::vector<int>& heads, const Constraints& given) {
  for (size_t i = 1; i < given.heads.size(); ++i)
    if (given.heads[i] != Token::kNoHead && given.heads[i] != heads[i]) return false;
  return true;
}

}  // namespace espalier

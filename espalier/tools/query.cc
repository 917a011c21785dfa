#include "espalier/tools/query.h"

#include <algorithm>

#include "espalier/tools/query_pattern.h"

namespace espalier {
namespace {

/// Whether `word` is a descendant of `above`. Terminates on cycles.
bool is_below(const Sentence& sentence, int word, int above) {
  for (int steps = 0; word > 0 && steps <= sentence.size(); ++steps) {
    word = sentence.word(word).head;
    if (word == above) return true;
  }
  return false;
}

/// Binds the positive words of the pattern in order, checking each against the words bound before it.
class Matcher {
 public:
  Matcher(const std::vector<QueryWord>& words, const std::vector<QueryRelation>& relations, const Sentence& sentence)
      : words_(words), relations_(relations), sentence_(sentence), bound_(words.size(), 0) {}

  void run(const std::function<void(const std::vector<int>&)>& found) { bind(0, found); }

 private:
  void bind(size_t w, const std::function<void(const std::vector<int>&)>& found) {
    while (w < words_.size() && !words_[w].positive) ++w;
    if (w == words_.size()) {
      if (nothing_forbidden()) found(bound_);
      return;
    }
    for (int word = 1; word <= sentence_.size(); ++word) {
      if (std::ranges::find(bound_, word) != bound_.end() || !fits(w, word)) continue;
      bound_[w] = word;
      bind(w + 1, found);
      bound_[w] = 0;
    }
  }

  /// Checks the relations to bound words, then the word's own conditions.
  bool fits(size_t w, int word) const {
    const auto at = [&](int place) { return static_cast<size_t>(place) == w ? word : bound_[place]; };
    for (const QueryRelation& relation : relations_) {
      if (relation.negated || (static_cast<size_t>(relation.from) != w && static_cast<size_t>(relation.to) != w))
        continue;
      const int a = at(relation.from), b = at(relation.to);
      if (a > 0 && b > 0 && !relation(sentence_, a, b)) return false;
    }
    return words_[w](sentence_.word(word));
  }

  bool nothing_forbidden() const {
    return std::ranges::none_of(relations_, [&](const QueryRelation& relation) {
      if (!relation.negated) return false;
      const int a = bound_[relation.from], known = bound_[relation.to];
      if (known > 0) return relation(sentence_, a, known);
      const QueryWord& test = words_[relation.to];
      for (int b = 1; b <= sentence_.size(); ++b)
        if (b != a && relation(sentence_, a, b) && test(sentence_.word(b))) return true;
      return false;
    });
  }

  const std::vector<QueryWord>& words_;
  const std::vector<QueryRelation>& relations_;
  const Sentence& sentence_;
  std::vector<int> bound_;  // 0 = not yet
};

}  // namespace

bool QueryRelation::operator()(const Sentence& sentence, int a, int b) const {
  switch (kind) {
    case kDependent:
      return sentence.word(b).head == a && label(sentence.word(b).deprel);
    case kHead:
      return sentence.word(a).head == b && label(sentence.word(a).deprel);
    case kDescendant:
      return is_below(sentence, b, a);
    case kAncestor:
      return is_below(sentence, a, b);
    case kNext:
      return b == a + 1;
    case kAfter:
      return b > a;
  }
  return false;
}

Query::Query(std::string_view pattern) : pattern_(std::make_unique<Pattern>(Pattern::parse(pattern))) {}
Query::~Query() = default;
Query::Query(Query&&) noexcept = default;

const std::vector<std::string>& Query::names() const { return pattern_->names; }

std::vector<Query::Value> Query::needed() const {
  std::vector<Value> values;
  for (const QueryWord& word : pattern_->words)
    for (const WordTest& test : word.tests)
      if (word.positive && test.equal && !test.test.only().empty())
        values.push_back({test.column, test.test.only(), false});
  for (const QueryRelation& relation : pattern_->relations)
    if (!relation.negated && !relation.label.only().empty()) values.push_back({"deprel", relation.label.only(), true});
  return values;
}

void Query::match(const Sentence& sentence, const std::function<void(std::span<const int>)>& found) const {
  std::vector<std::vector<int>> all;
  Matcher(pattern_->words, pattern_->relations, sentence).run([&](const std::vector<int>& bound) {
    std::vector<int>& named = all.emplace_back();
    for (const int place : pattern_->places) named.push_back(bound[place]);
  });
  // Words without names may be found in several ways.
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const std::vector<int>& words : all) found(words);
}

}  // namespace espalier

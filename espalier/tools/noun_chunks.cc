#include "espalier/tools/noun_chunks.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace espalier {
namespace {

template <size_t n>
bool is_among(std::string_view name, const std::array<std::string_view, n>& names) {
  return std::ranges::find(names, name) != names.end();
}

std::string_view universal(std::string_view relation) { return relation.substr(0, relation.find(':')); }

constexpr std::array<std::string_view, 3> kNominals = {"NOUN", "PROPN", "PRON"};
/// Relations of nominals that have another function: a part of an expression, a particle, a reflexive marker.
constexpr std::array<std::string_view, 11> kFunctions = {"case",  "mark",  "cc",       "aux",       "cop",       "expl",
                                                         "fixed", "punct", "goeswith", "discourse", "reparandum"};
constexpr std::array<std::string_view, 8> kModifiers = {"det",  "amod",  "nummod",   "clf",
                                                        "flat", "fixed", "compound", "goeswith"};
constexpr std::array<std::string_view, 13> kOutside = {"acl",       "advcl",      "ccomp",     "xcomp",  "csubj",
                                                       "parataxis", "list",       "vocative",  "orphan", "discourse",
                                                       "appos",     "dislocated", "reparandum"};
/// Below a modifier behind the head, words with these relations are phrases of their own.
constexpr std::array<std::string_view, 5> kPhrases = {"nsubj", "obj", "iobj", "obl", "nmod"};

class Chunker {
 public:
  explicit Chunker(const Sentence& sentence)
      : sentence_(sentence), children_(size() + 1), taken_(size() + 1, false), inside_(size() + 1, 0) {
    for (int word = 1; word <= sentence.size(); ++word)
      if (const int head = sentence.word(word).head; head >= 0 && head <= sentence.size())
        children_[head].push_back(word);
  }

  /// From the root downwards, so that the larger of two chunks is found first and keeps its words.
  std::vector<NounChunk> run() {
    std::vector<int> open = children_[0];
    for (size_t i = 0; i < open.size(); ++i) {
      const int word = open[i];
      if (!taken_[word] && can_be_head(word)) add_chunk(word);
      open.insert(open.end(), children(word).begin(), children(word).end());
    }
    std::ranges::sort(chunks_, {}, &NounChunk::first);
    return std::move(chunks_);
  }

 private:
  size_t size() const { return static_cast<size_t>(sentence_.size()); }
  const std::vector<int>& children(int word) const { return children_[word]; }

  bool can_be_head(int word) const {
    const Token& token = sentence_.word(word);
    return is_among(token.upos, kNominals) && !is_among(universal(token.deprel), kFunctions);
  }

  /// "Anna's", "her", "Frau": no adposition stands before them.
  bool is_bare_possessor(int word) const {
    const std::string_view relation = sentence_.word(word).deprel;
    if (relation != "nmod:poss" && relation != "nmod:desc") return false;
    return std::ranges::none_of(
        children(word), [&](int child) { return child < word && universal(sentence_.word(child).deprel) == "case"; });
  }

  /// Does `word` belong to the chunk of `head`, given that what it depends on does?
  bool belongs(int word, int head) const {
    const Token& token = sentence_.word(word);
    const std::string_view relation = universal(token.deprel);
    if (token.head == head) return is_among(relation, kModifiers) || is_bare_possessor(word);
    return !is_among(relation, kOutside) && (word < head || !is_among(relation, kPhrases));
  }

  /// Punctuation may stand inside a chunk, but not begin or end it.
  bool is_punctuation(int word) const { return universal(sentence_.word(word).deprel) == "punct"; }

  void add_chunk(int head) {
    std::vector<int> open = {head};
    inside_[head] = head;
    for (size_t i = 0; i < open.size(); ++i) {
      for (const int child : children(open[i])) {
        int& mark = inside_[child];
        if (mark == head || !(is_punctuation(child) || belongs(child, head))) continue;
        mark = head;
        open.push_back(child);
      }
    }
    const auto edge = [&](int step) {
      int last = head;
      for (int word = head + step; word >= 1 && word <= sentence_.size(); word += step) {
        if (inside_[word] != head || taken_[word]) break;
        if (!is_punctuation(word)) last = word;
      }
      return last;
    };
    const NounChunk& chunk = chunks_.emplace_back(NounChunk{edge(-1), edge(1), head});
    for (int word = chunk.first; word <= chunk.last; ++word) taken_[word] = true;
  }

  const Sentence& sentence_;
  std::vector<std::vector<int>> children_;
  std::vector<bool> taken_;  // words of chunks found so far
  std::vector<int> inside_;  // the last head to whose chunk the word belongs
  std::vector<NounChunk> chunks_;
};

}  // namespace

std::vector<NounChunk> noun_chunks(const Sentence& sentence) { return Chunker(sentence).run(); }

}  // namespace espalier

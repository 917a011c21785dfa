// Global features of dependency trees (Zhang et al. 2014): arcs with context, siblings, grandparents, their
// combinations, frames, spans, prepositions, coordination, punctuation, the right branch. Labels by name. The walk over
// the tree is here; the templates are in dependency_templates.h. Tested by rank_test.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "espalier/features/word_atoms.h"
#include "espalier/parser/combine/feature_groups.h"
#include "espalier/tree/analysis.h"

namespace espalier {

/// The words of a sentence, as templates see them. Numbers outside 0..n are "no such word".
struct RankedWords {
  enum Class : uint8_t { kPunctuation = 1, kCoordinator = 2, kVerb = 4, kAdposition = 8 };
  struct Attribute {
    uint64_t name, value;
  };

  SentenceAtoms atoms;
  std::vector<uint8_t> classes;                    ///< of words 0..n
  std::vector<std::vector<Attribute>> attributes;  ///< FEATS of words 0..n, sorted by name
  std::vector<std::vector<int>> counts;            ///< per word class: its number among words 1..i

  void encode(const Sentence& sentence, AtomColumns columns);
  int size() const { return atoms.size(); }
  uint64_t form(int i) const { return atoms.word(i)->field[WordAtoms::kForm]; }
  uint64_t tag(int i) const { return atoms.word(i)->field[WordAtoms::kTag]; }
  uint64_t fine(int i) const { return atoms.word(i)->field[WordAtoms::kFine]; }
  bool is(int i, Class wanted) const { return classes[i] & wanted; }
};

/// A tree over them, with look-ups for every word.
class RankedTree {
 public:
  static constexpr int kNone = -1;

  void link(const RankedWords& words, const Analysis& analysis);

  int size() const { return static_cast<int>(head_.size()) - 1; }
  int head(int i) const { return i <= 0 ? kNone : head_[at(i)]; }
  uint64_t label(int i) const { return i <= 0 ? 0 : label_[at(i)]; }
  /// In the order of the sentence.
  std::span<const int> children(int i) const {
    return std::span(children_).subspan(begin_[at(i)], begin_[at(i) + 1] - begin_[at(i)]);
  }
  /// The next child of the same head on the same side, towards the head, or away from it.
  int inner_sibling(int i) const { return sibling(i, head_[at(i)] < i ? -1 : 1); }
  int outer_sibling(int i) const { return sibling(i, head_[at(i)] < i ? 1 : -1); }
  /// The span of the words below i.
  int first(int i) const { return first_[at(i)]; }
  int last(int i) const { return last_[at(i)]; }
  /// Hash of the labels and places of all children of i.
  uint64_t frame(int i) const { return frame_[at(i)]; }

 private:
  static size_t at(int i) { return static_cast<size_t>(i); }
  int sibling(int i, int step) const;

  std::vector<int> head_, children_, place_, first_, last_, order_;
  std::vector<size_t> begin_;
  std::vector<uint64_t> label_, frame_;
};

class DependencyFeatures {
 public:
  void begin(const Sentence& sentence, AtomColumns columns) { words_.encode(sentence, columns); }
  /// Adds the groups of one tree over the sentence.
  void add(const Analysis& analysis, FeatureGroups& groups);

 private:
  RankedWords words_;
  RankedTree tree_;
};

}  // namespace espalier

// The examples for boosting: every inference that the logic allows at every state of a gold derivation, correct ones
// against the rest (Turian 2007, §4.2), and those at states to which a parser's mistakes lead. Only states are stored,
// not rows of atoms: a row is computed whenever it is sampled, and masks (parser/classify/atom_masks.h) percolate all
// rows without listing them. So memory is about ten bytes per span. Tested by examples_test.cc and
// tests/classify_test.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "espalier/base/rng.h"
#include "espalier/parser/classify/atomic.h"
#include "espalier/space/bottom_up.h"
#include "espalier/tree/constituent_tree.h"
#include "espalier/tree/head_rules.h"

namespace espalier {

class BoostExamples {
 public:
  struct Span {
    uint16_t first, count;  ///< up to BottomUp::kMostWords
    ItemSpan items() const { return {first, count}; }
  };
  /// A state of a gold derivation and its candidates, `spans` begin..end. The value of a state is 1, unless it stands
  /// for a preference: its correct inferences share one half, the others the other half.
  struct State {
    ForestState state;
    uint32_t begin, end;
    float positive_bias, negative_bias;
  };
  struct Sentence {
    std::vector<WordValues> words;
    Forest forest;
    uint32_t begin, end;  ///< of its states
  };
  struct Positive {
    uint32_t span;
    int label;
    float bias;
    bool extra;  ///< not allowed by the logic; the span has no other candidate
  };

  BoostExamples(const BottomUp& logic, const HeadRules& heads, bool sequences)
      : logic_(logic), heads_(heads), sequences_(sequences) {}

  /// Follows one derivation of a simplified tree (its labels must be the logic's). False if TOP is not above exactly
  /// one constituent, or there are more than BottomUp::kMostWords. `rng` picks the derivation where there are several.
  /// Steps before `first_step` are no examples.
  bool add(std::span<const int> terminals, std::vector<WordValues> words, const ConstituentTree& tree,
           const std::vector<int>& labels, Rng& rng, size_t first_step = 0);

  /// Follows the derivation of a tree that a parser made of the sentence (the words are those of `terminals` again) and
  /// adds the states to which no gold derivation leads, where the parser takes a wrong step or did so at most
  /// kAftermath steps before. Correct is the next constituent of the gold tree that can still be built; states without
  /// one are left out. Only for logics with one derivation per tree. Returns how many states were added; none to
  /// sentences with more than BottomUp::kMostWords.
  size_t add_mistakes(std::span<const int> terminals, std::vector<WordValues> words, const ConstituentTree& gold,
                      const std::vector<int>& gold_labels, const ConstituentTree& parsed,
                      const std::vector<int>& parsed_labels);
  static constexpr int kAftermath = 4;

  /// Prefers one tree of a sentence to another that a parser made: adds the states of `better` from where the two part,
  /// and those to which `worse` leads, each of this value. Only for logics with one derivation per tree. Returns how
  /// many states were added.
  size_t add_preference(std::span<const int> terminals, const std::vector<WordValues>& words,
                        const ConstituentTree& better, const std::vector<int>& better_labels,
                        const ConstituentTree& worse, const std::vector<int>& worse_labels, float value);

  size_t size() const { return spans.size(); }
  RowView view(const Sentence& sentence, const State& state) const {
    return {sentence.words, &sentence.forest, state.state.frontier(sentence.forest), sequences_};
  }
  /// Whether the label is a candidate for the span.
  bool is_candidate(const Sentence& sentence, const State& state, Span span, int label) const {
    return span.count <= BottomUp::kMaxChildren && logic_.allows(state.state, sentence.forest, span.items(), label);
  }
  /// Frontier position of the head child of a span under a label.
  int head(const Sentence& sentence, const State& state, Span span, int label) const {
    return head(sentence.forest, state.state, span.items(), label);
  }
  const BottomUp& logic() const { return logic_; }
  /// The sentence of a state, the state of a span.
  size_t state_of(uint32_t span) const;
  size_t sentence_of(size_t state) const;

  std::vector<Sentence> sentences;
  std::vector<State> states;
  std::vector<Span> spans;
  std::vector<Positive> positives;  ///< by span
  size_t candidates = 0;            ///< (span, label) pairs

 private:
  struct Correct {
    ItemSpan span;
    int label;
  };
  /// A state, the spans that the logic allows there, and which inferences are correct.
  void add_state(const ForestState& state, const std::vector<ItemSpan>& licensed, const std::vector<Correct>& correct,
                 const Forest& forest);

  int head(const Forest& forest, const ForestState& state, ItemSpan span, int label) const;

  const BottomUp& logic_;
  const HeadRules& heads_;
  bool sequences_;
  float value_ = 1;  // of a state that is added
};

}  // namespace espalier

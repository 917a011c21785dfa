// PARSEVAL: labelled brackets of constituent trees with the conventions of evalb (Black et al. 1991; Collins'
// parameters). Punctuation and traces are removed by the gold tags, at the same places of both trees; function tags are
// cut; PRT equals ADVP; brackets of one span are compared as a multiset, so the order of a unary chain does not matter.
// O(n log n) in the size of the tree. Tested by eval/bracket_test.cc.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "espalier/eval/counts.h"
#include "espalier/tree/phrases.h"
#include "espalier/tree/sentence.h"

namespace espalier {

struct BracketOptions {
  bool labelled = true;
  bool skip_failures = false;  ///< leave sentences without a tree out, as evalb does, instead of missing all brackets
};

/// Counts of one sentence or of many.
struct BracketScore {
  long sentences = 0;  ///< all of them
  long errors = 0;     ///< words differ from gold's: not in any total
  long failures = 0;   ///< no tree
  Overlap brackets;
  Share exact;                              ///< sentences whose brackets are all right
  long crossing = 0;                        ///< system brackets that cross a gold bracket
  Share no_crossing, at_most_two_crossing;  ///< sentences
  Share tags;                               ///< words that are not deleted

  BracketScore& operator+=(const BracketScore& other);
};

using BracketsByLabel = std::map<std::string, Overlap, std::less<>>;

/// `by_label`, if given, receives the counts of each label in addition.
BracketScore score_brackets(const Sentence& gold, const Sentence& system, const BracketOptions& options = {},
                            BracketsByLabel* by_label = nullptr);
/// Both treebanks hold the same sentences in the same order.
BracketScore score_brackets(std::span<const Sentence> gold, std::span<const Sentence> system,
                            const BracketOptions& options = {});

/// Labelled brackets of another tree over the gold sentence's words. A tree over other words, or none, misses all.
Overlap overlap_of_brackets(const Sentence& gold, const ConstituentTree& system, BracketsByLabel* by_label = nullptr);

/// The phrases of a tree that count as brackets: the root of treebanks does not.
std::vector<Phrase> brackets_of(const ConstituentTree& tree);
/// Whether gold has it, for each of them. The tree must be over the gold sentence's words.
std::vector<bool> right_brackets(const Sentence& gold, const ConstituentTree& system);

/// The number of words without traces, which evalb compares with its cut-off of 40.
int length_without_traces(const Sentence& sentence);

}  // namespace espalier

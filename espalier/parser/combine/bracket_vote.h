// Votes of several constituent trees of one sentence for its brackets, and the tree that has most of them (Henderson &
// Brill 1999; Sagae & Lavie 2006). A bracket gains its votes less a share of all votes: with a half the tree consists
// of what most voters have, with less it dares more. Brackets over the same words stand together, as one of the voters
// has them. The best tree is the best set of spans that do not cross: weighted interval scheduling within each span,
// inner spans first, O(spans * words). Tested by bracket_vote_test.cc against enumeration.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "espalier/tree/phrases.h"

namespace espalier {

class BracketVotes {
 public:
  void reset() { voters_.clear(), votes_.clear(), all_ = 0; }
  /// Counts `weight` > 0 for every phrase of a tree, which must stay where it is until the result has been asked for.
  /// All trees are over the same words.
  void add(const ConstituentTree& tree, double weight);

  /// The tree that gains most, if a phrase must have `share` of all votes to gain anything. Between equals the voter
  /// that was added first decides. Its root is that of the first voter.
  ConstituentTree best_tree(double share) const;
  /// What a tree gains.
  double gain(const ConstituentTree& tree, double share) const;

 private:
  using Name = std::tuple<int, int, std::string_view, int>;  // first and last word, label, how many like it are above
  /// What one voter has over the same words, from the top.
  struct Chain {
    int first, last;
    std::vector<std::string_view> labels;
  };
  struct Voter {
    const ConstituentTree* tree;
    std::vector<Chain> chains;
  };
  /// A chain that may be in the tree, and what it gains with the best of all inside it.
  struct Span {
    const Chain* chain;
    double own, total;
  };
  class Schedule;

  static std::vector<Chain> chains_of(const ConstituentTree& tree);
  template <class Visit>
  static void for_each_name(const Chain& chain, Visit&& visit);
  double gain(const Chain& chain, double share) const;
  /// Of each span that gains anything the best chain, inner spans before outer ones.
  std::vector<Span> candidates(double share) const;

  std::vector<Voter> voters_;
  std::map<Name, double> votes_;
  double all_ = 0;
};

}  // namespace espalier

// Votes of several analyses of one sentence for its arcs, and the tree with most votes (Sagae & Lavie 2006): the best
// spanning tree, projective or not, of the arcs that have votes; every arc gets the relation with most votes. Tested by
// vote_test.cc against enumeration.
#pragma once

#include <string>
#include <vector>

#include "espalier/search/chu_liu_edmonds.h"
#include "espalier/search/eisner.h"
#include "espalier/space/arc_matrix.h"
#include "espalier/tree/analysis.h"

namespace espalier {

/// Which trees may win.
struct TreeKind {
  bool single_root = true, projective = false;
  bool constituents = false;   ///< brackets are voted for (bracket_vote.h), not arcs
  double bracket_share = 0.5;  ///< of all votes, which a bracket must have
};

class ArcVotes {
 public:
  void reset(int words);
  /// Adds `weight` > 0 votes for every arc of an analysis and for its relation. Keeps a reference to the
  /// analysis.
  void add(const Analysis& analysis, double weight);

  /// The tree with most votes; false if the arcs with votes contain no tree of this kind. Ties go to the smaller head;
  /// between relations, to the one voted for first.
  bool best_tree(TreeKind kind, Analysis& analysis);
  /// At most k of them, best first; the first is `best_tree`. Empty if there is none.
  std::vector<Analysis> best_trees(TreeKind kind, int k);
  /// The votes for a tree's arcs.
  double votes(const Analysis& analysis) const;

 private:
  struct Ballot {
    int head;
    const std::string* relation;
    double weight;
  };
  void name(Analysis& analysis) const;

  ArcMatrix arcs_;
  std::vector<std::vector<Ballot>> ballots_;  // by modifier
  ChuLiuEdmonds spanning_;
  EisnerChart chart_;
};

}  // namespace espalier

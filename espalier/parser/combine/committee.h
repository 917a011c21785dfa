// A committee: several parsers of one treebank vote for the arcs of a sentence, or for its brackets, and the tree with
// most votes wins (parser/combine/vote.h, bracket_vote.h). A member votes with its best tree or with its k best
// ones, weighted by how far their scores are behind the best. Tested by learn/combine/committee_test.cc and
// tests/contract/parser_test.cc.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "espalier/parser/combine/bracket_vote.h"
#include "espalier/parser/combine/vote.h"
#include "espalier/parser/inspect.h"

namespace espalier {

/// How much a member's votes count.
struct VoteWeight {
  double weight = 1;
  /// A tree whose score is d behind the member's best has a vote proportional to exp(-d / temperature); all votes of a
  /// member for one word sum up to `weight`. 0 = only the best tree votes.
  double temperature = 0;
};

/// Counts the votes of several members for a sentence. `lists[i]` are the trees of member i, best first. If the arcs
/// with votes contain no tree, the result is the analysis of the first member with a vote.
class Poll {
 public:
  void count(int words, std::span<const std::vector<Candidate>> lists, std::span<const VoteWeight> vote_weights);
  void winner(TreeKind kind, Analysis& analysis);
  /// Of constituents the winner and the voters' own trees, in the order of what they gain.
  std::vector<Candidate> winners(TreeKind kind, int k);

 private:
  std::vector<Candidate> winners_by_brackets(double share, int k);

  ArcVotes votes_;
  BracketVotes brackets_;
  std::vector<const Analysis*> voters_;  // of constituents
  const Analysis* fallback_ = nullptr;
};

class Committee final : public Parser, public Inspectable {
 public:
  struct Member {
    std::unique_ptr<Parser> parser;
    VoteWeight vote;
  };
  /// `list`: the number of trees that a member votes with, at most.
  Committee(std::vector<Member> members, TreeKind kind, int list);

  AboutParser about() const override;
  std::unique_ptr<Workspace> make_workspace() const override;
  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  /// Members that can constrain their search vote only for trees with the given heads and relations.
  KBestList list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  const Inspectable* inspect() const override { return this; }
  /// The trace of the member whose own tree is most similar to the candidate's, constrained to that tree.
  Trace trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override;
  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override;

 private:
  struct Scratch;
  bool can_trace(size_t member) const;
  void count_votes(const Sentence& sentence, const Constraints& given, Scratch& scratch) const;

  std::vector<Member> members_;  // at least one
  std::vector<VoteWeight> vote_weights_;
  TreeKind kind_;
  int list_;
};

/// Throws a usage Error unless all parsers predict dependencies and nothing else, or all constituents. Returns whether
/// they are constituents.
bool check_members(std::span<const Committee::Member> members);
std::unique_ptr<Parser> load_committee(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier

// A committee: several parsers of one treebank vote for the arcs of a sentence, and the tree with most votes wins
// (parser/combine/vote.h). A member votes with its best tree or, more cautiously, with its k best ones, each counting
// by how far its score is behind the best. Tested by learn/combine/committee_test.cc and tests/contract/parser_test.cc.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "espalier/parser/combine/vote.h"
#include "espalier/parser/inspect.h"

namespace espalier {

/// How much a member's votes count.
struct VoteWeight {
  double weight = 1;
  /// A tree whose score is d behind the member's best has exp(-d / temperature) of its vote, and all votes of a member
  /// for one word sum up to `weight`. 0 = only the best tree votes.
  double temperature = 0;
};

/// Counts the votes of several members for a sentence. `lists[i]` are the trees of member i, best first.
/// An analysis of the first member that has any vote comes out where the arcs do not make a tree.
class Poll {
 public:
  void count(int words, std::span<const std::vector<Candidate>> lists, std::span<const VoteWeight> vote_weights);
  void winner(TreeKind kind, Analysis& analysis);
  std::vector<Candidate> winners(TreeKind kind, int k);

 private:
  ArcVotes votes_;
  const Analysis* fallback_ = nullptr;
};

class Committee final : public Parser, public Inspectable {
 public:
  struct Member {
    std::unique_ptr<Parser> parser;
    VoteWeight vote;
  };
  /// `list`: how many trees a member may vote with.
  Committee(std::vector<Member> members, TreeKind kind, int list);

  AboutParser about() const override;
  std::unique_ptr<Workspace> make_workspace() const override;
  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  /// Members that have what is given vote for nothing else.
  KBestList list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  const Inspectable* inspect() const override { return this; }
  /// Of the member whose own tree is nearest to the candidate's, led to that.
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

/// Throws a usage Error unless the parser predicts dependencies and nothing else.
void check_member(const Parser& parser);
std::unique_ptr<Parser> load_committee(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier

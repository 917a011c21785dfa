// A committee: several parsers of one treebank vote for the arcs of a sentence, and the tree with most votes wins
// (rank/vote.h). A member votes with its best tree or, more cautiously, with its k best ones, each counting by how far
// its score is behind the best. Tested by learn/committee_test.cc and tests/contract/parser_test.cc.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "espalier/parser/parser.h"
#include "espalier/parser/trace.h"
#include "espalier/rank/vote.h"

namespace espalier {

/// How much a member's votes count.
struct VotingRight {
  double weight = 1;
  /// A tree whose score is d behind the member's best has exp(-d / temperature) of its vote, and all votes of a member
  /// for one word sum up to `weight`. 0 = only the best tree votes.
  double temperature = 0;
};

/// What several members say about a sentence, counted. `lists[i]` are the trees of member i, best first.
/// An analysis of the first member that has any vote comes out where the arcs do not make a tree.
class Poll {
 public:
  void count(int words, std::span<const std::vector<Candidate>> lists, std::span<const VotingRight> rights);
  void winner(TreeKind kind, Analysis& analysis);
  std::vector<Candidate> winners(TreeKind kind, int k);

 private:
  ArcVotes votes_;
  const Analysis* fallback_ = nullptr;
};

class Committee final : public Parser, public Traceable {
 public:
  struct Member {
    std::unique_ptr<Parser> parser;
    VotingRight right;
  };
  /// `list`: how many trees a member may vote with.
  Committee(std::vector<Member> members, TreeKind kind, int list);

  std::unique_ptr<Workspace> make_workspace() const override;
  void parse(Sentence& sentence, Workspace& workspace) const override;
  bool has_kbest() const override { return true; }
  std::vector<Candidate> kbest(const Sentence& sentence, int k, Workspace& workspace) const override;
  bool can_trace() const override;
  /// Of the member whose own tree is nearest to the candidate's, led to that.
  Trace trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override;
  bool can_constrain() const override { return true; }
  Roots roots() const override { return kind_.single_root ? Roots::kOne : Roots::kAny; }
  std::string kind() const override { return "committee"; }
  std::vector<std::string> predicts() const override { return {"heads"}; }
  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override;

 protected:
  std::vector<Candidate> search_given(const Sentence& sentence, const Constraints& given, int k,
                                      Workspace& workspace) const override;

 private:
  struct Scratch;
  void hold_poll(const Sentence& sentence, Scratch& scratch, const Constraints& given = {}) const;

  std::vector<Member> members_;  // at least one
  std::vector<VotingRight> rights_;
  TreeKind kind_;
  int list_;
};

/// Throws a usage Error unless the parser predicts dependencies and nothing else.
void check_member(const Parser& parser);
/// A member's trees, best first: at most `k`, and one if it has no k-best lists.
void ask_member(const Parser& member, const Sentence& sentence, int k, Workspace& workspace,
                std::vector<Candidate>& list, const Constraints& given = {});

std::unique_ptr<Parser> load_committee(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier

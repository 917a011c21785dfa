#include "espalier/parser/combine/committee.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "espalier/base/error.h"
#include "espalier/parser/combine/tree_trace.h"
#include "espalier/parser/given_heads.h"
#include "espalier/parser/model_file.h"

namespace espalier {
namespace {

/// Sums of the same numbers in another order may differ in their last digit.
std::vector<Candidate> descending(std::vector<Candidate> list) {
  for (size_t i = 1; i < list.size(); ++i) list[i].score = std::min(list[i].score, list[i - 1].score);
  return list;
}

}  // namespace

void Poll::count(int words, std::span<const std::vector<Candidate>> lists, std::span<const VoteWeight> vote_weights) {
  votes_.reset(words);
  brackets_.reset();
  voters_.clear();
  fallback_ = nullptr;
  double seniority = 1;
  for (size_t i = 0; i < lists.size(); ++i) {
    if (vote_weights[i].weight == 0 || lists[i].empty()) continue;
    const std::vector<Candidate>& list = lists[i];
    if (!fallback_) fallback_ = &list[0].analysis;
    const auto share = [&](const Candidate& tree) {
      return std::exp((tree.score - list[0].score) / vote_weights[i].temperature);
    };
    const size_t voters = vote_weights[i].temperature > 0 ? list.size() : 1;
    double all = 1;
    for (size_t k = 1; k < voters; ++k) all += share(list[k]);
    for (size_t k = 0; k < voters; ++k) {
      const Analysis& voter = list[k].analysis;
      const double weight = seniority * vote_weights[i].weight * (k == 0 ? 1 : share(list[k])) / all;
      if (!voter.heads.empty()) {
        votes_.add(voter, weight);
      } else if (weight > 0) {
        brackets_.add(voter.constituents, weight);
        voters_.push_back(&voter);
      }
    }
    seniority -= 1e-5;  // between equals, the earlier member decides
  }
}

void Poll::winner(TreeKind kind, Analysis& analysis) {
  if (kind.constituents) {
    analysis = {};
    analysis.constituents = brackets_.best_tree(kind.bracket_share);
    return;
  }
  if (votes_.best_tree(kind, analysis)) return;
  kind.projective = false;
  if (!votes_.best_tree(kind, analysis)) analysis = *fallback_;
}

std::vector<Candidate> Poll::winners_by_brackets(double share, int k) {
  std::vector<Candidate> list(1);
  list[0].analysis.constituents = brackets_.best_tree(share);
  for (const Analysis* voter : voters_) {
    Candidate candidate;
    candidate.analysis = *voter;
    add_distinct(std::move(candidate), list);
  }
  for (Candidate& candidate : list) candidate.score = brackets_.gain(candidate.analysis.constituents, share);
  std::stable_sort(list.begin() + 1, list.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  list.resize(std::min(list.size(), static_cast<size_t>(k)));
  return list;
}

std::vector<Candidate> Poll::winners(TreeKind kind, int k) {
  if (kind.constituents) return descending(winners_by_brackets(kind.bracket_share, k));
  std::vector<Analysis> trees = votes_.best_trees(kind, k);
  kind.projective = false;
  if (trees.empty()) trees = votes_.best_trees(kind, k);
  if (trees.empty()) trees.push_back(*fallback_);
  std::vector<Candidate> list;
  for (Analysis& tree : trees) {
    Candidate candidate;
    candidate.score = votes_.votes(tree);
    candidate.analysis = std::move(tree);
    list.push_back(std::move(candidate));
  }
  return descending(std::move(list));
}

bool check_members(std::span<const Committee::Member> members) {
  const std::vector<std::string> heads = {"heads"}, constituents = {"constituents"};
  for (const Committee::Member& member : members) {
    const AboutParser about = member.parser->about();
    if (about.predicts != heads && about.predicts != constituents)
      throw usage_error(
          "a model of kind '{}' cannot be a committee's member: these predict dependencies, or constituents, and "
          "nothing else",
          about.kind);
    if (about.predicts != members.front().parser->about().predicts)
      throw usage_error("dependencies and constituents do not vote together: a committee's members predict the same");
  }
  return !members.empty() && members.front().parser->about().predicts == constituents;
}

struct Committee::Scratch final : Workspace {
  using Workspace::Workspace;
  std::vector<std::unique_ptr<Workspace>> members;
  std::vector<std::vector<Candidate>> lists;
  Poll poll;
  Analysis analysis;
};

Committee::Committee(std::vector<Member> members, TreeKind kind, int list)
    : members_(std::move(members)), kind_(kind), list_(list) {
  kind_.constituents = check_members(members_);
  for (const Member& member : members_) vote_weights_.push_back(member.vote);
  if (std::ranges::none_of(vote_weights_, [](const VoteWeight& vote) { return vote.weight > 0; }))
    throw usage_error("a committee needs a member whose votes count");
}

std::unique_ptr<Workspace> Committee::make_workspace() const {
  auto scratch = std::make_unique<Scratch>(*this);
  for (const Member& member : members_) scratch->members.push_back(member.parser->make_workspace());
  scratch->lists.resize(members_.size());
  return scratch;
}

AboutParser Committee::about() const {
  AboutParser about{.kind = "committee",
                    .predicts = {kind_.constituents ? "constituents" : "heads"},
                    .roots = kind_.single_root ? Roots::kOne : Roots::kAny,
                    .can = {.kbest = true, .constrain = !kind_.constituents}};
  for (size_t i = 0; i < members_.size(); ++i) about.can.trace |= can_trace(i);
  about.most_words = 1000;  // a vote is n^2 numbers
  return about;
}

bool Committee::can_trace(size_t member) const {
  return !kind_.constituents && vote_weights_[member].weight > 0 && members_[member].parser->about().can.trace;
}

void Committee::count_votes(const Sentence& sentence, const Constraints& given, Scratch& scratch) const {
  for (size_t i = 0; i < members_.size(); ++i)
    if (vote_weights_[i].weight > 0)
      scratch.lists[i] = kbest(*members_[i].parser, sentence, given, vote_weights_[i].temperature > 0 ? list_ : 1,
                               *scratch.members[i]);
  scratch.poll.count(sentence.size(), scratch.lists, vote_weights_);
}

void Committee::parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const {
  if (sentence.size() == 0) return;
  if (given.on_trees()) return annotate(sentence, list(sentence, given, workspace).best(1).front().analysis);
  auto& scratch = own<Scratch>(workspace);
  count_votes(sentence, given, scratch);
  scratch.poll.winner(kind_, scratch.analysis);
  annotate(sentence, scratch.analysis);
}

KBestList Committee::list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const {
  KBestList winners([this, &sentence, given, &scratch = own<Scratch>(workspace)](int k, std::vector<Candidate>& list) {
    count_votes(sentence, given, scratch);
    list = scratch.poll.winners(kind_, k);
  });
  return given.on_trees() ? mended(std::move(winners), given, about().roots) : winners;
}

Trace Committee::trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const {
  if (sentence.size() == 0 || kind_.constituents) return {};
  auto& scratch = own<Scratch>(workspace);
  const Analysis& tree = candidate.analysis;
  size_t nearest = 0;
  int most = -1;
  for (size_t i = 0; i < members_.size(); ++i) {
    if (!can_trace(i)) continue;
    scratch.lists[i] = kbest(*members_[i].parser, sentence, 1, *scratch.members[i]);
    const Analysis& own_tree = scratch.lists[i].front().analysis;
    int same = 0;
    for (size_t word = 1; word < tree.heads.size(); ++word)
      same += own_tree.heads[word] == tree.heads[word] && own_tree.deprels[word] == tree.deprels[word];
    if (same > most) most = same, nearest = i;
  }
  const Parser& member = *members_[nearest].parser;
  const std::string whose = fmt::format("member {} of {}, whose own tree has {} of the {} arcs that won", nearest + 1,
                                        members_.size(), most, sentence.size());
  return trace_of(member, whose, sentence, led_to(member, sentence, tree, *scratch.members[nearest]),
                  *scratch.members[nearest]);
}

nlohmann::json Committee::save(ModelWriter& writer, const std::string& prefix) const {
  nlohmann::json members = nlohmann::json::array();
  for (size_t i = 0; i < members_.size(); ++i)
    members.push_back({{"weight", vote_weights_[i].weight},
                       {"temperature", vote_weights_[i].temperature},
                       {"part", save_part(*members_[i].parser, writer, fmt::format("{}{}/", prefix, i))}});
  return {{"members", std::move(members)},
          {"list", list_},
          {"single_root", kind_.single_root},
          {"projective", kind_.projective},
          {"bracket_share", kind_.bracket_share}};
}

std::unique_ptr<Parser> load_committee(const ModelPart& part, SettingsReader& overrides) {
  const nlohmann::json& m = part.metadata;
  const auto damaged = [&](bool is) {
    if (is) throw data_error(part.file->name(), 0, "the committee's metadata is damaged");
  };
  std::vector<Committee::Member> members;
  for (const nlohmann::json& member : m.at("members")) {
    const VoteWeight vote{member.at("weight"), member.at("temperature")};
    damaged(!(vote.weight >= 0) || !(vote.temperature >= 0) || member.at("part").at("kind") == "committee");
    const std::string number = std::to_string(members.size()), key = "member." + number + ".";
    SettingsReader own(overrides.values().with_prefix(key));
    members.push_back({load_part({part.file, member.at("part"), part.prefix + number + "/"}, own), vote});
    overrides.adopt(own.known(), key);
  }
  const long list = m.at("list");
  TreeKind kind{.single_root = m.at("single_root"), .projective = m.at("projective")};
  kind.bracket_share = m.value("bracket_share", kind.bracket_share);
  damaged(members.empty() || list < 1 || !(kind.bracket_share > 0 && kind.bracket_share < 1));
  return std::make_unique<Committee>(std::move(members), kind, static_cast<int>(list));
}

}  // namespace espalier

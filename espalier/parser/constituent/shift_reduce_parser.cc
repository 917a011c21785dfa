#include "espalier/parser/constituent/shift_reduce_parser.h"

#include <algorithm>
#include <functional>
#include <span>

#include "espalier/parser/constituent/shift_reduce_reader.h"
#include "espalier/tree/constituent_preprocess.h"

namespace espalier {
namespace {

constexpr int kProposals = 4;  // of each direction: more make no difference

/// A tree that a direction found, and what each direction thinks of it.
struct Proposal {
  size_t finder = 0;  // a direction
  BinaryTree tree;
  std::vector<int32_t> derivation;  // of all directions, one after the other
  double score = 0;
};

class ShiftReduceParser final : public Parser {
 public:
  /// The directions have the same labels.
  explicit ShiftReduceParser(std::vector<ShiftReduceReader> directions) : directions_(std::move(directions)) {}

  const std::vector<ShiftReduceReader>& directions() const { return directions_; }

  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Scratch>(directions_.size()); }

  void parse(Sentence& sentence, Workspace& workspace) const override {
    auto& scratch = static_cast<Scratch&>(workspace);
    const auto found = proposals(sentence, first().beam, kProposals, scratch);
    sentence.constituents =
        restored(unbinarised(found.front().tree, first().labels), sentence, scratch.words, first().root);
  }

  bool has_kbest() const override { return true; }
  std::vector<Candidate> kbest(const Sentence& sentence, int k, Workspace& workspace) const override {
    auto& scratch = static_cast<Scratch&>(workspace);
    std::vector<Candidate> list;
    for (Proposal& proposal : proposals(sentence, std::max(first().beam, k), std::max(k, kProposals), scratch)) {
      if (static_cast<int>(list.size()) == k) break;
      Candidate candidate;
      candidate.score = proposal.score;
      candidate.analysis.constituents =
          restored(unbinarised(proposal.tree, first().labels), sentence, scratch.words, first().root);
      candidate.derivation = std::move(proposal.derivation);
      // Derivations that differ in their heads alone build one tree; the best of them stands for it.
      if (std::ranges::find(list, candidate.analysis, &Candidate::analysis) == list.end())
        list.push_back(std::move(candidate));
    }
    return list;
  }

  bool has_features() const override { return true; }
  FeatureVector features(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override {
    auto& scratch = static_cast<Scratch&>(workspace);
    begin(sentence, scratch);
    const std::span all(candidate.derivation);
    const size_t length = all.size() / directions_.size();
    FeatureVector vector;
    for (size_t d = 0; d < directions_.size(); ++d)
      for (auto [key, value] : directions_[d].features(all.subspan(d * length, length), scratch.directions[d]))
        vector.emplace_back(d == 0 ? key : combine(key, d), value);
    std::ranges::sort(vector);
    return vector;
  }

  std::string kind() const override { return "shift-reduce"; }
  std::vector<std::string> predicts() const override { return {"constituents"}; }

  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    nlohmann::json all = nlohmann::json::array();
    for (const ShiftReduceReader& direction : directions_) {
      const ShiftReduceModel& model = direction.model();
      const std::string name = name_of(model.direction);
      writer.add_array(prefix + name + "/index", model.weights.index());
      writer.add_array(prefix + name + "/rows", model.weights.rows());
      all.push_back({{"direction", name},
                     {"actions", model.actions.to_json()},
                     {"row_columns", model.weights.columns()},
                     {"scale", model.weights.scale()}});
    }
    return {{"beam", first().beam}, {"root", first().root}, {"labels", first().labels}, {"directions", std::move(all)}};
  }

 private:
  struct Scratch final : Workspace {
    explicit Scratch(size_t count) : directions(count) {}
    std::vector<int> words;
    std::vector<ShiftReduceReader::Scratch> directions;
  };

  const ShiftReduceModel& first() const { return directions_.front().model(); }

  void begin(const Sentence& sentence, Scratch& scratch) const {
    scratch.words = words_to_parse(sentence);
    for (size_t d = 0; d < directions_.size(); ++d)
      directions_[d].begin(sentence, scratch.words, scratch.directions[d]);
  }

  /// What the beams of all directions end with, best first; each direction scores what the others found, too.
  /// `width` is that of the beams; with two directions, `wanted` of each are looked at.
  std::vector<Proposal> proposals(const Sentence& sentence, int width, int wanted, Scratch& scratch) const {
    begin(sentence, scratch);
    std::vector<Proposal> list;
    for (size_t d = 0; d < directions_.size(); ++d) {
      const ShiftReduceReader& direction = directions_[d];
      auto& own = scratch.directions[d];
      direction.search(width, own);
      int node = own.beam.first_survivor();
      const auto survivors = own.beam.survivors();
      const size_t count =
          directions_.size() == 1 ? survivors.size() : std::min(survivors.size(), static_cast<size_t>(wanted));
      for (const auto& survivor : survivors.first(count)) {
        Proposal proposal{d, direction.tree(survivor.state, own), {}, direction.score(survivor)};
        own.beam.derivation(node++, proposal.derivation);
        if (d == 0 || std::ranges::none_of(list, [&](const Proposal& p) { return p.tree == proposal.tree; }))
          list.push_back(std::move(proposal));
      }
    }
    if (directions_.size() == 1) return list;
    for (Proposal& proposal : list) {
      std::vector<int32_t> all;
      for (size_t d = 0; d < directions_.size(); ++d) {
        const bool own = d == proposal.finder;
        const auto derivation = own ? std::move(proposal.derivation) : directions_[d].derivation(proposal.tree);
        if (!own) proposal.score += directions_[d].score(derivation, scratch.directions[d]);
        all.insert(all.end(), derivation.begin(), derivation.end());
      }
      proposal.derivation = std::move(all);
    }
    std::ranges::stable_sort(list, std::greater(), &Proposal::score);
    return list;
  }

  std::vector<ShiftReduceReader> directions_;
};

/// What the space needs to have no dead ends: labels where there must be some, and a way to end every part.
bool complete(const ActionTable& actions) {
  const auto labels = [&](int move) {
    std::vector<int> all;
    for (int column = actions.begin(move); column < actions.end(move); ++column)
      all.push_back(actions.action(column).label);
    return all;
  };
  const std::vector<int> left = labels(ShiftReduce::kLeft), right = labels(ShiftReduce::kRight);
  for (const int move : {ShiftReduce::kLeft, ShiftReduce::kRight, ShiftReduce::kLeftPart, ShiftReduce::kRightPart,
                         ShiftReduce::kUnary}) {
    for (const int label : labels(move)) {
      if (label < 0) return false;
      const bool part = move == ShiftReduce::kLeftPart || move == ShiftReduce::kRightPart;
      if (part && (!std::ranges::count(left, label) || !std::ranges::count(right, label))) return false;
    }
  }
  return true;
}

/// So that each direction can build what the other proposes.
bool same_actions(const ActionTable& one, const ActionTable& other) {
  const auto sorted = [](const ActionTable& actions) {
    std::vector<std::pair<int, int>> all;
    for (int column = 0; column < actions.columns(); ++column)
      all.emplace_back(actions.action(column).move, actions.action(column).label);
    std::ranges::sort(all);
    return all;
  };
  return sorted(one) == sorted(other);
}

}  // namespace

std::unique_ptr<Parser> make_shift_reduce_parser(ShiftReduceModel model) {
  std::vector<ShiftReduceReader> directions;
  directions.emplace_back(std::move(model));
  return std::make_unique<ShiftReduceParser>(std::move(directions));
}

std::unique_ptr<Parser> make_two_way_parser(const Parser& left_to_right, const Parser& right_to_left) {
  const auto& one = dynamic_cast<const ShiftReduceParser&>(left_to_right);
  const auto& other = dynamic_cast<const ShiftReduceParser&>(right_to_left);
  return std::make_unique<ShiftReduceParser>(std::vector{one.directions().front(), other.directions().front()});
}

std::unique_ptr<Parser> load_shift_reduce_parser(const ModelPart& part, const Settings& overrides) {
  const nlohmann::json& m = part.metadata;
  const auto check = [&](const std::string& problem) {
    if (!problem.empty()) throw data_error(part.file->name(), 0, "{}", problem);
  };
  const auto beam = static_cast<int>(
      overrides.integer("beam", m.at("beam").get<long>(), 1, 4096, "states kept per step; 1 = greedy"));
  std::vector<ShiftReduceReader> directions;
  for (const nlohmann::json& d : m.at("directions")) {
    const std::string name = d.at("direction");
    ShiftReduceModel model{.beam = beam,
                           .direction = direction_named(name),
                           .root = m.at("root"),
                           .labels = m.at("labels"),
                           .actions = {},
                           .weights = {}};
    std::string problem;
    model.actions =
        ActionTable::from_json(d.at("actions"), ShiftReduce::kMoves, static_cast<int>(model.labels.size()), problem);
    check(problem);
    if (!complete(model.actions)) check("the action table lacks labels");
    model.weights = Linear(part.array<RowBucket>(name + "/index"), part.array<int8_t>(name + "/rows"),
                           d.at("row_columns"), d.at("scale"), part.file);
    check(model.weights.problem());
    if (ShiftReduce::factors(model.actions).columns() > model.weights.columns())
      check("the rows are too short for the actions");
    directions.emplace_back(std::move(model));
  }
  if (directions.empty() || directions.size() > 2) check("a parser reads from one end or from both");
  if (!same_actions(directions.front().model().actions, directions.back().model().actions))
    check("the two directions have different actions");
  return std::make_unique<ShiftReduceParser>(std::move(directions));
}

}  // namespace espalier

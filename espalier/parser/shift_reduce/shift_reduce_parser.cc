#include "espalier/parser/shift_reduce/shift_reduce_parser.h"

#include <algorithm>
#include <span>

#include "espalier/parser/linear_part.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/propose.h"
#include "espalier/parser/shift_reduce/shift_reduce_search.h"

namespace espalier {
namespace {

constexpr int kProposals = 4;  // of each of two directions: more make no difference

class ShiftReduceParser final : public Parser, public Inspectable {
 public:
  /// The directions have the same labels.
  explicit ShiftReduceParser(std::vector<ShiftReduceModel> directions) : directions_(std::move(directions)) {}

  AboutParser about() const override {
    return {.kind = "shift-reduce",
            .predicts = {"constituents"},
            .can = {.kbest = true, .features = true, .trace = true, .explain = true}};
  }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Scratch>(*this); }

  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    sentence.constituents = std::move(list(sentence, given, workspace).take(1).front().analysis.constituents);
  }

  KBestList list(const Sentence& sentence, const Constraints&, Workspace& workspace) const override {
    auto& scratch = own<Scratch>(workspace);
    if (directions_.size() == 1) return scratch.searches.front()->list(sentence);
    return KBestList([this, &sentence, &scratch, width = 0, next = size_t{0},
                      found = std::vector<Proposal<BinaryTree>>()](int k, std::vector<Candidate>& list) mutable {
      if (k > width) {
        width = std::max(k, kProposals);
        found = proposals(sentence, width, scratch);
        next = 0;
        list.clear();
      }
      for (; next < found.size() && static_cast<int>(list.size()) < k; ++next) {
        Candidate candidate;
        candidate.score = found[next].total();
        candidate.analysis.constituents = scratch.searches.front()->finished(found[next].thing, sentence);
        for (const auto& search : scratch.searches)
          std::ranges::copy(search->derivation(found[next].thing), std::back_inserter(candidate.derivation));
        add_distinct(std::move(candidate), list);
      }
    });
  }

  const Inspectable* inspect() const override { return this; }
  std::any inside() const override { return &directions_; }
  std::vector<FeatureVector> features(const Sentence& sentence, std::span<const Candidate> candidates,
                                      Workspace& workspace, bool with_weights) const override {
    auto& scratch = own<Scratch>(workspace);
    for (const auto& search : scratch.searches) search->begin(sentence);
    std::vector<FeatureVector> all;
    for (const Candidate& candidate : candidates) {
      const std::span columns(candidate.derivation);
      const size_t length = columns.size() / directions_.size();
      FeatureVector& vector = all.emplace_back();
      for (size_t d = 0; d < directions_.size(); ++d)
        std::ranges::copy(scratch.searches[d]->features(columns.subspan(d * length, length), with_weights),
                          std::back_inserter(vector));
      sort_features(vector);
    }
    return all;
  }

  /// Shows the first of two directions: each builds the tree in its own way, and their scores add up.
  Trace trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override {
    auto& search = *own<Scratch>(workspace).searches.front();
    search.begin(sentence);
    const size_t steps = candidate.derivation.size() / directions_.size();
    Trace trace = search.trace(std::span(candidate.derivation).first(steps));
    if (directions_.size() > 1) trace.whose = "one of two directions, whose scores add up";
    return trace;
  }

  std::vector<NamedFeature> feature_names(const Sentence& sentence, const Candidate& candidate,
                                          Workspace& workspace) const override {
    auto& scratch = own<Scratch>(workspace);
    const std::span columns(candidate.derivation);
    const size_t length = columns.size() / directions_.size();
    std::vector<NamedFeature> all;
    for (size_t d = 0; d < directions_.size(); ++d) {
      scratch.searches[d]->begin(sentence);
      std::ranges::move(scratch.searches[d]->feature_names(sentence, columns.subspan(d * length, length)),
                        std::back_inserter(all));
    }
    return all;
  }

  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    nlohmann::json all = nlohmann::json::array();
    for (const ShiftReduceModel& model : directions_) {
      const std::string name = name_of(model.direction);
      nlohmann::json& about =
          all.emplace_back(nlohmann::json{{"direction", name}, {"actions", model.actions.to_json()}});
      save_linear(model.weights, writer, prefix + name + "/", about);
    }
    return {{"beam", first().beam}, {"root", first().root}, {"labels", first().labels}, {"directions", std::move(all)}};
  }

 private:
  struct Scratch final : Workspace {
    explicit Scratch(const ShiftReduceParser& parser) : Workspace(parser) {
      for (const ShiftReduceModel& model : parser.directions_)
        searches.push_back(std::make_unique<ShiftReduceSearch<Linear>>(model, model.weights));
    }
    std::vector<std::unique_ptr<ShiftReduceSearch<Linear>>> searches;  // by direction
  };

  const ShiftReduceModel& first() const { return directions_.front(); }

  /// What the directions propose, `k` each, best first.
  std::vector<Proposal<BinaryTree>> proposals(const Sentence& sentence, int k, Scratch& scratch) const {
    auto all = propose_and_judge<BinaryTree>(
        directions_.size(),
        [&](size_t d) {
          auto& search = *scratch.searches[d];
          search.begin(sentence);
          search.search(std::max(first().beam, k));
          std::vector<Scored<BinaryTree>> own;
          for (int i = 0; i < std::min(search.found(), k); ++i) own.push_back({search.tree(i), search.score(i)});
          return own;
        },
        [&](size_t d, const BinaryTree& tree) {
          auto& search = *scratch.searches[d];
          return search.score(search.derivation(tree));
        });
    best_first(all);
    return all;
  }

  std::vector<ShiftReduceModel> directions_;
};

/// Whether the actions leave no dead ends: labels for every move that needs one, and a way to end every part.
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

/// Whether each direction can build the proposals of the other.
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

const ShiftReduceModel* shift_reduce_model(const Parser& parser, Direction direction) {
  const auto* directions = model_of<std::vector<ShiftReduceModel>>(parser);
  if (!directions) return nullptr;
  const auto found = std::ranges::find(*directions, direction, &ShiftReduceModel::direction);
  return found == directions->end() ? nullptr : &*found;
}

std::unique_ptr<Parser> make_shift_reduce_parser(ShiftReduceModel model) {
  std::vector<ShiftReduceModel> directions;
  directions.push_back(std::move(model));
  return std::make_unique<ShiftReduceParser>(std::move(directions));
}

std::unique_ptr<Parser> make_two_way_parser(const Parser& left_to_right, const Parser& right_to_left) {
  return std::make_unique<ShiftReduceParser>(std::vector{*shift_reduce_model(left_to_right, Direction::kLeftToRight),
                                                         *shift_reduce_model(right_to_left, Direction::kRightToLeft)});
}

ShiftReduceModel load_shift_reduce_model(const ModelPart& part, const nlohmann::json& shared,
                                         const nlohmann::json& own) {
  ShiftReduceModel model{.direction = direction_named(own.at("direction").get<std::string>()),
                         .root = shared.at("root"),
                         .labels = shared.at("labels"),
                         .actions = {},
                         .weights = {}};
  std::string problem;
  model.actions =
      ActionTable::from_json(own.at("actions"), ShiftReduce::kMoves, static_cast<int>(model.labels.size()), problem);
  if (problem.empty() && !complete(model.actions)) problem = "the action table lacks labels";
  if (!problem.empty()) throw data_error(part.file->name(), 0, "{}", problem);
  return model;
}

std::unique_ptr<Parser> load_shift_reduce_parser(const ModelPart& part, SettingsReader& overrides) {
  const nlohmann::json& m = part.metadata;
  const auto check = [&](bool good, const char* problem) {
    if (!good) throw data_error(part.file->name(), 0, "{}", problem);
  };
  const auto beam = static_cast<int>(
      overrides.integer("beam", m.at("beam").get<long>(), 1, 4096, "states kept per step; 1 = greedy"));
  std::vector<ShiftReduceModel> directions;
  for (const nlohmann::json& d : m.at("directions")) {
    ShiftReduceModel model = load_shift_reduce_model(part, m, d);
    model.beam = beam;
    model.weights = load_linear(part, std::string(name_of(model.direction)) + "/", d,
                                ShiftReduce::factors(model.actions).columns());
    directions.push_back(std::move(model));
  }
  check(!directions.empty() && directions.size() <= 2, "a parser reads from one end or from both");
  check(same_actions(directions.front().actions, directions.back().actions),
        "the two directions have different actions");
  return std::make_unique<ShiftReduceParser>(std::move(directions));
}

}  // namespace espalier

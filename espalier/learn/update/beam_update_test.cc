// Beam updates against a plain beam that sorts everything, over sentences so small that all derivations can be listed.
#include "espalier/learn/update/beam_update.h"

#include <gtest/gtest.h>

#include <functional>

#include "espalier/features/word_atoms.h"
#include "espalier/features/zhang_nivre.h"
#include "espalier/space/arc_standard.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

using Space = ArcStandard;
using Features = TemplateFeatures<FastStandard>;

/// One sentence, actions with two labels, and weights that have learned something else.
struct Setting {
  Space space;
  ActionTable actions;
  SentenceAtoms atoms;
  std::vector<int32_t> gold;
  OnlineLinear weights{16};

  explicit Setting(uint64_t seed) {
    std::vector<bool> unlabelled(Space::kMoves, false);
    unlabelled[Space::kShift] = true;
    std::vector<ActionTable::Count> counts;
    for (const int move : {int{Space::kLeft}, int{Space::kRight}, int{Space::kRoot}})
      for (const int label : {0, 1}) counts.push_back({move, label, 1});
    actions = ActionTable(Space::kMoves, unlabelled, counts, 64, {"a", "b"});
    Sentence sentence;
    sentence.tokens = {word("one", "X", 2, "a"), word("two", "Y", 0, "b"), word("three", "X", 2, "b")};
    atoms.encode(sentence, {});
    weights = OnlineLinear(actions.columns());
    DependencyTree tree(3);
    tree.head = {-1, 2, 0, 2};
    tree.label = {-1, 0, 1, 1};
    gold = derivation(tree);
    // Random trees, one after the other, leave their traces in the weights.
    Rng rng(seed, "beam update");
    const ActionFactors factors(actions);
    const BeamOptions options{.beam = 2, .update = BeamUpdateAt::kStandard};
    BeamUpdate<Space, Features> update(space, actions, factors, options);
    for (int i = 0; i < 6; ++i) {
      for (size_t w = 1; w <= 3; ++w) tree.label[w] = static_cast<int>(rng.below(2));
      tree.head = rng.below(2) ? std::vector<int>{-1, 0, 1, 2} : std::vector<int>{-1, 3, 3, 0};
      update.learn(atoms, derivation(tree), weights);
      weights.tick();
    }
  }

  std::vector<int32_t> derivation(const DependencyTree& tree) const {
    const Gold wanted(tree);
    std::vector<int32_t> columns;
    Space::Arena arena;
    auto state = space.initial(arena, tree.size());
    while (!space.is_final(state, arena)) {
      const int move = space.oracle(state, arena, wanted);
      const Arc arc = space.part(state, arena, move);
      columns.push_back(actions.column(move, arc.dependent ? tree.label[static_cast<size_t>(arc.dependent)] : -1));
      space.apply(state, arena, move, actions.action(columns.back()).label);
    }
    return columns;
  }

  /// The score of a prefix, and its features.
  double score(const std::vector<int32_t>& columns, const OnlineLinear& with, FeatureDelta* delta, float sign,
               const ActionFactors& factors) const {
    StateScorer<Features, OnlineLinear> scorer;
    scorer.reset(with, atoms);
    Space::Arena arena;
    double sum = 0;
    auto state = space.initial(arena, atoms.size());
    for (const int32_t column : columns) {
      if (forced_column(space.legal(state, arena), actions) < 0) {
        sum += scorer.row(state, arena)[column];
        if (delta) delta->add(scorer.keys(state, arena), factors.of(column), sign);
      }
      space.apply(state, arena, actions.action(column).move, actions.action(column).label);
    }
    return sum;
  }

  /// Every prefix of `length` steps that some derivation has.
  void for_each_prefix(size_t length, const std::function<void(const std::vector<int32_t>&)>& visit) const {
    Space::Arena arena;
    std::vector<int32_t> prefix;
    const std::function<void(Space::State)> walk = [&](Space::State state) {
      if (prefix.size() == length) return visit(prefix);
      if (space.is_final(state, arena)) return;
      const MoveSet legal = space.legal(state, arena);
      for (int column = 0; column < actions.columns(); ++column) {
        if (!(legal >> actions.action(column).move & 1)) continue;
        auto next = state;
        space.apply(next, arena, actions.action(column).move, actions.action(column).label);
        prefix.push_back(column);
        walk(next);
        prefix.pop_back();
      }
    };
    walk(space.initial(arena, atoms.size()));
  }
};

/// What an update of this kind should compare gold with, by a plain beam: all successors of what survived, sorted.
struct Expected {
  bool ambiguous = false;            // two equals, one of which survives: the real beam's business
  std::vector<int32_t> gold, rival;  // prefixes; no rival if gold is in the final beam
};
Expected plain_beam(const Setting& s, const ActionFactors& factors, int width, bool worst) {
  using Scored = std::pair<double, std::vector<int32_t>>;
  Expected expected;
  const auto cut = static_cast<size_t>(width);
  std::vector<Scored> beam{{0, {}}};
  for (const int32_t column : s.gold) {
    expected.gold.push_back(column);
    std::vector<Scored> next;
    s.for_each_prefix(expected.gold.size(), [&](const std::vector<int32_t>& prefix) {
      const std::vector<int32_t> parent(prefix.begin(), prefix.end() - 1);
      if (std::ranges::find(beam, parent, &Scored::second) != beam.end())
        next.emplace_back(s.score(prefix, s.weights, nullptr, 0, factors), prefix);
    });
    std::ranges::sort(next, [](const Scored& a, const Scored& b) { return a.first > b.first; });
    expected.ambiguous |= next.size() > cut && next[cut - 1].first == next[cut].first;
    next.resize(std::min(next.size(), cut));
    beam = next;
    if (std::ranges::find(beam, expected.gold, &Scored::second) != beam.end()) continue;
    const size_t at = worst ? beam.size() - 1 : 0, beside = worst ? beam.size() - 2 : 1;
    expected.ambiguous |= beam.size() > 1 && beam[at].first == beam[beside].first;
    expected.rival = beam[at].second;
    break;
  }
  return expected;
}

TEST(BeamUpdate, HcComparesGoldWithTheBestOrWorstWhereItFallsOut) {
  int compared = 0, kept = 0;
  for (uint64_t seed = 0; seed < 40; ++seed)
    for (const bool worst : {false, true})
      for (const int width : {1, 2, 4, 1000}) {
        Setting s(seed), same(seed);
        const ActionFactors factors(s.actions);
        const BeamOptions options{
            .beam = width, .update = worst ? BeamUpdateAt::kHcWorst : BeamUpdateAt::kHcBest, .all_labels = true};
        const Expected expected = plain_beam(s, factors, width, worst);
        if (expected.ambiguous) continue;
        if (!expected.rival.empty()) {
          FeatureDelta delta;
          delta.clear();
          s.score(expected.gold, s.weights, &delta, 1, factors);
          s.score(expected.rival, s.weights, &delta, -1, factors);
          delta.apply(same.weights, factors, 1);
        }
        ++(expected.rival.empty() ? kept : compared);
        BeamUpdate<Space, Features> update(s.space, s.actions, factors, options);
        EXPECT_EQ(update.learn(s.atoms, s.gold, s.weights), !expected.rival.empty()) << seed << " " << width << worst;
        s.for_each_prefix(s.gold.size(), [&](const std::vector<int32_t>& prefix) {
          ASSERT_EQ(s.score(prefix, s.weights, nullptr, 0, factors),
                    s.score(prefix, same.weights, nullptr, 0, factors));
        });
      }
  EXPECT_GT(compared, 50);
  EXPECT_GT(kept, 10);
}

}  // namespace
}  // namespace espalier

// K-best lists by weights that are still learning: what augmented-loss training asks of a learner. Every search is
// taught to prefer one of its own candidates, and lists it first by the current weights, its score their features' sum.
#include <gtest/gtest.h>

#include "espalier/learn/graph/graph_examples.h"
#include "espalier/learn/update/beam_update.h"
#include "espalier/parser/graph/graph_search.h"
#include "espalier/parser/shift_reduce/shift_reduce_search.h"
#include "espalier/parser/tag/tag_search.h"
#include "espalier/parser/transition/transition_search.h"
#include "espalier/parser/transition/transition_systems.h"
#include "tests/toy_constituents.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

ActionTable all_actions(int moves, std::initializer_list<int> labelled, const std::vector<std::string>& labels) {
  std::vector<bool> unlabelled(static_cast<size_t>(moves), true);
  std::vector<ActionTable::Count> counts;
  for (const int move : labelled) {
    unlabelled[static_cast<size_t>(move)] = false;
    for (int label = 0; label < static_cast<int>(labels.size()); ++label) counts.push_back({move, label, 1});
  }
  return ActionTable(moves, unlabelled, counts, 64, labels);
}

TEST(LiveLists, OfTransitionParsers) {
  for (const std::string& system : kTransitionSystems)
    with_transition_system(system, [&]<class Space>() {
      TransitionModel model;
      model.system = system;
      model.beam = 4;
      model.labels = {"a", "b"};
      model.actions = all_actions(Space::kMoves, {Space::kLeft, Space::kRight, Space::kRoot}, model.labels);
      OnlineLinear weights(model.actions.columns());
      Space space;
      const ActionFactors factors(model.actions);
      const BeamOptions options;
      const StackTemplates templates = transition_templates(system, "fast");
      BeamUpdate<Space, StackTemplates> update(space, model.actions, factors, options, templates);
      TransitionSearch<Space, OnlineLinear> search(model, weights, templates);
      for (const Sentence& sentence : toy_treebank(5, 1)) {
        const Candidate wanted = search.list(sentence).take(4).back();
        SentenceAtoms atoms;
        atoms.encode(sentence, model.columns);
        for (int i = 0; i < 200 && update.learn(atoms, wanted.derivation, weights); ++i) weights.tick();
        const auto now = search.list(sentence).take(4);
        // Not the same analysis always: arc-eager's extra roots go under the one that scores best by now.
        EXPECT_EQ(now.front().derivation, wanted.derivation);
        EXPECT_GT(now.front().score, now.back().score);
        const auto features = search.features(sentence, now, true);
        for (size_t i = 0; i < now.size(); ++i)
          EXPECT_NEAR(weighted_sum(features[i]), now[i].score, 1e-3 * std::abs(now[i].score) + 1e-3);
      }
    });
}

TEST(LiveLists, OfShiftReduceParsers) {
  using S = ShiftReduce;
  ShiftReduceModel model;
  model.beam = 4;
  model.labels = {"S", "NP"};
  model.actions = all_actions(S::kMoves, {S::kLeft, S::kRight, S::kLeftPart, S::kRightPart, S::kUnary}, model.labels);
  const ShiftReduce space(model.labels);
  const ActionFactors factors = S::factors(model.actions);
  OnlineLinear weights(factors.columns());
  const BeamOptions options;
  BeamUpdate<ShiftReduce, ShiftReduceFeatures> update(space, model.actions, factors, options);
  for (const Direction direction : {Direction::kLeftToRight, Direction::kRightToLeft}) {
    model.direction = direction;
    ShiftReduceSearch<OnlineLinear> search(model, weights);
    for (const Sentence& sentence : toy_constituents(3, 1)) {
      const Candidate wanted = search.list(sentence).take(4).back();
      ConstituentAtoms atoms;
      atoms.encode(sentence, words_to_parse(sentence), direction);
      for (int i = 0; i < 200 && update.learn(atoms, wanted.derivation, weights); ++i) weights.tick();
      const auto now = search.list(sentence).take(4);
      EXPECT_EQ(now.front().derivation, wanted.derivation);
      EXPECT_TRUE(now.front().analysis == wanted.analysis);
      search.begin(sentence);
      for (const Candidate& candidate : now)
        EXPECT_NEAR(weighted_sum(search.features(candidate.derivation, true)), candidate.score,
                    1e-3 * std::abs(candidate.score) + 1e-3);
    }
  }
}

TEST(LiveLists, OfTaggers) {
  TaggerModel model;
  model.xpos = model.feats = false;
  model.classes = {"A", "B"};
  model.actions = all_actions(Tagging::kMoves, {Tagging::kTag}, model.classes);
  model.readings = ReadingTable({{0, {"A", "_", "_"}, 1}, {1, {"B", "_", "_"}, 1}}, 2);
  model.dictionary = std::make_shared<TagDictionary>(std::vector<TagDictionary::Entry>());
  OnlineLinear classes(2), readings(model.readings.columns());
  TagSearch<OnlineLinear> search(model, classes, readings);
  const Sentence sentence = toy_treebank(1, 1)[0];
  const auto all = search.list(sentence).take(4);
  ASSERT_EQ(all.size(), 4u);
  for (const Candidate& candidate : all) EXPECT_NEAR(candidate.score, sentence.size() * std::log(0.5), 1e-4);
  EXPECT_EQ(all[0].derivation.size(), 2u * static_cast<size_t>(sentence.size()));
  // The first word is a B now.
  TaggingFeatures features;
  features.encode(sentence, *model.dictionary, nullptr);
  std::array<uint64_t, TaggingFeatures::kMostWordKeys> keys;
  const auto count = static_cast<size_t>(features.word_keys(1, keys.data()));
  std::vector<uint32_t> rows(count);
  classes.locate({keys.data(), count}, rows.data());
  for (const uint32_t row : rows)
    if (row) classes.adjust(row, 1, 2, 1);
  EXPECT_EQ(search.list(sentence).best(1).front().analysis.upos[1], "B");
}

TEST(LiveLists, OfGraphParsers) {
  const std::vector<Sentence> treebank = toy_treebank(5, 1);
  for (const auto& [projective, order] : {std::pair(false, 1), {true, 1}, {true, 3}}) {
    GraphModel model;
    model.projective = projective;
    model.order = order;
    model.candidates = 2;
    collect_examples(treebank, false, *make_arc_loss("labelled"), {}, model);
    model.filter = ArcFilter(model.columns, GraphModel::kTags, ArcFilter::kLeastBits);
    const std::vector<float> undecided(model.filter.weight_count(), 0);
    model.filter.use(undecided);
    model.filter.threshold = 100;  // keeps all arcs
    OnlineLinear arcs(model.arc_columns(), OnlineLinear::Delay::kNone),
        parts(kHashedColumns, OnlineLinear::Delay::kNone);
    GraphSearch<OnlineLinear> search(model, arcs, parts, {});
    for (const Sentence& sentence : treebank) {
      const Candidate wanted = search.list(sentence).take(4).back();
      const auto add = [&](const Candidate& candidate, float step) {
        struct Weight {
          bool of_arc;
          uint64_t key;
          uint32_t column;
        };
        std::vector<Weight> all;
        search.for_each_feature(sentence, candidate, [&](bool of_arc, uint64_t key, auto column) {
          all.push_back({of_arc, key, static_cast<uint32_t>(column)});
        });
        for (const Weight& weight : all) {
          OnlineLinear& table = weight.of_arc ? arcs : parts;
          const auto column = static_cast<int>(weight.column);
          table.adjust(table.locate(weight.key), column, column + 1, step);
        }
      };
      for (int i = 0; i < 100; ++i) {
        const Candidate first = search.list(sentence).take(1).front();
        if (first.derivation == wanted.derivation) break;
        add(wanted, 1);
        add(first, -1);
      }
      const auto now = search.list(sentence).take(4);
      EXPECT_EQ(now.front().derivation, wanted.derivation) << order;
      const auto features = search.features(sentence, now, true);
      for (size_t i = 0; i < now.size(); ++i)
        EXPECT_NEAR(weighted_sum(features[i]), now[i].score, 1e-3 * std::abs(now[i].score) + 1e-3);
    }
  }
}

}  // namespace
}  // namespace espalier

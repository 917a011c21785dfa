// Which labels an arc keeps, and keys of frames. That scores are sums of weights is tested by graph_parser_test.cc.
#include "espalier/parser/graph/graph_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "espalier/base/rng.h"
#include "espalier/weights/linear.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

const Sentence kSentence = testing::dependencies("dogs/NOUN/2/nsubj chase/VERB/0/root cats/NOUN/2/obj");

GraphModel model_of(int candidates) {
  GraphModel model;
  model.columns = "wps";
  model.order = 3;
  model.candidates = candidates;
  for (const Token& t : kSentence.tokens) model.labels.add(t.deprel), model.tags.add(t.upos);
  model.finish();
  // Every label may stand everywhere.
  model.allowed_begin.assign(1, 0);
  for (int cell = 0; cell < 2 * GraphModel::kTags * GraphModel::kTags; ++cell) {
    for (const uint16_t label : {0, 1, 2}) model.allowed.push_back(label);
    model.allowed_begin.push_back(static_cast<uint32_t>(model.allowed.size()));
  }
  return model;
}

/// Whatever the number of labels per arc: beside a kept label stands the best of those that it must outscore.
TEST(GraphScores, KeptLabelsHaveRivals) {
  for (const int candidates : {1, 2, 3}) {
    const GraphModel model = model_of(candidates);
    OnlineLinear arcs(model.arc_columns(), OnlineLinear::Delay::kNone),
        parts(kHashedColumns, OnlineLinear::Delay::kNone);
    GraphScores<OnlineLinear> scores(model, arcs, parts);
    scores.encode(kSentence);
    const std::vector<int> heads{0, 2, 0, 2};
    for (int m = 1; m <= 3; ++m) scores.mutable_arcs().keep(heads[m], m);
    scores.mutable_arcs().number();
    // Label 2 is the best of word 1, by far; kept is label 0.
    const int arc = scores.arcs().find(2, 1);
    scores.score_arcs();
    scores.features().for_each_feature(scores.features().arc(arc), [&](bool, uint64_t key, uint32_t) {
      arcs.adjust(arcs.locate(key), 1 + 2, 1 + 3, 5);
      arcs.adjust(arcs.locate(key), 1 + 1, 1 + 2, 4);
    });
    const std::vector<int> labels{0, 0, 1, 2};
    const GraphScores<OnlineLinear>::KeptTree kept{heads, labels};
    scores.score_arcs(&kept);
    EXPECT_EQ(scores.label(arc, 0), 2);
    EXPECT_GT(scores.label_rank(arc, 0), 0);
    EXPECT_GT(scores.arc(arc, 0), scores.arc(arc, scores.label_rank(arc, 0)));
    EXPECT_EQ(scores.labels(arc), std::max(candidates, 2));
    scores.score_arcs();
    EXPECT_EQ(scores.labels(arc), candidates) << "where none is kept";
  }
}

TEST(GraphScores, LabelsFarBelowTheBestAreLeftOut) {
  const GraphModel model = model_of(3);
  OnlineLinear arcs(model.arc_columns(), OnlineLinear::Delay::kNone), parts(kHashedColumns, OnlineLinear::Delay::kNone);
  GraphScores<OnlineLinear> scores(model, arcs, parts);
  scores.encode(kSentence);
  scores.mutable_arcs().keep(2, 1);
  scores.mutable_arcs().number();
  scores.score_arcs();
  bool first = true;  // of the arc's features: label 2 scores 5, label 1 scores 4, label 0 nothing
  scores.features().for_each_feature(scores.features().arc(0), [&](bool, uint64_t key, uint32_t) {
    if (!std::exchange(first, false)) return;
    arcs.adjust(arcs.locate(key), 1 + 2, 1 + 3, 5);
    arcs.adjust(arcs.locate(key), 1 + 1, 1 + 2, 4);
  });
  const auto labels_within = [&](float gap, const GraphScores<OnlineLinear>::KeptTree* kept = nullptr) {
    scores.score_arcs(kept, gap);
    std::vector<int> labels;
    for (int l = 0; l < scores.labels(0); ++l) labels.push_back(scores.label(0, l));
    return labels;
  };
  EXPECT_EQ(labels_within(0.5f), std::vector<int>{2});
  EXPECT_EQ(labels_within(2), (std::vector<int>{2, 1}));
  EXPECT_EQ(labels_within(9), (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(labels_within(0), (std::vector<int>{2, 1, 0})) << "no gap";
  const std::vector<int> heads{0, 2, 0, 2}, labels{0, 0, 1, 2};
  const GraphScores<OnlineLinear>::KeptTree kept{heads, labels};
  EXPECT_EQ(labels_within(0.5f, &kept), (std::vector<int>{2, 0})) << "the kept label stays";
}

/// Parts of a word with hundreds of modifiers, for which arrays would be too large, have the scores that they have
/// among few arcs.
TEST(GraphScores, AreTheSameWhereArraysWouldBeTooLarge) {
  const int n = 650;
  const GraphModel model = model_of(GraphModel::kMaxCandidates);
  OnlineLinear arcs(model.arc_columns(), OnlineLinear::Delay::kNone), parts(kHashedColumns, OnlineLinear::Delay::kNone);
  Sentence sentence;
  for (int i = 0; i < n; ++i) sentence.tokens.push_back(kSentence.tokens[static_cast<size_t>(i * i % 7 % 3)]);
  const auto hang_on_first = [&](GraphScores<OnlineLinear>& scores, std::span<const int> modifiers) {
    scores.encode(sentence);
    for (const int m : modifiers) scores.mutable_arcs().keep(1, m);
    scores.mutable_arcs().number();
    scores.score_arcs();
    scores.score_parts();
  };
  Rng rng(1, "parts");
  std::vector<std::array<int, 3>> triples;
  while (triples.size() < 60) {
    std::array<int, 3> triple;
    for (int& m : triple) m = 2 + static_cast<int>(rng.below(n - 1));
    std::ranges::sort(triple);
    if (triple[0] < triple[1] && triple[1] < triple[2]) triples.push_back(triple);
  }
  GraphScores<OnlineLinear> few(model, arcs, parts), all(model, arcs, parts);
  for (const auto& triple : triples) {
    hang_on_first(few, triple);
    GraphPart sibling = few.features().sibling(2, 1), tri_sibling = few.features().tri_sibling(2, 1, 0);
    sibling.label = tri_sibling.label = static_cast<int>(rng.below(3));
    sibling.outer_label = static_cast<int>(rng.below(3));
    for (const GraphPart& part : {sibling, tri_sibling})
      few.features().for_each_feature(part, [&](bool, uint64_t key, uint32_t column) {
        parts.adjust(parts.locate(key), static_cast<int>(column), static_cast<int>(column) + 1,
                     static_cast<float>(rng.below(9)) - 4);
      });
  }
  std::vector<int> words(n - 1);
  std::iota(words.begin(), words.end(), 2);
  hang_on_first(all, words);
  std::set<float> seen;
  for (const auto& triple : triples) {
    hang_on_first(few, triple);
    const int t = triple[0] - 2, s = triple[1] - 2, m = triple[2] - 2;  // arcs are numbered by word
    for (int l = 0; l < 3; ++l) {
      EXPECT_EQ(all.tri_sibling(m, l, s, t), few.tri_sibling(2, l, 1, 0));
      seen.insert(few.tri_sibling(2, l, 1, 0));
      for (int o = 0; o < 3; ++o) EXPECT_EQ(all.sibling(m, l, s, o), few.sibling(2, l, 1, o));
    }
  }
  EXPECT_GT(seen.size(), 10u);
}

/// Keys of the frames of the sentence's first arc.
class FrameKeys {
 public:
  FrameKeys(const GraphModel& model, const PartNames& names) : features_(model, names) {
    features_.encode(kSentence);
    for (int m = 1; m <= 3; ++m) features_.mutable_arcs().keep(m == 2 ? 0 : 2, m);
    features_.mutable_arcs().number();
    features_.expand();
  }
  std::vector<uint64_t> operator()(int right, uint64_t inner, uint64_t outer) const {
    const GraphPart part{
        .kind = kFramePart, .words = {2, 1}, .context = right, .inner_labels = inner, .outer_labels = outer};
    std::vector<uint64_t> keys(GraphFeatures::kMaxKeys);
    keys.resize(static_cast<size_t>(features_.keys(part, keys.data())));
    return keys;
  }

 private:
  GraphFeatures features_;
};

/// Keys that look at the side of an arc tell all pairs of sets on both sides apart.
TEST(GraphFeatures, FramesOfTwoSidesHaveDifferentKeys) {
  const GraphModel model = model_of(2);
  for (const PartNames& names : {PartNames{}, part_names(model)}) {
    const FrameKeys keys_of(model, names);
    const std::vector<uint64_t> left = keys_of(0, 0, 0), right = keys_of(1, 0, 0);
    int sided = 0;
    for (size_t t = 0; t < left.size(); ++t) {
      if (left[t] == right[t]) continue;  // it sees both sides together
      ++sided;
      std::set<uint64_t> all;
      for (const int side : {0, 1})
        for (uint64_t inner = 0; inner < 4; ++inner)
          for (uint64_t outer = 0; outer < 4; ++outer) all.insert(keys_of(side, inner, outer)[t]);
      EXPECT_EQ(all.size(), 2u * 4 * 4);
    }
    EXPECT_GT(sided, 0);
  }
}

/// Keys that look at labels tell all 64 of a frame apart.
TEST(GraphFeatures, FramesKnowEveryLabel) {
  const GraphModel model = model_of(2);
  const FrameKeys keys_of(model, {});
  const std::vector<uint64_t> none = keys_of(0, 0, 0), one = keys_of(0, 1, 0);
  int labelled = 0;
  for (size_t t = 0; t < none.size(); ++t) {
    if (none[t] == one[t]) continue;
    ++labelled;
    std::set<uint64_t> all = {none[t]};
    for (int label = 0; label < 64; ++label) all.insert(keys_of(0, uint64_t{1} << label, 0)[t]);
    EXPECT_EQ(all.size(), 65u);
  }
  EXPECT_GT(labelled, 1);
}

}  // namespace
}  // namespace espalier

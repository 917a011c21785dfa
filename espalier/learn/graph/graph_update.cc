#include "espalier/learn/graph/graph_update.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <cmath>

#include "espalier/learn/update/passive_aggressive.h"
#include "espalier/learn/update/violation.h"
#include "espalier/parser/graph/part_namer.h"

namespace espalier {
namespace {

void compare_exact(const GraphExample& example, TrainingSearch& search, Correction& correction) {
  correction.root_wrong = false;
  DependencyTree found(example.sentence->size());
  search.solve_exactly(found);
  const GraphScores<OnlineLinear>& scores = search.scores();
  Correction::Step& step = correction.next();
  for (int m = 1; m <= found.size(); ++m) {
    if (found.head[m] == example.heads[m] && found.label[m] == example.labels[m]) continue;
    correction.root_wrong = true;
    step.loss += example.cost(m, found.head[m], found.label[m]);
    const auto add = [&](int head, int label, float value) {
      GraphPart part = scores.features().arc(scores.arcs().find(head, m));
      part.label = label;
      scores.features().for_each_feature(
          part, [&](bool of_arc, uint64_t key, uint32_t column) { step.delta.add(key, column, value, of_arc); });
    };
    add(example.heads[m], example.labels[m], 1);
    add(found.head[m], found.label[m], -1);
  }
  correction.root_violated = correction.root_wrong;  // exact search: every error is a violation
  correction.items = correction.root_wrong;
  if (!correction.root_wrong) correction.used = 0;
}

/// The coarse score learns to find the heads by itself, as a first-order model.
void compare_coarse(const GraphExample& example, TrainingSearch& search, Correction::Step& step) {
  const GraphScores<OnlineLinear>& scores = search.scores();
  const int n = example.sentence->size();
  const std::vector<int>& heads =
      search.coarse_heads([&](int m, int head) { return head != example.heads[m] ? example.prices[m].head : 0; });
  const auto column = static_cast<uint32_t>(scores.features().model().coarse_column());
  uint64_t keys[GraphFeatures::kMaxKeys];
  for (int m = 1; m <= n; ++m) {
    if (heads[m] == example.heads[m]) continue;
    step.loss += example.prices[m].head;
    for (const auto& [head, sign] : {std::pair(example.heads[m], 1.f), {heads[m], -1.f}}) {
      const int count = scores.features().keys(scores.features().arc(scores.arcs().find(head, m)), keys);
      for (int t = 0; t < count; ++t) step.delta.add(keys[t], column, sign * GraphModel::kCoarseValue, true);
    }
  }
}

void compare_cube(const GraphSettings& settings, const GraphExample& example, TrainingSearch& search,
                  Correction& correction) {
  const GraphScores<OnlineLinear>& scores = search.scores();
  auto& cube = search.cube();
  const int n = example.sentence->size();
  std::vector<int> ranks(n + 1, 0);
  for (int m = 1; m <= n; ++m) ranks[m] = scores.label_rank(scores.arcs().find(example.heads[m], m), example.labels[m]);
  const auto& gold = cube.derive(example.heads, ranks);
  std::vector<GoldItem> items;
  const auto cost = [&](int hypothesis) {
    double sum = 0;
    cube.for_each_arc(hypothesis, [&](int a, int l) {
      sum += example.cost(scores.arcs().modifier(a), scores.arcs().head(a), scores.label(a, l));
    });
    return sum;
  };
  for (const auto& item : gold) {
    items.push_back({cube.hypothesis(item.best).score - cube.hypothesis(item.hypothesis).score, item.same, item.start,
                     item.width, item.left, item.right});
    if (settings.mira && settings.plain_violations && !item.same)
      items.back().violation -= static_cast<float>(cost(item.best));
  }
  correction.root_wrong = !items.back().same;
  correction.root_violated = !items.back().same && items.back().violation >= 0;
  // Parts that gold and found derivation share cancel before any feature is looked at.
  tsl::robin_map<uint64_t, std::pair<GraphPart, int>> parts;
  Correction::Step* step = nullptr;
  const auto flush = [&] {
    std::vector<const std::pair<GraphPart, int>*> changed;
    for (const auto& entry : parts)
      if (entry.second.second != 0) changed.push_back(&entry.second);
    std::sort(changed.begin(), changed.end(),
              [](const auto* a, const auto* b) { return a->first.hash() < b->first.hash(); });
    for (const auto* entry : changed)
      scores.features().for_each_feature(entry->first, [&](bool of_arc, uint64_t key, uint32_t column) {
        step->delta.add(key, column, static_cast<float>(entry->second), of_arc);
      });
    parts.clear();
  };
  const auto collect = [&](int hypothesis, int value) {
    PartNamer namer{scores, [&](const GraphPart& part) {
                      auto [at, fresh] = parts.insert({part.hash(), {part, 0}});
                      at.value().second += value;
                    }};
    cube.for_each_part(hypothesis, namer);
  };
  const auto chosen = items_to_update(items, settings.update);
  correction.items = static_cast<int>(chosen.size());
  for (const int item : chosen) {
    if (!step || settings.separate_steps) {
      if (step) flush();
      step = &correction.next();
    }
    step->forced = items[item].violation < 0;
    collect(gold[item].hypothesis, 1);
    collect(gold[item].best, -1);
    step->loss += cost(gold[item].best);
  }
  if (step) flush();
}

/// How a step becomes one of the weights.
struct StepRule {
  bool mira;  // else perceptron
  double aggressiveness;
  bool make_rows;  // for features that have none
  GraphSettings::Forced forced;
};

bool apply_step(const StepRule& rule, Correction::Step& step, OnlineLinear& arcs, OnlineLinear& parts) {
  const auto entries = step.delta.entries();
  // A feature's columns mostly follow each other: one look-up for all.
  uint64_t last = 0;
  uint32_t row = 0;
  double margin = 0, norm = 0;
  for (const auto& entry : entries) {
    const OnlineLinear& table = entry.table ? arcs : parts;
    if (entry.key != last) row = table.find(last = entry.key);
    margin += entry.value * table.value(row, entry.column);
  }
  using Forced = GraphSettings::Forced;
  const double missing = step.forced && rule.forced == Forced::kLoss ? step.loss : step.loss - margin;
  const bool backwards = step.forced && rule.forced == Forced::kSigned && missing < 0;
  if (rule.mira && missing <= 0 && !backwards) return false;
  // Delayed allocation: new features have no row yet, so they do not count in the norm.
  step.rows.assign(entries.size(), 0);
  last = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].value == 0) continue;
    OnlineLinear& table = entries[i].table ? arcs : parts;
    if (entries[i].key != last) {
      last = entries[i].key;
      row = rule.make_rows ? table.locate(last) : table.find(last);
      if (row && rule.make_rows) table.touch(row);
    }
    step.rows[i] = row;
    if (row) norm += entries[i].value * entries[i].value;
  }
  if (norm == 0) return false;
  const double size =
      !rule.mira ? 1 : (backwards ? -1 : 1) * passive_aggressive_step(std::abs(missing), norm, rule.aggressiveness);
  for (size_t i = 0; i < entries.size(); ++i)
    if (step.rows[i]) {
      const auto column = static_cast<int>(entries[i].column);
      (entries[i].table ? arcs : parts)
          .adjust(step.rows[i], column, column + 1, static_cast<float>(size * entries[i].value));
    }
  return true;
}

}  // namespace

void find_correction(const GraphSettings& settings, const GraphExample& example, const KeptArcs& kept,
                     TrainingSearch& search, Correction& correction) {
  correction.used = 0;
  correction.items = 0;
  search.scores().encode(*example.sentence);
  ArcSet& arcs = search.scores().mutable_arcs();
  for (const auto& [h, m] : kept) arcs.keep(h, m);
  for (int m = 1; m <= arcs.words(); ++m) arcs.keep(example.heads[m], m);
  arcs.number();
  // MIRA: loss-augmented search.
  const GraphScores<OnlineLinear>::KeptTree gold{example.heads, example.labels};
  search.scores().score_arcs(&gold, settings.train_label_gap, [&](int m, int head, int label) {
    return settings.mira ? example.cost(m, head, label) : 0;
  });
  correction.coarse.clear();
  if (search.exact()) {
    compare_exact(example, search, correction);
  } else {
    if (search.model().coarse) compare_coarse(example, search, correction.coarse);
    if (settings.train_arc_gap > 0) search.drop_arcs(settings.train_arc_gap, example.heads);
    search.scores().score_parts();
    search.cube().run(search.scores(), settings.training);
    compare_cube(settings, example, search, correction);
  }
}

bool apply_correction(const GraphSettings& settings, Correction& correction, OnlineLinear& arcs, OnlineLinear& parts) {
  bool updated = false;
  for (int s = 0; s < correction.used; ++s)
    updated |=
        apply_step({settings.mira, settings.aggressiveness, true, settings.forced}, correction.steps[s], arcs, parts);
  // Always by MIRA, in whose units gaps are. Only features that have a row are updated.
  apply_step({true, settings.aggressiveness, false, settings.forced}, correction.coarse, arcs, parts);
  return updated;
}

}  // namespace espalier

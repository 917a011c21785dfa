#include "espalier/learn/combine/ranker.h"

#include <algorithm>
#include <numeric>

#include "espalier/base/rng.h"
#include "espalier/learn/update/passive_aggressive.h"

namespace espalier {
namespace {

double sign_of(uint32_t signed_group) { return signed_group & 1 ? -1 : 1; }

/// read(id) is a feature's weight; `of_groups` is scratch.
template <class Read>
void score_trees(const RankExample& example, Read&& read, std::vector<double>& of_groups, std::vector<double>& scores) {
  of_groups.assign(example.groups.size(), 0);
  for (size_t g = 0; g < of_groups.size(); ++g)
    for (const uint32_t id : example.groups[g]) of_groups[g] += read(id);
  scores.assign(example.size(), 0);
  for (size_t i = 0; i < scores.size(); ++i)
    for (const uint32_t group : example.trees[i]) scores[i] += sign_of(group) * of_groups[group >> 1];
}

}  // namespace

std::vector<double> rank_scores(const RankExample& example, std::span<const float> weights) {
  std::vector<double> groups, scores;
  score_trees(
      example, [&](uint32_t id) { return weights[id]; }, groups, scores);
  return scores;
}

std::vector<size_t> ranking_order(size_t examples, int epoch, uint64_t seed) {
  Rng rng(seed, "order of ranking");
  std::vector<size_t> order(examples);
  for (int e = 1; e <= epoch; ++e) {
    std::iota(order.begin(), order.end(), size_t{0});
    rng.shuffle(order);
  }
  return order;
}

Ranker::Ranker(std::span<const RankExample> examples, size_t features, const RankOptions& options)
    : examples_(examples), options_(options), prepared_(examples.size()), weights_(features), places_(features) {
  for (size_t i = 0; i < examples.size(); ++i) prepare(examples[i], prepared_[i]);
  places_ = {};
}

void Ranker::prepare(const RankExample& example, Prepared& prepared) {
  const size_t count = example.size();
  prepared.order.resize(count);
  std::iota(prepared.order.begin(), prepared.order.end(), uint16_t{0});
  std::ranges::stable_sort(prepared.order, {}, [&](uint16_t i) { return example.losses[i]; });
  for (size_t k = 1; k <= count; ++k)
    if (k == count || example.losses[prepared.order[k]] != example.losses[prepared.order[k - 1]])
      prepared.levels.push_back(static_cast<uint16_t>(k));
  if (prepared.levels.size() < 2) return;  // all trees have the same loss

  // The list's own features, numbered from 0, as dense vectors.
  touched_.clear();
  for (const uint32_t id : example.groups.numbers) {
    if (places_[id] != 0) continue;
    touched_.push_back(id);
    places_[id] = static_cast<uint32_t>(touched_.size());
  }
  const size_t width = touched_.size();
  dense_.assign(count * width, 0);
  for (size_t i = 0; i < count; ++i)
    for (const uint32_t group : example.trees[i])
      for (const uint32_t id : example.groups[group >> 1])
        dense_[i * width + places_[id] - 1] += static_cast<float>(sign_of(group));
  for (const uint32_t id : touched_) places_[id] = 0;
  prepared.products.resize(count * count);
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      const float *a = &dense_[i * width], *b = &dense_[j * width];
      float lanes[8] = {};
      size_t k = 0;
      for (; k + 8 <= width; k += 8)
        for (size_t lane = 0; lane < 8; ++lane) lanes[lane] += a[k + lane] * b[k + lane];
      float product = std::accumulate(lanes, lanes + 8, 0.0f);
      for (; k < width; ++k) product += a[k] * b[k];
      prepared.products[i * count + j] = prepared.products[j * count + i] = product;
    }
  }
}

Ranker::Counts Ranker::learn(size_t number) {
  const RankExample& example = examples_[number];
  const Prepared& prepared = prepared_[number];
  Counts counts;
  if (prepared.levels.size() < 2) return counts;
  const size_t count = example.size();
  score_trees(
      example, [&](uint32_t id) { return weights_[id].value; }, group_scores_, scores_);
  steps_.assign(count, 0);
  sums_.assign(count, 0);
  const size_t pairs = options_.fine ? prepared.levels.size() - 1 : 1;
  for (size_t level = 0; level < pairs; ++level, ++seen_) step(example, prepared, level, counts);
  counts.pairs = pairs;
  group_steps_.assign(example.groups.size(), {});
  for (size_t i = 0; i < count; ++i) {
    if (sums_[i] == 0) continue;
    for (const uint32_t group : example.trees[i]) {
      group_steps_[group >> 1].value += sign_of(group) * steps_[i];
      group_steps_[group >> 1].sum += sign_of(group) * sums_[i];
    }
  }
  for (size_t g = 0; g < group_steps_.size(); ++g) {
    if (group_steps_[g].value == 0 && group_steps_[g].sum == 0) continue;
    for (const uint32_t id : example.groups[g]) {
      weights_[id].value += static_cast<float>(group_steps_[g].value);
      weights_[id].sum += static_cast<float>(group_steps_[g].sum);
    }
  }
  return counts;
}

void Ranker::step(const RankExample& example, const Prepared& prepared, size_t level, Counts& counts) {
  const size_t count = example.size();
  const size_t begin = level == 0 ? 0 : prepared.levels[level - 1], end = prepared.levels[level];
  const std::span order = prepared.order;
  // Ties go to the tree that the parser ranks higher: of equal losses it stands first, of others it has the lower
  // number.
  size_t good = order[begin], bad = order[end];
  for (size_t k = begin + 1; k < end; ++k)
    if (scores_[order[k]] < scores_[good]) good = order[k];
  for (size_t k = end + 1; k < count; ++k) {
    const size_t i = order[k];
    if (scores_[i] > scores_[bad] || (scores_[i] == scores_[bad] && i < bad)) bad = i;
  }
  const double margin = double{example.losses[bad]} - example.losses[good];
  const double ahead = scores_[good] - scores_[bad];
  if (ahead >= margin - 1e-8) return;
  const auto product = [&](size_t a, size_t b) { return double{prepared.products[a * count + b]}; };
  const double norm = product(good, good) + product(bad, bad) - 2 * product(good, bad);
  const double tau = passive_aggressive_step(margin - ahead, norm, options_.aggressiveness);
  if (tau == 0) return;
  for (size_t i = 0; i < count; ++i) scores_[i] += tau * (product(i, good) - product(i, bad));
  steps_[good] += tau;
  steps_[bad] -= tau;
  sums_[good] += seen_ * tau;
  sums_[bad] -= seen_ * tau;
  ++counts.updates;
}

void Ranker::archive(Archive& archive) {
  archive.items(std::span(weights_));
  archive.value(seen_);
}

std::vector<float> Ranker::average() const {
  std::vector<float> average(weights_.size());
  for (size_t i = 0; i < average.size(); ++i)
    average[i] = static_cast<float>(weights_[i].value - weights_[i].sum / seen_);
  return average;
}

}  // namespace espalier

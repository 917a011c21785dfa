#include "espalier/learn/classify/boost/label_booster.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "espalier/learn/classify/boost/percolate.h"

namespace espalier {
namespace {

constexpr uint8_t kNoCandidate = 0xff;

/// Tells the parts of an iteration apart by the CPU time of this thread.
class Laps {
 public:
  explicit Laps(BoostProfile& profile) : profile_(profile) {}
  /// What has passed since the last lap was for this part.
  void end(BoostPart part) {
    const double now = seconds();
    profile_[part] += now - last_;
    last_ = now;
  }

 private:
  static double seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  BoostProfile& profile_;
  double last_ = seconds();
};

/// The booster of one label: margins and weights of all spans, samples, trees, and updates of margins.
class LabelBooster {
 public:
  LabelBooster(int label, const AtomSpace& space, const BoostExamples& examples, const AtomNumbering& numbering,
               const BoostOptions& options)
      : label_(label),
        space_(space),
        examples_(examples),
        numbering_(numbering),
        options_(options),
        rows_(space),
        builder_(numbering.size()) {
    find_candidates();
  }

  LabelResult run(const BoostProgress& progress);

 private:
  bool is_positive(uint32_t span) const {
    return std::ranges::binary_search(positives_, span, {}, [](const auto& p) { return p.first; });
  }
  /// Calls use(span, correct, bias) for ascending spans: one sweep beside the positives tells the correct ones.
  template <class Use>
  void for_each_member(const std::vector<uint32_t>& spans, const Use& use) const {
    auto positive = positives_.begin();
    for (const uint32_t span : spans) {
      while (positive != positives_.end() && positive->first < span) ++positive;
      const bool correct = positive != positives_.end() && positive->first == span;
      use(span, correct, correct ? positive->second : negative_bias_[span]);
    }
  }

  void find_candidates();
  void draw_sample(int number);
  void update_sample();
  GrownTree grow(double lambda);
  /// Fits the open leaves; if the risk falls by more than `least`, moves the margins and returns by how much, else 0.
  double fit(const GrownTree& grown, double lambda, double least, DecisionTree& tree);
  void reweigh(uint32_t span, bool positive, float bias) {
    weights_[span] = bias * sigmoid(positive ? -margins_[span] : margins_[span]);
  }

  const int label_;
  const AtomSpace& space_;
  const BoostExamples& examples_;
  const AtomNumbering& numbering_;
  const BoostOptions& options_;

  std::vector<uint8_t> heads_;  // offset of the head in the span, kNoCandidate if the label is not allowed there
  std::vector<float> margins_, weights_, negative_bias_;
  std::vector<std::pair<uint32_t, float>> positives_;  // span and bias, by span

  RowAtoms rows_;
  TreeBuilder builder_;
  BoostSample sample_;
  PrioritySample drawn_;
  std::vector<float> scale_;  // sampled weight / true weight, of each sampled row
  std::vector<uint8_t> sample_positive_;
  GroupedExamples grouped_;
  Parameters parameters_;
  LabelResult result_;
  Laps laps_{result_.profile};
};

void LabelBooster::find_candidates() {
  heads_.assign(examples_.size(), kNoCandidate);
  negative_bias_.assign(examples_.size(), 0);
  for (const auto& positive : examples_.positives) {
    if (positive.label == label_) positives_.push_back({positive.span, positive.bias});
  }
  for (const auto& sentence : examples_.sentences) {
    for (uint32_t s = sentence.begin; s < sentence.end; ++s) {
      const auto& state = examples_.states[s];
      for (uint32_t span = state.begin; span < state.end; ++span) {
        const auto at = examples_.spans[span];
        if (!examples_.is_candidate(sentence, state, at, label_) && !is_positive(span)) continue;
        heads_[span] = static_cast<uint8_t>(std::min(examples_.head(sentence, state, at, label_) - at.first, 254));
        negative_bias_[span] = state.negative_bias;
      }
    }
  }
  double correct = 0, wrong = 0;
  for (const auto& [span, bias] : positives_) correct += static_cast<double>(bias);
  for (uint32_t span = 0; span < examples_.size(); ++span) wrong += static_cast<double>(negative_bias_[span]);
  for (const auto& [span, bias] : positives_) wrong -= static_cast<double>(negative_bias_[span]);
  if (options_.intercept && correct > 0 && wrong > 0) result_.intercept = static_cast<float>(std::log(correct / wrong));
  margins_.assign(examples_.size(), result_.intercept);
  weights_.resize(examples_.size());
  for (uint32_t span = 0; span < examples_.size(); ++span) reweigh(span, false, negative_bias_[span]);
  for (const auto& [span, bias] : positives_) reweigh(span, true, bias);
}

void LabelBooster::draw_sample(int number) {
  const uint64_t seed =
      combine(combine(mix(options_.seed), static_cast<uint64_t>(label_)), static_cast<uint64_t>(number));
  drawn_ = priority_sample(weights_, options_.sample, seed);
  laps_.end(kSampling);
  sample_.row_starts.assign(1, 0);
  sample_.row_atoms.clear();
  scale_.clear(), sample_positive_.clear();
  size_t state = 0, sentence = 0;
  for (const uint32_t span : drawn_.examples) {
    if (span >= examples_.states[state].end) state = examples_.state_of(span);
    if (state >= examples_.sentences[sentence].end) sentence = examples_.sentence_of(state);
    const RowView view = examples_.view(examples_.sentences[sentence], examples_.states[state]);
    const auto at = examples_.spans[span];
    for (const int atom : rows_.collect(view, at.items(), at.first + heads_[span])) {
      sample_.row_atoms.push_back(numbering_.number(atom));
    }
    sample_.row_starts.push_back(static_cast<uint32_t>(sample_.row_atoms.size()));
    scale_.push_back(std::max(weights_[span], drawn_.threshold) / weights_[span]);
    sample_positive_.push_back(is_positive(span));
  }
  sample_.transpose(numbering_.size());
  laps_.end(kAtoms);
}

void LabelBooster::update_sample() {
  sample_.gradient.resize(drawn_.examples.size());
  for (size_t i = 0; i < drawn_.examples.size(); ++i) {
    const float weight = weights_[drawn_.examples[i]] * scale_[i];
    sample_.gradient[i] = sample_positive_[i] ? weight : -weight;
  }
}

GrownTree LabelBooster::grow(double lambda) {
  TreeOptions tree;
  tree.lambda = options_.regulariser == Regulariser::kL1 ? lambda : 0;
  tree.leaf_lambda = options_.regulariser == Regulariser::kL2 ? 0 : lambda;
  tree.ridge = options_.regulariser == Regulariser::kL2 ? lambda : 0;
  tree.least_gain = options_.least_gain * lambda;
  tree.stump = options_.stumps;
  GrownTree grown = builder_.grow(tree, parameters_);
  for (auto& node : grown.nodes) node.atom = numbering_.atom(static_cast<uint32_t>(node.atom));
  return grown;
}

double LabelBooster::fit(const GrownTree& grown, double lambda, double least, DecisionTree& tree) {
  const CompressedTree compressed(grown);
  std::vector<std::vector<uint32_t>> members(grown.leaves.size());
  const auto found = [&](uint32_t span, int leaf) { members[leaf].push_back(span); };
  const AtomBits bits(space_, compressed.atom_bits(), std::max(1, (compressed.bits() + 63) / 64));
  if (bits.words() == 1) {
    percolate<1>(examples_, heads_, compressed, bits, found);
  } else {
    percolate<0>(examples_, heads_, compressed, bits, found);
  }

  laps_.end(kPercolation);
  const Penalty penalty = options_.regulariser == Regulariser::kL2 ? Penalty::kL2 : Penalty::kL1;
  double fell = 0;
  for (size_t l = 0; l < members.size(); ++l) {
    if (members[l].empty()) continue;
    grouped_.clear();
    for_each_member(members[l],
                    [&](uint32_t span, bool correct, float bias) { grouped_.add(margins_[span], bias, correct); });
    const LeafExamples leaf = grouped_.examples();
    const double theta = parameters_.at(grown.leaves[l].hash);
    const double shift = line_search(leaf, theta, lambda, penalty);
    if (std::abs(shift) < 1e-9) continue;
    fell +=
        loss_decrease(leaf, shift) + penalty_of(theta, lambda, penalty) - penalty_of(theta + shift, lambda, penalty);
    tree.leaves[l] = static_cast<float>(shift);
  }
  if (!(fell > least)) return 0;
  for (size_t l = 0; l < members.size(); ++l) {
    if (tree.leaves[l] == 0) continue;
    const auto& leaf = grown.leaves[l];
    parameters_.set(leaf.hash, leaf.literals, parameters_.at(leaf.hash) + static_cast<double>(tree.leaves[l]));
    for_each_member(members[l], [&](uint32_t span, bool correct, float bias) {
      margins_[span] += tree.leaves[l];
      reweigh(span, correct, bias);
    });
  }
  return fell;
}

LabelResult LabelBooster::run(const BoostProgress& progress) {
  double risk = 0;
  for (const float w : weights_) risk += static_cast<double>(w);  // an estimate of its scale
  double lambda = std::numeric_limits<double>::infinity();
  int age = options_.trees_per_sample, samples = 0;
  while (static_cast<int>(result_.trees.size()) < options_.most_trees) {
    if (age >= options_.trees_per_sample) {
      draw_sample(samples++);
      age = 0;
    }
    if (drawn_.examples.empty()) break;
    update_sample();
    lambda = std::min(lambda, options_.eta * builder_.start(sample_));
    if (!(lambda >= options_.least_lambda)) break;
    ++age;
    const GrownTree grown = grow(lambda);
    laps_.end(kTree);
    DecisionTree tree{label_, static_cast<float>(lambda), grown.nodes, std::vector<float>(grown.leaves.size(), 0)};
    const double fell = fit(grown, lambda, 1e-6 * std::max(1.0, risk), tree);
    laps_.end(kLineSearch);
    if (fell > 0) {
      risk -= fell;
      result_.leaves += tree.leaves.size();
      result_.parameters += static_cast<size_t>(std::ranges::count_if(tree.leaves, [](float v) { return v != 0; }));
      result_.trees.push_back(std::move(tree));
    } else {
      ++result_.rejected;
      lambda *= options_.eta;
      age = options_.trees_per_sample;
    }
    if (!progress(static_cast<int>(result_.trees.size()), lambda, risk)) break;
  }
  return std::move(result_);
}

}  // namespace

AtomNumbering::AtomNumbering(const AtomSpace& space, const BoostExamples& examples, size_t every) {
  std::vector<uint32_t> counts(space.size(), 0);
  RowAtoms rows(space);
  size_t next = 0;
  for (const auto& sentence : examples.sentences) {
    for (uint32_t s = sentence.begin; s < sentence.end; ++s) {
      const auto& state = examples.states[s];
      for (; next < state.end; next += every) {
        const auto span = examples.spans[next];
        const int label = static_cast<int>(next / every % static_cast<size_t>(space.labels()));
        const RowView view = examples.view(sentence, state);
        for (const int atom : rows.collect(view, span.items(), examples.head(sentence, state, span, label))) {
          ++counts[atom];
        }
      }
    }
  }
  atoms_.resize(counts.size());
  std::iota(atoms_.begin(), atoms_.end(), 0);
  std::ranges::stable_sort(atoms_, std::greater{}, [&](int atom) { return counts[atom]; });
  numbers_.resize(counts.size());
  for (uint32_t i = 0; i < atoms_.size(); ++i) numbers_[atoms_[i]] = i;
}

PrioritySample priority_sample(std::span<const float> weights, size_t k, uint64_t seed) {
  struct Candidate {
    float priority;
    uint32_t example;
  };
  std::vector<Candidate> kept;
  kept.reserve(2 * k + 2);
  float least = 0;  // smaller priorities cannot be among the k + 1 best
  const auto cut = [&] {
    std::ranges::nth_element(kept, kept.begin() + static_cast<std::ptrdiff_t>(k), std::greater{}, &Candidate::priority);
    least = kept[k].priority;
    kept.resize(k + 1);
  };
  for (uint32_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    const float uniform = static_cast<float>((mix(seed + i) >> 40) + 1) * 0x1.0p-24F;  // in (0, 1]
    if (weights[i] < least * uniform) continue;
    kept.push_back({weights[i] / uniform, i});
    if (kept.size() > 2 * k + 1) cut();
  }
  PrioritySample sample;
  if (kept.size() > k) {
    cut();
    sample.threshold = kept[k].priority;
    kept.resize(k);
  }
  for (const Candidate& candidate : kept) sample.examples.push_back(candidate.example);
  std::ranges::sort(sample.examples);
  return sample;
}

LabelResult boost_label(int label, const AtomSpace& space, const BoostExamples& examples,
                        const AtomNumbering& numbering, const BoostOptions& options, const BoostProgress& progress) {
  return LabelBooster(label, space, examples, numbering, options).run(progress);
}

}  // namespace espalier

#include "espalier/learn/classify/boost/tree_builder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace espalier {
namespace {

using Floats = float __attribute__((vector_size(16)));

/// Minimum and maximum of a block whose length is a multiple of four.
void min_max(const float* values, size_t n, float& low, float& high) {
  Floats least, most;
  __builtin_memcpy(&least, values, sizeof(least));
  most = least;
  for (size_t i = 4; i < n; i += 4) {
    Floats v;
    __builtin_memcpy(&v, values + i, sizeof(v));
    least = v < least ? v : least;
    most = v > most ? v : most;
  }
  low = std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
  high = std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

size_t padded(size_t n, size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

}  // namespace

void BoostSample::transpose(size_t atoms) {
  atom_starts.assign(atoms + 1, 0);
  for (const uint32_t atom : row_atoms) ++atom_starts[atom + 1];
  std::partial_sum(atom_starts.begin(), atom_starts.end(), atom_starts.begin());
  atom_rows.resize(row_atoms.size());
  for (uint32_t row = 0; row + 1 < row_starts.size(); ++row) {
    for (const uint32_t atom : atoms_of(row)) atom_rows[atom_starts[atom]++] = row;
  }
  // Each start has moved to its end, which is the next one's start.
  std::move_backward(atom_starts.begin(), atom_starts.end() - 1, atom_starts.end());
  atom_starts[0] = 0;
}

void Parameters::set(uint64_t conjunction, std::span<const int> literals, double theta) {
  const bool known = theta_.contains(conjunction);
  theta_[conjunction] = theta;
  if (known) return;
  for (const int literal : literals) extensions_[conjunction - literal_hash(literal)].push_back(literal);
}

void Parameters::children(uint64_t conjunction, std::vector<Child>& out) const {
  out.clear();
  const auto it = extensions_.find(conjunction);
  if (it == extensions_.end()) return;
  for (const int literal : it->second) {
    const double theta = at(conjunction + literal_hash(literal));
    if (theta != 0) out.push_back({literal, theta});
  }
}

void TreeBuilder::clear(Histogram& histogram) const {
  const size_t blocks = padded(padded(atoms_, kBlock) / kBlock, 4);
  histogram.gradient.assign(blocks * kBlock, 0);
  histogram.low.assign(blocks, 0);
  histogram.high.assign(blocks, 0);
  histogram.dirty.assign(blocks, 0);
}

void TreeBuilder::add_rows(Histogram& histogram, uint32_t begin, uint32_t end, float sign) const {
  float* gradient = histogram.gradient.data();
  uint8_t* dirty = histogram.dirty.data();
  for (uint32_t i = begin; i < end; ++i) {
    const float g = sign * sample_->gradient[order_[i]];
    for (const uint32_t atom : sample_->atoms_of(order_[i])) {
      gradient[atom] += g;
      dirty[atom / kBlock] = 1;
    }
  }
}

void TreeBuilder::refresh(Histogram& histogram) const {
  for (size_t b = 0; b < histogram.dirty.size(); ++b) {
    if (!histogram.dirty[b]) continue;
    histogram.dirty[b] = 0;
    min_max(histogram.gradient.data() + b * kBlock, kBlock, histogram.low[b], histogram.high[b]);
  }
}

double TreeBuilder::start(const BoostSample& sample) {
  sample_ = &sample;
  order_.resize(sample.rows());
  position_.resize(sample.rows());
  std::iota(order_.begin(), order_.end(), 0u);
  std::iota(position_.begin(), position_.end(), 0u);
  if (pool_.empty()) pool_.resize(64);
  clear(pool_[0]);
  add_rows(pool_[0], 0, static_cast<uint32_t>(sample.rows()), 1);
  refresh(pool_[0]);
  float low, high, unused;
  min_max(pool_[0].low.data(), pool_[0].low.size(), low, unused);
  min_max(pool_[0].high.data(), pool_[0].high.size(), unused, high);
  double all = 0;
  for (const float g : sample.gradient) all += static_cast<double>(g);
  return std::max({std::abs(all), std::abs(static_cast<double>(low)), std::abs(static_cast<double>(high)),
                   std::abs(all - static_cast<double>(low)), std::abs(all - static_cast<double>(high))});
}

GrownTree TreeBuilder::grow(const TreeOptions& options, const Parameters& parameters) {
  options_ = options;
  parameters_ = &parameters;
  tree_ = {};
  path_.clear();
  Range root{0, static_cast<uint32_t>(sample_->rows()), 0, 0, 0, -1, false};
  weigh(root);
  // Smaller differences are rounding errors of sums of floats.
  tolerance_ = 4e-6 * (root.positive + root.negative);
  if (splittable(root)) {
    grow_range(root, 0);
  } else {
    add_leaf(root);
  }
  return std::move(tree_);
}

double TreeBuilder::gain(double gradient, double theta) const {
  if (options_.ridge > 0) return std::abs(gradient - 2 * options_.ridge * theta);
  if (theta != 0 && options_.lambda > 0) return std::abs(-gradient + (theta > 0 ? options_.lambda : -options_.lambda));
  return std::max(std::abs(gradient) - options_.lambda, 0.0);
}

double TreeBuilder::split_gain(uint64_t hash, int atom, double yes, double no) const {
  return gain(yes, parameters_->at(hash + literal_hash(atom * 2 + 1))) +
         gain(no, parameters_->at(hash + literal_hash(atom * 2)));
}

int TreeBuilder::best_split(Histogram& histogram, const Range& range) {
  refresh(histogram);
  const double all = range.gradient();
  int best = -1;
  double best_gain = gain(all, parameters_->at(range.hash)) + std::max(tolerance_, options_.least_gain);
  const auto consider = [&](int atom) {
    if (std::ranges::find(no_split_, atom) != no_split_.end()) return;
    const double yes = static_cast<double>(histogram.gradient[atom]);
    const double sum = split_gain(range.hash, atom, yes, all - yes);
    if (sum > best_gain || (sum == best_gain && best >= 0 && atom < best)) best = atom, best_gain = sum;
  };
  const auto first_of = [&](float value, const std::vector<float>& extremes) {
    const size_t block = static_cast<size_t>(std::ranges::find(extremes, value) - extremes.begin());
    const auto begin = histogram.gradient.begin() + static_cast<std::ptrdiff_t>(block * kBlock);
    return static_cast<int>(std::find(begin, begin + kBlock, value) - histogram.gradient.begin());
  };
  float low, high, unused;
  min_max(histogram.low.data(), histogram.low.size(), low, unused);
  min_max(histogram.high.data(), histogram.high.size(), unused, high);
  for (const int atom : {first_of(low, histogram.low), first_of(high, histogram.high)}) {
    if (atom < static_cast<int>(atoms_)) consider(atom);
  }
  parameters_->children(range.hash, children_);
  for (const auto& child : children_) consider(child.literal / 2);
  return best;
}

uint32_t TreeBuilder::partition(const Range& range, uint32_t atom) {
  const auto rows = sample_->rows_of(atom);
  uint32_t end = range.end;
  const auto take = [&](uint32_t row) {
    const uint32_t from = position_[row];
    --end;
    const uint32_t other = order_[end];
    order_[from] = other, position_[other] = from;
    order_[end] = row, position_[row] = end;
  };
  if (rows.size() <= size_t{16} * range.size()) {
    for (const uint32_t row : rows) {
      if (position_[row] >= range.begin && position_[row] < end) take(row);
    }
  } else {  // a small leaf and a frequent atom: search the leaf's rows instead
    for (uint32_t i = range.begin; i < end;) {
      const auto atoms = sample_->atoms_of(order_[i]);
      if (std::ranges::find(atoms, atom) != atoms.end()) {
        take(order_[i]);
      } else {
        ++i;
      }
    }
  }
  return end;
}

void TreeBuilder::weigh(Range& range) const {
  range.positive = range.negative = 0;
  for (uint32_t i = range.begin; i < range.end; ++i) {
    const double g = static_cast<double>(sample_->gradient[order_[i]]);
    (g > 0 ? range.positive : range.negative) += std::abs(g);
  }
}

bool TreeBuilder::splittable(const Range& range) const {
  if (options_.lambda > 0) return std::max(range.positive, range.negative) > options_.lambda;
  return std::min(range.positive, range.negative) > tolerance_;
}

void TreeBuilder::link(const Range& range, int child) {
  if (range.parent < 0) return;
  auto& node = tree_.nodes[range.parent];
  (range.yes ? node.yes : node.no) = child;
}

void TreeBuilder::add_leaf(const Range& range) {
  const bool open = std::max(range.positive, range.negative) > options_.leaf_lambda || parameters_->at(range.hash) != 0;
  link(range, ~static_cast<int>(tree_.leaves.size()));
  tree_.leaves.push_back({open, range.hash, open ? path_ : std::vector<int>()});
}

void TreeBuilder::grow_range(Range range, size_t depth) {
  const size_t path_before = path_.size();
  Histogram& histogram = pool_[depth];
  for (no_split_.clear();;) {
    const int atom = best_split(histogram, range);
    if (atom < 0) {
      add_leaf(range);
      break;
    }
    const uint32_t middle = partition(range, static_cast<uint32_t>(atom));
    if (middle == range.begin || middle == range.end) {
      // All or none of the rows have the atom, so the value was a rounding error: correct it, and search again.
      histogram.gradient[atom] = middle == range.begin ? static_cast<float>(range.gradient()) : 0;
      histogram.dirty[static_cast<size_t>(atom) / kBlock] = 1;
      no_split_.push_back(atom);
      continue;
    }
    const int node = static_cast<int>(tree_.nodes.size());
    link(range, node);
    tree_.nodes.push_back({atom, 0, 0});
    Range no{range.begin, middle, 0, 0, range.hash + literal_hash(atom * 2), node, false};
    Range yes{middle, range.end, 0, 0, range.hash + literal_hash(atom * 2 + 1), node, true};
    Range& small = yes.size() <= no.size() ? yes : no;
    Range& large = yes.size() <= no.size() ? no : yes;
    weigh(small);
    large.positive = std::max(range.positive - small.positive, 0.0);
    large.negative = std::max(range.negative - small.negative, 0.0);
    const auto literal = [&](const Range& child) { return atom * 2 + child.yes; };
    const bool grow_small = !options_.stump && splittable(small), grow_large = !options_.stump && splittable(large);
    if (!grow_small) {
      path_.push_back(literal(small));
      add_leaf(small);
      path_.pop_back();
    }
    if (!grow_large) {
      path_.push_back(literal(large));
      add_leaf(large);
      path_.pop_back();
    }
    if (grow_small && grow_large) {
      clear(pool_[depth + 1]);
      add_rows(pool_[depth + 1], small.begin, small.end, 1);
      add_rows(histogram, small.begin, small.end, -1);
      path_.push_back(literal(small));
      grow_range(small, depth + 1);
      path_.pop_back();
    } else if (grow_large) {
      add_rows(histogram, small.begin, small.end, -1);
    } else if (grow_small) {
      clear(histogram);
      add_rows(histogram, small.begin, small.end, 1);
    } else {
      break;
    }
    range = grow_large ? large : small;
    no_split_.clear();
    path_.push_back(literal(range));
  }
  path_.resize(path_before);
}

}  // namespace espalier

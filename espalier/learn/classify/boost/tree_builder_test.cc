#include "espalier/learn/classify/boost/tree_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

struct Toy {
  BoostSample sample;
  std::vector<std::vector<bool>> has;  // row x atom
  size_t atoms;
};

Toy random_sample(Rng& rng, size_t rows, size_t atoms) {
  Toy toy{{}, std::vector(rows, std::vector<bool>(atoms, false)), atoms};
  toy.sample.row_starts = {0};
  for (size_t row = 0; row < rows; ++row) {
    for (size_t a = 0; a < atoms; ++a) {
      // Atoms of all frequencies, a few in every row.
      if (rng.below(atoms) >= a + 1 && rng.below(8) > 0) continue;
      toy.has[row][a] = true;
      toy.sample.row_atoms.push_back(static_cast<uint32_t>(a));
    }
    toy.sample.row_starts.push_back(static_cast<uint32_t>(toy.sample.row_atoms.size()));
    toy.sample.gradient.push_back(static_cast<float>((rng.uniform() + 0.01) * (rng.below(2) ? 1 : -1)));
  }
  toy.sample.transpose(atoms);
  return toy;
}

double gain(double gradient, double lambda) { return std::max(std::abs(gradient) - lambda, 0.0); }

/// Checks that each node of the tree is the best split of its rows by evaluating every atom.
void check_tree(const Toy& toy, const GrownTree& tree, const TreeOptions& options) {
  const double lambda = options.lambda;
  const std::function<void(int, std::vector<size_t>, int)> check = [&](int at, std::vector<size_t> rows, int depth) {
    double all = 0, positive = 0, negative = 0;
    for (const size_t r : rows) {
      const double g = static_cast<double>(toy.sample.gradient[r]);
      all += g;
      (g > 0 ? positive : negative) += std::abs(g);
    }
    double best = gain(all, lambda);
    const auto yes_gradient = [&](size_t a) {
      double sum = 0;
      for (const size_t r : rows) sum += toy.has[r][a] ? static_cast<double>(toy.sample.gradient[r]) : 0;
      return sum;
    };
    for (size_t a = 0; a < toy.atoms; ++a) {
      best = std::max(best, gain(yes_gradient(a), lambda) + gain(all - yes_gradient(a), lambda));
    }
    if (at < 0) {
      if (options.stump && depth == 1) return;
      EXPECT_LE(best, gain(all, lambda) + options.least_gain + 1e-3) << "a better split was missed";
      if (lambda > 0) {
        EXPECT_EQ(tree.leaves[static_cast<size_t>(~at)].open, std::max(positive, negative) > lambda);
      }
      return;
    }
    const auto& node = tree.nodes[static_cast<size_t>(at)];
    const double yes = yes_gradient(static_cast<size_t>(node.atom));
    EXPECT_NEAR(gain(yes, lambda) + gain(all - yes, lambda), best, 1e-3);
    EXPECT_GE(best, gain(all, lambda) + options.least_gain - 1e-3) << "a split that gains too little";
    std::vector<size_t> with, without;
    for (const size_t r : rows) (toy.has[r][static_cast<size_t>(node.atom)] ? with : without).push_back(r);
    EXPECT_FALSE(with.empty() || without.empty());
    check(node.yes, with, depth + 1);
    check(node.no, without, depth + 1);
  };
  std::vector<size_t> rows(toy.sample.rows());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  check(tree.nodes.empty() ? ~0 : 0, rows, 0);
}

TEST(TreeBuilder, EverySplitIsTheBestOfAllAtoms) {
  Rng rng(5, "trees");
  for (int trial = 0; trial < 60; ++trial) {
    const Toy toy = random_sample(rng, 20 + rng.below(200), 5 + rng.below(400));
    TreeBuilder builder(toy.atoms);
    const double g = builder.start(toy.sample);
    double largest = 0, all = 0;
    for (const float v : toy.sample.gradient) all += static_cast<double>(v);
    for (size_t a = 0; a < toy.atoms; ++a) {
      double yes = 0;
      for (size_t r = 0; r < toy.sample.rows(); ++r)
        yes += toy.has[r][a] ? static_cast<double>(toy.sample.gradient[r]) : 0;
      largest = std::max({largest, std::abs(yes), std::abs(all - yes), std::abs(all)});
    }
    EXPECT_NEAR(g, largest, 1e-3);
    for (const double eta : {0.9, 0.5, 0.1, 0.0}) {
      builder.start(toy.sample);
      TreeOptions options;
      options.lambda = options.leaf_lambda = eta * g;
      options.stump = trial % 4 == 0;
      options.least_gain = trial % 3 == 0 ? 0.3 * options.lambda : 0;
      check_tree(toy, builder.grow(options, {}), options);
    }
  }
}

TEST(TreeBuilder, AParameterThatIsNotZeroHasAnotherGain) {
  // One atom splits four rows evenly; nothing is to be gained unless the conjunction has a parameter already.
  BoostSample sample;
  sample.row_starts = {0, 1, 2, 2, 2};
  sample.row_atoms = {0, 0};
  sample.gradient = {1, -1, 1.5F, -1};
  sample.transpose(1);
  TreeBuilder builder(1);
  TreeOptions options;
  options.lambda = options.leaf_lambda = 0.6;
  builder.start(sample);
  EXPECT_TRUE(builder.grow(options, {}).nodes.empty());
  Parameters parameters;
  const int literal = 1;
  parameters.set(literal_hash(literal), std::vector<int>{literal}, 2.0);
  builder.start(sample);
  const GrownTree tree = builder.grow(options, parameters);  // |0 + lambda| is gained by shrinking it
  ASSERT_EQ(tree.nodes.size(), 1u);
  EXPECT_TRUE(tree.leaves[static_cast<size_t>(~tree.nodes[0].yes)].open);
}

}  // namespace
}  // namespace espalier

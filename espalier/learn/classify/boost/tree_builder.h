// Grows one decision tree on a sample of weighted rows (Turian 2007, §4.3), splitting a leaf while the sum of its
// children's gains exceeds its own.
//
// For a leaf with gradient D, the gain of a split by atom a is max(|x| - l, 0) + max(|D - x| - l, 0), x = D_a: convex
// in x, so the best atom has the smallest or the largest D_a. D_a of all atoms stand in one array with minimum and
// maximum per block; a child that is split off is subtracted from it in place. A leaf whose positive and whose negative
// weight are both at most l can only get the value zero, as most leaves do: it is closed at once. Conjunctions that
// have a non-zero parameter already have other gains and are looked up by hash.
// Tested by tree_builder_test.cc against evaluating every atom.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/hash.h"
#include "espalier/weights/boosted_trees.h"

namespace espalier {

/// Rows of atoms, each row's and each atom's list; gradient y w of each row.
struct BoostSample {
  std::vector<uint32_t> row_starts, row_atoms;   // row -> atoms
  std::vector<uint32_t> atom_starts, atom_rows;  // atom -> rows
  std::vector<float> gradient;

  size_t rows() const { return gradient.size(); }
  std::span<const uint32_t> atoms_of(uint32_t row) const {
    return {row_atoms.data() + row_starts[row], row_starts[row + 1] - row_starts[row]};
  }
  std::span<const uint32_t> rows_of(uint32_t atom) const {
    return {atom_rows.data() + atom_starts[atom], atom_starts[atom + 1] - atom_starts[atom]};
  }
  /// Makes the atoms' lists from the rows'.
  void transpose(size_t atoms);
};

/// The hash of a set of literals, independent of order; literals can be removed.
inline uint64_t literal_hash(int literal) { return mix(static_cast<uint64_t>(literal) + 0x1ead) | 1; }

/// The non-zero parameters of a label's ensemble, by conjunction.
class Parameters {
 public:
  struct Child {
    int literal;
    double theta;
  };
  double at(uint64_t conjunction) const {
    const auto it = theta_.find(conjunction);
    return it == theta_.end() ? 0 : it->second;
  }
  void set(uint64_t conjunction, std::span<const int> literals, double theta);
  /// Conjunctions with a parameter that is not zero and one literal more than this one.
  void children(uint64_t conjunction, std::vector<Child>& out) const;

 private:
  tsl::robin_map<uint64_t, double> theta_;
  tsl::robin_map<uint64_t, std::vector<int>> extensions_;
};

struct TreeOptions {
  double lambda = 0;       ///< of the gain: 0 grows the tree without regularisation
  double leaf_lambda = 0;  ///< a leaf is open, worth a line search, if its weight of either sign exceeds this
  double ridge = 0;        ///< l2: gain |D - 2 ridge theta|
  double least_gain = 0;   ///< gain that a split needs
  bool stump = false;
};

struct GrownTree {
  struct Leaf {
    bool open;
    uint64_t hash;
    std::vector<int> literals;  ///< on the way to it; only of open leaves
  };
  std::vector<DecisionTree::Node> nodes;  ///< atoms as the sample numbers them
  std::vector<Leaf> leaves;
};

/// Keeps its arrays from tree to tree.
class TreeBuilder {
 public:
  explicit TreeBuilder(size_t atoms) : atoms_(atoms) {}

  /// Starts a tree: computes the gradient of every atom. Returns the largest gain of one literal without penalty.
  double start(const BoostSample& sample);
  /// Grows the tree that was started.
  GrownTree grow(const TreeOptions& options, const Parameters& parameters);

 private:
  static constexpr size_t kBlock = 128;

  /// D_a of one leaf.
  struct Histogram {
    std::vector<float> gradient, low, high;  // per atom; per block
    std::vector<uint8_t> dirty;              // per block
  };
  struct Range {
    uint32_t begin, end;
    double positive, negative;  // weight of each sign
    uint64_t hash;
    int parent;  // node whose child it is, -1 at the root
    bool yes;

    double gradient() const { return positive - negative; }
    uint32_t size() const { return end - begin; }
  };

  void clear(Histogram& histogram) const;
  void add_rows(Histogram& histogram, uint32_t begin, uint32_t end, float sign) const;
  void refresh(Histogram& histogram) const;
  void grow_range(Range range, size_t depth);
  /// The best split's atom, -1 if none gains enough.
  int best_split(Histogram& histogram, const Range& range);
  double gain(double gradient, double theta) const;
  double split_gain(uint64_t hash, int atom, double yes, double no) const;
  /// Moves the rows that have the atom to the end of the range; returns where they begin.
  uint32_t partition(const Range& range, uint32_t atom);
  void weigh(Range& range) const;
  bool splittable(const Range& range) const;
  void add_leaf(const Range& range);
  void link(const Range& range, int child);

  size_t atoms_;
  const BoostSample* sample_ = nullptr;
  const Parameters* parameters_ = nullptr;
  TreeOptions options_;
  GrownTree tree_;
  double tolerance_ = 0;
  std::vector<Histogram> pool_;             // one per level of nested children
  std::vector<uint32_t> order_, position_;  // rows by leaf; where each row is
  std::vector<int> path_;                   // literals of the range
  std::vector<Parameters::Child> children_;
  std::vector<int> no_split_;  // atoms that all or none of the range's rows have
};

}  // namespace espalier

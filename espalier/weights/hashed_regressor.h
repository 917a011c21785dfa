// The frozen form of a base learner: predicts a cost for every action, linear in the hashed features or through one
// hidden layer (z = clip(b + sum v, -3, 3), o = tanh z, cost = c + u o). Every action has hidden units of its own (cell
// action * hidden + unit of a row) or, if `shared`, all have the same. `direct` adds the linear cost to the network's.
// Tested by hashed_regressor_test.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace espalier {

/// The form of a regressor; `hidden` 0 means linear.
struct RegressorShape {
  int actions = 0;
  int bits = 0;  ///< 2^bits rows
  int hidden = 0;
  bool shared = false;
  bool direct = false;  ///< networks: the last cells of a row, one per action, bypass the hidden layer

  size_t hidden_cells() const { return static_cast<size_t>(shared ? hidden : hidden * actions); }
  size_t cells() const { return hidden_cells() + static_cast<size_t>(hidden == 0 || direct ? actions : 0); }
  /// Numbers of the output layer: per action its `hidden` weights, then its constant.
  size_t outputs() const { return hidden == 0 ? 0 : static_cast<size_t>(actions) * static_cast<size_t>(hidden + 1); }
};

/// tanh for |z| <= 3 by a continued fraction (error below 1e-5): equal on every machine, and vectorisable.
inline float squash(float z) {
  const float q = z * z;
  return z * (135135 + q * (17325 + q * (378 + q))) / (135135 + q * (62370 + q * (3150 + q * 28)));
}
inline float clip_hidden(float z) { return z < -3 ? -3 : z > 3 ? 3 : z; }

/// Hidden sums to activations, in place; direct sums are left as they are.
void activate(const RegressorShape& shape, std::span<float> sums);
/// Activations and direct sums to costs.
void run_output_layer(const RegressorShape& shape, std::span<const float> cells, std::span<const float> output,
                      std::span<float> costs);

class HashedRegressor {
 public:
  /// Scratch memory of one thread.
  struct Scratch {
    std::vector<uint32_t> rows;
    std::vector<int32_t> sums;
    std::vector<float> cells;
  };

  HashedRegressor() = default;
  /// Rounds weights to 16 bits; `read` fills in the weights of a row, 0..2^bits, and is called twice for each.
  using RowReader = std::function<void(size_t row, std::span<float> weights)>;
  HashedRegressor(const RegressorShape& shape, const RowReader& read, std::vector<float> output);
  /// Uses cells where they are; `keep` holds their memory. Sizes must fit (checked by the caller with cell_count).
  HashedRegressor(const RegressorShape& shape, float scale, std::span<const int16_t> cells, std::vector<float> output,
                  std::shared_ptr<const void> keep);

  static size_t cell_count(const RegressorShape& shape);
  const RegressorShape& shape() const { return shape_; }
  float scale() const { return scale_; }
  std::span<const int16_t> cells() const { return cells_; }
  std::span<const float> output() const { return output_; }

  /// costs[a] for every action; values as in FeatureBag.
  void score(std::span<const uint64_t> keys, std::span<const float> values, Scratch& scratch,
             std::span<float> costs) const;

 private:
  RegressorShape shape_;
  float scale_ = 1;
  std::span<const int16_t> cells_;
  std::shared_ptr<const void> keep_;
  std::vector<float> output_;
};

}  // namespace espalier

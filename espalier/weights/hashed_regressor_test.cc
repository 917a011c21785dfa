#include "espalier/weights/hashed_regressor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/base/rng.h"
#include "espalier/weights/hashed_rows.h"

namespace espalier {
namespace {

struct RandomFeatures {
  std::vector<uint64_t> keys;
  std::vector<float> values;
};
RandomFeatures random_features(Rng& rng, size_t count) {
  RandomFeatures f;
  for (size_t i = 0; i < count; ++i) {
    f.keys.push_back(rng.next());
    f.values.push_back(static_cast<float>(rng.uniform() * 2 - 1));
  }
  return f;
}

TEST(HashedRows, BothVersionsOfTheKernelsAgreeToTheBit) {
  Rng rng(1, "test");
  const int bits = 6;
  for (size_t width : {8u, 16u, 24u, 40u}) {
    const size_t stride = width + 16;
    std::vector<float> floats(((size_t{1} << bits) + 1) * stride);
    std::vector<int16_t> integers(((size_t{1} << bits) + 1) * width);
    for (float& cell : floats) cell = static_cast<float>(rng.uniform() - 0.5);
    for (int16_t& cell : integers) cell = static_cast<int16_t>(rng.below(65536) - 32768);
    const RandomFeatures f = random_features(rng, 50);
    std::vector<uint32_t> rows;
    find_rows(f.keys, bits, rows);
    ASSERT_EQ(rows.size(), 51u);
    EXPECT_EQ(rows.back(), 64u);
    for (const float* values : {static_cast<const float*>(nullptr), f.values.data()}) {
      std::vector<float> a(width), b(width), c(width), d(width);
      kPortableRowSums.sum_floats(floats.data(), stride, width, rows, values, a.data());
      row_sums().sum_floats(floats.data(), stride, width, rows, values, b.data());
      EXPECT_EQ(a, b);
      kPortableRowSums.sum_scaled(integers.data(), width, rows, values, c.data());
      row_sums().sum_scaled(integers.data(), width, rows, values, d.data());
      EXPECT_EQ(c, d);
    }
    std::vector<int32_t> a(width), b(width);
    kPortableRowSums.sum_integers(integers.data(), width, rows, a.data());
    row_sums().sum_integers(integers.data(), width, rows, b.data());
    EXPECT_EQ(a, b);
  }
}

TEST(Squash, IsTheHyperbolicTangentWithinItsRange) {
  for (float z = -3; z <= 3; z += 0.01f) EXPECT_NEAR(squash(z), std::tanh(z), 1e-5) << z;
}

// The frozen regressor against the sum written down naively.
TEST(HashedRegressor, ScoresLikeTheNaiveSum) {
  Rng rng(2, "test");
  for (const RegressorShape& shape :
       {RegressorShape{5, 7, 0, false}, RegressorShape{5, 7, 3, false}, RegressorShape{5, 7, 4, true},
        RegressorShape{5, 7, 3, false, true}, RegressorShape{5, 7, 4, true, true}}) {
    std::vector<std::vector<float>> weights((size_t{1} << shape.bits) + 1, std::vector<float>(shape.cells()));
    for (auto& row : weights) {
      for (float& weight : row) weight = static_cast<float>(rng.uniform() * 0.2 - 0.1);
    }
    std::vector<float> output(shape.outputs());
    for (float& weight : output) weight = static_cast<float>(rng.uniform() - 0.5);
    const auto read = [&](size_t row, std::span<float> into) { std::ranges::copy(weights[row], into.begin()); };
    const HashedRegressor regressor(shape, read, output);
    EXPECT_EQ(regressor.cells().size(), HashedRegressor::cell_count(shape));

    const RandomFeatures f = random_features(rng, 30);
    for (bool with_values : {false, true}) {
      std::vector<double> sums(weights.back().begin(), weights.back().end());
      for (size_t i = 0; i < f.keys.size(); ++i) {
        const auto& row = weights[f.keys[i] >> (64 - shape.bits)];
        for (size_t j = 0; j < sums.size(); ++j) sums[j] += row[j] * (with_values ? f.values[i] : 1);
      }
      HashedRegressor::Scratch scratch;
      std::vector<float> costs(5);
      regressor.score(f.keys, with_values ? std::span<const float>(f.values) : std::span<const float>(), scratch,
                      costs);
      for (size_t a = 0; a < 5; ++a) {
        double expected = 0;
        const size_t units = static_cast<size_t>(shape.hidden);
        if (units == 0) {
          expected = sums[a];
        } else {
          expected = output[a * (units + 1) + units];
          for (size_t k = 0; k < units; ++k) {
            const double z = std::clamp(sums[shape.shared ? k : a * units + k], -3.0, 3.0);
            expected += output[a * (units + 1) + k] * std::tanh(z);
          }
          if (shape.direct) expected += sums[shape.hidden_cells() + a];
        }
        EXPECT_NEAR(costs[a], expected, 1e-3);
      }
    }
  }
}

}  // namespace
}  // namespace espalier

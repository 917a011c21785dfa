#include "espalier/weights/feature_tables.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "espalier/base/hash.h"
#include "espalier/base/rng.h"

namespace espalier {
namespace {

TEST(TrainingTable, GrowsWithoutForgetting) {
  TrainingTable table(16);
  const uint64_t count = 100000;
  for (const bool second : {false, true})
    for (uint64_t i = 1; i <= count; ++i)
      if (const uint32_t ref = table.make(mix(i)); second && ref) table.update(ref, 5, static_cast<float>(i), 1);
  EXPECT_GT(table.rows(), count * 98 / 100);  // the index may have had no room for a few, until it grows
  uint32_t right = 0;
  for (uint64_t i = 1; i <= count; ++i)
    right += table.find(mix(i)) && table.value(table.find(mix(i)), 5) == static_cast<float>(i);
  EXPECT_EQ(right, table.rows() - 1);
}

TEST(TrainingTable, AveragesAsIfEveryStateHadBeenKept) {
  TrainingTable table(16);
  const uint64_t key = mix(7);
  EXPECT_EQ(table.make(key), 0u);  // a feature gets its row when it is met again
  const uint32_t ref = table.make(key);
  ASSERT_NE(ref, 0u);
  // Instances 1..5; the weight after each: 0, 2, 2, 1, 1.
  double clock = 1, sum = 0;
  for (const float step : {0.f, 2.f, 0.f, -1.f, 0.f}) {
    if (step != 0) table.update(ref, 3, step, clock);
    sum += table.value(ref, 3);
    clock += 1;
  }
  EXPECT_FLOAT_EQ(table.averaged(ref, 3, clock), static_cast<float>(sum / 6));  // w_0 = 0 counts too
}

TEST(TrainingTable, BegunAnewItKeepsTheAverageOfBefore) {
  TrainingTable table(16);
  table.make(mix(7));
  const uint32_t ref = table.make(mix(7));
  table.update(ref, 3, 6, 1);  // 6 in the instances 1 to 3
  table.begin_anew(4);
  EXPECT_EQ(table.value(ref, 3), 0);
  table.update(ref, 3, 2, 5);  // 0 in the 4th, 2 in the 5th and 6th
  EXPECT_FLOAT_EQ(table.averaged(ref, 3, 7), (3 * 6 + 2 * 2) / 7.f);
}

uint32_t find(const FrozenTable& table, uint64_t key) {
  uint32_t ref;
  table.find({&key, 1}, &ref);
  return ref;
}

class Frozen : public ::testing::Test {
 protected:
  Frozen() : training(48) {
    Rng rng(1, "weights");
    for (uint64_t f = 0; f < 3000; ++f) {
      training.make(mix(f));
      const uint32_t ref = training.make(mix(f));
      if (ref == 0) continue;
      training.touch(ref);
      if (f % 3) training.touch(ref);
      const double size = f % 2 ? 1 : 0.01;
      for (int c = 0; c < 48; ++c) training.update(ref, c, static_cast<float>(size * (rng.uniform() - 0.5)), 0);
    }
  }
  TrainingTable training;
};

TEST_F(Frozen, KeepsEveryWeightToTheRowsOwnScale) {
  const FrozenTable frozen(training, 1, {.least_updates = 2});
  EXPECT_TRUE(frozen.valid());
  // A key in thousands is taken for another one; all others keep their weights.
  int kept = 0, confused = 0;
  for (uint64_t f = 0; f < 3000; ++f) {
    const uint32_t from = training.find(mix(f)), to = find(frozen, mix(f));
    if (f % 3 == 0) {
      confused += to != 0;  // was updated once only
      continue;
    }
    if (to == 0) continue;
    float most = 0, worst = 0;
    for (uint32_t c = 0; c < 48; ++c) {
      const float weight = training.value(from, c);
      most = std::max(most, std::abs(weight));
      worst = std::max(worst, std::abs(weight - static_cast<float>(frozen.value(to, c)) * frozen.unit()));
    }
    const bool exact = worst <= std::max(most / 60, 0.51f * frozen.unit());
    ++(exact ? kept : confused);
  }
  EXPECT_GT(kept, 1900);
  EXPECT_LT(confused, 6);
}

TEST_F(Frozen, GoesOnFromWhatWasTrained) {
  const FrozenTable trained(training, 1, {.least_updates = 1});
  TrainingTable table(64);
  std::vector<int> from(48);
  std::iota(from.begin(), from.end(), 0);
  table.start_from(trained.stored(), from);
  const auto weight = [](const auto& of, uint64_t key, uint32_t column) {
    uint32_t ref;
    of.find({&key, 1}, &ref);
    return ref ? static_cast<float>(of.value(ref, column)) * of.unit() : 0.f;
  };
  for (uint64_t f = 0; f < 4000; ++f)
    for (const uint32_t c : {0u, 7u, 47u}) EXPECT_FLOAT_EQ(weight(table, mix(f), c), weight(trained, mix(f), c));
  // Nothing learned: the same again, byte for byte where columns are.
  const FrozenTable same(table, 1, {.least_updates = 2, .drop = 0.9});
  EXPECT_EQ(same.rows(), trained.rows());
  for (uint64_t f = 0; f < 4000; ++f)
    for (const uint32_t c : {0u, 7u, 47u}) EXPECT_FLOAT_EQ(weight(same, mix(f), c), weight(trained, mix(f), c));

  // Something learned, about an old feature and ten thousand new ones, in a new column.
  for (int times = 0; times < 2; ++times)
    for (uint64_t f = 2999; f < 13000; ++f)
      if (const uint32_t ref = table.make(mix(f))) {
        table.touch(ref);
        table.update(ref, 60, 0.5, 0);
      }
  const FrozenTable learned(table, 1, {.least_updates = 1});
  EXPECT_TRUE(learned.valid());
  int right = 0;
  for (uint64_t f = 0; f < 13000; ++f) {
    const float known = weight(trained, mix(f), 7), now = weight(learned, mix(f), 7);
    const bool new_column = std::abs(weight(learned, mix(f), 60)) > 0.3;
    right += new_column == (f >= 2999) && std::abs(known - now) < 0.02;
  }
  EXPECT_GT(right, 12500);
}

TEST_F(Frozen, KernelsAgree) {
  const FrozenTable frozen(training, 1, {.least_updates = 1});
  std::vector<uint32_t> refs;
  for (uint64_t f = 0; f < 90; ++f) refs.push_back(find(frozen, mix(f)));
  std::vector<int16_t> plain(48, 5), fast(48, 5);
  FrozenTable::kPortable.add_rows(frozen, refs, plain.data());
  frozen.add_rows(refs, fast.data());
  EXPECT_EQ(plain, fast);
  for (uint32_t c = 0; c < 48; ++c) {
    int sum = 5;
    for (const uint32_t ref : refs) sum += frozen.value(ref, c);
    EXPECT_EQ(plain[c], sum);
  }
}

TEST(FrozenTable, HashedColumnsAreThoseOfTheFloats) {
  TrainingTable training(kHashedColumns);
  Rng rng(1, "columns");
  std::vector<uint64_t> keys;
  for (uint64_t f = 1; f <= 40; ++f) {
    keys.push_back(mix(f));
    training.make(keys.back());
    const uint32_t ref = training.make(keys.back());
    ASSERT_NE(ref, 0u);
    for (int c = 0; c < kHashedColumns; ++c)
      training.update(ref, c, static_cast<float>((rng.uniform() - 0.5) * (f % 5 ? 1 : 40)), 0);
  }
  const FrozenTable frozen(training, 1, {.least_updates = 0});
  std::vector<uint32_t> of_training(40), of_frozen(40);
  training.find(keys, of_training.data());
  frozen.find(keys, of_frozen.data());
  for (const int lanes : {1, 3, 7, 8, 13, 21}) {
    std::vector<uint32_t> hashes(24);
    for (uint32_t& hash : hashes) hash = static_cast<uint32_t>(rng.below(uint64_t{1} << 32));
    std::vector<int32_t> fast(24), plain(24);
    std::vector<float> floats(24);
    frozen.add_columns(of_frozen.data(), keys.data(), 40, hashes.data(), lanes, fast.data());
    FrozenTable::kPortable.add_columns(frozen, of_frozen.data(), keys.data(), 40, hashes.data(), lanes, plain.data());
    training.add_columns(of_training.data(), keys.data(), 40, hashes.data(), lanes, floats.data());
    for (int j = 0; j < lanes; ++j) {
      EXPECT_EQ(fast[j], plain[j]);
      EXPECT_NEAR(static_cast<float>(fast[j]) * frozen.unit(), floats[j], 1.5);
    }
  }
}

TEST_F(Frozen, DamagedIndexIsSeen) {
  const FrozenTable frozen(training, 1, {.least_updates = 1});
  std::vector<RowBucket> index(frozen.index().begin(), frozen.index().end());
  EXPECT_TRUE(FrozenTable(index, frozen.bytes(), 48, 1).valid());
  index.back().first_row += 1;
  EXPECT_FALSE(FrozenTable(index, frozen.bytes(), 48, 1).valid());
}

}  // namespace
}  // namespace espalier

#include "espalier/scorer/feature_tables.h"

#include <gtest/gtest.h>

#include <map>

#include "espalier/base/hash.h"
#include "espalier/base/rng.h"

namespace espalier {
namespace {

TEST(SlotIndex, FindsWhatWasPutInAndNothingElse) {
  std::vector<uint32_t> slots(1 << 14);
  const SlotIndex<21> index(slots);
  uint32_t inserted = 0;
  for (uint64_t i = 1; i <= 8000; ++i)
    if (index.find(mix(i)) == 0 && index.insert(slots, mix(i), static_cast<uint32_t>(i))) ++inserted;
  EXPECT_GT(inserted, 7700u);  // at load 1/2 few buckets overflow
  uint32_t right = 0, confused = 0;
  for (uint64_t i = 1; i <= 8000; ++i) right += index.find(mix(i)) == i;
  for (uint64_t i = 100000; i < 140000; ++i) confused += index.find(mix(i)) != 0;
  EXPECT_EQ(right, inserted);
  EXPECT_LT(confused, 100u);  // two slots in use with 11 bits each: 1 in 1000
}

TEST(TrainingTable, AveragesAsIfEveryStateHadBeenKept) {
  TrainingTable table(10, 16);
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

class Frozen : public ::testing::Test {
 protected:
  Frozen() : training(14, 48) {
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
  const FrozenTable frozen(training, 1, 2);
  EXPECT_TRUE(frozen.valid());
  // With 8 bits of fingerprint a key in a hundred is taken for another one; all others keep their weights.
  int kept = 0, confused = 0;
  for (uint64_t f = 0; f < 3000; ++f) {
    const uint32_t from = training.find(mix(f)), to = frozen.find(mix(f));
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
    const bool exact = worst <= std::max(most / 127, 0.51f * frozen.unit());
    ++(exact ? kept : confused);
  }
  EXPECT_GT(kept, 1900);
  EXPECT_LT(confused, 60);
}

TEST_F(Frozen, KernelsAgree) {
  const FrozenTable frozen(training, 1, 1);
  std::vector<uint32_t> refs;
  for (uint64_t f = 0; f < 90; ++f) refs.push_back(frozen.find(mix(f)));
  std::vector<int16_t> plain(48, 5), fast(48, 5);
  frozen.add_rows_portable(refs, plain.data());
  if (__builtin_cpu_supports("avx2"))
    frozen.add_rows_avx2(refs, fast.data());
  else
    frozen.add_rows(refs, fast.data());
  EXPECT_EQ(plain, fast);
  for (uint32_t c = 0; c < 48; ++c) {
    int sum = 5;
    for (const uint32_t ref : refs) sum += frozen.value(ref, c);
    EXPECT_EQ(plain[c], sum);
  }
}

TEST_F(Frozen, DamagedIndexIsSeen) {
  const FrozenTable frozen(training, 1, 1);
  std::vector<uint32_t> slots(frozen.slots().begin(), frozen.slots().end());
  EXPECT_TRUE(FrozenTable(slots, frozen.bytes(), 48, 1).valid());
  slots[5] = 0x1fffff;
  EXPECT_FALSE(FrozenTable(slots, frozen.bytes(), 48, 1).valid());
}

}  // namespace
}  // namespace espalier

#include "espalier/weights/linear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

constexpr int kColumns = 40;  // padded to 64

/// The obvious version: a map from key to weights, averaged by adding up after every instance.
struct Naive {
  std::map<uint64_t, std::vector<double>> weights, sums;
  long instances = 0;

  void change(const std::vector<uint64_t>& keys, const std::vector<float>& by) {
    for (const uint64_t key : keys) {
      auto& w = weights.try_emplace(key, 64, 0.0).first->second;
      for (size_t c = 0; c < 64; ++c) w[c] += by[c];
    }
  }
  void begin_anew() {
    for (auto& [key, w] : weights) std::ranges::fill(w, 0.0);
  }
  void tick() {
    ++instances;
    for (const auto& [key, w] : weights) {
      auto& s = sums.try_emplace(key, 64, 0.0).first->second;
      for (size_t c = 0; c < 64; ++c) s[c] += w[c];
    }
  }
};

struct History {
  OnlineLinear online{kColumns};
  Naive naive;
};

/// `anew`: the instance before which training begins anew.
History random_run(uint64_t seed, int instances, int anew = -1) {
  History run;
  Rng rng(seed, "linear");
  for (int i = 0; i < instances; ++i) {
    if (i == anew) {
      run.online.begin_anew();
      run.naive.begin_anew();
    }
    std::vector<uint64_t> keys;
    for (int k = 0; k < 20; ++k) keys.push_back(mix(rng.below(500) + 1));
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<float> change(64, 0);
    for (int k = 0; k < 3; ++k) change[rng.below(kColumns)] += rng.below(2) ? 1.0f : -1.0f;
    std::vector<uint32_t> rows(keys.size());
    run.online.locate(keys, rows.data());
    run.online.change(rows, change);
    run.naive.change(keys, change);
    run.online.tick();
    run.naive.tick();
  }
  return run;
}

TEST(OnlineLinear, ScoresEqualTheNaiveSum) {
  const History run = random_run(1, 300, 200);
  Rng rng(2, "probe");
  for (int probe = 0; probe < 100; ++probe) {
    std::vector<uint64_t> keys;
    for (int k = 0; k < 30; ++k) keys.push_back(mix(rng.below(700) + 1));  // some of them unknown
    std::vector<float> row(64, 0);
    run.online.add(keys, row.data());
    for (size_t c = 0; c < 64; ++c) {
      double expected = 0;
      for (const uint64_t key : keys)
        if (const auto it = run.naive.weights.find(key); it != run.naive.weights.end()) expected += it->second[c];
      EXPECT_FLOAT_EQ(row[c], static_cast<float>(expected));
    }
  }
}

class FrozenAverage : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(InOneRunAndInTwo, FrozenAverage, ::testing::Values(-1, 150));

TEST_P(FrozenAverage, ScoresAreThatToWithinRounding) {
  const History run = random_run(3, 300, GetParam());
  const Linear frozen = run.online.freeze({.least_updates = 1, .drop = 0, .most_features = 30});
  EXPECT_EQ(frozen.problem(), "");
  Rng rng(4, "probe");
  for (int probe = 0; probe < 100; ++probe) {
    std::vector<uint64_t> keys;
    for (int k = 0; k < 30; ++k) keys.push_back(mix(rng.below(500) + 1));
    std::vector<int16_t> row(64, 0);
    frozen.add(keys, row.data());
    for (size_t c = 0; c < 64; ++c) {
      double expected = 0;
      for (const uint64_t key : keys)
        if (const auto it = run.naive.sums.find(key); it != run.naive.sums.end())
          expected += it->second[c] / static_cast<double>(run.naive.instances + 1);
      EXPECT_NEAR(row[c] / frozen.scale(), expected, 0.05 * 30);
    }
  }
}

TEST(Linear, RowsUpdatedTooRarelyAreDropped) {
  const History run = random_run(5, 50);
  const size_t all = run.online.freeze({.least_updates = 1}).row_count();
  const size_t some = run.online.freeze({.least_updates = 3}).row_count();
  const size_t few = run.online.freeze({.least_updates = 1, .most_rows = 10}).row_count();
  EXPECT_LT(some, all);
  EXPECT_GE(few, 11u);
  EXPECT_LT(few, 20u);  // some weigh as much as the tenth
}

TEST(OnlineLinear, KeepsOnlyTheRowsThatFreezeKeepsAndLearnsOnWithThem) {
  History run = random_run(5, 200);
  constexpr OnlineLinear::Freeze kHow = {.least_updates = 1, .drop = 0, .most_rows = 100, .most_features = 30};
  const Linear before = run.online.freeze(kHow);
  run.online.keep_only(kHow);
  EXPECT_EQ(run.online.row_count(), before.row_count());
  Naive fewer;  // begins with the averages of those that are left
  for (const auto& [key, sum] : run.naive.sums) {
    ScaledRow row;
    before.find({&key, 1}, &row);
    EXPECT_EQ(row != 0, run.online.find(key) != 0);
    if (row == 0) continue;
    auto& weights = fewer.weights[key] = sum;
    for (double& weight : weights) weight /= static_cast<double>(run.naive.instances + 1);
  }
  const auto start = fewer.weights;
  Rng rng(6, "more");
  for (int i = 0; i < 100; ++i) {
    std::vector<float> change(64, 0);
    change[rng.below(kColumns)] += 1;
    const std::vector<uint64_t> keys = {mix(rng.below(500) + 1), mix(rng.below(500) + 501)};
    std::vector<uint32_t> rows(2);
    run.online.locate(keys, rows.data());
    EXPECT_EQ(rows[1], 0u);  // a feature that is new gets no row
    EXPECT_EQ(rows[0] != 0, fewer.weights.contains(keys[0]));
    if (rows[0] != 0) {
      run.online.change({rows.data(), 1}, change);
      fewer.change({keys[0]}, change);
    }
    run.online.tick();
    fewer.tick();
  }
  const Linear after = run.online.freeze({.least_updates = 1, .drop = 0.5, .most_features = 30});
  EXPECT_EQ(after.row_count(), before.row_count());
  for (const auto& [key, sum] : fewer.sums) {
    std::vector<float> now(64, 0);
    std::vector<int16_t> average(64, 0);
    run.online.add({&key, 1}, now.data());
    after.add({&key, 1}, average.data());
    for (size_t c = 0; c < 64; ++c) {
      EXPECT_NEAR(now[c], fewer.weights[key][c], 1e-4);
      EXPECT_NEAR(average[c] / after.scale(), (start.at(key)[c] + sum[c]) / 101, 0.05);
    }
  }
}

TEST(Linear, AllVersionsOfTheKernelsAgree) {
  const History run = random_run(6, 400);
  for (const int least : {1, 4}) {
    const Linear frozen = run.online.freeze({.least_updates = least});
    Rng rng(7, "probe");
    std::vector<uint64_t> keys;
    for (int k = 0; k < 200; ++k) keys.push_back(mix(rng.below(700) + 1));
    std::vector<ScaledRow> fast(keys.size()), portable(keys.size());
    find_rows()(frozen.index(), keys, fast.data());
    find_rows_portable(frozen.index(), keys, portable.data());
    EXPECT_EQ(fast, portable);
    EXPECT_GT(std::ranges::count_if(fast, [](ScaledRow row) { return row != 0; }), 50);
    for (const int columns : {16, 32, 64}) {  // any width that divides the table is a table
      std::vector<int16_t> a(64, 3), b(64, 3);
      row_sum().int8_rows(frozen.rows().data(), columns, fast, a.data());
      kPortableRowSum.int8_rows(frozen.rows().data(), columns, fast, b.data());
      EXPECT_EQ(a, b);
    }
  }
  // Widths of all kinds; large sums stay at the end of the range.
  std::vector<int8_t> bytes(8 * 112);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<int8_t>(i * 37);
  const std::vector<ScaledRow> scaled{1, 2 | 2u << kRowBits, 3 | 6u << kRowBits, 4, 4, 3 | 6u << kRowBits};
  for (const int columns : {16, 48, 80, 112}) {
    std::vector<int16_t> a(112, 30000), b(112, 30000);
    row_sum().saturated_rows(bytes.data(), columns, scaled, a.data());
    kPortableRowSum.saturated_rows(bytes.data(), columns, scaled, b.data());
    EXPECT_EQ(a, b);
    EXPECT_EQ(std::ranges::max(a), 32767);
  }
  std::vector<float> table(32 * 96);
  for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i % 17);
  float* chunks[] = {table.data()};
  const std::vector<uint32_t> rows{1, 5, 5, 31, 0};
  std::vector<float> a(96, 1), b(96, 1), change(96, 0.5f);
  row_sum().float_rows(chunks, 5, 96, rows, a.data());
  kPortableRowSum.float_rows(chunks, 5, 96, rows, b.data());
  EXPECT_EQ(a, b);
  std::vector<float> other = table;
  float* other_chunks[] = {other.data()};
  row_sum().change_rows(chunks, 5, 96, rows, change.data());
  kPortableRowSum.change_rows(other_chunks, 5, 96, rows, change.data());
  EXPECT_EQ(table, other);
}

TEST(Linear, HashedColumnsAreThoseOfTheFloats) {
  OnlineLinear online(kHashedColumns, OnlineLinear::Delay::kNone);
  ASSERT_EQ(online.columns(), kHashedColumns);
  Rng rng(1, "columns");
  std::vector<uint64_t> keys;
  for (uint64_t f = 1; f <= 40; ++f) {
    keys.push_back(mix(f));
    const uint32_t row = online.locate(keys.back());
    ASSERT_NE(row, 0u);
    for (int c = 0; c < kHashedColumns; ++c)
      online.adjust(row, c, c + 1, static_cast<float>((rng.uniform() - 0.5) * (f % 5 ? 1 : 40)));
  }
  for (int i = 0; i < 10000; ++i) online.tick();  // so that the average is nearly what they are now
  const Linear frozen = online.freeze({.least_updates = 0, .largest = 508});
  std::vector<uint32_t> of_online(40), of_frozen(40);
  online.find(keys, of_online.data());
  frozen.find(keys, of_frozen.data());
  for (const int lanes : {1, 3, 7, 8, 13, 21}) {
    std::vector<uint32_t> hashes(24);
    for (uint32_t& hash : hashes) hash = static_cast<uint32_t>(rng.below(uint64_t{1} << 32));
    std::vector<int32_t> fast(24), plain(24);
    std::vector<float> floats(24);
    row_sum().hashed_columns(frozen.rows().data(), of_frozen.data(), keys.data(), 40, hashes.data(), lanes,
                             fast.data());
    kPortableRowSum.hashed_columns(frozen.rows().data(), of_frozen.data(), keys.data(), 40, hashes.data(), lanes,
                                   plain.data());
    online.add_columns(of_online.data(), keys.data(), 40, hashes.data(), lanes, floats.data());
    for (size_t j = 0; j < static_cast<size_t>(lanes); ++j) {
      EXPECT_EQ(fast[j], plain[j]);
      EXPECT_NEAR(static_cast<float>(fast[j]) * frozen.unit(), floats[j], 1.5);
    }
  }
}

TEST(Linear, RowsKeepTheirWeightsToTheirOwnScale) {
  OnlineLinear online(48, OnlineLinear::Delay::kNone);
  Rng rng(1, "weights");
  for (uint64_t f = 0; f < 3000; ++f) {
    const uint32_t row = online.locate(mix(f));
    if (row == 0) continue;
    online.touch(row);
    for (int c = 0; c < 48; ++c)
      online.adjust(row, c, c + 1, static_cast<float>((f % 2 ? 1 : 0.01) * (rng.uniform() - 0.5)));
  }
  for (int i = 0; i < 100000; ++i) online.tick();
  const Linear frozen = online.freeze({.least_updates = 1, .largest = 508});
  EXPECT_EQ(frozen.columns(), 48);
  int kept = 0;
  for (uint64_t f = 0; f < 3000; ++f) {
    const uint64_t key = mix(f);
    ScaledRow to;
    frozen.find({&key, 1}, &to);
    float most = 0, worst = 0;
    for (uint32_t c = 0; c < 48; ++c) {
      const float weight = online.value(online.find(key), c);
      most = std::max(most, std::abs(weight));
      worst = std::max(worst, std::abs(weight - static_cast<float>(frozen.value(to, c)) * frozen.unit()));
    }
    kept += worst <= std::max(most / 60, 0.51f * frozen.unit());
  }
  EXPECT_GT(kept, 2950);  // a few have no room in the index, or are taken for another
}

TEST(OnlineLinear, RestoreContinuesAsIfNothingHadHappened) {
  History run = random_run(8, 3000);
  const std::string state = state_of(run.online);
  OnlineLinear copy(run.online.columns());
  restore_state(copy, state);
  EXPECT_EQ(state_of(copy), state);
  std::vector<uint64_t> keys;
  for (uint64_t k = 0; k < 200; ++k) keys.push_back(mix(k * 7 + 900));
  const std::vector<float> change(64, 0.25f);
  for (OnlineLinear* linear : {&copy, &run.online}) {
    std::vector<uint32_t> rows(keys.size());
    linear->locate(keys, rows.data());
    linear->change(rows, change);
    linear->tick();
  }
  EXPECT_EQ(state_of(copy), state_of(run.online));
  for (const size_t length : {0, 7, 1000}) {
    OnlineLinear damaged(run.online.columns());
    EXPECT_THROW(restore_state(damaged, state.substr(0, length)), Error);
  }
  OnlineLinear wider(run.online.columns() + 64);
  EXPECT_THROW(restore_state(wider, state), Error);
  EXPECT_THROW(restore_state(copy, state), Error) << "it has learned something";
}

TEST(Linear, ForeignPiecesAreRefused) {
  const Linear good = random_run(9, 100).online.freeze({.least_updates = 1});
  std::vector<RowBucket> index(good.index().begin(), good.index().end());
  EXPECT_EQ(Linear(index, good.rows(), 64, 1, nullptr).problem(), "");
  EXPECT_NE(Linear(index, good.rows(), 60, 1, nullptr).problem(), "");
  EXPECT_NE(Linear(index, good.rows().first(64), 64, 1, nullptr).problem(), "");
  EXPECT_NE(Linear({}, good.rows(), 64, 1, nullptr).problem(), "");
  index[0].fingerprint[11] = 1;
  index[0].first_row = 0xfffffff0u;
  EXPECT_NE(Linear(index, good.rows(), 64, 1, nullptr).problem(), "");
}

TEST(OnlineLinear, ADelayedOneWaitsForTheSecondTime) {
  OnlineLinear weights(16, OnlineLinear::Delay::kSecondTime);
  EXPECT_EQ(weights.locate(mix(7)), 0u);
  EXPECT_EQ(weights.locate(mix(8)), 0u);
  OnlineLinear again(16, OnlineLinear::Delay::kSecondTime);
  restore_state(again, state_of(weights));
  for (OnlineLinear* one : {&weights, &again}) {
    EXPECT_NE(one->locate(mix(7)), 0u);
    EXPECT_EQ(one->find(mix(8)), 0u);
  }
}

TEST(OnlineLinear, GrowsWithoutForgetting) {
  OnlineLinear weights(16, OnlineLinear::Delay::kNone);
  const uint64_t count = 100000;
  for (uint64_t i = 1; i <= count; ++i)
    if (const uint32_t row = weights.locate(mix(i))) weights.adjust(row, 5, 6, static_cast<float>(i));
  EXPECT_GT(weights.row_count(), count * 98 / 100);  // the index may have had no room for a few, until it grows
  size_t right = 0;
  for (uint64_t i = 1; i <= count; ++i)
    right += weights.find(mix(i)) && weights.value(weights.find(mix(i)), 5) == static_cast<float>(i);
  EXPECT_EQ(right, weights.row_count() - 1);
}

TEST(OnlineLinear, APatientOneWaitsForTheSecondInstance) {
  OnlineLinear weights(32, true);
  const uint64_t key = 0x1234567890abcdefu;
  uint32_t row = 1;
  weights.locate({&key, 1}, &row);
  EXPECT_EQ(row, 0u);
  weights.locate({&key, 1}, &row);
  EXPECT_EQ(row, 0u) << "the same instance";
  weights.tick();
  OnlineLinear again(32, true);
  restore_state(again, state_of(weights));
  for (OnlineLinear* one : {&weights, &again}) {
    one->locate({&key, 1}, &row);
    EXPECT_NE(row, 0u);
    const uint64_t other = key + 1;
    one->locate({&other, 1}, &row);
    EXPECT_EQ(row, 0u);
  }
}

/// Column c of what goes on is column (c + 1) of what was trained; the last one is new.
std::vector<int> shifted() {
  std::vector<int> from(kColumns, -1);
  for (int c = 0; c + 1 < kColumns; ++c) from[static_cast<size_t>(c)] = c + 1;
  return from;
}

TEST(OnlineLinear, GoesOnFromWhatWasTrained) {
  const Linear trained = random_run(3, 400).online.freeze({});
  OnlineLinear online(kColumns);
  online.start_from(trained, shifted());
  const auto weights = [&](uint64_t key) {
    std::vector<float> out(64, 0);
    online.add({&key, 1}, out.data());
    return out;
  };
  const auto before = [&](uint64_t key, int c) {
    float out = 0;
    const int column[] = {c + 1};
    if (c + 1 < kColumns) trained.weigh({&key, 1}, column, &out);
    return out;
  };
  const auto expect_before = [&](uint64_t key) {
    const std::vector<float> now = weights(key);
    for (int c = 0; c < kColumns; ++c) EXPECT_NEAR(now[static_cast<size_t>(c)], before(key, c), 1e-5);
  };
  for (uint64_t k = 1; k <= 500; ++k) expect_before(mix(k));

  // What is learned comes on top of it, for the features that it is about.
  const uint64_t keys[] = {mix(7), mix(100000)};
  uint32_t rows[2];
  for (int times = 0; times < 3; ++times) {
    online.locate(keys, rows);
    std::vector<float> change(64, 0);
    change[2] = 5;
    change[kColumns - 1] = 2;
    online.change(rows, change);
  }
  for (const uint64_t key : keys) {
    EXPECT_NEAR(weights(key)[2], before(key, 2) + 15, 1e-4);
    EXPECT_NEAR(weights(key)[3], before(key, 3), 1e-4);
    EXPECT_NEAR(weights(key)[kColumns - 1], 6, 1e-4);
    const int both[] = {2, 3};
    float weighed = 0;
    online.weigh({&key, 1}, both, &weighed);
    EXPECT_NEAR(weighed, weights(key)[2] + weights(key)[3], 1e-4);
  }
  expect_before(mix(8));

  // A frozen one has all of it: what was learned (at the first instance of a thousand, so nearly not averaged away),
  // and what nothing was learned about.
  for (int i = 0; i < 1000; ++i) online.tick();
  const Linear frozen = online.freeze({});
  EXPECT_EQ(frozen.problem(), "");
  for (uint64_t k = 1; k <= 500; ++k) {
    const uint64_t key = mix(k);
    const std::vector<float> exact = weights(key);
    float most = 0;  // a row's weights are rounded alike
    for (const float weight : exact) most = std::max(most, std::abs(weight));
    for (int c = 0; c < kColumns; ++c) {
      float out = 0;
      const int column[] = {c};
      frozen.weigh({&key, 1}, column, &out);
      EXPECT_NEAR(out, exact[static_cast<size_t>(c)], 0.02 * (1 + most)) << k << ' ' << c;
    }
  }
}

TEST(OnlineLinear, WhatLearnsNothingStaysAsItWas) {
  const Linear trained = random_run(3, 400).online.freeze({});
  OnlineLinear online(kColumns);
  std::vector<int> same(kColumns);
  std::iota(same.begin(), same.end(), 0);
  online.start_from(trained, same);
  online.tick();
  const Linear frozen = online.freeze({});
  EXPECT_FLOAT_EQ(frozen.scale(), trained.scale());
  EXPECT_EQ(frozen.row_count(), trained.row_count());
  for (uint64_t k = 1; k <= 600; ++k) {
    const uint64_t key = mix(k);
    std::vector<int16_t> before(64, 0), after(64, 0);
    trained.add({&key, 1}, before.data());
    frozen.add({&key, 1}, after.data());
    EXPECT_EQ(before, after) << k;
  }
}

TEST(OnlineLinear, ASmallModelMakesRoomForMuchMore) {
  const Linear trained = random_run(3, 400).online.freeze({});
  OnlineLinear online(kColumns);
  online.start_from(trained, shifted());
  std::vector<float> change(64, 0);
  change[3] = 1;
  const uint64_t many = 20000;  // forty times as many
  for (uint64_t k = 400; k < 400 + many; ++k) {
    const uint64_t key = mix(k);
    uint32_t row;
    online.locate({&key, 1}, &row);
    if (row) online.change({&row, 1}, change);
  }
  for (int i = 0; i < 100000; ++i) online.tick();
  const Linear frozen = online.freeze({.least_updates = 1});
  EXPECT_EQ(frozen.problem(), "");
  const int three[] = {3}, four[] = {4};
  uint64_t learned = 0, kept = 0;
  for (uint64_t k = 1; k < 400 + many; ++k) {
    const uint64_t key = mix(k);
    float before = 0, after = 0;
    trained.weigh({&key, 1}, four, &before);  // column 3 was 4
    frozen.weigh({&key, 1}, three, &after);
    (k < 400 ? kept : learned) += std::abs(after - before - (k < 400 ? 0 : 1)) < 0.05 * (1 + std::abs(before));
  }
  EXPECT_GT(learned, many * 97 / 100);
  EXPECT_GT(kept, 390u);
}

TEST(FrozenIndex, APlaceIsAllThatIsKnownOfAKey) {
  for (const size_t buckets : {size_t{1}, size_t{3}, size_t{1000}, size_t{123457}})
    for (size_t bucket = 0; bucket < buckets; bucket += 1 + buckets / 50) {
      const uint64_t key = key_in(bucket, buckets, 77);
      EXPECT_EQ(bucket_of(key, buckets), bucket);
      EXPECT_EQ(fingerprint_of(key), 77);
    }
}

TEST(FrozenIndex, DropsTheLightestRowsOfLargeModels) {
  std::vector<uint32_t> rows(100000);
  std::vector<float> largest(rows.size());
  for (size_t k = 0; k < rows.size(); ++k) {
    rows[k] = static_cast<uint32_t>(k);
    largest[k] = static_cast<float>(k * 7919 % rows.size());
  }
  drop_lightest(0.3, 0, rows, largest);
  ASSERT_EQ(rows.size(), 70000u);
  EXPECT_EQ(*std::ranges::min_element(largest), 30000);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
  for (size_t k = 0; k < rows.size(); ++k) ASSERT_EQ(largest[k], static_cast<float>(rows[k] * size_t{7919} % 100000));
  drop_lightest(0.9, 0, rows, largest);
  EXPECT_EQ(rows.size(), size_t{1} << 16) << "small models stay whole";
  drop_lightest(0, 1000, rows, largest);
  EXPECT_EQ(rows.size(), 1000u);
}

}  // namespace
}  // namespace espalier

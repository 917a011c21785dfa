#include "espalier/base/ordered.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

enum class Stage { kNone, kRead, kWork, kWrite };

/// Squares 0..items-1 in batches of uneven size and work; the chosen stage throws from item `fail_at` on.
std::vector<long> squares(int threads, long items, Stage stage = Stage::kNone, long fail_at = 0) {
  std::vector<long> written;
  std::atomic<int> alive = 0;
  long next = 0;
  Rng rng(1, "batches");
  const auto trip = [&](Stage here, long item) {
    if (here == stage && item >= fail_at) throw std::runtime_error("tripped");
  };
  ordered_stream<std::vector<long>>(
      threads,
      [&](std::vector<long>& batch) {
        batch.clear();
        for (size_t i = 1 + rng.below(5); i > 0 && next < items; --i) batch.push_back(next++);
        if (batch.empty()) return false;
        trip(Stage::kRead, batch.back());
        EXPECT_LE(++alive, threads);
        return true;
      },
      [&](int worker, std::vector<long>& batch) {
        EXPECT_LT(worker, threads);
        for (long& item : batch) {
          trip(Stage::kWork, item);
          volatile long sum = 0;
          for (long i = 0; i < (item % 7) * 1000; ++i) sum = sum + i;
          item *= item;
        }
      },
      [&](const std::vector<long>& batch) {
        --alive;
        for (const long item : batch) {
          trip(Stage::kWrite, item);
          written.push_back(item);
        }
      });
  return written;
}

TEST(OrderedStream, KeepsTheOrderWithAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3, 8}) {
    const std::vector<long> written = squares(threads, 2000);
    ASSERT_EQ(written.size(), 2000u);
    for (size_t i = 0; i < written.size(); ++i) ASSERT_EQ(written[i], static_cast<long>(i * i));
  }
}

TEST(OrderedStream, EmptyInput) { EXPECT_TRUE(squares(3, 0).empty()); }

TEST(OrderedStream, FailuresAreRethrown) {
  for (const int threads : {1, 2, 8}) {
    for (const Stage stage : {Stage::kRead, Stage::kWork, Stage::kWrite}) {
      for (const long at : {0, 1000, 1999}) EXPECT_THROW(squares(threads, 2000, stage, at), std::runtime_error);
    }
  }
}

}  // namespace
}  // namespace espalier

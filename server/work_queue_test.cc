#include "server/work_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>

namespace espalier::server {
namespace {

TEST(WorkQueue, RefusesWhatWouldWaitTooLong) {
  std::latch begun(2), gate(1);
  std::atomic<int> done = 0;
  WorkQueue queue(2, 3);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(queue.try_push([&] { begun.count_down(), gate.wait(), ++done; }));
  begun.wait();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(queue.try_push([&] { ++done; }));
  EXPECT_FALSE(queue.try_push([&] { done = 100; }));
  EXPECT_EQ(queue.waiting(), 3u);
  EXPECT_EQ(queue.running(), 2u);
  std::latch last(1);
  queue.push_step([&] { last.count_down(); });  // what was let in goes on
  gate.count_down();
  last.wait();
  while (queue.running() > 0) std::this_thread::yield();
  EXPECT_EQ(done, 5);
  EXPECT_TRUE(queue.try_push([] {}));
}

TEST(WorkQueue, EndsWithoutStartingWhatWaits) {
  std::latch begun(1), gate(1);
  std::atomic<int> done = 0;
  std::jthread opener;
  {
    WorkQueue queue(1, 10);
    queue.try_push([&] { begun.count_down(), gate.wait(), ++done; });
    queue.try_push([&] { done = 100; });
    begun.wait();
    opener = std::jthread([&] { std::this_thread::sleep_for(std::chrono::milliseconds(50)), gate.count_down(); });
  }
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace espalier::server

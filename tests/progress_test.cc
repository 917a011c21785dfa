#include "cli/progress.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "tests/temporary_folder.h"

namespace espalier::cli {
namespace {

Progress half_of_epoch_two() {
  Progress progress;
  progress.phase = "train";
  progress.epoch = 2;
  progress.epochs = 4;
  progress.done = 50;
  progress.total = 100;
  return progress;
}

TEST(Progress, Durations) {
  EXPECT_EQ(duration(-1), "0s");
  EXPECT_EQ(duration(42.4), "42s");
  EXPECT_EQ(duration(190), "3m10s");
  EXPECT_EQ(duration(7500), "2h05m");
}

TEST(Progress, SummaryOfValues) {
  EXPECT_EQ(summary({{"las", 88.125}, {"updates", 17}, {"name", "x"}, {"list", {1, 2}}, {"dev", {{"uas", 90.5}}}}),
            "dev uas 90.50  las 88.12  name x  updates 17");
  EXPECT_EQ(summary(nullptr), "");
}

TEST(Progress, BarShowsPlaceSpeedAndTimeLeft) {
  const std::string bar = ProgressDisplay::bar(half_of_epoch_two(), 30);
  EXPECT_NE(bar.find("train 2/4"), std::string::npos) << bar;
  EXPECT_NE(bar.find(" 38%"), std::string::npos) << bar;      // 1.5 of 4 epochs
  EXPECT_NE(bar.find("  5/s"), std::string::npos) << bar;     // 150 items in 30 s
  EXPECT_NE(bar.find("50s left"), std::string::npos) << bar;  // 2.5 epochs at 20 s
}

TEST(Progress, LinesOnlyAtEpochEndsUnlessOnATerminal) {
  const TemporaryFolder folder;
  for (const bool terminal : {false, true}) {
    std::FILE* output = std::fopen((folder / "out").c_str(), "w");
    {
      ProgressDisplay display({false, terminal, folder / "log.jsonl"}, output);
      Progress progress = half_of_epoch_two();
      display.show(progress);
      progress.done = 100;
      progress.epoch_end = true;
      progress.values = {{"las", 80.5}};
      display.show(progress);
    }
    std::fclose(output);
    const std::string text = read_file(folder / "out");
    EXPECT_EQ(text.find('\r') != std::string::npos, terminal);
    EXPECT_NE(text.find("las 80.50"), std::string::npos);
    EXPECT_EQ(std::ranges::count(text, '\n'), 1);
    const std::string log = read_file(folder / "log.jsonl");
    ASSERT_EQ(std::ranges::count(log, '\n'), 2);
    const auto last = nlohmann::json::parse(log.substr(log.find('\n') + 1));
    EXPECT_EQ(last["las"], 80.5);
    EXPECT_EQ(last["epoch"], 2);
    EXPECT_EQ(last["epoch_end"], true);
  }
}

TEST(Progress, QuietIsQuietAndABadLogIsAnError) {
  const TemporaryFolder folder;
  std::FILE* output = std::fopen((folder / "out").c_str(), "w");
  ProgressDisplay({true, true, ""}, output).show(half_of_epoch_two());
  std::fclose(output);
  EXPECT_EQ(read_file(folder / "out"), "");
  EXPECT_THROW(ProgressDisplay({false, false, folder / "no/such/log"}, stderr), Error);
}

}  // namespace
}  // namespace espalier::cli

#include "espalier/learn/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "espalier/base/error.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

TrainContext context_in(const TemporaryFolder& folder) {
  TrainContext context;
  context.checkpoint = folder / "m.esp.checkpoint";
  return context;
}

TEST(Checkpoint, IsTakenUpOnlyByTheSameRunAndOnlyIfAskedTo) {
  const TemporaryFolder folder;
  TrainContext context = context_in(folder);
  ModelWriter writer;
  writer.metadata["news"] = 7;
  Checkpoint(context, "run").write(writer);
  EXPECT_EQ(Checkpoint(context, "run").open(), nullptr);
  context.resume = true;
  EXPECT_EQ(Checkpoint(context, "run").open()->metadata().at("news"), 7);
  try {
    Checkpoint(context, "other run").open();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("belongs to another run"), std::string::npos) << error.what();
  }
  std::filesystem::remove(context.checkpoint);
  EXPECT_EQ(Checkpoint(context, "run").open(), nullptr);
}

TEST(Checkpoint, AForeignFileIsRefused) {
  const TemporaryFolder folder;
  TrainContext context = context_in(folder);
  context.resume = true;
  ModelWriter writer;  // a model, or what an older program has left
  writer.metadata["identity"] = "run";
  writer.save(context.checkpoint);
  EXPECT_THROW(Checkpoint(context, "run").open(), Error);
  std::ofstream(context.checkpoint) << "garbage";
  EXPECT_THROW(Checkpoint(context, "run").open(), Error);
}

TEST(Checkpoint, WithoutAFileNothingIsKept) {
  const Checkpoint none("", "run", true);
  EXPECT_FALSE(none.wanted());
  none.write({});
  EXPECT_EQ(none.open(), nullptr);
  EXPECT_EQ(part_file({}, "stage"), "");
  EXPECT_FALSE(has_checkpoint({}));
  remove_checkpoint({});
}

TEST(Checkpoint, GoesWithAllItsParts) {
  const TemporaryFolder folder;
  const TrainContext context = context_in(folder);
  EXPECT_FALSE(has_checkpoint(context));
  const TrainContext part = part_context(part_context(context, "parser"), "l2r");
  Checkpoint(part, "run").write({});
  EXPECT_TRUE(has_checkpoint(context));
  remove_checkpoint(context);
  EXPECT_FALSE(has_checkpoint(context));
  EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(context.checkpoint).parent_path()));
}

}  // namespace
}  // namespace espalier

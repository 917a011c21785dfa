#include "espalier/learn/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/model_file.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

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

/// One whose checksums are right, but which no run has written: it is refused, and sends nobody through two thousand
/// million epochs.
TEST(Checkpoint, AForgedOneIsRefused) {
  const TemporaryFolder folder;
  TrainContext context = context_in(folder);
  const Settings greedy = settings({"recipe=greedy", "epochs=3"});
  const TrainData data{toy_treebank(20, 1), toy_treebank(5, 2)};
  long asked = 0;
  context.stop = [&] { return ++asked > 30; };
  train(greedy, data, context);
  context.stop = {};
  context.resume = true;
  const auto kept = ModelFile::from_bytes(read_file(context.checkpoint), "kept");
  const auto forge = [&](const std::string& key, const nlohmann::json& value) {
    ModelWriter writer;
    writer.metadata = kept->metadata();
    writer.metadata.erase(key);
    if (!value.is_null()) writer.metadata[key] = value;
    for (const auto& [name, size] : kept->sections())
      if (name != "metadata") writer.add_array(name, kept->section(name));
    writer.save(context.checkpoint);
  };
  for (const auto& [key, value] :
       std::initializer_list<std::pair<const char*, nlohmann::json>>{{"epoch", "two"},
                                                                     {"epoch", -2147483648ll},
                                                                     {"epoch", 5},
                                                                     {"epoch", 2.5},
                                                                     {"updates", 1e300},
                                                                     {"epoch", nullptr},
                                                                     {"done", 21},
                                                                     {"done", -1},
                                                                     {"best_epoch", 3},
                                                                     {"best_epoch", -1},
                                                                     {"best", 7},
                                                                     {"best", {{"kind", "none"}}},
                                                                     {"identity", 7},
                                                                     {"checkpoint_format", "2"},
                                                                     {"checkpoint_format", 1e300}}) {
    forge(key, value);
    EXPECT_THROW(train(greedy, data, context), Error) << key << " " << value;
  }
  forge("unknown", nullptr);
  EXPECT_TRUE(train(greedy, data, context).parser);
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

#include "espalier/parser/model_file.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <filesystem>
#include <limits>

#include "espalier/base/file.h"
#include "espalier/base/hash.h"
#include "espalier/weights/frozen_index.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

ModelWriter small_model() {
  ModelWriter writer;
  writer.metadata = {{"recipe", "beam"}, {"labels", {"nsubj", "obj"}}};
  const std::vector<float> weights = {1.5f, -2.0f, 3.25f};
  writer.add_array<float>("parser/weights", weights);
  writer.add("parser/words", "the\nof\n");
  writer.add("parser/empty", "");
  return writer;
}

void expect_small_model(const ModelFile& model) {
  EXPECT_EQ(model.metadata()["labels"][1], "obj");
  const auto weights = model.array<float>("parser/weights");
  ASSERT_EQ(weights.size(), 3u);
  EXPECT_EQ(weights[2], 3.25f);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(weights.data()) % 64, 0u);
  EXPECT_EQ(model.section("parser/words").size(), 7u);
  EXPECT_TRUE(model.has("parser/empty"));
  EXPECT_EQ(model.section("parser/empty").size(), 0u);
  EXPECT_FALSE(model.has("parser/none"));
  EXPECT_THROW(model.section("parser/none"), Error);
  EXPECT_THROW(model.array<float>("parser/words"), Error);
}

std::string data_message(std::string bytes) {
  try {
    ModelFile::from_bytes(std::move(bytes), "m.esp");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_EQ(std::string(error.what()).rfind("m.esp: ", 0), 0u) << error.what();
    return error.what();
  }
  return "";
}

TEST(ModelFile, SavedMappedAndFromBytes) {
  const TemporaryFolder folder;
  small_model().save(folder / "m.esp");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"m.esp"});
  expect_small_model(*ModelFile::open(folder / "m.esp"));
  expect_small_model(*ModelFile::from_bytes(small_model().to_bytes(), "bytes"));
  EXPECT_EQ(read_file(folder / "m.esp"), small_model().to_bytes());
}

TEST(ModelFile, PackedModelsAreTheSameModels) {
  const TemporaryFolder folder;
  small_model().save(folder / "m.esp", /*packed=*/true);
  expect_small_model(*ModelFile::open(folder / "m.esp"));
  const std::string packed = read_file(folder / "m.esp");
  EXPECT_NE(packed, small_model().to_bytes());
  for (size_t length = 0; length < packed.size(); ++length)
    EXPECT_NE(data_message(packed.substr(0, length)), "") << length;
  for (size_t bit = 0; bit < packed.size() * 8; ++bit) {  // a flip may be harmless; it must not do harm
    std::string damaged = packed;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    data_message(damaged);
  }
}

TEST(ModelFile, TablesWithNothingInThemSurvivePacking) {
  const TemporaryFolder folder;
  ModelWriter writer = small_model();
  writer.add("zeros", std::string(size_t{16} << 20, '\0'));
  writer.save(folder / "m.esp", /*packed=*/true);
  EXPECT_EQ(ModelFile::open(folder / "m.esp")->array<char>("zeros").size(), size_t{16} << 20);
}

TEST(ModelFile, LargeModelsArePackedInPieces) {
  const TemporaryFolder folder;
  ModelWriter writer = small_model();
  std::vector<uint64_t> numbers(2000000);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = i * i % 1009;
  writer.add_array<uint64_t>("numbers", numbers);
  writer.save(folder / "m.esp", /*packed=*/true);
  const auto model = ModelFile::open(folder / "m.esp");
  EXPECT_TRUE(std::ranges::equal(numbers, model->array<uint64_t>("numbers")));
}

TEST(ModelFile, TablesOfWeightsArePackedAsSuch) {
  constexpr size_t kColumns = 32;
  FrozenIndexBuilder builder(2000);
  for (uint64_t i = 0; i < 2000; ++i) builder.insert(mix(i), 0, static_cast<uint32_t>(i));
  std::vector<uint32_t> sources;
  const std::vector<RowBucket> index = builder.finish(sources);
  std::vector<int8_t> rows(sources.size() * kColumns);
  for (size_t row = 1; row < sources.size(); ++row)
    std::fill_n(&rows[row * kColumns], 20 + row % 7, static_cast<int8_t>(mix(row)));
  ModelWriter writer = small_model();
  writer.add_array<RowBucket>("parser/index", index);
  writer.add_array<int8_t>("parser/rows", rows);
  writer.add("parser/more", "behind the table");
  const std::string packed = writer.to_bytes(/*packed=*/true);
  EXPECT_LT(packed.size(), index.size() * sizeof(RowBucket) + rows.size() / 8);
  const auto model = ModelFile::from_bytes(packed, "m.esp");
  expect_small_model(*model);
  EXPECT_TRUE(std::ranges::equal(rows, model->array<int8_t>("parser/rows")));
  EXPECT_EQ(model->size(), writer.to_bytes().size());
  for (size_t bit = 0; bit < packed.size() * 8; bit += 997) {
    std::string damaged = packed;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    data_message(damaged);
  }
}

TEST(ModelFile, EveryTruncationIsRefused) {
  const std::string whole = small_model().to_bytes();
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(data_message(whole.substr(0, length)), "") << length;
  EXPECT_NE(data_message(whole + "x"), "");
}

TEST(ModelFile, EveryFlippedBitIsRefused) {
  const std::string whole = small_model().to_bytes();
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(data_message(damaged), "") << "bit " << bit;
  }
}

TEST(ModelFile, ForeignAndNewerFiles) {
  EXPECT_NE(data_message("PK\3\4 something else that is long enough").find("not an Espalier model"), std::string::npos);
  std::string newer = small_model().to_bytes();
  newer[8] = 9;
  EXPECT_NE(data_message(newer).find("model format 9"), std::string::npos);
}

/// A file whose checksums are right but whose table lies.
std::string forged(const std::string& table, uint32_t count, const std::string& rest = "") {
  std::string bytes = "ESPALIER";
  const uint32_t version = 1;
  const uint64_t hash = hash_string(table);
  bytes.append(reinterpret_cast<const char*>(&version), 4);
  bytes.append(reinterpret_cast<const char*>(&count), 4);
  bytes.append(reinterpret_cast<const char*>(&hash), 8);
  return bytes + table + rest;
}

TEST(ModelFile, ForgedTablesAreRefused) {
  const auto entry = [](std::string name, uint64_t offset, uint64_t length) {
    const auto size = static_cast<uint32_t>(name.size());
    std::string bytes(reinterpret_cast<const char*>(&size), 4);
    bytes += name;
    const uint64_t numbers[] = {offset, length, hash_string("")};
    return bytes.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
  };
  EXPECT_NE(data_message(forged("", 0)), "");                              // no metadata
  EXPECT_NE(data_message(forged("", 0xffffffff)), "");                     // absurd count
  EXPECT_NE(data_message(forged(entry("metadata", 64, ~0ull), 1)), "");    // length wraps around
  EXPECT_NE(data_message(forged(entry("metadata", ~63ull, 128), 1)), "");  // offset wraps around
  EXPECT_NE(data_message(forged(entry("metadata", 0, 8), 1)), "");         // inside the header
  EXPECT_NE(data_message(forged("\xff\xff\xff\xff", 1)), "");              // name longer than the file
  const std::string twice = entry("metadata", 128, 0) + entry("metadata", 128, 0);
  EXPECT_NE(data_message(forged(twice, 2, std::string(128 - 24 - twice.size(), '\0'))), "");
}

TEST(ModelFile, MetadataMustBeAnObject) {
  ModelWriter writer;
  writer.metadata = {1, 2};
  EXPECT_NE(data_message(writer.to_bytes()).find("metadata"), std::string::npos);
}

TEST(ModelFile, NestedMetadataIsRefusedAtAStatedDepth) {
  for (const size_t depth : {101, 20'000, 1'000'000}) {
    const std::string about = "{\"x\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
    std::string table;
    const auto add = [&](auto number) { table.append(reinterpret_cast<const char*>(&number), sizeof number); };
    add(uint32_t{8});
    table += "metadata";
    add(uint64_t{64});
    add(uint64_t{about.size()});
    add(hash_string(about));
    EXPECT_NE(data_message(forged(table, 1, std::string(4, '\0') + about)).find("nested more than 100 deep"),
              std::string::npos)
        << depth;
  }
}

TEST(ModelFile, NumbersMustBeFinite) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -3e38f}) {
    std::vector<float> numbers(1000, -1e29f);
    ModelWriter writer = small_model();
    writer.add_array<float>("good", numbers);
    numbers[777] = bad;
    writer.add_array<float>("bad", numbers);
    const auto model = ModelFile::from_bytes(writer.to_bytes(), "m.esp");
    EXPECT_EQ(model->array<float>("good").size(), 1000u);
    EXPECT_THROW(model->array<float>("bad"), Error);
  }
}

TEST(ModelFile, SmallFileThatUnpacksToMuchIsRefusedBeforeMemoryIsTaken) {
  const std::string zeros(size_t{32} << 20, '\0');
  std::string frame(ZSTD_compressBound(zeros.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), zeros.data(), zeros.size(), 3));
  std::string bomb;
  while (bomb.size() < 65'000) bomb += frame;  // 2 GB
  EXPECT_NE(data_message(bomb).find("would unpack to more than"), std::string::npos);
}

TEST(ModelFile, WhatWouldPackTooWellStaysUnpacked) {
  ModelWriter writer = small_model();
  writer.add("zeros", std::string(size_t{300} << 20, '\0'));
  EXPECT_EQ(data_message(writer.to_bytes(/*packed=*/true)), "");
}

TEST(ModelFile, MissingFilesAndFolders) {
  const TemporaryFolder folder;
  EXPECT_THROW(ModelFile::open(folder / "none.esp"), Error);
  EXPECT_THROW(ModelFile::open(folder.path()), Error);
  EXPECT_THROW(small_model().save(folder / "no/such/folder.esp"), Error);
  EXPECT_THROW(small_model().save("/dev/full"), Error);
  write_file(folder / "empty.esp", "");
  EXPECT_THROW(ModelFile::open(folder / "empty.esp"), Error);
}

}  // namespace
}  // namespace espalier

#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>
#include <sstream>

#include "espalier/base/error.h"
#include "espalier/format/format.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

std::string gzip(const std::string& text) {
  z_stream zip = {};
  EXPECT_EQ(deflateInit2(&zip, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&zip, text.size()) + 32, '\0');
  zip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  zip.avail_in = static_cast<uInt>(text.size());
  zip.next_out = reinterpret_cast<Bytef*>(packed.data());
  zip.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&zip, Z_FINISH), Z_STREAM_END);
  packed.resize(zip.total_out);
  deflateEnd(&zip);
  return packed;
}

class FileStream : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  static std::string read(const std::string& file) {
    const auto input = open_input(file);
    std::string bytes;
    char block[4096];
    for (std::streamsize size; (size = input->rdbuf()->sgetn(block, sizeof block)) > 0;) {
      bytes.append(block, static_cast<size_t>(size));
    }
    return bytes;
  }
  static ErrorKind failure(const std::string& file) {
    try {
      read(file);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
      return error.kind();
    }
    ADD_FAILURE() << "no error for " << file;
    return ErrorKind::kUsage;
  }

  TemporaryFolder folder_;
};

TEST_F(FileStream, UnpacksGzipWhateverTheName) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += std::to_string(i) + "\n";
  EXPECT_EQ(read(file("plain.gz", text)), text);
  EXPECT_EQ(read(file("packed", gzip(text))), text);
  EXPECT_EQ(read(file("two.gz", gzip(text) + gzip("") + gzip("end"))), text + "end");
  EXPECT_EQ(read(file("empty", "")), "");
  EXPECT_EQ(read(file("short", "\x1f")), "\x1f");
}

TEST_F(FileStream, DamagedGzipIsADataError) {
  const std::string packed = gzip(std::string(100000, 'x') + "y");
  EXPECT_EQ(failure(file("cut.gz", packed.substr(0, packed.size() / 2))), ErrorKind::kData);
  std::string flipped = packed;
  flipped[flipped.size() - 6] ^= 1;
  EXPECT_EQ(failure(file("flipped.gz", flipped)), ErrorKind::kData);
  EXPECT_EQ(failure(file("tail.gz", packed + "rubbish")), ErrorKind::kData);
  EXPECT_THROW(read_treebank(file("cut.conllu.gz", packed.substr(0, packed.size() / 2))), Error);
}

TEST_F(FileStream, WhatCannotBeOpenedIsARunError) {
  EXPECT_EQ(failure(folder_ / "missing"), ErrorKind::kRun);
  EXPECT_EQ(failure(folder_.path()), ErrorKind::kRun);
}

TEST_F(FileStream, AFullDiskIsNoticed) {
  if (!std::ifstream("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  std::ofstream output("/dev/full");
  const auto writer = make_writer("conllu", output);
  Sentence sentence;
  sentence.tokens.emplace_back().form = "x";
  writer->write(sentence);
  EXPECT_THROW(writer->finish(), Error);
}

TEST(Formats, AreGuessedFromNames) {
  EXPECT_EQ(guess_format("a/b.conllu"), "conllu");
  EXPECT_EQ(guess_format("b.conll.gz"), "conllx");
  EXPECT_EQ(guess_format("b.ptb.gz"), "ptb");
  EXPECT_EQ(guess_format("wsj.mrg"), "ptb");
  EXPECT_EQ(guess_format("b.txt"), "text");
  EXPECT_EQ(guess_format("b.jsonl"), "json");
  EXPECT_EQ(guess_format("b.gz"), "");
  EXPECT_EQ(guess_format("-"), "");
}

TEST(Formats, UnknownNamesAreUsageErrors) {
  std::istringstream input;
  std::ostringstream output;
  EXPECT_THROW(make_reader("conlu", input, {}), Error);
  EXPECT_THROW(make_writer("", output), Error);
  EXPECT_THROW(read_treebank("file.without-format"), Error);
}

}  // namespace
}  // namespace espalier

// Every treebank that is there loads and comes back byte for byte. They are looked for in $ESPALIER_DATA, by default
// ../shared/data beside the repository.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "espalier/format/format.h"

namespace espalier {
namespace {

std::filesystem::path data_folder() {
  const char* given = std::getenv("ESPALIER_DATA");
  return given ? std::filesystem::path(given) : std::filesystem::path(ESPALIER_SOURCE_DIR) / "../shared/data";
}

std::vector<std::string> treebanks(const std::string& format) {
  std::vector<std::string> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data_folder(), missing)) {
    if (guess_format(entry.path().string()) == format) files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

std::string bytes_of(const std::string& file) {
  std::string bytes;
  const auto input = open_input(file);
  char block[1 << 16];
  for (std::streamsize size; (size = input->rdbuf()->sgetn(block, sizeof block)) > 0;) {
    bytes.append(block, static_cast<size_t>(size));
  }
  return bytes;
}

class Treebanks : public ::testing::TestWithParam<const char*> {};

TEST_P(Treebanks, RoundTripByteForByte) {
  const std::string format = GetParam();
  const std::vector<std::string> files = treebanks(format);
  if (files.empty()) GTEST_SKIP() << "no ." << format << " treebanks in " << data_folder() << "; set ESPALIER_DATA";
  for (const std::string& file : files) {
    const auto input = open_input(file);
    ReaderOptions options;
    options.name = file;
    const auto reader = make_reader(format, *input, options);
    std::ostringstream output;
    const auto writer = make_writer(format, output);
    long sentences = 0;
    for (Sentence sentence; reader->next(sentence); ++sentences) writer->write(sentence);
    writer->finish();
    EXPECT_GT(sentences, 0) << file;
    EXPECT_TRUE(output.view() == bytes_of(file)) << file;
  }
}

TEST_P(Treebanks, AllOfThemIsInJson) {
  const std::string format = GetParam();
  if (treebanks(format).empty()) GTEST_SKIP() << "no treebanks";
  for (const std::string& file : treebanks(format)) {
    const auto input = open_input(file);
    const auto reader = make_reader(format, *input, {});
    size_t number = 0;
    for (Sentence sentence; reader->next(sentence);) {
      // Every tenth will do: it is the odd columns that matter, and they come in all treebanks.
      if (++number % 10 != 1 || sentence.tokens.empty()) continue;
      std::stringstream json;
      make_writer("json", json)->write(sentence);
      Sentence back;
      ASSERT_TRUE(make_reader("json", json, {})->next(back)) << file;
      ASSERT_EQ(back.comments, sentence.comments) << file;
      ASSERT_EQ(back.tokens, sentence.tokens) << file << ':' << sentence.line;
      ASSERT_EQ(back.extra, sentence.extra) << file << ':' << sentence.line;
      ASSERT_EQ(back.constituents, sentence.constituents) << file << ':' << sentence.line;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Treebanks, ::testing::Values("conllu", "ptb"));

}  // namespace
}  // namespace espalier

// Classes of words from files: text and treebanks, with and without a model, and their use in training.
#include "espalier/app/cluster.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "espalier/app/model.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

/// Sentences over invented nouns and verbs with one pattern.
std::string made_text() {
  std::string text;
  for (int i = 0; i < 900; ++i)
    text += "The " + std::string(1, static_cast<char>('a' + i % 7)) + "oun " + static_cast<char>('a' + i % 5) +
            "erbs in " + std::to_string(1000 + i) + ".\n\n";
  return text;
}

std::map<std::string, std::string> paths_of(const std::string& file) {
  std::map<std::string, std::string> paths;
  std::istringstream lines(read_file(file));
  for (std::string path, word, count; lines >> path >> word >> count;) paths[word] = path;
  return paths;
}

class ClusterTest : public ::testing::Test {
 protected:
  ClusterTest() { write_file(text_, made_text()); }
  TemporaryFolder folder_;
  const std::string text_ = folder_ / "made.txt", output_ = folder_ / "clusters.txt";
};

TEST_F(ClusterTest, WordsThatAreUsedAlikeShareAClass) {
  const ClusteredFiles done = cluster_files({.inputs = {text_}, .output = output_, .classes = 6});
  EXPECT_EQ(done.tokens, 900 * 6);
  EXPECT_EQ(done.words, 7u + 5 + 4);
  EXPECT_GT(done.information, 1);
  const auto paths = paths_of(output_);
  EXPECT_EQ(paths.size(), done.words);
  EXPECT_EQ(paths.at("aoun"), paths.at("goun"));
  EXPECT_EQ(paths.at("aerbs"), paths.at("eerbs"));
  EXPECT_NE(paths.at("aoun"), paths.at("aerbs"));
  EXPECT_TRUE(paths.contains("0000"));  // the years
}

TEST_F(ClusterTest, FilesFormatsThreadsAndOrderDoNotMatter) {
  cluster_files({.inputs = {text_}, .output = output_, .classes = 6});
  const std::string once = read_file(output_);
  cluster_files({.inputs = {text_}, .output = output_, .classes = 6, .threads = 3});
  EXPECT_EQ(read_file(output_), once);
  ConvertFile conversion;
  conversion.input = text_;
  conversion.output = folder_ / "made.conllu";
  convert_file(conversion);
  cluster_files({.inputs = {folder_ / "made.conllu"}, .output = output_, .classes = 6});
  EXPECT_EQ(read_file(output_), once);
  std::istringstream lines(once);
  std::string before;
  for (std::string line; std::getline(lines, line); before = line.substr(0, line.find('\t')))
    EXPECT_LE(before, line.substr(0, line.find('\t')));
}

TEST_F(ClusterTest, TooLittleTextIsAnErrorAndLeavesTheOldFile) {
  write_file(output_, "old");
  write_file(text_, "One word.\n");
  EXPECT_THROW(cluster_files({.inputs = {text_}, .output = output_}), Error);
  EXPECT_THROW(cluster_files({.inputs = {folder_ / "nothing.txt"}, .output = output_}), Error);
  EXPECT_EQ(read_file(output_), "old");
  cluster_files({.inputs = {text_}, .output = output_, .min_count = 1});
  EXPECT_EQ(paths_of(output_).size(), 3u);
}

}  // namespace
}  // namespace espalier

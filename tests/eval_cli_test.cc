// The commands eval, compare and draw as a user runs them: output, JSON and exit codes.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "espalier/base/file.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

struct Result {
  int exit_code;
  std::string output;  ///< standard output and error
};

Result run(const std::string& arguments) {
  FILE* pipe = ::popen((std::string(ESPALIER_BINARY) + " " + arguments + " 2>&1").c_str(), "r");
  Result result;
  std::array<char, 4096> buffer;
  for (size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) result.output.append(buffer.data(), n);
  result.exit_code = WEXITSTATUS(::pclose(pipe));
  return result;
}

class EvalCli : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name) << content;
    return folder_ / name;
  }

  TemporaryFolder folder_;
  const std::string gold_ = file("gold.conllu",
                                 "1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
                                 "3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n");
  const std::string system_ = file("sys.conllu",
                                   "1\tdogs\tdog\tNOUN\t_\t_\t2\tobj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
                                   "3\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n");
};

TEST_F(EvalCli, Dependencies) {
  const Result result = run("eval --gold " + gold_ + " --system " + system_ + " --json");
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const auto json = nlohmann::json::parse(result.output);
  EXPECT_NEAR(json["uas"].get<double>(), 66.67, 0.01);
  EXPECT_NEAR(json["las"].get<double>(), 33.33, 0.01);
  EXPECT_NEAR(json["uas_nopunct"].get<double>(), 100, 0.01);
  EXPECT_NEAR(json["las_nopunct"].get<double>(), 50, 0.01);
  const Result excluded = run("eval --gold " + gold_ + " --system " + system_ + " --exclude-punct --json");
  EXPECT_NEAR(nlohmann::json::parse(excluded.output)["las"].get<double>(), 50, 0.01);
  const Result table = run("eval --gold " + gold_ + " --system " + system_ + " --details");
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_NE(table.output.find("UAS"), std::string::npos);
}

TEST_F(EvalCli, Constituents) {
  const auto gold = file("gold.ptb", "(ROOT (S (NP (NNS dogs)) (VP (VBP bark)) (. .)))\n");
  const auto system = file("sys.ptb", "(ROOT (S (NP (NNS dogs)) (NP (VBP bark)) (. .)))\n");
  const Result result = run("eval --gold " + gold + " --system " + system + " --format ptb --json");
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const auto json = nlohmann::json::parse(result.output);
  EXPECT_NEAR(json["precision"].get<double>(), 66.67, 0.01);
  EXPECT_NEAR(json["recall"].get<double>(), 66.67, 0.01);
  EXPECT_NEAR(json["f1"].get<double>(), 66.67, 0.01);
  EXPECT_EQ(json["exact"], 0.0);
}

TEST_F(EvalCli, BadInput) {
  const auto other = file("other.conllu", "1\tcats\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n");
  const Result differs = run("eval --gold " + gold_ + " --system " + other);
  EXPECT_EQ(differs.exit_code, 3);
  EXPECT_NE(differs.output.find("other.conllu:1: the words differ: 'cats' here, 'dogs' in"), std::string::npos)
      << differs.output;
  EXPECT_EQ(run("eval --gold " + gold_).exit_code, 2);
  EXPECT_EQ(run("eval --gold " + gold_ + " --system " + system_ + " --punct none").exit_code, 2);
  EXPECT_EQ(run("eval --gold " + file("empty.conllu", "") + " --system " + system_).exit_code, 3);
  EXPECT_NE(run("eval --gold " + (folder_ / "missing.conllu") + " --system " + system_).exit_code, 0);
}

TEST_F(EvalCli, Compare) {
  const std::string files = "compare --gold " + gold_ + " --system " + gold_ + " --system " + system_;
  const Result result = run(files + " --trials 999 --seed 3 --json");
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const auto json = nlohmann::json::parse(result.output);
  EXPECT_EQ(json["a"], 100.0);
  EXPECT_NEAR(json["b"].get<double>(), 33.33, 0.01);
  EXPECT_NEAR(json["difference"].get<double>(), 66.67, 0.01);
  EXPECT_EQ(json["p_value"], 1.0) << "one sentence proves nothing";
  EXPECT_EQ(run(files + " --metric uas").exit_code, 0);
  EXPECT_EQ(run(files + " --metric nonsense").exit_code, 2);
  EXPECT_EQ(run("compare --gold " + gold_ + " --system " + gold_).exit_code, 2);
}

TEST_F(EvalCli, Draw) {
  const Result text = run("draw --input " + gold_);
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.output,
            "  ╭─▶ dogs  NOUN   nsubj\n"
            "──┼─▶ bark  VERB   root\n"
            "  ╰─▶ .     PUNCT  punct\n\n");
  EXPECT_EQ(run("draw < " + gold_).output, text.output);
  const Result svg = run("draw --input " + gold_ + " --to svg");
  EXPECT_TRUE(svg.output.starts_with("<svg ")) << svg.output;
  EXPECT_TRUE(svg.output.ends_with("</svg>\n"));
  EXPECT_EQ(run("draw --input " + gold_ + " --output " + (folder_ / "tree.svg")).exit_code, 0);
  EXPECT_EQ(read_file(folder_ / "tree.svg"), svg.output);  // by its name
  EXPECT_EQ(run("draw --input " + gold_ + " --to png").exit_code, 2);
}

}  // namespace
}  // namespace espalier

#include <gtest/gtest.h>

#include <sstream>

#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier {
namespace {

std::string convert(const std::string& text, const std::string& from, const std::string& to) {
  std::istringstream input(text);
  std::ostringstream output;
  const auto reader = make_reader(from, input, {});
  const auto writer = make_writer(to, output);
  for (Sentence sentence; reader->next(sentence);) writer->write(sentence);
  writer->finish();
  return output.str();
}

TEST(Json, HoldsAllOfConllu) {
  const std::string conllu =
      "# text = \"Du\" vent\n"
      "1-2\tDu\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "1\tDe\tde\tADP\tP\t_\t3\tcase\t3:case\t_\n"
      "2\tle\tle\tDET\tD\tGender=Masc\t3\tdet\t_\tX=\\t\n"
      "3\tvent\t_\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
      "3.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "\n"
      "1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "\n";
  const std::string json = convert(conllu, "conllu", "json");
  EXPECT_EQ(convert(json, "json", "conllu"), conllu);
  EXPECT_EQ(convert(json, "json", "json"), json);
  EXPECT_TRUE(
      json.starts_with(R"({"comments":["# text = \"Du\" vent"],"tokens":[{"form":"De","lemma":"de","upos":"ADP")"
                       R"(,"xpos":"P","head":3,"deprel":"case","deps":"3:case"},)"));
  EXPECT_TRUE(json.ends_with("\n{\"tokens\":[{\"form\":\"_\"}]}\n"));
}

TEST(Json, HoldsBracketedTrees) {
  const std::string ptb = "(ROOT (NP (-LRB- -LRB-) (NN dog)) (-NONE- *T*-1))\n(X (-NONE- 0))\n";
  EXPECT_EQ(convert(convert(ptb, "ptb", "json"), "json", "ptb"), ptb);
}

TEST(Json, BadLinesAreReportedAndLoseNoOther) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{", "not JSON"},
      {"[]", "a line that is no JSON object"},
      {"{}", "a sentence without words"},
      {R"({"tokens":[{"form":"a"},{"lemma":"b"}]})", "token 2: has no \"form\""},
      {R"({"tokens":[{"form":"a","head":2}]})", "token 1: HEAD 2 is past the end"},
      {R"({"tokens":[{"form":"a","head":-1}]})", "token 1: HEAD -1 is past the end"},
      {R"({"tokens":[{"form":"a","head":"1"}]})", "token 1: \"head\" is no whole number"},
      {R"({"tokens":[{"form":"a\tb"}]})", "token 1: form holds a tab"},
      {R"({"tokens":[{"form":7}]})", "token 1: form is no string"},
      {R"({"tokens":7})", "\"tokens\" is no list"},
      {R"({"comments":["x"],"tokens":[{"form":"a"}]})", "a comment without '#'"},
      {R"j({"tokens":[{"form":"a"}],"tree":"(X a)(Y b)"})j", "\"tree\" is not one bracketed tree"},
      {R"j({"tokens":[{"form":"a"}],"tree":"(X (Y a) (Z b))"})j", "\"tree\" has 2 words, \"tokens\" 1"},
      {R"j({"tokens":[{"form":"a"}],"tree":"(X (Y))"})j", "\"tree\": node 'Y' is empty"},
      {R"({"tokens":[{"form":"a"}],"extra":[{"before":2,"line":"x"}]})", "\"before\" is out of order"},
      {R"({"tokens":[{"form":"a"}],"extra":[{"before":0,"line":"x"}]})", "\"extra\" does not fit the words"},
      {"{\"tokens\":[{\"form\":\"\xff\"}]}", "not JSON"},
  };
  for (const auto& [bad, message] : cases) {
    std::istringstream input("{\"tokens\":[{\"form\":\"ok\"}]}\n" + bad + "\n\n{\"tokens\":[{\"form\":\"fine\"}]}");
    std::vector<std::string> problems, forms;
    ReaderOptions options;
    options.name = "t.json";
    options.bad = BadSentence::kSkip;
    options.report = [&](const Problem& problem) { problems.push_back(problem.text()); };
    const auto reader = make_reader("json", input, options);
    for (Sentence sentence; reader->next(sentence);) forms.push_back(sentence.word(1).form);
    EXPECT_EQ(forms, (std::vector<std::string>{"ok", "fine"}));
    ASSERT_EQ(problems.size(), 1u) << bad;
    EXPECT_TRUE(problems[0].starts_with("t.json:2: " + message)) << problems[0];
  }
}

TEST(Json, DepthIsNoProblem) {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  EXPECT_THROW(convert("{\"tokens\":" + deep + "}", "json", "json"), Error);
}

}  // namespace
}  // namespace espalier

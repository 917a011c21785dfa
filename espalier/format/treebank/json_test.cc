#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
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

const std::string kConllu =
    "# newpar\n"
    "# sent_id = a-1\n"
    "# text = \"Dü\" vent\n"
    "1-2\t\"Dü\"\t_\t_\t_\t_\t_\t_\t_\tX\n"
    "1\tDe\tde\tADP\tP\t_\t3\tcase\t3:case|3.1:x:y\t_\n"
    "2\tle\tle\tDET\tD\tGender=Masc|Abbr=Yes\t3\tdet\tno\tX=\\t|Y=1|X=2\n"
    "3\tvent\t_\tNOUN\t_\tsg\t0\troot\t_\tSpaceAfter=No|Confidence=0.75\n"
    "3.1\tx\t_\t_\t_\t_\t_\t_\t0:root\t|Z=1\n"
    "\n"
    "1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "\n";

TEST(Json, HoldsAllOfConllu) {
  const std::string json = convert(kConllu, "conllu", "json");
  EXPECT_EQ(convert(json, "json", "conllu"), kConllu);
  EXPECT_EQ(convert(json, "json", "json"), json);
  EXPECT_TRUE(
      json.ends_with("\n{\"version\":2,\"text\":\"_\",\"comments\":[],\"tokens\":"
                     "[{\"id\":1,\"form\":\"_\",\"start\":0,\"end\":1}]}\n"));
}

TEST(Json, GivesProgramsWhatTheyLike) {
  const auto json = nlohmann::json::parse(convert(kConllu.substr(0, kConllu.find("\n\n") + 2), "conllu", "json"));
  EXPECT_EQ(json["version"], 2);
  EXPECT_EQ(json["id"], "a-1");
  EXPECT_EQ(json["text"], "\"Dü\" vent");
  EXPECT_EQ(json["comments"].size(), 3u);
  const auto& tokens = json["tokens"];
  ASSERT_EQ(tokens.size(), 5u);
  EXPECT_EQ(tokens[0], nlohmann::json::parse(R"({"id":"1-2","form":"\"Dü\"","misc":{"X":null},"start":0,"end":4})"));
  EXPECT_EQ(tokens[1]["deps"], nlohmann::json::parse(R"([{"head":3,"deprel":"case"},{"head":"3.1","deprel":"x:y"}])"));
  EXPECT_EQ(tokens[2]["start"], 0) << "the words of a multiword token have its place";
  EXPECT_EQ(tokens[2]["feats"], nlohmann::json::parse(R"({"Gender":"Masc","Abbr":"Yes"})"));
  EXPECT_EQ(tokens[2]["deps"], "no") << "no list of dependencies";
  EXPECT_EQ(tokens[2]["misc"], "X=\\t|Y=1|X=2") << "an object has no name twice";
  EXPECT_EQ(tokens[3]["head"], 0);
  EXPECT_EQ(tokens[3]["start"], 5) << "characters, not bytes";
  EXPECT_EQ(tokens[3]["end"], 9);
  EXPECT_EQ(tokens[3]["confidence"], 0.75);
  EXPECT_EQ(tokens[4]["id"], "3.1");
  EXPECT_FALSE(tokens[4].contains("start"));
}

TEST(Json, WrittenByHand) {
  EXPECT_EQ(
      convert(R"({"id":"s","text":"Dogs bark","tokens":[{"form":"Dogs","head":2},{"form":"bark"}]})", "json", "conllu"),
      "# sent_id = s\n# text = Dogs bark\n1\tDogs\t_\t_\t_\t_\t2\t_\t_\t_\n2\tbark\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
}

TEST(Json, ReadsVersionOne) {
  const std::string line = R"({"comments":["# text = Du vent"],"tokens":[{"form":"De","feats":"A=b","head":3,)"
                           R"("deps":"3:case"},{"form":"le"},{"form":"vent","misc":"X=1|X=2"}],)"
                           R"("extra":[{"before":0,"line":"1-2\tDu\t_\t_\t_\t_\t_\t_\t_\t_"}]})";
  EXPECT_EQ(convert(line, "json", "conllu"),
            "# text = Du vent\n1-2\tDu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tDe\t_\t_\t_\tA=b\t3\t_\t3:case\t_\n"
            "2\tle\t_\t_\t_\t_\t_\t_\t_\t_\n3\tvent\t_\t_\t_\t_\t_\t_\t_\tX=1|X=2\n\n");
  EXPECT_EQ(convert(R"j({"tokens":[{"form":"a"}],"tree":"(X (Y a))"})j", "json", "ptb"), "(X (Y a))\n");
}

TEST(Json, ListsOfAnalyses) {
  std::istringstream input("1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
  Sentence sentence;
  make_reader("conllu", input, {})->next(sentence);
  std::vector<ScoredAnalysis> list(2);
  list[0].score = 2.5;
  list[0].analysis.heads = {0, 2, 0};
  list[1].score = -1;
  list[1].scores = {{"h", -2.0}, {"c", std::numeric_limits<double>::infinity()}};
  list[1].analysis.heads = {0, 0, 1};
  list[1].analysis.deprels = {"", "root", "y"};
  std::ostringstream output;
  const auto writer = make_writer("json", output);
  writer->write_list(sentence, list);
  writer->write(sentence);
  writer->finish();
  std::istringstream lines(output.str());
  std::string line;
  std::getline(lines, line);
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json["score"], 2.5);
  EXPECT_EQ(json["kbest"],
            nlohmann::json::parse(R"([{"score":2.5,"heads":[2,0]},{"score":-1,"scores":{"h":-2,"c":null},)"
                                  R"("heads":[0,1],"deprels":["root","y"]}])"));
  std::getline(lines, line);
  EXPECT_FALSE(nlohmann::json::parse(line).contains("kbest"));
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
      {R"({"tokens":[{"id":1,"form":"a"},{"id":3,"form":"b"}]})", "token 2: \"id\" is 3 where 2 should be"},
      {R"({"tokens":[{"id":"1-4","form":"a"},{"form":"b"}]})", "multiword tokens or empty nodes do not fit"},
      {R"({"tokens":[{"form":"a","feats":{"A":1}}]})", "token 1: feats is no string"},
      {R"({"tokens":[{"form":"a","deps":[1]}]})", "token 1: an entry of \"deps\" without"},
      {R"({"version":3,"tokens":[{"form":"a"}]})", "version 3 of the JSON form; this program knows 2"},
      {R"({"tokens":7})", "\"tokens\" is no list"},
      {R"({"comments":["x"],"tokens":[{"form":"a"}]})", "a comment without '#'"},
      {R"j({"tokens":[{"form":"a"}],"tree":"(X a)(Y b)"})j", "\"constituents\" is not one bracketed tree"},
      {R"j({"tokens":[{"form":"a"}],"tree":"(X (Y a) (Z b))"})j", "\"constituents\" has 2 words, \"tokens\" 1"},
      {R"j({"tokens":[{"form":"a"}],"tree":"(X (Y))"})j", "\"constituents\": node 'Y' is empty"},
      {R"({"tokens":[{"form":"a"}],"extra":[{"before":2,"line":"x"}]})", "\"before\" is out of order"},
      {R"({"tokens":[{"form":"a"},{"form":"b"}],"extra":[{"before":0,"line":"1-2\t\t_\t_\t_\t_\t_\t_\t_\t_"}]})",
       "multiword tokens or empty nodes do not fit the words, as CoNLL-U"},
      {R"({"tokens":[{"form":"a"}],"extra":[{"before":0,"line":"x"}]})",
       "multiword tokens or empty nodes do not fit the words"},
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

#include "espalier/format/check/ud_rules.h"

#include <gtest/gtest.h>

#include <sstream>

namespace espalier {
namespace {

std::vector<std::string> problems(const std::string& conllu, int level = 2) {
  std::istringstream input(conllu);
  const auto reader = make_reader("conllu", input, {});
  std::vector<std::string> found;
  UdRules rules(level);
  for (Sentence sentence; reader->next(sentence);)
    rules.check(sentence, "f", [&](const Problem& problem) { found.push_back(problem.text()); });
  rules.finish("f", [&](const Problem& problem) { found.push_back(problem.text()); });
  return found;
}

using Texts = std::vector<std::string>;

TEST(UdRules, GoodSentencesAreGood) {
  EXPECT_EQ(problems("# sent_id = 1\n# text = I can't.\n"
                     "1\tI\tI\tPRON\tPRP\tCase=Nom|Number=Sing|Number[psor]=Plur|PronType=Int,Rel\t2\tnsubj:pass\t"
                     "2:nsubj|3:obl:on_behalf_of:gen|3.1:ref\t_\n"
                     "2-3\tcan't\t_\t_\t_\tTypo=Yes\t_\t_\t_\tSpaceAfter=No\n"
                     "2\tca\tcan\tAUX\t_\t_\t0\troot\t0:root\t_\n3\tn't\t_\tPART\t_\t_\t2\tadvmod\t2:advmod\t_\n"
                     "3.1\tx\t_\t_\t_\t_\t_\t_\t2:dep\t_\n4\t.\t.\tPUNCT\t_\t_\t2\tpunct\t2:punct\t_\n\n"),
            Texts{});
  EXPECT_EQ(problems("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n"), Texts{})
      << "what a file says nowhere is no matter";
}

TEST(UdRules, WhatSomeHaveTheOthersShouldHaveToo) {
  EXPECT_EQ(problems("# sent_id = 1\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
                     "# text = a b\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\t_\t_\t_\n\n"),
            (Texts{"f:4: there is no sent_id here", "f:1: there is no text here",
                   "f:5: there is no UPOS here, nor in 1 other word", "f:6: there is no relation here"}));
}

TEST(UdRules, TheFile) {
  const std::string text =
      "# sent_id = 1\n# text = a b\n1\ta\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\tb\tx  y\tZ\t_\t_\t_\t_\t_\t_\n\n"
      "# sent_id = 1\n# text = ab\n1-2\tab\t_\tX\t_\t_\t_\t_\t_\t_\n1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n"
      "2\tb\t_\tX\t_\t_\t_\t_\t_\t_\n\n";
  EXPECT_EQ(problems(text, 1), (Texts{"f:4: token 2: 'x  y' has spaces around it or two in a row",
                                      "f:4: token 2: # text is not what the words make: it goes on with ' b'",
                                      "f:6: sent_id '1' is not the first", "f:8: multiword token 1-2 is annotated"}));
  EXPECT_EQ(problems(text, 0), Texts{});
  EXPECT_EQ(problems(text, 2).size(), 6u) << "and an unknown UPOS, and one that is missing";
}

TEST(UdRules, WhatUdAsksOfCharacters) {
  const auto word = [](const std::string& form, const std::string& xpos, const std::string& misc) {
    return problems("1\t" + form + "\t_\t_\t" + xpos + "\t_\t_\t_\t_\t" + misc + "\n\n");
  };
  EXPECT_EQ(word("\u00e9", "_", "_"), Texts{});
  EXPECT_EQ(word("e\u0301", "_", "_"), Texts{"f:1: token 1: 'e\u0301' is not normalized (NFC)"});
  EXPECT_EQ(word("a", "N N", "_"), Texts{"f:1: token 1: 'N N' has a space in it"});
  EXPECT_EQ(word("a b", "_", "_"), Texts{}) << "the language decides";
  EXPECT_EQ(word("a", "_", "NoSpaceAfter=Yes"), Texts{"f:1: token 1: NoSpaceAfter=Yes is written SpaceAfter=No"});
}

TEST(UdRules, CommentsAndEmptyNodes) {
  const std::string word = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n";
  EXPECT_EQ(problems("# sent_id = 1/2\n" + word + "\n"),
            Texts{"f:1: sent_id '1/2' has a slash, which parallel treebanks need"});
  EXPECT_EQ(problems("# sent_id = 1\n# sent_id = 2\n" + word + "\n"),
            Texts{"f:2: '# sent_id' is there more than once"});
  EXPECT_EQ(problems(word + "1.1\tb\t_\t_\t_\t_\t1\tobj\t1:obj\tSpaceAfter=No\n\n"),
            (Texts{"f:2: empty node 1.1 has a head or a relation", "f:2: empty node 1.1 has SpaceAfter=No",
                   "f:1: token 1: the root of the graph in DEPS does not lead here"}));
}

TEST(UdRules, TheAnnotation) {
  const auto word = [](const std::string& upos, const std::string& feats, const std::string& head,
                       const std::string& deprel, const std::string& deps) {
    return problems("1\ta\t_\t" + upos + "\t_\t" + feats + "\t" + head + "\t" + deprel + "\t" + deps + "\t_\n\n");
  };
  EXPECT_EQ(word("Noun", "_", "_", "_", "_"), Texts{"f:1: token 1: unknown UPOS 'Noun'"});
  EXPECT_EQ(word("_", "B=1|A=1", "_", "_", "_"), Texts{"f:1: token 1: FEATS are not in order: A stands behind B"});
  EXPECT_EQ(word("_", "A=1|A=2", "_", "_", "_"), Texts{"f:1: token 1: FEATS has A twice"});
  EXPECT_EQ(word("_", "A=2,1", "_", "_", "_"), Texts{"f:1: token 1: the values of A are not in order"});
  EXPECT_EQ(word("_", "A", "_", "_", "_"), Texts{"f:1: token 1: 'A' in FEATS is no Name=Value"});
  EXPECT_EQ(word("_", "a=B", "_", "_", "_"), Texts{"f:1: token 1: 'a=B' in FEATS is no Name=Value"});
  EXPECT_EQ(word("_", "_", "_", "subj", "_"), Texts{"f:1: token 1: unknown relation 'subj'"});
  EXPECT_EQ(word("_", "_", "_", "obl:Agent", "_"),
            Texts{"f:1: token 1: 'obl:Agent' is no relation with a subtype of small letters"});
  EXPECT_EQ(word("_", "_", "0", "dep", "_"), Texts{"f:1: token 1: HEAD is 0 but the relation is 'dep'"});
  EXPECT_EQ(word("_", "_", "_", "_", "0:root|0:dep"),
            Texts{"f:1: token 1: relations to the same head in DEPS are not in order"});
  EXPECT_EQ(word("_", "_", "_", "_", "3:dep"), Texts{"f:1: token 1: a head in DEPS, 3, is not there"});
  EXPECT_EQ(word("_", "_", "_", "_", "x"), Texts{"f:1: token 1: 'x' in DEPS is no head:relation"});
}

}  // namespace
}  // namespace espalier

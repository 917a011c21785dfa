#include "espalier/format/dropped.h"

#include <gtest/gtest.h>

#include <sstream>

#include "espalier/format/format.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

using Names = std::vector<std::string>;

Sentence read(const std::string& format, const std::string& text) {
  std::istringstream input(text);
  Sentence sentence;
  EXPECT_TRUE(make_reader(format, input, {})->next(sentence));
  return sentence;
}

TEST(Dropped, NamesWhatAFormatHasNoRoomFor) {
  const Sentence full =
      read("conllu",
           "# sent_id = 7\n# text = du\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
           "1\tde\tde\tADP\t_\t_\t2\tcase\t2:case\tGloss=of\n2\tle\tle\tDET\t_\t_\t0\troot\t_\t_\n\n");
  EXPECT_EQ(dropped_by("conllu", full), Names{});
  EXPECT_EQ(dropped_by("json", full), Names{});
  EXPECT_EQ(dropped_by("svg", full), Names{});
  EXPECT_EQ(dropped_by("conllx", full),
            (Names{"multiword tokens and empty nodes", "enhanced dependencies", "MISC", "comments"}));
  EXPECT_EQ(dropped_by("text", full), (Names{"heads", "tags", "lemmas", "enhanced dependencies", "MISC", "comments"}));
  const Sentence tree = testing::constituents("(S (NP (NN dogs)) (VP (VBP bark)))");
  EXPECT_EQ(dropped_by("conllu", tree), Names{"phrase-structure trees"});
  EXPECT_EQ(dropped_by("ptb", tree), Names{});
}

/// What the readers themselves add is no loss.
TEST(Dropped, RawTextHasNothingToLose) {
  const Sentence sentence = read("text", "Dogs bark.\n");
  for (const std::string& format : output_format_names()) EXPECT_EQ(dropped_by(format, sentence), Names{}) << format;
}

}  // namespace
}  // namespace espalier

#include "espalier/learn/objective/list_score.h"

#include <gtest/gtest.h>

#include "espalier/learn/trainer.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

namespace espalier {
namespace {

TEST(ListScore, CountsListsThatHoldTheGoldTree) {
  const TrainData data{toy_treebank(40, 1), toy_treebank(40, 2)};
  const auto trained = train(settings({"recipe=beam", "epochs=1", "features=fast"}), data, {});
  const auto workspace = trained.parser->make_workspace();
  double found = 0;
  for (const Sentence& sentence : data.dev) {
    const Analysis gold = dependencies_of(sentence);
    bool here = false;
    for (const Candidate& candidate : kbest(*trained.parser, sentence, 4, *workspace)) {
      Sentence copy = sentence;
      annotate(copy, candidate.analysis);
      here |= copy.tokens == sentence.tokens;
    }
    found += here;
  }
  const DevScore score = score_lists(*trained.parser, data.dev, 4, 1),
                 first = score_on_dev(*trained.parser, data.dev, 1);
  EXPECT_DOUBLE_EQ(score.details.at("gold_in_list"), 100 * found / 40);
  EXPECT_EQ(score.details.at("las"), first.details.at("las"));
  EXPECT_GE(score.details.at("oracle_uas"), first.details.at("uas"));
  EXPECT_GE(score.value, score.details.at("gold_in_list"));
  EXPECT_LT(score.value, score.details.at("gold_in_list") + 100. / 40);
  EXPECT_GE(score_lists(*trained.parser, data.dev, 16, 2).value, score.value);
}

}  // namespace
}  // namespace espalier

#include "espalier/learn/combine/list_loss.h"

#include "espalier/eval/punctuation.h"

namespace espalier {

ListLoss::ListLoss(const std::string& name)
    : automatic_(name == "auto"),
      punctuation_(name != "no-punctuation"),
      loss_(make_loss(automatic_     ? "labelled"
                      : punctuation_ ? name
                                     : "hamming")),
      brackets_(make_loss("brackets")) {}

std::vector<double> ListLoss::operator()(const Sentence& gold, std::span<const Analysis> analyses) const {
  if (analyses.empty()) return {};
  std::vector<const Analysis*> all;
  for (const Analysis& analysis : analyses) all.push_back(&analysis);
  if (automatic_ && !analyses.front().constituents.empty()) return brackets_->costs(gold, all);
  std::vector<double> costs;
  if (punctuation_) {
    costs = loss_->costs(gold, all);
  } else {
    Sentence words = gold;  // heads that are not given cost nothing
    for (Token& token : words.tokens)
      if (!is_scored(token, Punctuation::kUpos)) token.head = Token::kNoHead;
    costs = loss_->costs(words, all);
  }
  for (double& cost : costs) cost *= loss_->in_words(gold.size());
  return costs;
}

}  // namespace espalier

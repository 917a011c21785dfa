#include "espalier/learn/rank/list_loss.h"

#include <algorithm>

#include "espalier/base/error.h"
#include "espalier/eval/bracket.h"
#include "espalier/eval/punctuation.h"

namespace espalier {
namespace {

double bracket_errors(const Sentence& gold, const Analysis& analysis) {
  Sentence system = gold;
  system.constituents = analysis.constituents;
  const Overlap brackets = score_brackets(gold, system).brackets;
  return static_cast<double>(brackets.gold + brackets.system - 2 * brackets.correct);
}

}  // namespace

const std::vector<std::string>& ListLoss::names() {
  static const std::vector<std::string> all = {"auto", "labelled", "unlabelled", "paper", "brackets"};
  return all;
}

ListLoss::ListLoss(const std::string& name) {
  const auto place = std::ranges::find(names(), name);
  if (place == names().end()) throw usage_error("unknown loss '{}'", name);
  kind_ = static_cast<Kind>(place - names().begin());
}

double ListLoss::cost(const Sentence& gold, const Analysis& analysis, Kind kind) const {
  if (kind == kBrackets) return bracket_errors(gold, analysis);
  double wrong = 0;
  for (size_t i = 1; i < analysis.heads.size(); ++i) {
    const Token& token = gold.tokens[i - 1];
    if (token.head == Token::kNoHead || (kind == kPaper && !is_scored(token, Punctuation::kUpos))) continue;
    wrong += token.head != analysis.heads[i] || (kind == kLabelled && token.deprel != analysis.deprels[i]);
  }
  return wrong;
}

std::vector<double> ListLoss::operator()(const Sentence& gold, std::span<const Analysis> analyses) const {
  std::vector<double> costs;
  for (const Analysis& analysis : analyses) {
    const Kind automatic = analysis.constituents.empty() ? kLabelled : kBrackets;
    costs.push_back(cost(gold, analysis, kind_ == kAuto ? automatic : kind_));
  }
  return costs;
}

}  // namespace espalier

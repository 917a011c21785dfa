#include "espalier/app/confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "espalier/base/error.h"
#include "espalier/parser/parser.h"
#include "espalier/tree/constraints.h"
#include "espalier/tree/misc.h"

namespace espalier {
namespace {

/// The unit of temperatures: the median distance between the best and the last score of a list.
double typical_spread(std::span<const JudgedSentence> sentences) {
  std::vector<double> spreads;
  for (const JudgedSentence& sentence : sentences) {
    const auto& scores = sentence.agreement.scores;
    if (scores.size() > 1 && scores.front() > scores.back()) spreads.push_back(scores.front() - scores.back());
  }
  if (spreads.empty()) return 1;
  const auto middle = spreads.begin() + static_cast<std::ptrdiff_t>(spreads.size() / 2);
  std::ranges::nth_element(spreads, middle);
  return *middle;
}

/// The Brier score of maps on judgements that they were not fitted to.
double held_out_brier(const std::vector<Judgement>& judgements) {
  constexpr size_t kFolds = 5;
  double sum = 0;
  for (size_t fold = 0; fold < kFolds; ++fold) {
    std::vector<Judgement> seen, unseen;
    for (size_t i = 0; i < judgements.size(); ++i) (i % kFolds == fold ? unseen : seen).push_back(judgements[i]);
    const MonotoneMap map = MonotoneMap::fit(seen);
    for (const Judgement& judgement : unseen) {
      const double error = map(judgement.value) - (judgement.right ? 1 : 0);
      sum += error * error;
    }
  }
  return sum;
}

/// The temperature of a range with the least held-out Brier score.
template <class Collect>
std::pair<double, MonotoneMap> best_temperature(double spread, Collect collect) {
  double least = 0, best = 0;
  for (int quarter = -28; quarter <= 8; ++quarter) {
    const double temperature = spread * std::exp2(0.25 * quarter);
    const double brier = held_out_brier(collect(temperature));
    if (best == 0 || brier < least) least = brier, best = temperature;
  }
  return {best, MonotoneMap::fit_smoothly(collect(best))};
}

}  // namespace

ListAgreement::ListAgreement(const Sentence& sentence, std::span<const Candidate> list)
    : arcs(sentence.tokens.size(), 0) {
  list = list.first(std::min<size_t>(list.size(), kMost));
  for (size_t k = 0; k < list.size(); ++k) {
    const Analysis& analysis = list[k].analysis;
    scores.push_back(list[k].score);
    bool all = true;
    for (size_t i = 0; i < arcs.size(); ++i) {
      const Token& word = sentence.tokens[i];
      const bool same = analysis.heads.at(i + 1) == word.head && analysis.deprels.at(i + 1) == word.deprel;
      if (same) arcs[i] |= uint64_t{1} << k;
      all &= same;
    }
    if (all) tree |= uint64_t{1} << k;
  }
}

double ListAgreement::share(uint64_t candidates, double temperature) const {
  double sum = 0, total = 0;
  for (size_t k = 0; k < scores.size(); ++k) {
    const double weight = std::exp((scores[k] - scores[0]) / temperature);
    total += weight;
    if (candidates >> k & 1) sum += weight;
  }
  return total > 0 ? sum / total : 0;
}

Calibration Calibration::fit(std::span<const JudgedSentence> sentences, int kbest) {
  const double spread = typical_spread(sentences);
  auto arcs = best_temperature(spread, [&](double temperature) {
    std::vector<Judgement> judgements;
    for (const auto& [agreement, right] : sentences)
      for (size_t i = 0; i < right.size(); ++i)
        judgements.push_back({agreement.share(agreement.arcs[i], temperature), right[i]});
    return judgements;
  });
  auto trees = best_temperature(spread, [&](double temperature) {
    std::vector<Judgement> judgements;
    for (const auto& [agreement, right] : sentences)
      judgements.push_back(
          {agreement.share(agreement.tree, temperature), std::ranges::find(right, false) == right.end()});
    return judgements;
  });
  return {kbest, {arcs.first, std::move(arcs.second)}, {trees.first, std::move(trees.second)}};
}

nlohmann::json Calibration::json() const {
  const auto part = [](const Part& p) {
    return nlohmann::json{{"temperature", p.temperature}, {"knots", p.map.knots()}};
  };
  return {{"kbest", kbest_}, {"arcs", part(arcs_)}, {"trees", part(trees_)}};
}

Calibration Calibration::from_json(const nlohmann::json& json, const std::string& file) {
  try {
    const auto part = [](const nlohmann::json& p) {
      const double temperature = p.at("temperature");
      if (!(temperature > 0) || !std::isfinite(temperature)) throw std::invalid_argument("no temperature");
      return Part{temperature, MonotoneMap(p.at("knots").get<std::vector<std::pair<double, double>>>())};
    };
    const double kbest = json.at("kbest");
    if (!(kbest >= 1 && kbest <= ListAgreement::kMost)) throw std::invalid_argument("no size of a list");
    return {static_cast<int>(kbest), part(json.at("arcs")), part(json.at("trees"))};
  } catch (const std::exception& error) {
    throw data_error(file, 0, "the model's calibration is damaged ({})", error.what());
  }
}

Chances Calibration::chances(const ListAgreement& agreement) const {
  Chances chances{trees_.map(agreement.share(agreement.tree, trees_.temperature)), {}};
  for (const uint64_t candidates : agreement.arcs) {
    const double arc = arcs_.map(agreement.share(candidates, arcs_.temperature));
    chances.arcs.push_back(std::max(arc, chances.tree));
  }
  return chances;
}

void Calibration::annotate(Sentence& sentence, const ListAgreement& agreement, const Constraints& given) const {
  constexpr std::string_view kComment = "# confidence = ", kColumn = "Confidence";
  const Chances sure = chances(agreement);
  std::erase_if(sentence.comments, [&](const std::string& comment) { return comment.starts_with(kComment); });
  sentence.comments.push_back(fmt::format("{}{:.3f}", kComment, sure.tree));
  for (int word = 1; word <= sentence.size(); ++word) {
    std::string& misc = sentence.word(word).misc;
    const bool is_given = given.head(word) != Token::kNoHead && Constraints::text(given.deprels, word) != "_";
    if (is_given)
      erase_misc(misc, kColumn);
    else
      set_misc(misc, kColumn, fmt::format("{:.3f}", sure.arcs[static_cast<size_t>(word - 1)]));
  }
}

void Calibration::annotate(Sentence& sentence, const Parser& parser, const Constraints& given,
                           Workspace& workspace) const {
  annotate(sentence, {sentence, parser.list(sentence, given, workspace).take(kbest_)}, given);
}

}  // namespace espalier

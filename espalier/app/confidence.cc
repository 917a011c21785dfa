#include "espalier/app/confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

#include "espalier/base/error.h"
#include "espalier/eval/bracket.h"
#include "espalier/parser/parser.h"
#include "espalier/tree/constraints.h"
#include "espalier/tree/misc.h"

namespace espalier {
namespace {

constexpr std::string_view kComment = "# confidence = ", kColumn = "Confidence";

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

/// First and last word, label, and how many like it the tree has above.
using BracketName = std::tuple<int, int, std::string_view, int>;

std::vector<BracketName> bracket_names(const ConstituentTree& tree) {
  std::vector<BracketName> names;
  std::map<std::tuple<int, int, std::string_view>, int> alike;
  for (const Phrase& phrase : brackets_of(tree))
    names.emplace_back(phrase.first, phrase.last, phrase.label, alike[{phrase.first, phrase.last, phrase.label}]++);
  return names;
}

}  // namespace

ListAgreement::ListAgreement(const Sentence& sentence, std::span<const Candidate> list) {
  list = list.first(std::min<size_t>(list.size(), kMost));
  const bool of_words = list.empty() || !list[0].analysis.heads.empty();
  const std::vector<BracketName> own = of_words ? std::vector<BracketName>() : bracket_names(sentence.constituents);
  parts.assign(of_words ? sentence.tokens.size() : own.size(), 0);
  for (size_t k = 0; k < list.size(); ++k) {
    const Analysis& analysis = list[k].analysis;
    scores.push_back(list[k].score);
    std::vector<BracketName> names = bracket_names(analysis.constituents);
    std::ranges::sort(names);
    bool all = of_words || names.size() == own.size();
    for (size_t i = 0; i < parts.size(); ++i) {
      const bool same = of_words ? analysis.heads.at(i + 1) == sentence.tokens[i].head &&
                                       analysis.deprels.at(i + 1) == sentence.tokens[i].deprel
                                 : std::ranges::binary_search(names, own[i]);
      if (same) parts[i] |= uint64_t{1} << k;
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

Calibration Calibration::fit(std::span<const JudgedSentence> sentences, int kbest, const std::string& unit) {
  const double spread = typical_spread(sentences);
  auto parts = best_temperature(spread, [&](double temperature) {
    std::vector<Judgement> judgements;
    for (const auto& [agreement, right, tree_right] : sentences)
      for (size_t i = 0; i < right.size(); ++i)
        judgements.push_back({agreement.share(agreement.parts[i], temperature), right[i]});
    return judgements;
  });
  auto trees = best_temperature(spread, [&](double temperature) {
    std::vector<Judgement> judgements;
    for (const auto& [agreement, right, tree_right] : sentences)
      judgements.push_back({agreement.share(agreement.tree, temperature), tree_right});
    return judgements;
  });
  return {kbest, unit, {parts.first, std::move(parts.second)}, {trees.first, std::move(trees.second)}};
}

nlohmann::json Calibration::json() const {
  const auto fit = [](const Fit& f) {
    return nlohmann::json{{"temperature", f.temperature}, {"knots", f.map.knots()}};
  };
  return {{"kbest", kbest_}, {unit_, fit(parts_)}, {"trees", fit(trees_)}};
}

Calibration Calibration::from_json(const nlohmann::json& json, const std::string& file) {
  try {
    const auto fit = [](const nlohmann::json& f) {
      const double temperature = f.at("temperature");
      if (!(temperature > 0) || !std::isfinite(temperature)) throw std::invalid_argument("no temperature");
      return Fit{temperature, MonotoneMap(f.at("knots").get<std::vector<std::pair<double, double>>>())};
    };
    const double kbest = json.at("kbest");
    if (!(kbest >= 1 && kbest <= ListAgreement::kMost)) throw std::invalid_argument("no size of a list");
    const std::string unit = json.contains("brackets") ? "brackets" : "arcs";
    return {static_cast<int>(kbest), unit, fit(json.at(unit)), fit(json.at("trees"))};
  } catch (const std::exception& error) {
    throw data_error(file, 0, "the model's calibration is damaged ({})", error.what());
  }
}

Chances Calibration::chances(const ListAgreement& agreement) const {
  Chances chances{trees_.map(agreement.share(agreement.tree, trees_.temperature)), {}};
  for (const uint64_t candidates : agreement.parts)
    chances.parts.push_back(std::max(parts_.map(agreement.share(candidates, parts_.temperature)), chances.tree));
  return chances;
}

void Calibration::annotate(Sentence& sentence, const ListAgreement& agreement, const Constraints& given) const {
  constexpr std::string_view kBracket = "# bracket = ";
  const Chances sure = chances(agreement);
  std::erase_if(sentence.comments, [&](const std::string& comment) {
    return comment.starts_with(kComment) || comment.starts_with(kBracket);
  });
  sentence.comments.push_back(fmt::format("{}{:.3f}", kComment, sure.tree));
  if (unit_ == "brackets") {
    const std::vector<Phrase> brackets = brackets_of(sentence.constituents);
    for (size_t i = 0; i < brackets.size(); ++i)
      sentence.comments.push_back(fmt::format("{}{} {}-{} {:.3f}", kBracket, brackets[i].label, brackets[i].first,
                                              brackets[i].last, sure.parts[i]));
    return;
  }
  for (int word = 1; word <= sentence.size(); ++word) {
    std::string& misc = sentence.word(word).misc;
    const bool is_given = given.head(word) != Token::kNoHead && Constraints::text(given.deprels, word) != "_";
    if (is_given)
      erase_misc(misc, kColumn);
    else
      set_misc(misc, kColumn, fmt::format("{:.3f}", sure.parts[word - 1]));
  }
}

void Calibration::annotate(Sentence& sentence, const Parser& parser, const Constraints& given,
                           Workspace& workspace) const {
  annotate(sentence, {sentence, parser.list(sentence, given, workspace).take(kbest_)}, given);
}

void forget_confidence(Sentence& sentence) {
  std::erase_if(sentence.comments, [](const std::string& comment) { return comment.starts_with(kComment); });
  for (Token& word : sentence.tokens)
    if (word.misc.find(kColumn) != std::string::npos) erase_misc(word.misc, kColumn);
}

}  // namespace espalier

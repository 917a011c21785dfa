#include "espalier/app/confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
constexpr LogisticMap::Weights kIndependent = {0, 1, 0};  // of trees whose parts are right independently of each other

MonotoneMap identity() { return MonotoneMap({{0, 0}, {1, 1}}); }

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

/// What the odds of a tree are computed from: the log odds of the product of its parts' chances, and the logarithm of
/// their number.
std::array<double, 2> values_of_tree(std::span<const double> parts) {
  constexpr double kLeast = 1e-5;
  double product = 1;
  for (const double chance : parts) product *= chance;
  product = std::clamp(product, kLeast, 1 - kLeast);
  return {std::log(product / (1 - product)), std::log(std::max<double>(1, static_cast<double>(parts.size())))};
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
    for (size_t i = 0; i < parts.size(); ++i) {
      const bool same = of_words ? analysis.heads.at(i + 1) == sentence.tokens[i].head &&
                                       analysis.deprels.at(i + 1) == sentence.tokens[i].deprel
                                 : std::ranges::binary_search(names, own[i]);
      if (same) parts[i] |= uint64_t{1} << k;
    }
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
  const auto collect = [&](double temperature) {
    std::vector<Judgement> judgements;
    for (const auto& [agreement, right, tree_right] : sentences)
      for (size_t i = 0; i < right.size(); ++i)
        judgements.push_back({agreement.share(agreement.parts[i], temperature), right[i]});
    return judgements;
  };
  const double spread = typical_spread(sentences);
  double least = 0, best = 0;
  for (int quarter = -28; quarter <= 8; ++quarter) {
    const double temperature = spread * std::exp2(0.25 * quarter);
    const double brier = held_out_brier(collect(temperature));
    if (best == 0 || brier < least) least = brier, best = temperature;
  }
  Calibration fitted(kbest, unit, best, MonotoneMap::fit_smoothly(collect(best)), LogisticMap(kIndependent),
                     identity());
  std::vector<LogisticMap::Example> trees;
  for (const auto& [agreement, right, tree_right] : sentences)
    trees.push_back({values_of_tree(fitted.chances_of_parts(agreement)), tree_right});
  fitted.odds_ = LogisticMap::fit(trees, kIndependent);
  std::vector<Judgement> judgements;
  for (const auto& [values, right] : trees) judgements.push_back({fitted.odds_(values), right});
  constexpr size_t kGroups = 10;  // some treebanks to calibrate on have no more than a hundred sentences
  fitted.trees_ = MonotoneMap::fit_smoothly(judgements, kGroups);
  return fitted;
}

nlohmann::json Calibration::json() const {
  return {{"kbest", kbest_},
          {unit_, {{"temperature", temperature_}, {"knots", parts_.knots()}}},
          {"trees", {{"weights", odds_.weights()}, {"knots", trees_.knots()}}}};
}

Calibration Calibration::from_json(const nlohmann::json& json, const std::string& file) {
  try {
    const double kbest = json.at("kbest");
    if (!(kbest >= 1 && kbest <= ListAgreement::kMost)) throw std::invalid_argument("no size of a list");
    const std::string unit = json.contains("brackets") ? "brackets" : "arcs";
    const nlohmann::json &parts = json.at(unit), &trees = json.at("trees");
    const double temperature = parts.at("temperature");
    if (!(temperature > 0) || !std::isfinite(temperature)) throw std::invalid_argument("no temperature");
    using Knots = std::vector<std::pair<double, double>>;
    // Until November 2026 trees had a temperature and knots like their parts, which are not read any more.
    const bool old = trees.contains("temperature");
    return {static_cast<int>(kbest),
            unit,
            temperature,
            MonotoneMap(parts.at("knots").get<Knots>()),
            LogisticMap(old ? kIndependent : trees.at("weights").get<LogisticMap::Weights>()),
            old ? identity() : MonotoneMap(trees.at("knots").get<Knots>())};
  } catch (const std::exception& error) {
    throw data_error(file, 0, "the model's calibration is damaged ({})", error.what());
  }
}

std::vector<double> Calibration::chances_of_parts(const ListAgreement& agreement) const {
  std::vector<double> chances;
  for (const uint64_t candidates : agreement.parts)
    chances.push_back(parts_(agreement.share(candidates, temperature_)));
  return chances;
}

Chances Calibration::chances(const ListAgreement& agreement, const std::vector<bool>& given) const {
  Chances chances{0, chances_of_parts(agreement)};
  std::vector<double> open;
  for (size_t i = 0; i < chances.parts.size(); ++i)
    if (given.empty() || !given[i]) open.push_back(chances.parts[i]);
  chances.tree = trees_(odds_(values_of_tree(open)));
  for (double& part : chances.parts) part = std::max(part, chances.tree);
  return chances;
}

void Calibration::annotate(Sentence& sentence, const ListAgreement& agreement, const Constraints& given) const {
  constexpr std::string_view kBracket = "# bracket = ";
  std::vector<bool> is_given;
  for (int word = 1; word <= sentence.size() && unit_ == "arcs"; ++word)
    is_given.push_back(given.head(word) != Token::kNoHead && Constraints::text(given.deprels, word) != "_");
  const Chances sure = chances(agreement, is_given);
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
    if (is_given[word - 1])
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

#include "espalier/eval/list_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "espalier/eval/bracket.h"

namespace espalier {
namespace {

/// Errors of one tree, in the metric that is analysed.
struct Errors {
  double wrong = 0;     // heads of scored words; missed and invented brackets
  double labelled = 0;  // heads or labels of all words
  double units = 0;     // scored words; brackets of both sides
};

Overlap shared_brackets(const Sentence& gold, const Analysis& analysis) {
  Sentence system = gold;
  system.constituents = analysis.constituents;
  return score_brackets(gold, system).brackets;
}

Errors errors_of(const Sentence& gold, const Analysis& analysis, Punctuation punctuation) {
  Errors errors;
  if (!analysis.constituents.empty()) {
    const Overlap brackets = shared_brackets(gold, analysis);
    errors.units = static_cast<double>(brackets.gold + brackets.system);
    errors.wrong = errors.labelled = errors.units - 2 * static_cast<double>(brackets.correct);
    return errors;
  }
  for (size_t i = 1; i < analysis.heads.size(); ++i) {
    const Token& token = gold.tokens[i - 1];
    if (token.head == Token::kNoHead) continue;
    const bool wrong = token.head != analysis.heads[i];
    errors.labelled += wrong || token.deprel != analysis.deprels[i];
    if (!is_scored(token, punctuation)) continue;
    ++errors.units;
    errors.wrong += wrong;
  }
  return errors;
}

/// The number of units in which one tree is wrong if the other is right.
double distance(const Sentence& gold, const Analysis& one, const Analysis& other, Punctuation punctuation) {
  Sentence truth = gold;
  annotate(truth, other);
  if (!other.constituents.empty()) return errors_of(truth, one, punctuation).wrong;
  double differing = 0;
  for (size_t i = 1; i < one.heads.size(); ++i)
    differing += is_scored(gold.tokens[i - 1], punctuation) && one.heads[i] != other.heads[i];
  return differing;
}

ListCounts count(const Sentence& gold, std::span<const Analysis> list, std::span<const Errors> errors,
                 Punctuation punctuation) {
  ListCounts counts;
  counts.sentences = 1;
  counts.candidates = static_cast<long>(list.size());
  counts.words = gold.size();
  const Errors& best = std::ranges::min(errors, {}, &Errors::wrong);
  counts.units = errors[0].units;
  counts.first_errors = errors[0].wrong;
  counts.first_labelled = errors[0].labelled;
  counts.best_errors = best.wrong;
  counts.best_units = best.units;
  counts.best_labelled = std::ranges::min(errors, {}, &Errors::labelled).labelled;
  double number = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    if (errors[i].wrong != best.wrong) continue;
    counts.distance += distance(gold, list[0], list[i], punctuation);
    ++number;
  }
  counts.distance /= number;
  counts.gold_in_list = counts.best_labelled == 0;
  counts.gold_not_first = counts.gold_in_list && errors[0].labelled > 0;
  return counts;
}

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/// The figures of a group, by name.
nlohmann::ordered_json figures(const ListCounts& c, bool brackets) {
  nlohmann::ordered_json out = {{"sentences", c.sentences},
                                {"trees_per_list", c.sentences ? double(c.candidates) / double(c.sentences) : 0}};
  if (brackets) {
    out["f1"] = 100 - percent(c.first_errors, c.units);
    out["oracle_f1"] = 100 - percent(c.best_errors, c.best_units);
  } else {
    out["uas"] = 100 - percent(c.first_errors, c.units);
    out["oracle_uas"] = 100 - percent(c.best_errors, c.units);
    out["las"] = 100 - percent(c.first_labelled, c.words);
    out["oracle_las"] = 100 - percent(c.best_labelled, c.words);
  }
  out["gold_in_list"] = percent(static_cast<double>(c.gold_in_list), static_cast<double>(c.sentences));
  out["gold_not_first"] = percent(static_cast<double>(c.gold_not_first), static_cast<double>(c.sentences));
  out["eps_H"] = percent(c.best_errors, brackets ? c.best_units : c.units);
  out["E_HC"] = percent(c.first_errors, c.units);
  out["eps_C_diff"] = out["E_HC"].get<double>() - out["eps_H"].get<double>();
  out["eps_C_dist"] = percent(c.distance, c.units);
  return out;
}

}  // namespace

const char* const ListAnalysis::kLengthNames[kLengths] = {"1-10", "11-20", "21-30", "31-40", "41-50", "51+"};

ListCounts& ListCounts::operator+=(const ListCounts& other) {
  sentences += other.sentences;
  candidates += other.candidates;
  units += other.units;
  first_errors += other.first_errors;
  best_errors += other.best_errors;
  distance += other.distance;
  first_labelled += other.first_labelled;
  best_labelled += other.best_labelled;
  words += other.words;
  best_units += other.best_units;
  gold_in_list += other.gold_in_list;
  gold_not_first += other.gold_not_first;
  return *this;
}

void ListAnalysis::add(const Sentence& gold, std::span<const Analysis> list, Punctuation punctuation) {
  brackets = !list[0].constituents.empty();
  std::vector<Errors> errors;
  for (const Analysis& analysis : list) errors.push_back(errors_of(gold, analysis, punctuation));
  const ListCounts counts = count(gold, list, errors, punctuation);
  all += counts;
  by_length[std::clamp((gold.size() - 1) / 10, 0, kLengths - 1)] += counts;
  for (size_t size = 1;; size *= 2) {
    const size_t taken = std::min(size, list.size());
    by_size[static_cast<int>(size)] += count(gold, list.first(taken), std::span(errors).first(taken), punctuation);
    if (size >= 4096) break;
  }
}

nlohmann::ordered_json to_json(const ListAnalysis& analysis) {
  nlohmann::ordered_json out = figures(analysis.all, analysis.brackets);
  long longest = 0;
  for (const auto& [size, counts] : analysis.by_size) {
    if (counts.candidates == longest) break;  // no list is longer
    out["by_size"][std::to_string(size)] = figures(counts, analysis.brackets);
    longest = counts.candidates;
  }
  for (int i = 0; i < ListAnalysis::kLengths; ++i)
    if (analysis.by_length[i].sentences)
      out["by_length"][ListAnalysis::kLengthNames[i]] = figures(analysis.by_length[i], analysis.brackets);
  return out;
}

std::string to_table(const ListAnalysis& analysis) {
  const nlohmann::ordered_json all = to_json(analysis);
  std::string out;
  const auto line = [&](const std::string& name, const nlohmann::ordered_json& row) {
    out += fmt::format("{:<10}", name);
    for (const auto& [key, value] : row.items()) {
      if (!value.is_number()) continue;
      out += fmt::format(" {:>{}.{}f}", value.get<double>(), std::max<size_t>(key.size(), 6),
                         value.is_number_integer() ? 0 : 2);
    }
    out += '\n';
  };
  const auto header = [&](const std::string& name) {
    out += fmt::format("{:<10}", name);
    for (const auto& [key, value] : all.items())
      if (value.is_number()) out += fmt::format(" {:>6}", key);
    out += '\n';
  };
  header("");
  line("all", all);
  for (const auto& [title, key] : {std::pair("list size", "by_size"), {"words", "by_length"}}) {
    if (!all.contains(key)) continue;
    out += '\n';
    header(title);
    for (const auto& [name, row] : all[key].items()) line(name, row);
  }
  return out;
}

std::string to_svg(const ListAnalysis& analysis) {
  constexpr double kWidth = 560, kHeight = 300, kLeft = 60, kTop = 20, kBottom = 40, kRight = 130;
  const nlohmann::ordered_json all = to_json(analysis);
  const std::vector<std::pair<std::string, std::string>> curves =
      analysis.brackets
          ? std::vector<std::pair<std::string, std::string>>{{"oracle_f1", "#1b7837"}, {"f1", "#762a83"}}
          : std::vector<std::pair<std::string, std::string>>{
                {"oracle_uas", "#1b7837"}, {"oracle_las", "#5aae61"}, {"uas", "#762a83"}, {"las", "#9970ab"}};
  double low = 100, high = 0;
  const auto& sizes = all["by_size"];
  for (const auto& [size, row] : sizes.items()) {
    for (const auto& [name, colour] : curves) {
      low = std::min(low, row[name].get<double>());
      high = std::max(high, row[name].get<double>());
    }
  }
  low = std::floor(low);
  high = std::max(std::ceil(high), low + 1);
  const double steps = std::max<double>(static_cast<double>(sizes.size()) - 1, 1);
  const auto x = [&](double i) { return kLeft + (kWidth - kLeft - kRight) * i / steps; };
  const auto y = [&](double value) {
    return kHeight - kBottom - (kHeight - kTop - kBottom) * (value - low) / (high - low);
  };
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kWidth, kHeight);
  const double step = high - low > 12 ? 5 : high - low > 5 ? 2 : 1;
  for (double value = low; value <= high; value += step)
    out += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5:.0f}</text>\n",
        kLeft, kWidth - kRight, y(value), kLeft - 8, y(value) + 4, value);
  int place = 0;
  for (const auto& [size, row] : sizes.items())
    out +=
        fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x(place++), kHeight - 22, size);
  out += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">trees per list</text>\n",
                     (kLeft + kWidth - kRight) / 2, kHeight - 5);
  for (const auto& [name, colour] : curves) {
    std::string points;
    double last = 0;
    place = 0;
    for (const auto& [size, row] : sizes.items())
      points += fmt::format("{:.1f},{:.1f} ", x(place++), y(last = row[name].get<double>()));
    out += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/><text x=\"{}\" y=\"{:.1f}\" "
        "fill=\"{}\">{} {:.2f}</text>\n",
        points, colour, kWidth - kRight + 6, y(last) + 4, colour, name, last);
  }
  return out + "</svg>\n";
}

}  // namespace espalier

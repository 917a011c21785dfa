// Prints reports: JSON with stable keys, tables in aligned columns.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "espalier/eval/report.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

struct UdRow {
  const char *name, *key;
  Overlap UdScore::*overlap;
  std::string_view needs;  ///< the column that gold must fill (DependencyReport::missing); "" = none
};
constexpr UdRow kUdRows[] = {
    {"Tokens", "tokens", &UdScore::tokens, ""},
    {"Sentences", "sentences", &UdScore::sentences, ""},
    {"Words", "words", &UdScore::words, ""},
    {"UPOS", "upos", &UdScore::upos, "UPOS"},
    {"XPOS", "xpos", &UdScore::xpos, "XPOS"},
    {"UFeats", "ufeats", &UdScore::ufeats, "FEATS"},
    {"AllTags", "alltags", &UdScore::alltags, "UPOS"},
    {"Lemmas", "lemmas", &UdScore::lemmas, "lemmas"},
    {"UAS", "uas", &UdScore::uas, "heads"},
    {"LAS", "las", &UdScore::las, "heads"},
    {"CLAS", "clas", &UdScore::clas, "heads"},
    {"MLAS", "mlas", &UdScore::mlas, "heads"},
    {"BLEX", "blex", &UdScore::blex, "heads"},
};

bool is_missing(const DependencyReport& report, std::string_view column) {
  return std::ranges::find(report.missing, column) != report.missing.end();
}
/// Not a number if gold does not fill the column.
double scored(const DependencyReport& report, std::string_view needs, double percent) {
  return is_missing(report, needs) ? std::numeric_limits<double>::quiet_NaN() : percent;
}

/// Four decimals: enough for any treebank, and readable. Nothing to score is null.
Json number(double percent) { return std::isnan(percent) ? Json() : Json(std::round(percent * 1e4) / 1e4); }
Json number(const Share& share) { return number(share.percent()); }

Json object(const Overlap& overlap) {
  return {{"precision", number(overlap.precision())},
          {"recall", number(overlap.recall())},
          {"f1", number(overlap.f1())},
          {"correct", overlap.correct},
          {"gold", overlap.gold},
          {"system", overlap.system}};
}

std::string cell(double percent) { return std::isnan(percent) ? "–" : fmt::format("{:.2f}", percent); }
std::string cell(const Share& share) { return cell(share.percent()); }

std::string row(std::string_view name, const Overlap& o) {
  return fmt::format("{:<14} {:>9} {:>9} {:>9} {:>9} {:>9}\n", name, o.gold, o.system, cell(o.precision()),
                     cell(o.recall()), cell(o.f1()));
}

std::string header(std::string_view name) {
  return fmt::format("{:<14} {:>9} {:>9} {:>9} {:>9} {:>9}\n", name, "gold", "system", "precision", "recall", "F1");
}

/// Most frequent first.
template <class Map, class Count>
auto by_frequency(const Map& map, Count count) {
  std::vector<typename Map::const_pointer> entries;
  for (const auto& entry : map) entries.push_back(&entry);
  std::ranges::stable_sort(entries, [&](auto* a, auto* b) { return count(a->second) > count(b->second); });
  return entries;
}

double als_without_roots(const AttachmentScore& s) {
  return Share{s.arc_length.hits - s.root_length.hits, s.arc_length.total - s.root_length.total}.percent();
}

}  // namespace

Json to_json(const DependencyReport& report) {
  const UdScore& ud = report.ud;
  Json json = {
      {"sentences", report.sentences}, {"tokens", report.words}, {"same_words", report.same_words.has_value()}};
  json["punct"] = punctuation_names()[static_cast<size_t>(report.punctuation)];
  if (report.same_words) {
    const auto& [score, nopunct, breakdown] = *report.same_words;
    json["scored_tokens"] = score.uas.total;
    json["uas"] = number(score.uas);
    json["las"] = number(score.las);
    json["uas_nopunct"] = number(nopunct.uas);
    json["las_nopunct"] = number(nopunct.las);
    json["las_universal"] = number(score.las_universal);
    json["las_universal_nopunct"] = number(nopunct.las_universal);
    json["label_accuracy"] = number(score.label);
    json["uem"] = number(scored(report, "heads", score.uem.percent()));
    json["lem"] = number(scored(report, "heads", score.lem.percent()));
    json["upos"] = number(score.upos);
    json["xpos"] = number(score.xpos);
    json["feats"] = number(scored(report, "FEATS", score.feats.percent()));
    json["lemma"] = number(score.lemma);
    json["als"] = number(score.arc_length);
    json["als_labelled"] = number(score.arc_length_labelled);
    json["als_noroot"] = number(als_without_roots(score));
    json["als_mean"] =
        number(scored(report, "heads", 100 * score.arc_length_sum / static_cast<double>(score.sentences)));
    json["root_f1"] = number(scored(report, "heads", score.root.f1()));
    if (score.reorder.total) {
      json["reorder"] = number(score.reorder);
      json["reorder_exact"] = number(score.reorder_exact);
    }
  } else {  // the same keys, as F1 over aligned words
    const auto put = [&](const char* key, const Overlap& overlap, std::string_view needs) {
      json[key] = number(scored(report, needs, overlap.f1()));
    };
    put("uas", ud.uas, "heads");
    put("las", ud.las_full, "heads");
    put("uas_nopunct", ud.uas_nopunct, "heads");
    put("las_nopunct", ud.las_nopunct, "heads");
    put("las_universal", ud.las, "heads");
    put("upos", ud.upos, "UPOS");
    put("xpos", ud.xpos, "XPOS");
    put("feats", ud.ufeats, "FEATS");
    put("lemma", ud.lemmas, "lemmas");
  }
  for (const UdRow& r : kUdRows) {
    const Json figure = number(scored(report, r.needs, (ud.*r.overlap).f1()));
    if (const std::string_view key = r.key; key == "clas" || key == "mlas" || key == "blex") json[r.key] = figure;
    json[fmt::format("{}_f1", r.key)] = figure;
  }
  json["missing"] = report.missing;
  json["gold_not_trees"] = report.gold_not_trees;
  json["system_not_trees"] = report.system_not_trees;
  for (const UdRow& r : kUdRows) json["conll18"][r.name] = object(ud.*r.overlap);
  if (!report.same_words) return json;

  const AttachmentBreakdown& breakdown = report.same_words->breakdown;
  Json& relations = json["relations"] = Json::object();
  for (const auto& [name, group] : breakdown.relations)
    relations[name] = {{"label", object(group.label)}, {"arc", object(group.arc)}};
  for (int i = 0; i < AttachmentBreakdown::kDistances; ++i)
    json["by_distance"][AttachmentBreakdown::kDistanceNames[i]] = {{"head", object(breakdown.head_by_distance[i])},
                                                                   {"arc", object(breakdown.arc_by_distance[i])}};
  for (int i = 0; i < AttachmentBreakdown::kLengths; ++i)
    json["by_length"][AttachmentBreakdown::kLengthNames[i]] = {{"tokens", breakdown.uas_by_length[i].total},
                                                               {"uas", number(breakdown.uas_by_length[i])},
                                                               {"las", number(breakdown.las_by_length[i])}};
  return json;
}

std::string to_table(const DependencyReport& report, bool details) {
  const auto plural = [](auto count) { return count == 1 ? "" : "s"; };
  std::string text = fmt::format("{} sentence{}, {} word{}", report.sentences, plural(report.sentences), report.words,
                                 plural(report.words));
  if (report.same_words) {
    const auto& [score, nopunct, breakdown] = *report.same_words;
    if (report.punctuation != Punctuation::kInclude)
      text += fmt::format(", {} scored (punct={})", score.uas.total,
                          punctuation_names()[static_cast<size_t>(report.punctuation)]);
    text += fmt::format("\n\n{:<22} {:>7}   {:<22} {:>7}   {:<10} {:>7}\n", "UAS", cell(score.uas), "exact heads (UEM)",
                        cell(scored(report, "heads", score.uem.percent())), "UPOS", cell(score.upos));
    const auto line = [&](auto... cells) {
      text += fmt::format("{:<22} {:>7}   {:<22} {:>7}   {:<10} {:>7}\n", cells...);
    };
    line("LAS", cell(score.las), "exact trees (LEM)", cell(scored(report, "heads", score.lem.percent())), "XPOS",
         cell(score.xpos));
    line("LAS universal labels", cell(score.las_universal), "label accuracy", cell(score.label), "FEATS",
         cell(scored(report, "FEATS", score.feats.percent())));
    line("UAS no punctuation", cell(nopunct.uas), "root F1", cell(scored(report, "heads", score.root.f1())), "lemma",
         cell(score.lemma));
    line("LAS no punctuation", cell(nopunct.las), "arc length score", cell(score.arc_length), "", "");
    if (score.reorder.total)
      line("order of words", cell(score.reorder), "exact orders", cell(score.reorder_exact), "", "");
    text += '\n';
  } else {
    text += fmt::format(", {} in the system's analysis: words are aligned\n\n", report.ud.words.system);
  }
  text += header("CoNLL 2018");
  for (const UdRow& r : kUdRows)
    if (!is_missing(report, r.needs)) text += row(r.name, report.ud.*r.overlap);
  if (!report.missing.empty())
    text += fmt::format("\nnot scored, for gold has none: {}\n", fmt::join(report.missing, ", "));
  if ((report.gold_not_trees || report.system_not_trees) && !is_missing(report, "heads"))
    text += fmt::format("\nnot a tree: {} sentences of gold, {} of the system\n", report.gold_not_trees,
                        report.system_not_trees);
  if (!details || !report.same_words) return text;

  const AttachmentBreakdown& breakdown = report.same_words->breakdown;
  text += '\n' + header("relation");
  for (const auto* entry : by_frequency(breakdown.relations, [](const auto& group) { return group.arc.gold; }))
    text += row(entry->first, entry->second.arc);
  text += '\n' + header("distance");
  for (int i = 0; i < AttachmentBreakdown::kDistances; ++i)
    text += row(AttachmentBreakdown::kDistanceNames[i], breakdown.arc_by_distance[i]);
  text += fmt::format("\n{:<14} {:>9} {:>9} {:>9}\n", "length", "words", "UAS", "LAS");
  for (int i = 0; i < AttachmentBreakdown::kLengths; ++i)
    text += fmt::format("{:<14} {:>9} {:>9} {:>9}\n", AttachmentBreakdown::kLengthNames[i],
                        breakdown.uas_by_length[i].total, cell(breakdown.uas_by_length[i]),
                        cell(breakdown.las_by_length[i]));
  return text;
}

namespace {

Json object(const BracketScore& s) {
  const double valid = static_cast<double>(s.exact.total);
  return {{"precision", number(s.brackets.precision())},
          {"recall", number(s.brackets.recall())},
          {"f1", number(s.brackets.f1())},
          {"exact", number(s.exact)},
          {"tags", number(s.tags)},
          {"crossing", number(static_cast<double>(s.crossing) / valid)},
          {"no_crossing", number(s.no_crossing)},
          {"at_most_two_crossing", number(s.at_most_two_crossing)},
          {"matched", s.brackets.correct},
          {"gold", s.brackets.gold},
          {"system", s.brackets.system},
          {"sentences", s.sentences},
          {"valid_sentences", s.exact.total},
          {"errors", s.errors},
          {"failures", s.failures},
          {"tokens", s.tags.total}};
}

}  // namespace

Json to_json(const BracketReport& report) {
  Json json = object(report.all);
  json["cutoff"] = report.cutoff;
  json["up_to_cutoff"] = object(report.short_sentences);
  Json& labels = json["labels"] = Json::object();
  for (const auto& [name, overlap] : report.labels) labels[name] = object(overlap);
  return json;
}

std::string to_table(const BracketReport& report, bool details) {
  std::string text = fmt::format("{:<24} {:>10} {:>10}\n", "", "all", fmt::format("≤ {} words", report.cutoff));
  const BracketScore &all = report.all, &few = report.short_sentences;
  const auto line = [&](std::string_view name, const auto& a, const auto& b) {
    text += fmt::format("{:<24} {:>10} {:>10}\n", name, a, b);
  };
  const auto crossing = [](const BracketScore& s) {
    return cell(static_cast<double>(s.crossing) / static_cast<double>(s.exact.total));
  };
  line("F1", cell(all.brackets.f1()), cell(few.brackets.f1()));
  line("precision", cell(all.brackets.precision()), cell(few.brackets.precision()));
  line("recall", cell(all.brackets.recall()), cell(few.brackets.recall()));
  line("exact match", cell(all.exact), cell(few.exact));
  line("tagging accuracy", cell(all.tags), cell(few.tags));
  line("crossing per sentence", crossing(all), crossing(few));
  line("no crossing", cell(all.no_crossing), cell(few.no_crossing));
  line("at most two crossing", cell(all.at_most_two_crossing), cell(few.at_most_two_crossing));
  line("gold brackets", all.brackets.gold, few.brackets.gold);
  line("system brackets", all.brackets.system, few.brackets.system);
  line("sentences", all.sentences, few.sentences);
  line("  with other words", all.errors, few.errors);
  line("  without a tree", all.failures, few.failures);
  if (!details) return text;
  text += '\n' + header("label");
  for (const auto* entry : by_frequency(report.labels, [](const Overlap& o) { return o.gold; }))
    text += row(entry->first, entry->second);
  return text;
}

}  // namespace espalier

#include "espalier/parser/classify/atom_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "espalier/base/unicode.h"
#include "espalier/tree/constituent_preprocess.h"

namespace espalier {
namespace {

constexpr std::string_view kUnseenTag = "<unseen>";

/// The class of a rare word: its shape or its last three letters.
std::string rare_class(std::string_view lower) {
  if (lower.find_first_of("0123456789") != lower.npos) return "<digits>";
  if (lower.find('-') != lower.npos) return "<hyphen>";
  return fmt::format("<-{}>", last_characters(lower, 3));
}

std::string tag_text(std::string_view tag) { return fmt::format("/{}", tag); }

}  // namespace

std::string_view tag_class(std::string_view tag) {
  static const std::map<std::string_view, std::string_view> classes = [] {
    std::map<std::string_view, std::string_view> map;
    const auto put = [&](std::string_view name, std::initializer_list<std::string_view> tags) {
      for (const auto t : tags) map[t] = name;
    };
    put("CD", {"CD", "LS"}), put("CJ", {"CC", ":"}), put("D", {"DT", "PDT", "PRP$", "WDT"}), put("EOS", {"."});
    put("IN", {"IN", "RP", "TO"}), put("J", {"JJ", "JJR", "JJS"}), put("N", {"$", "NN", "NNS"});
    put("NP", {"NNP", "NNPS"}), put("P", {"EX", "POS", "PRP", "WP", "WP$"}), put("R", {"RB", "RBR", "RBS", "WRB"});
    put("SCM", {"``", "''", "-LRB-", "-RRB-"}), put("SYM", {"#", "SYM"}), put("UH", {"UH"}), put("UK", {"FW"});
    put("VBG", {"VBG"}), put("VBN", {"VBN"}), put("V", {"MD", "VB", "VBD", "VBP", "VBZ"});
    return map;
  }();
  const auto it = classes.find(tag);
  return it == classes.end() ? coarse_tag(tag) : it->second;
}

AtomSpace::AtomSpace(const std::vector<std::string>& labels, const std::vector<std::string>& tags,
                     const std::vector<std::pair<std::string, int>>& word_counts, int min_count)
    : labels_(static_cast<int>(labels.size())) {
  for (const auto& label : labels) symbols_.add(label);
  for (const auto& tag : tags) symbols_.add(tag_text(tag));
  symbols_.add(tag_text(kUnseenTag));
  for (const auto& tag : tags) classes_.add(tag_class(tag));
  std::map<std::string, int> shared;
  for (const auto& [word, count] : word_counts) {
    if (count >= min_count) {
      words_.add(word);
    } else {
      shared[rare_class(word)] += count;
    }
  }
  for (const auto& [name, count] : shared) {
    if (count >= min_count) words_.add(name);
  }
  words_from_ = symbols_.size() + this->tags() + classes_.size();
}

int AtomSpace::tag_symbol(std::string_view tag) const {
  const int symbol = symbols_.find(tag_text(tag));
  return symbol == Vocabulary::kUnknown ? symbols_.size() - 1 : symbol;
}

WordValues AtomSpace::word_values(std::string_view form, std::string_view tag) const {
  WordValues values;
  values.tag = symbols_.size() + tag_symbol(tag) - labels_;
  const int known_class = classes_.find(tag_class(tag));
  if (known_class >= 0) values.tag_class = symbols_.size() + tags() + known_class;
  const std::string lower = lower_case(form);
  int word = words_.find(lower);
  if (word < 0) word = words_.find(rare_class(lower));
  if (word >= 0) values.word = words_from_ + word;
  return values;
}

nlohmann::json AtomSpace::to_json() const {
  return {{"labels", labels_}, {"symbols", symbols_.texts()}, {"classes", classes_.texts()}, {"words", words_.texts()}};
}

AtomSpace AtomSpace::from_json(const nlohmann::json& json) {
  AtomSpace space;
  space.labels_ = json.at("labels");
  for (const std::string text : json.at("symbols")) space.symbols_.add(text);
  for (const std::string text : json.at("classes")) space.classes_.add(text);
  for (const std::string text : json.at("words")) space.words_.add(text);
  space.words_from_ = space.symbols_.size() + space.tags() + space.classes_.size();
  return space;
}

}  // namespace espalier

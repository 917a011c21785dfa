#include "espalier/format/check/ud_columns.h"

#include <fmt/format.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace espalier {
namespace {

constexpr std::array<std::string_view, 17> kUniversalTags = {"ADJ",   "ADP",   "ADV", "AUX",  "CCONJ", "DET",
                                                             "INTJ",  "NOUN",  "NUM", "PART", "PRON",  "PROPN",
                                                             "PUNCT", "SCONJ", "SYM", "VERB", "X"};
constexpr std::array<std::string_view, 37> kUniversalRelations = {
    "acl",      "advcl",     "advmod", "amod",       "appos", "aux",      "case",      "cc",         "ccomp", "clf",
    "compound", "conj",      "cop",    "csubj",      "dep",   "det",      "discourse", "dislocated", "expl",  "fixed",
    "flat",     "goeswith",  "iobj",   "list",       "mark",  "nmod",     "nsubj",     "nummod",     "obj",   "obl",
    "orphan",   "parataxis", "punct",  "reparandum", "root",  "vocative", "xcomp"};
/// Attributes of MISC with a meaning in UD: at most once per word, in this spelling.
constexpr std::array<std::string_view, 8> kMiscNames = {"SpaceAfter", "Lang", "Translit", "LTranslit",
                                                        "Gloss",      "LId",  "LDeriv",   "Ref"};

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter_or_digit(char c) { return is_small(c) || is_capital(c) || is_digit(c); }
bool small_letters(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_small); }

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](char c) { return is_capital(c) ? static_cast<char>(c + 32) : c; });
  return small;
}

/// Whether use(character) is true for all characters; -1 stands for invalid UTF-8. Stops at the first that is not.
template <class Use>
bool all_characters(std::string_view text, Use&& use) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto size = static_cast<int32_t>(text.size());
  for (int32_t at = 0; at < size;) {
    UChar32 c;
    U8_NEXT(bytes, at, size, c);
    if (!use(c)) return false;
  }
  return true;
}

/// "Case", "Number[psor]"
bool is_feature_name(std::string_view name) {
  if (const size_t layer = name.find('['); layer != std::string_view::npos) {
    if (!name.ends_with(']') || layer + 2 >= name.size()) return false;
    const std::string_view inside = name.substr(layer + 1, name.size() - layer - 2);
    if (!std::ranges::all_of(inside, [](char c) { return is_small(c) || is_digit(c); })) return false;
    name = name.substr(0, layer);
  }
  return !name.empty() && is_capital(name[0]) && std::ranges::all_of(name, is_letter_or_digit);
}

bool is_feature_value(std::string_view value) {
  return !value.empty() && (is_capital(value[0]) || is_digit(value[0])) &&
         std::ranges::all_of(value, is_letter_or_digit);
}

/// Small letters of any script, with single underscores between them.
bool is_enhancement(std::string_view part) {
  bool underscore = true;  // none may come first
  return all_characters(part,
                        [&](UChar32 c) {
                          if (c == '_') return !std::exchange(underscore, true);
                          underscore = false;
                          return c >= 0 && (U_MASK(u_charType(c)) &
                                            (U_GC_LL_MASK | U_GC_LM_MASK | U_GC_LO_MASK | U_GC_M_MASK)) != 0;
                        }) &&
         !underscore;
}

/// Universal relation, subtype, preposition, case: "obl:on_behalf_of:gen". All but the first may be left out.
bool is_enhanced_relation(std::string_view relation) {
  const std::vector<std::string_view> parts = split_at(relation, ':');
  if (!small_letters(parts[0])) return false;
  switch (parts.size()) {
    case 1:
      return true;
    case 2:
      return is_enhancement(parts[1]);
    case 3:
      return (small_letters(parts[1]) && is_enhancement(parts[2])) ||
             (is_enhancement(parts[1]) && small_letters(parts[2]));
    case 4:
      return small_letters(parts[1]) && is_enhancement(parts[2]) && small_letters(parts[3]);
    default:
      return false;
  }
}

std::string_view universal(std::string_view relation) { return relation.substr(0, relation.find(':')); }
bool is_universal(std::string_view relation) {
  return std::ranges::find(kUniversalRelations, universal(relation)) != kUniversalRelations.end();
}

/// Digits alone, without leading zeros; -1 if it is none.
int number_in(std::string_view text) {
  if (text.empty() || (text[0] == '0' && text.size() > 1)) return -1;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return end == text.data() + text.size() && error == std::errc() && is_digit(text[0]) ? number : -1;
}

}  // namespace

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

bool has_space(std::string_view text) {
  return !all_characters(text, [](UChar32 c) { return c < 0 || !u_isUWhiteSpace(c); });
}

bool has_odd_spaces(std::string_view text) {
  bool space = true;  // as if there were one before it
  const bool none = all_characters(text, [&](UChar32 c) {
    const bool before = std::exchange(space, c >= 0 && u_isUWhiteSpace(c));
    return !(before && space);
  });
  return !text.empty() && (!none || space);
}

bool begins_with_space(std::string_view text) {
  bool first = true;
  return !all_characters(text, [&](UChar32 c) { return !(std::exchange(first, false) && u_isUWhiteSpace(c)); });
}

bool ends_with_space(std::string_view text) {
  bool space = false;
  all_characters(text, [&](UChar32 c) {
    space = c >= 0 && u_isUWhiteSpace(c);
    return true;
  });
  return space;
}

bool is_composed(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return true;
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* const nfc = icu::Normalizer2::getNFCInstance(error);
  return U_FAILURE(error) || nfc->isNormalizedUTF8({text.data(), static_cast<int32_t>(text.size())}, error);
}

std::string problem_of_upos(std::string_view upos) {
  return std::ranges::find(kUniversalTags, upos) == kUniversalTags.end() ? fmt::format("unknown UPOS '{}'", upos) : "";
}

std::string problem_of_features(std::string_view feats) {
  std::string_view name_before;
  std::string before;
  for (const std::string_view feature : split_at(feats, '|')) {
    const size_t equals = feature.find('=');
    const std::string_view name = feature.substr(0, equals);
    if (equals == std::string_view::npos || !is_feature_name(name))
      return fmt::format("'{}' in FEATS is no Name=Value", feature);
    if (name == name_before) return fmt::format("FEATS has {} twice", name);
    std::string now = in_small_letters(feature);  // they are in order regardless of case
    if (now < before) return fmt::format("FEATS are not in order: {} stands behind {}", name, name_before);
    before = std::move(now);
    name_before = name;
    std::string_view value_before;
    for (const std::string_view value : split_at(feature.substr(equals + 1), ',')) {
      if (!is_feature_value(value)) return fmt::format("'{}' in FEATS is no Name=Value", feature);
      if (value == value_before) return fmt::format("FEATS has {} twice", feature);
      if (in_small_letters(value) < in_small_letters(value_before))
        return fmt::format("the values of {} are not in order", name);
      value_before = value;
    }
  }
  return "";
}

std::string problem_of_relation(std::string_view deprel) {
  if (!is_universal(deprel)) return fmt::format("unknown relation '{}'", deprel);
  const size_t colon = deprel.find(':');
  if (colon != deprel.npos && !small_letters(deprel.substr(colon + 1)))
    return fmt::format("'{}' is no relation with a subtype of small letters", deprel);
  return "";
}

bool parse_node(std::string_view text, NodeId& id) {
  const size_t point = text.find('.');
  id = {number_in(text.substr(0, point)), point == text.npos ? 0 : number_in(text.substr(point + 1))};
  return id.first >= 0 && (point == text.npos || id.second > 0);
}

std::string problem_of_arcs(std::string_view deps, NodeId id, std::vector<EnhancedArc>& arcs) {
  for (const std::string_view entry : split_at(deps, '|')) {
    const size_t colon = entry.find(':');
    NodeId head;
    if (colon == entry.npos || !parse_node(entry.substr(0, colon), head))
      return fmt::format("'{}' in DEPS is no head:relation", entry);
    arcs.push_back({head, entry.substr(colon + 1)});
  }
  for (size_t i = 0; i < arcs.size(); ++i) {
    const std::string_view relation = arcs[i].relation;
    if (i > 0 && arcs[i].head == arcs[i - 1].head && relation == arcs[i - 1].relation)
      return fmt::format("DEPS has {} twice", split_at(deps, '|')[i]);
    if (i > 0 && arcs[i].head < arcs[i - 1].head) return "DEPS are not in order of heads";
    if (i > 0 && arcs[i].head == arcs[i - 1].head && relation < arcs[i - 1].relation)
      return "relations to the same head in DEPS are not in order";
    if (arcs[i].head == id) return "the word is its own head in DEPS";
    if (!is_enhanced_relation(relation)) return fmt::format("'{}' in DEPS is no relation", relation);
    if (!is_universal(relation) && universal(relation) != "ref")
      return fmt::format("unknown relation '{}' in DEPS", relation);
  }
  return "";
}

std::string problem_of_misc(std::string_view misc) {
  std::map<std::string_view, int> seen;
  for (const std::string_view attribute : split_at(misc, '|')) {
    const size_t equals = attribute.find('=');
    const std::string_view name = attribute.substr(0, equals);
    const std::string_view value = equals == attribute.npos ? "" : attribute.substr(equals + 1);
    if (attribute.empty()) return "an attribute in MISC is empty";
    if (name.empty()) return fmt::format("'{}' in MISC has no name", attribute);
    for (const std::string_view part : {name, value})
      if (begins_with_space(part) || ends_with_space(part))
        return fmt::format("'{}' in MISC has spaces around its name or value", attribute);
    for (const std::string_view known : kMiscNames) {
      if (name == known && ++seen[known] > 1) return fmt::format("MISC has {} twice", name);
      if (name != known && in_small_letters(name) == in_small_letters(known))
        return fmt::format("'{}' in MISC: is {} meant?", name, known);
    }
    if (name == "NoSpaceAfter" && value == "Yes") return "NoSpaceAfter=Yes is written SpaceAfter=No";
    if (name == "SpaceAfter" && value != "No") return fmt::format("{}: SpaceAfter is No or not there", attribute);
  }
  return "";
}

}  // namespace espalier

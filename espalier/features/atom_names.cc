#include "espalier/features/atom_names.h"

#include <fmt/format.h>

#include "espalier/base/hash.h"
#include "espalier/base/unicode.h"
#include "espalier/tree/constituent_preprocess.h"

namespace espalier {
namespace {

constexpr std::string_view kSlotNames[] = {"S0",      "S1",      "S2",       "N0",  "N1",   "N2",   "N3",   "S0before",
                                           "S0after", "S1after", "N0before", "S0l", "S0r",  "S0l2", "S0r2", "S1l",
                                           "S1r",     "S1l2",    "S1r2",     "N0l", "N0l2", "S0h",  "S0h2"};
static_assert(std::size(kSlotNames) == kSlots);

constexpr std::string_view kValueNames[] = {
    "distance(S0,N0)", "distance(S1,S0)", "S0l.label",       "S0r.label",      "S0l2.label",      "S0r2.label",
    "S1l.label",       "S1r.label",       "S1l2.label",      "S1r2.label",     "N0l.label",       "N0l2.label",
    "S0.label",        "S0h.label",       "count(S0left)",   "count(S0right)", "count(S1left)",   "count(S1right)",
    "count(N0left)",   "labels(S0left)",  "labels(S0right)", "labels(S1left)", "labels(S1right)", "labels(N0left)"};
static_assert(std::size(kValueNames) == kStateValues);

constexpr std::string_view kConstituentSlotNames[] = {"N0",     "N1",     "N2",      "N3",    "head0",  "first0",
                                                      "last0",  "head0l", "head0r",  "head1", "first1", "last1",
                                                      "head1l", "head1r", "before1", "head2", "head3"};
static_assert(std::size(kConstituentSlotNames) == kConstituentSlots);

constexpr std::string_view kConstituentValueNames[] = {
    "label0",        "label+tag0",   "label+form0", "label0l",     "label0r",   "label0u",    "label+form0l",
    "label+form0r",  "production0",  "length0",     "children0",   "shape0",    "marks0",     "marksEnd",
    "wordsLeft",     "label1",       "label+tag1",  "label+form1", "label1l",   "label1r",    "label1u",
    "label+form1l",  "label+form1r", "production1", "length1",     "children1", "marks1",     "labels10",
    "labels+tags10", "length10",     "shape10",     "marks10",     "label2",    "label+tag2", "label+form2",
    "label3",        "label+form3",  "labels210"};
static_assert(std::size(kConstituentValueNames) == kConstituentValues);

constexpr std::string_view kChartSlotNames[] = {"first",  "second",    "last",     "last2",      "before",   "before2",
                                                "after",  "after2",    "meetLeft", "meetRight",  "head1",    "head1l",
                                                "head1r", "head0",     "head0l",   "head0r",     "head",     "headl",
                                                "headr",  "itemFirst", "itemLast", "itemBefore", "itemAfter"};
static_assert(std::size(kChartSlotNames) == kChartSlots);

constexpr std::string_view kChartValueNames[] = {
    "length",    "shape",       "edges",         "marksBefore", "marksAfter", "marksEnd",   "lengthLeft", "lengthRight",
    "marksMeet", "label1",      "label+tag1",    "label+form1", "label1l",    "label1r",    "label1u",    "production1",
    "children1", "label0",      "label+tag0",    "label+form0", "label0l",    "label0r",    "label0u",    "production0",
    "children0", "labels10",    "labels+tags10", "label",       "label+tag",  "label+form", "labell",     "labelr",
    "labelu",    "label+forml", "label+formr",   "production",  "children",   "itemLength", "marks"};
static_assert(std::size(kChartValueNames) == kChartValues);

/// The first or last `count` characters.
std::string_view characters(std::string_view text, int count, bool last) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  size_t at = last ? text.size() : 0;
  for (; count > 0 && (last ? at > 0 : at < text.size()); --count) {
    if (last)
      while (at > 0 && continues(text[--at])) {
      }
    else
      while (++at < text.size() && continues(text[at])) {
      }
  }
  return last ? text.substr(at) : text.substr(0, at);
}

std::string affix_text(WordAtoms::Field field, const Token& token) {
  switch (field) {
    case WordAtoms::kSuffix:
      return fmt::format("suffix={}", characters(token.form, 3, true));
    case WordAtoms::kShape:
      return fmt::format("shape={}", token.form);
    case WordAtoms::kCluster:
      return fmt::format("class={}", token.form);
    case WordAtoms::kClusterBits10:
      return fmt::format("class10={}", token.form);
    case WordAtoms::kClusterBits6:
      return fmt::format("class6={}", token.form);
    case WordAtoms::kClusterBits4:
      return fmt::format("class4={}", token.form);
    case WordAtoms::kPrefix:
      return fmt::format("prefix={}", characters(token.form, 3, false));
    default:
      return fmt::format("form={}", token.form);
  }
}

/// The set of at most three labels whose names add up to what was hashed.
std::string set_text(StateValue kind, uint64_t value, std::span<const std::string> labels) {
  std::vector<uint64_t> names;
  for (const std::string& label : labels) names.push_back(hash_string(label));
  if (value == value_atom(kind, 0)) return "{}";
  for (size_t a = 0; a < names.size(); ++a) {
    if (value == value_atom(kind, names[a])) return fmt::format("{{{}}}", labels[a]);
    for (size_t b = a + 1; b < names.size(); ++b) {
      if (value == value_atom(kind, names[a] + names[b])) return fmt::format("{{{},{}}}", labels[a], labels[b]);
      for (size_t c = b + 1; c < names.size(); ++c)
        if (value == value_atom(kind, names[a] + names[b] + names[c]))
          return fmt::format("{{{},{},{}}}", labels[a], labels[b], labels[c]);
    }
  }
  return "{...}";
}

/// A label, or a small number, if the value is one.
std::string constituent_value_text(std::string_view name, uint64_t hash, int kind, const AtomTexts& texts) {
  const auto is = [&](uint64_t value) { return hash == mix(value ^ (static_cast<uint64_t>(kind) + 1) << 56); };
  for (const std::string& label : texts.labels)
    for (const uint64_t part : {0, 1})
      if (is(mix(hash_string(label) * 2 + part + 1))) return fmt::format("{}={}{}", name, label, part ? "*" : "");
  for (uint64_t i = 0; i <= 10; ++i)
    if (is(i)) return fmt::format("{}={}", name, i);
  return std::string(name);
}

}  // namespace

std::string slot_name(const StateView&, int slot) { return std::string(kSlotNames[slot]); }
std::string slot_name(const ConstituentView&, int slot) { return std::string(kConstituentSlotNames[slot]); }
std::string slot_name(const ChartView&, int slot) { return std::string(kChartSlotNames[slot]); }

std::string field_text(const StateView&, WordAtoms::Field field, const Token& token) {
  switch (field) {
    case WordAtoms::kTag:
      return fmt::format("upos={}", token.upos);
    case WordAtoms::kFine:
      return fmt::format("xpos={}", token.xpos);
    case WordAtoms::kFormTag:
      return fmt::format("form={}/{}", token.form, token.upos);
    case WordAtoms::kMorph:
      return fmt::format("feats={}/{}", token.upos, token.feats);
    default:
      return affix_text(field, token);
  }
}

std::string field_text(const ConstituentView&, WordAtoms::Field field, const Token& token) {
  switch (field) {
    case WordAtoms::kTag:
      return fmt::format("tag={}", parser_tag(token));
    case WordAtoms::kFine:
      return fmt::format("coarse={}", coarse_tag(parser_tag(token)));
    case WordAtoms::kFormTag:
      return fmt::format("form={}/{}", token.form, parser_tag(token));
    case WordAtoms::kMorph:
      return fmt::format("lower={}", lower_case(token.form));
    default:
      return affix_text(field, token);
  }
}

std::string field_text(const ChartView&, WordAtoms::Field field, const Token& token) {
  return field_text(ConstituentView{}, field, token);
}

std::string value_text(const StateView& view, int kind, const AtomTexts& texts) {
  const auto value = static_cast<StateValue>(kind);
  const uint64_t atom = view.value[kind];
  const std::string name(kValueNames[kind]);
  if (value >= S0leftSet) return fmt::format("{}={}", name, set_text(value, atom, texts.labels));
  if (value >= S0lLabel && value <= S0hLabel) {
    for (const std::string& label : texts.labels)
      if (atom == value_atom(value, hash_string(label))) return fmt::format("{}={}", name, label);
    return name + "=none";
  }
  const bool distance = value == DistS0N0 || value == DistS1S0;
  constexpr std::string_view kFar[] = {"none", "1", "2", "3", "4", "5-10", "more"};
  for (uint64_t i = 0; i <= 6; ++i)
    if (atom == value_atom(value, i))
      return distance ? fmt::format("{}={}", name, kFar[i]) : fmt::format("{}={}", name, i);
  return name;
}

std::string value_text(const ConstituentView& view, int kind, const AtomTexts& texts) {
  return constituent_value_text(kConstituentValueNames[kind], view.value[kind], kind, texts);
}
std::string value_text(const ChartView& view, int kind, const AtomTexts& texts) {
  return constituent_value_text(kChartValueNames[kind], view.value[kind], kind, texts);
}

}  // namespace espalier

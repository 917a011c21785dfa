#include "espalier/format/ud_rules.h"

#include <fmt/format.h>
#include <unicode/normalizer2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "espalier/format/conll_reader.h"

namespace espalier {
namespace {

constexpr std::array<std::string_view, 17> kUpos = {"ADJ",   "ADP",   "ADV", "AUX",  "CCONJ", "DET",
                                                    "INTJ",  "NOUN",  "NUM", "PART", "PRON",  "PROPN",
                                                    "PUNCT", "SCONJ", "SYM", "VERB", "X"};
constexpr std::array<std::string_view, 37> kRelations = {
    "acl",      "advcl",     "advmod", "amod",       "appos", "aux",      "case",      "cc",         "ccomp", "clf",
    "compound", "conj",      "cop",    "csubj",      "dep",   "det",      "discourse", "dislocated", "expl",  "fixed",
    "flat",     "goeswith",  "iobj",   "list",       "mark",  "nmod",     "nsubj",     "nummod",     "obj",   "obl",
    "orphan",   "parataxis", "punct",  "reparandum", "root",  "vocative", "xcomp"};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

/// FEATS are in order regardless of case.
bool less_without_case(std::string_view a, std::string_view b) {
  return std::ranges::lexicographical_compare(
      a, b, {}, [](char c) { return std::tolower(static_cast<unsigned char>(c)); },
      [](char c) { return std::tolower(static_cast<unsigned char>(c)); });
}

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_upper_or_digit(char c) {
  return std::isupper(static_cast<unsigned char>(c)) != 0 || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// "Case", "Number[psor]"
bool is_feature_name(std::string_view name) {
  if (const size_t layer = name.find('['); layer != std::string_view::npos) {
    if (!name.ends_with(']') || layer + 2 >= name.size()) return false;
    const std::string_view inside = name.substr(layer + 1, name.size() - layer - 2);
    if (!std::ranges::all_of(inside, is_letter_or_digit)) return false;
    name = name.substr(0, layer);
  }
  return !name.empty() && is_upper_or_digit(name[0]) && std::ranges::all_of(name, is_letter_or_digit);
}

bool is_feature_value(std::string_view value) {
  return !value.empty() && is_upper_or_digit(value[0]) && std::ranges::all_of(value, is_letter_or_digit);
}

/// What is wrong with FEATS, or "".
std::string problem_of_features(std::string_view feats) {
  std::string_view before;
  for (const std::string_view feature : split(feats, '|')) {
    const size_t equals = feature.find('=');
    const std::string_view name = feature.substr(0, equals);
    if (equals == std::string_view::npos || !is_feature_name(name))
      return fmt::format("'{}' in FEATS is no Name=Value", feature);
    if (name == before) return fmt::format("FEATS has {} twice", name);
    if (less_without_case(name, before))
      return fmt::format("FEATS are not in order: {} stands behind {}", name, before);
    before = name;
    std::string_view value_before;
    for (const std::string_view value : split(feature.substr(equals + 1), ',')) {
      if (!is_feature_value(value)) return fmt::format("'{}' in FEATS is no Name=Value", feature);
      if (value == value_before) return fmt::format("FEATS has {} twice", feature);
      if (less_without_case(value, value_before)) return fmt::format("the values of {} are not in order", name);
      value_before = value;
    }
  }
  return "";
}

/// What is wrong with DEPS, or "".
std::string problem_of_deps(std::string_view deps) {
  std::pair<double, std::string_view> before = {-1, ""};
  for (const std::string_view entry : split(deps, '|')) {
    const std::string head(entry.substr(0, entry.find(':')));
    if (head.size() == entry.size() || head.empty() || head.find_first_not_of("0123456789.") != std::string::npos)
      return fmt::format("'{}' in DEPS is no head:relation", entry);
    const std::pair<double, std::string_view> now = {std::strtod(head.c_str(), nullptr), entry.substr(head.size() + 1)};
    if (now == before) return fmt::format("DEPS has {} twice", entry);
    if (now.first < before.first) return "DEPS are not in order of heads";
    before = now;
  }
  return "";
}

bool has_odd_spaces(std::string_view column) {
  return column.starts_with(' ') || column.ends_with(' ') || column.find("  ") != std::string_view::npos;
}

/// Composed characters, as UD wants them (NFC).
bool is_composed(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return true;
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* const nfc = icu::Normalizer2::getNFCInstance(error);
  return U_FAILURE(error) || nfc->isNormalizedUTF8({text.data(), static_cast<int32_t>(text.size())}, error);
}

/// "nsubj", "nsubj:pass"
bool is_relation_name(std::string_view relation) {
  const auto letters = [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= 'a' && c <= 'z'; });
  };
  const size_t colon = relation.find(':');
  return letters(relation.substr(0, colon)) && (colon == relation.npos || letters(relation.substr(colon + 1)));
}

/// One sentence's rules, with the line of each word.
class Checker {
 public:
  Checker(const Sentence& sentence, const std::string& file, const std::function<void(const Problem&)>& report)
      : sentence_(sentence), file_(file), report_(report) {}

  void check_file_rules() {
    Sentence words = sentence_;
    words.comments.clear();
    if (const auto text = comment_value(sentence_, "text"); text && surface_text(words) != *text)
      tell(0, "# text is not what the words make");
    for (int i = 1; i <= sentence_.size(); ++i) {
      const Token& token = sentence_.word(i);
      for (const std::string* column : {&token.form, &token.lemma, &token.misc})
        if (has_odd_spaces(*column)) tell(i, fmt::format("'{}' has spaces around it or two in a row", *column));
      for (const std::string* column : {&token.upos, &token.xpos, &token.feats, &token.deprel, &token.deps})
        if (column->find(' ') != column->npos) tell(i, fmt::format("'{}' has a space in it", *column));
      for (const std::string* column : {&token.form, &token.lemma, &token.xpos, &token.feats, &token.misc})
        if (!is_composed(*column)) tell(i, fmt::format("'{}' is not normalized (NFC)", *column));
    }
    check_comments();
    for (const ExtraLine& line : sentence_.extra) {
      if (!as_multiword(line)) continue;
      ConllReader::Columns columns;
      columns.fill("_");
      split_columns(line.text, columns);
      const bool typo = columns[5] == "Typo=Yes";  // the one thing that may be said of it
      if (std::ranges::any_of(std::span(columns).subspan(2, 7), is_given) && !typo)
        tell(line, fmt::format("multiword token {} is annotated", columns[0]));
    }
  }

  void check_annotation() {
    for (int i = 1; i <= sentence_.size(); ++i) {
      const Token& token = sentence_.word(i);
      if (is_given(token.upos) && std::ranges::find(kUpos, token.upos) == kUpos.end())
        tell(i, fmt::format("unknown UPOS '{}'", token.upos));
      if (token.misc.find("NoSpaceAfter=Yes") != token.misc.npos) tell(i, "NoSpaceAfter=Yes is written SpaceAfter=No");
      if (is_given(token.feats)) tell(i, problem_of_features(token.feats));
      if (is_given(token.deprel)) check_relation(i, token);
      if (is_given(token.deps)) tell(i, problem_of_deps(token.deps));
    }
    check_space_inside_multiword();
    check_empty_nodes();
  }

  void tell(int word, std::string message) const {
    if (!message.empty()) report_({file_, line_of(word), word, std::move(message)});
  }

 private:
  /// Of a line that is no word, one of this sentence's.
  void tell(const ExtraLine& extra, std::string message) const {
    const long line = sentence_.line + static_cast<long>(sentence_.comments.size()) + extra.before +
                      static_cast<long>(&extra - sentence_.extra.data());
    report_({file_, line, 0, std::move(message)});
  }

  void check_comments() const {
    for (const std::string_view key : {"# sent_id = ", "# text = "}) {
      const auto has_key = [&](const std::string& comment) { return comment.starts_with(key); };
      if (std::ranges::count_if(sentence_.comments, has_key) > 1)
        tell(0, fmt::format("'{}' is there more than once", key.substr(0, key.size() - 3)));
    }
    if (const auto id = comment_value(sentence_, "sent_id"); id && id->find('/') != id->npos)
      tell(0, fmt::format("sent_id '{}' has a slash, which parallel treebanks need", *id));
    if (const auto text = comment_value(sentence_, "text"); text && text->ends_with(' '))
      tell(0, "# text ends with a space");
  }

  void check_empty_nodes() const {
    for (const ExtraLine& line : sentence_.extra) {
      if (as_multiword(line)) continue;
      ConllReader::Columns columns;
      columns.fill("_");
      split_columns(line.text, columns);
      if (is_given(columns[6]) || is_given(columns[7]))
        tell(line, fmt::format("empty node {} has a head or a relation", columns[0]));
      if (columns[9].find("SpaceAfter=No") != columns[9].npos)
        tell(line, fmt::format("empty node {} has SpaceAfter=No", columns[0]));
    }
  }

  void check_relation(int word, const Token& token) const {
    const std::string_view universal = std::string_view(token.deprel).substr(0, token.deprel.find(':'));
    if (std::ranges::find(kRelations, universal) == kRelations.end())
      tell(word, fmt::format("unknown relation '{}'", token.deprel));
    else if (!is_relation_name(token.deprel))
      tell(word, fmt::format("'{}' is no relation with a subtype of small letters", token.deprel));
    if (token.head == Token::kNoHead) return;
    if ((token.head == 0) != (universal == "root"))
      tell(word, token.head == 0 ? fmt::format("HEAD is 0 but the relation is '{}'", token.deprel)
                                 : std::string("the relation is 'root' but HEAD is not 0"));
  }

  void check_space_inside_multiword() const {
    for (const ExtraLine& line : sentence_.extra) {
      const auto multiword = as_multiword(line);
      if (!multiword) continue;
      for (int i = multiword->first; i <= std::min(multiword->last, sentence_.size()); ++i)
        if (sentence_.word(i).misc.find("SpaceAfter=No") != std::string::npos)
          tell(i, "SpaceAfter=No belongs to the multiword token, not to its words");
    }
  }

  /// Of a word, or of the sentence as a whole (0).
  long line_of(int word) const {
    if (word == 0) return sentence_.line;
    const auto extra = std::ranges::count_if(sentence_.extra, [&](const ExtraLine& e) { return e.before < word; });
    return sentence_.line + static_cast<long>(sentence_.comments.size()) + extra + word - 1;
  }

  const Sentence& sentence_;
  const std::string& file_;
  const std::function<void(const Problem&)>& report_;
};

}  // namespace

void UdRules::check(const Sentence& sentence, const std::string& file,
                    const std::function<void(const Problem&)>& report) {
  if (level_ < 1) return;
  Checker checker(sentence, file, report);
  if (const auto id = comment_value(sentence, "sent_id"); id && !ids_.emplace(*id).second)
    checker.tell(0, fmt::format("sent_id '{}' is not the first", *id));
  checker.check_file_rules();
  if (level_ >= 2) checker.check_annotation();
}

}  // namespace espalier

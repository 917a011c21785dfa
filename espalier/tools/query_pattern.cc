#include "espalier/tools/query_pattern.h"

#include <algorithm>
#include <cctype>

#include "espalier/base/error.h"
#include "espalier/base/suggest.h"

namespace espalier {
namespace {

constexpr size_t kMostWords = 12;
constexpr std::string_view kColumns[] = {"form", "lemma", "upos", "xpos", "feats", "deprel"};

const std::string& column_of(const Token& token, std::string_view name) {
  if (name == "form") return token.form;
  if (name == "lemma") return token.lemma;
  if (name == "upos") return token.upos;
  if (name == "xpos") return token.xpos;
  if (name == "feats") return token.feats;
  return token.deprel;
}

/// The value of "Number" in "Case=Nom|Number=Sing"; "_" if it is not there.
std::string_view feature_of(std::string_view feats, std::string_view name) {
  while (!feats.empty()) {
    const std::string_view one = feats.substr(0, feats.find('|'));
    if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=')
      return one.substr(name.size() + 1);
    feats.remove_prefix(std::min(one.size() + 1, feats.size()));
  }
  return "_";
}

/// A message for ICU's error in a regular expression, with the character after which it was found.
std::string wrong_expression(UErrorCode error, const UParseError& where) {
  static constexpr std::pair<UErrorCode, std::string_view> kWords[] = {
      {U_REGEX_RULE_SYNTAX, "something is missing or misplaced"},
      {U_REGEX_BAD_ESCAPE_SEQUENCE, "a backslash stands before what it cannot"},
      {U_REGEX_PROPERTY_SYNTAX, "there is no such property of characters"},
      {U_REGEX_UNIMPLEMENTED, "this is not known here"},
      {U_REGEX_MISMATCHED_PAREN, "parentheses do not match"},
      {U_REGEX_NUMBER_TOO_BIG, "a number is too large"},
      {U_REGEX_BAD_INTERVAL, "the numbers in braces are wrong"},
      {U_REGEX_MAX_LT_MIN, "the larger number in braces comes first"},
      {U_REGEX_INVALID_BACK_REF, "it refers to a group that is not there"},
      {U_REGEX_INVALID_FLAG, "there is no such flag"},
      {U_REGEX_LOOK_BEHIND_LIMIT, "what stands in (?<= ) may not be of any length"},
      {U_REGEX_SET_CONTAINS_STRING, "a set in brackets holds a string"},
      {U_REGEX_MISSING_CLOSE_BRACKET, "a ']' is missing"},
      {U_REGEX_INVALID_RANGE, "a range in brackets is the wrong way round"},
  };
  const auto known = std::ranges::find(kWords, error, &std::pair<UErrorCode, std::string_view>::first);
  std::string words(known == std::end(kWords) ? u_errorName(error) : known->second);
  if (where.offset > 0) words += fmt::format(" (at character {})", where.offset);
  return words;
}

/// Where a regular expression that begins at `at` ends: behind its second slash.
size_t end_of_expression(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '/'; ++at)
    if (text[at] == '\\') ++at;
  if (at >= text.size()) throw usage_error("the regular expression in '{}' has no second '/'", text);
  return at + 1;
}

/// Splits at a character, except inside regular expressions.
std::vector<std::string_view> parts_of(std::string_view text, auto is_end) {
  std::vector<std::string_view> parts;
  size_t begin = 0, at = 0;
  while (at < text.size()) {
    if (text[at] == '/' && (at == begin || text[at - 1] == '=' || text[at - 1] == '>' || text[at - 1] == '<')) {
      at = end_of_expression(text, at);
    } else if (is_end(text[at])) {
      parts.push_back(text.substr(begin, at - begin));
      begin = ++at;
    } else {
      ++at;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// Words of the pattern; a ";" is one of its own.
std::vector<std::string_view> pieces_of(std::string_view text) {
  std::vector<std::string_view> pieces;
  for (std::string_view piece :
       parts_of(text, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; })) {
    const bool closes = piece.size() > 1 && piece.ends_with(';') && piece[piece.size() - 2] != '\\';
    if (closes) piece.remove_suffix(1);
    if (!piece.empty()) pieces.push_back(piece);
    if (closes) pieces.push_back(";");
  }
  return pieces;
}

bool is_relation(std::string_view piece) {
  if (piece.starts_with('!')) piece.remove_prefix(1);
  return piece.starts_with('>') || piece.starts_with('<') || piece == "." || piece == "..";
}

WordTest word_test(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == text.npos || equals == 0)
    throw usage_error("'{}' is no condition: it needs a column, = and a value, as in upos=VERB", text);
  WordTest test;
  test.equal = text[equals - 1] != '!';
  test.column = std::string(text.substr(0, test.equal ? equals : equals - 1));
  const bool feature = std::ranges::find(kColumns, test.column) == std::end(kColumns);
  if (feature && (test.column.empty() || !std::isupper(static_cast<unsigned char>(test.column[0]))))
    throw usage_error("there is no column '{}'{}: form, lemma, upos, xpos, feats, deprel, or a feature such as Number",
                      test.column, suggestion(test.column, {std::begin(kColumns), std::end(kColumns)}));
  test.test = TextTest::of(text.substr(equals + 1), false);
  return test;
}

QueryRelation relation_of(std::string_view text) {
  QueryRelation relation;
  const std::string_view all = text;
  if (text.starts_with('!')) relation.negated = true, text.remove_prefix(1);
  for (const auto& [sign, kind] : {std::pair(std::string_view(">>"), QueryRelation::kDescendant),
                                   {"<<", QueryRelation::kAncestor},
                                   {">", QueryRelation::kDependent},
                                   {"<", QueryRelation::kHead},
                                   {"..", QueryRelation::kAfter},
                                   {".", QueryRelation::kNext}}) {
    if (!text.starts_with(sign)) continue;
    relation.kind = kind;
    text.remove_prefix(sign.size());
    if (text.empty()) return relation;
    if (kind != QueryRelation::kDependent && kind != QueryRelation::kHead)
      throw usage_error("'{}': only > and < take a relation", all);
    relation.label = TextTest::of(text, true);
    return relation;
  }
  throw usage_error("'{}' is no relation", all);
}

class PatternParser {
 public:
  explicit PatternParser(std::string_view text) : pieces_(pieces_of(text)) {}

  template <class Pattern>
  Pattern parse() {
    Pattern pattern;
    while (next_ < pieces_.size()) clause(pattern);
    if (pattern.words.empty()) throw usage_error("the pattern is empty; try 'V:upos=VERB >nsubj S >obj O'");
    for (size_t w = 0; w < pattern.words.size(); ++w) {
      const QueryWord& word = pattern.words[w];
      if (!word.positive || word.name.empty()) continue;
      pattern.names.push_back(word.name);
      pattern.places.push_back(static_cast<int>(w));
    }
    for (const QueryRelation& relation : pattern.relations)
      if (!pattern.words[relation.from].positive)
        throw usage_error("'{}' is mentioned only after '!', so that nothing can be asked of it",
                          pattern.words[relation.from].name);
    return pattern;
  }

 private:
  template <class Pattern>
  void clause(Pattern& pattern) {
    if (pieces_[next_] == ";") return void(++next_);
    const int first = word(pattern, false);
    while (next_ < pieces_.size() && pieces_[next_] != ";") {
      if (!is_relation(pieces_[next_]))
        throw usage_error("'{}' must be a relation such as >nsubj: the pattern's words are joined by relations",
                          pieces_[next_]);
      QueryRelation relation = relation_of(pieces_[next_++]);
      relation.from = first;
      relation.to = word(pattern, relation.negated);
      if (relation.from == relation.to) throw usage_error("'{}' is related to itself", pattern.words[first].name);
      pattern.relations.push_back(std::move(relation));
    }
  }

  /// The place of the next word of the text, or, if a relation follows, of a new word without a name.
  template <class Pattern>
  int word(Pattern& pattern, bool negated) {
    std::string name;
    std::vector<WordTest> tests;
    if (next_ < pieces_.size() && pieces_[next_] != ";" && !is_relation(pieces_[next_])) {
      const std::string_view piece = pieces_[next_++];
      const size_t colon = std::min(piece.find(':'), piece.size());
      name = piece.substr(0, colon);
      if (name == "_") name.clear();
      if (name.find_first_of("=/&|!\"") != name.npos)
        throw usage_error("'{}' is no word: conditions follow a colon, as in V:upos=VERB or :upos=VERB", piece);
      if (colon < piece.size())
        for (const std::string_view one : parts_of(piece.substr(colon + 1), [](char c) { return c == '&'; }))
          tests.push_back(word_test(one));
    }
    auto found = name.empty() ? pattern.words.end() : std::ranges::find(pattern.words, name, &QueryWord::name);
    if (found == pattern.words.end()) {
      if (pattern.words.size() == kMostWords) throw usage_error("a pattern has at most {} words", kMostWords);
      found = pattern.words.insert(found, QueryWord{name, {}, false});
    }
    found->positive |= !negated;
    std::ranges::move(tests, std::back_inserter(found->tests));
    return static_cast<int>(found - pattern.words.begin());
  }

  std::vector<std::string_view> pieces_;
  size_t next_ = 0;
};

}  // namespace

TextTest TextTest::of(std::string_view text, bool subtypes) {
  TextTest test;
  test.subtypes_ = subtypes;
  if (text.starts_with('/')) {
    const size_t end = end_of_expression(text, 0);
    const std::string_view flags = text.substr(end), body = text.substr(1, end - 2);
    if (!flags.empty() && flags != "i") throw usage_error("'{}' after the regular expression: only i is known", flags);
    UErrorCode error = U_ZERO_ERROR;
    UParseError where;
    test.expression_.reset(
        icu::RegexPattern::compile(icu::UnicodeString::fromUTF8({body.data(), static_cast<int32_t>(body.size())}),
                                   flags.empty() ? 0u : static_cast<uint32_t>(UREGEX_CASE_INSENSITIVE), where, error));
    if (U_FAILURE(error))
      throw usage_error("'/{}/' is no regular expression: {}", body, wrong_expression(error, where));
    return test;
  }
  for (size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find('|', begin), text.size());
    if (begin == end) throw usage_error("there is no value in '{}'", text);
    test.values_.emplace_back(text.substr(begin, end - begin));
  }
  return test;
}

bool TextTest::operator()(std::string_view text) const {
  if (expression_) {
    const auto unicode = icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
    UErrorCode error = U_ZERO_ERROR;
    const std::unique_ptr<icu::RegexMatcher> matcher(expression_->matcher(unicode, error));
    if (U_FAILURE(error)) throw usage_error("a regular expression failed: {}", u_errorName(error));
    matcher->setTimeLimit(1000, error);  // in steps, so that no expression can hang
    const bool matches = matcher->matches(error);
    if (U_FAILURE(error)) throw usage_error("a regular expression takes too long on '{}'", text);
    return matches;
  }
  if (values_.empty()) return true;
  return std::ranges::any_of(values_, [&](const std::string& value) {
    return text == value ||
           (subtypes_ && text.size() > value.size() && text.starts_with(value) && text[value.size()] == ':');
  });
}

const std::string& TextTest::only() const {
  static const std::string none;
  return values_.size() == 1 ? values_[0] : none;
}

std::string_view Query::value_of(const Token& token, std::string_view column) {
  if (std::ranges::find(kColumns, column) == std::end(kColumns)) return feature_of(token.feats, column);
  return column_of(token, column);
}

bool WordTest::operator()(const Token& token) const { return test(Query::value_of(token, column)) == equal; }

bool QueryWord::operator()(const Token& token) const {
  return std::ranges::all_of(tests, [&](const WordTest& test) { return test(token); });
}

Query::Pattern Query::Pattern::parse(std::string_view text) { return PatternParser(text).parse<Pattern>(); }

}  // namespace espalier

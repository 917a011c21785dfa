#include "espalier/format/treebank/conll_reader.h"

#include <fmt/format.h>

#include <charconv>

namespace espalier {
namespace {

constexpr int kNoNumber = -1;

/// A number as these formats write it: digits alone, no leading zero. Too large a number gives the largest int.
int parse_number(std::string_view text) {
  if (text.empty() || text[0] < '0' || text[0] > '9' || (text[0] == '0' && text.size() > 1)) return kNoNumber;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return kNoNumber;
  return error == std::errc() ? value : std::numeric_limits<int>::max();
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

/// The next element of a vector that is filled from its start; elements of the sentence before are reused.
template <class T>
T& slot(std::vector<T>& items, size_t& used) {
  if (used == items.size()) items.emplace_back();
  return items[used++];
}

constexpr std::array<std::string_view, ConllReader::kColumns> kNamesU = {"ID",    "FORM", "LEMMA",  "UPOS", "XPOS",
                                                                         "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};
constexpr std::array<std::string_view, ConllReader::kColumns> kNamesX = {
    "ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL"};

}  // namespace

size_t split_columns(std::string_view line, ConllReader::Columns& columns) {
  size_t count = 0;
  const char* start = line.data();
  const char* const end = start + line.size();
  for (const char* p = start;; ++p) {
    if (p != end && *p != '\t') continue;
    if (count < columns.size()) columns[count] = {start, static_cast<size_t>(p - start)};
    ++count;
    if (p == end) return count;
    start = p + 1;
  }
}

bool ConllReader::next(Sentence& sentence) {
  while (read_block(sentence)) {
    if (log_.deliver()) return true;
  }
  return false;
}

/// Reads the lines up to an empty one; false if there are none left.
bool ConllReader::read_block(Sentence& sentence) {
  comments_ = words_ = extras_ = 0;
  range_end_ = empty_nodes_ = 0;
  range_line_ = 0;
  word_line_.clear();
  sentence.constituents.clear();
  sentence.line = 0;
  for (std::string_view line; lines_.next(line);) {
    if (is_blank(line)) {
      if (!line.empty()) log_.warn(lines_.number(), 0, "white space in a line that should be empty");
      if (sentence.line > 0) break;
      log_.warn(lines_.number(), 0, "an empty line without a sentence before it");
      continue;
    }
    if (sentence.line == 0) sentence.line = lines_.number();
    read_line(line, sentence);
  }
  if (sentence.line == 0) return false;
  finish(sentence);
  return true;
}

void ConllReader::read_line(std::string_view line, Sentence& sentence) {
  if (const std::string_view problem = text_problem(line); !problem.empty()) {
    log_.bad(lines_.number(), line[0] == '#' ? 0 : static_cast<int>(words_) + 1, std::string(problem));
  }
  if (line[0] == '#') {
    if (words_ == 0 && extras_ == 0) {
      slot(sentence.comments, comments_).assign(line);
    } else {
      log_.bad(lines_.number(), 0, "a comment inside a sentence");
    }
    return;
  }
  const int expected = static_cast<int>(words_) + 1;
  Columns columns;
  const size_t count = split_columns(line, columns);
  if (count != kColumns) {
    const bool spaces = count == 1 && line.find(' ') != std::string_view::npos;
    if (spaces && line[0] >= '0' && line[0] <= '9') {
      log_.bad(lines_.number(), expected, "columns are separated by spaces instead of tabs");
    } else {
      const std::string_view hint = spaces       ? " (raw text is --from text, a sentence a line --from horizontal)"
                                    : count == 1 ? " (a word a line is --from vertical)"
                                                 : "";
      log_.bad(lines_.number(), expected,
               fmt::format("{} column{} instead of {}{}", count, count == 1 ? "" : "s", kColumns, hint));
    }
    for (size_t i = count; i < kColumns; ++i) columns[i] = "_";
  }
  if (columns[1].empty()) log_.bad(lines_.number(), expected, "FORM is empty");
  const std::string_view id = columns[0];
  const size_t digits = std::min(id.find_first_not_of("0123456789"), id.size());
  const int number = parse_number(id.substr(0, digits));
  const char kind = digits < id.size() ? id[digits] : ' ';
  const bool may_have_extra = dialect_ == ConllDialect::kU;
  if (number == kNoNumber || (kind != ' ' && !(may_have_extra && (kind == '-' || kind == '.')))) {
    log_.bad(lines_.number(), expected, fmt::format("ID '{}' is no number", id));
  } else if (kind == '-') {
    read_range(number, id.substr(digits + 1), line, sentence);
  } else if (kind == '.') {
    read_empty_node(number, id.substr(digits + 1), line, sentence);
  } else {
    if (number != expected)
      log_.bad(lines_.number(), expected, fmt::format("ID is {} where {} should be", id, expected));
    read_word(columns, sentence);
  }
}

void ConllReader::read_word(const Columns& columns, Sentence& sentence) {
  Token& token = slot(sentence.tokens, words_);
  word_line_.push_back(lines_.number());
  empty_nodes_ = 0;
  if (log_.warns()) {
    const auto& names = dialect_ == ConllDialect::kU ? kNamesU : kNamesX;
    for (size_t i = 2; i < kColumns; ++i) {
      if (columns[i].empty()) {
        log_.warn(lines_.number(), static_cast<int>(words_), fmt::format("{} is empty (should be _)", names[i]));
      }
    }
  }
  token.form.assign(columns[1]);
  token.lemma.assign(columns[2]);
  token.upos.assign(columns[3]);
  token.xpos.assign(columns[4]);
  token.feats.assign(columns[5]);
  token.head = Token::kNoHead;
  if (columns[6] != "_" && !columns[6].empty()) {
    if (const int head = parse_number(columns[6]); head != kNoNumber) {
      token.head = head;
    } else {
      log_.bad(lines_.number(), static_cast<int>(words_), fmt::format("HEAD '{}' is no number", columns[6]));
    }
  }
  token.deprel.assign(columns[7]);
  if (dialect_ == ConllDialect::kU) {
    token.deps.assign(columns[8]);
    token.misc.assign(columns[9]);
  } else {
    token.deps.assign("_");
    misc_from_projective(columns[8], columns[9], token.misc);
  }
}

/// A multiword token "3-4" stands before its first word and covers words that no other covers.
void ConllReader::read_range(int first, std::string_view last, std::string_view line, Sentence& sentence) {
  const int end = parse_number(last);
  const int expected = static_cast<int>(words_) + 1;
  if (end == kNoNumber || end < first) {
    log_.bad(lines_.number(), expected, fmt::format("the multiword token's range {}-{} is none", first, last));
  } else if (first != expected) {
    log_.bad(lines_.number(), expected,
             fmt::format("multiword token {}-{} does not stand before word {}", first, last, first));
  } else if (first <= range_end_) {
    log_.bad(lines_.number(), expected, fmt::format("multiword token {}-{} overlaps the one before", first, last));
  } else {
    range_end_ = end;
    range_line_ = lines_.number();
  }
  keep_line(line, sentence);
}

/// Empty nodes "5.1", "5.2", ... stand behind word 5; those before the first word have 0.
void ConllReader::read_empty_node(int after, std::string_view minor, std::string_view line, Sentence& sentence) {
  const int words = static_cast<int>(words_);
  ++empty_nodes_;
  if (after != words || parse_number(minor) != empty_nodes_) {
    log_.bad(lines_.number(), words,
             fmt::format("empty node {}.{} where {}.{} should be", after, minor, words, empty_nodes_));
  }
  if (after == words && range_line_ > (word_line_.empty() ? 0 : word_line_.back())) {
    log_.warn(lines_.number(), words, fmt::format("empty node {}.{} belongs before the multiword token", after, minor));
  }
  keep_line(line, sentence);
}

void ConllReader::keep_line(std::string_view line, Sentence& sentence) {
  ExtraLine& extra = slot(sentence.extra, extras_);
  extra.before = static_cast<int>(words_);
  extra.text.assign(line);
}

/// Cuts the vectors to what this sentence has and checks what can only be checked at its end.
void ConllReader::finish(Sentence& sentence) {
  sentence.comments.resize(comments_);
  sentence.tokens.resize(words_);
  sentence.extra.resize(extras_);
  const int n = sentence.size();
  if (n == 0) log_.bad(sentence.line, 0, "a sentence without words");
  if (range_end_ > n) {
    log_.bad(range_line_, n, fmt::format("a multiword token reaches to word {}, past the end", range_end_));
  }
  for (int i = 1; i <= n; ++i) {
    int& head = sentence.word(i).head;
    if (head <= n) continue;
    const int wrong = std::exchange(head, Token::kNoHead);
    log_.bad(word_line_[i - 1], i, fmt::format("HEAD {} is past the end of the sentence", wrong));
  }
  if (log_.warns() && !log_.is_bad()) warn_about_tree(sentence);
}

void ConllReader::warn_about_tree(const Sentence& sentence) {
  bool any_head = false;
  for (const Token& token : sentence.tokens) any_head |= token.head != Token::kNoHead;
  if (!any_head) return;
  for (const TreeProblem& problem : tree_problems(sentence)) {
    log_.warn(word_line_[problem.word - 1], problem.word, problem.message);
  }
}

}  // namespace espalier

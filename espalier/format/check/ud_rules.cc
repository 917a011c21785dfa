#include "espalier/format/check/ud_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "espalier/format/check/ud_columns.h"
#include "espalier/format/treebank/conll_reader.h"

namespace espalier {
namespace {

enum UdColumn : size_t {
  kIdColumn,
  kFormColumn,
  kLemmaColumn,
  kUposColumn,
  kXposColumn,
  kFeatsColumn,
  kHeadColumn,
  kDeprelColumn,
  kDepsColumn,
  kMiscColumn
};

bool has_attribute(std::string_view misc, std::string_view attribute) {
  const auto parts = split_at(misc, '|');
  return std::ranges::find(parts, attribute) != parts.end();
}

/// A line of the sentence that is no comment.
struct UdRow {
  enum Kind { kWord, kMultiword, kEmptyNode } kind;
  long line;
  int word;  // its number; of other rows 0
  ConllReader::Columns columns;
  std::string number, head;  // of a word: what ID and HEAD say

  std::string_view operator[](UdColumn column) const {
    if (kind == kWord && column == kIdColumn) return number;
    return kind == kWord && column == kHeadColumn ? head : columns[column];
  }
};

std::vector<UdRow> ud_rows_of(const Sentence& sentence) {
  std::vector<UdRow> rows;
  long line = sentence.line + static_cast<long>(sentence.comments.size());
  auto extra = sentence.extra.begin();
  for (int i = 1; i <= sentence.size() + 1; ++i) {
    for (; extra != sentence.extra.end() && extra->before < i; ++extra) {
      UdRow& row =
          rows.emplace_back(UdRow{as_multiword(*extra) ? UdRow::kMultiword : UdRow::kEmptyNode, line++, 0, {}, "", ""});
      row.columns.fill("_");
      split_columns(extra->text, row.columns);
    }
    if (i > sentence.size()) break;
    const Token& t = sentence.word(i);
    rows.push_back({UdRow::kWord,
                    line++,
                    i,
                    {"", t.form, t.lemma, t.upos, t.xpos, t.feats, "", t.deprel, t.deps, t.misc},
                    std::to_string(i),
                    t.head == Token::kNoHead ? "_" : std::to_string(t.head)});
  }
  return rows;
}

/// A comment "# key = value", with spaces or without.
struct UdComment {
  std::string_view key, value;
  bool has_value = false;  // there is an equals sign

  explicit UdComment(std::string_view line) {
    const auto skip_spaces = [](std::string_view text) {
      return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
    };
    line = skip_spaces(line.substr(1));
    key = line.substr(0, line.find_first_of(" \t="));
    line = skip_spaces(line.substr(key.size()));
    has_value = line.starts_with('=');
    if (has_value) value = skip_spaces(line.substr(1));
  }
};

/// "news/s12", "news/s12/alt1part2"
bool is_parallel_id(std::string_view id) {
  const auto parts = split_at(id, '/');
  const auto made_of = [](std::string_view text, std::string_view characters) {
    return !text.empty() && text.find_first_not_of(characters) == text.npos;
  };
  constexpr std::string_view kSmall = "abcdefghijklmnopqrstuvwxyz", kAll = "-0123456789abcdefghijklmnopqrstuvwxyz";
  if (parts.size() < 2 || parts.size() > 3 || !made_of(parts[0], kSmall) || !made_of(parts[1], kAll)) return false;
  if (parts.size() == 2) return true;
  std::string_view rest = parts[2];
  for (const std::string_view name : {"alt", "part"}) {
    if (!rest.starts_with(name)) continue;
    const std::string_view digits = rest.substr(name.size());
    const size_t end = std::min(digits.find_first_not_of("0123456789"), digits.size());
    if (end == 0 || digits[0] == '0') return false;
    rest = digits.substr(end);
  }
  return rest.empty() && !parts[2].empty();
}

/// One sentence's rules.
class UdChecker {
 public:
  UdChecker(const Sentence& sentence, const std::string& file, const UdRules::Report& report)
      : sentence_(sentence), file_(file), report_(report), rows_(ud_rows_of(sentence)) {}

  /// `no_space_before`: the previous sentence ends with SpaceAfter=No.
  void check_file_rules(bool no_space_before) {
    check_comments(no_space_before);
    for (const UdRow& row : rows_) {
      check_characters(row);
      if (row.kind != UdRow::kMultiword) continue;
      for (const UdColumn column :
           {kLemmaColumn, kUposColumn, kXposColumn, kFeatsColumn, kHeadColumn, kDeprelColumn, kDepsColumn})
        if (row[column] != "_" && !row[column].empty() && !(column == kFeatsColumn && row[column] == "Typo=Yes")) {
          tell(row, fmt::format("multiword token {} is annotated", row[kIdColumn]));
          break;
        }
    }
    check_text();
  }

  void check_annotation() {
    std::set<NodeId> nodes = {{0, 0}};
    for (const UdRow& row : rows_)
      if (NodeId id; row.kind != UdRow::kMultiword && parse_node(row[kIdColumn], id)) nodes.insert(id);
    for (const UdRow& row : rows_) {
      if (is_given(row[kMiscColumn])) tell(row, problem_of_misc(row[kMiscColumn]));
      if (row.kind == UdRow::kMultiword) continue;
      if (is_given(row[kUposColumn])) tell(row, problem_of_upos(row[kUposColumn]));
      if (is_given(row[kFeatsColumn])) tell(row, problem_of_features(row[kFeatsColumn]));
      if (row.kind == UdRow::kWord && is_given(row[kDeprelColumn])) check_relation(row);
      if (row.kind == UdRow::kEmptyNode) check_empty_node(row);
      if (is_given(row[kDepsColumn])) check_deps(row, nodes);
    }
    check_space_inside_multiword();
    check_graph(nodes);
  }

  /// Whether the sentence has enhanced dependencies.
  bool is_enhanced() const {
    return std::ranges::any_of(rows_, [](const UdRow& row) {
      return row.kind == UdRow::kEmptyNode || (row.kind == UdRow::kWord && is_given(row[kDepsColumn]));
    });
  }
  bool ends_without_space() const {
    for (size_t i = rows_.size(); i-- > 0;)
      if (is_surface(rows_[i])) return has_attribute(rows_[i][kMiscColumn], "SpaceAfter=No");
    return false;
  }

  void tell_comment(size_t comment, std::string message) const {
    report_({file_, sentence_.line + static_cast<long>(comment), 0, std::move(message)});
  }

 private:
  void tell(const UdRow& row, std::string message) const {
    if (!message.empty()) report_({file_, row.line, row.word, std::move(message)});
  }

  void check_characters(const UdRow& row) const {
    constexpr std::array<std::string_view, 10> kNames = {"ID",    "FORM", "LEMMA",  "UPOS", "XPOS",
                                                         "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};
    for (size_t i = 0; i < row.columns.size(); ++i) {
      const std::string_view column = row[static_cast<UdColumn>(i)];
      const bool takes_spaces =
          i == kMiscColumn || (row.kind != UdRow::kMultiword && (i == kFormColumn || i == kLemmaColumn));
      if (column.empty() && row.kind != UdRow::kWord)
        tell(row, fmt::format("{} is empty (should be _)", kNames[i]));
      else if (takes_spaces ? has_odd_spaces(column) : has_space(column))
        tell(row,
             fmt::format("'{}' has {}", column, takes_spaces ? "spaces around it or two in a row" : "a space in it"));
      if (!is_composed(column)) tell(row, fmt::format("'{}' is not normalized (NFC)", column));
    }
  }

  void check_comments(bool no_space_before) const {
    std::map<std::string_view, int> seen;
    for (size_t i = 0; i < sentence_.comments.size(); ++i) {
      const std::string& line = sentence_.comments[i];
      const UdComment comment(line);
      if (!is_composed(line)) tell_comment(i, "the comment is not normalized (NFC)");
      const bool begins = comment.key == "newdoc" || comment.key == "newpar";
      if (begins && no_space_before)
        tell_comment(i, fmt::format("{} begins where the sentence before says SpaceAfter=No", comment.key));
      const bool has_value =
          comment.has_value && (comment.key == "sent_id" || comment.key == "text" || comment.key == "parallel_id");
      if ((begins || has_value) && ++seen[comment.key] == 2)
        tell_comment(i, fmt::format("'# {}' is there more than once", comment.key));
      if (comment.key == "sent_id" && (comment.value.empty() || has_space(comment.value)))
        tell_comment(i, fmt::format("'{}' should be '# sent_id = ID', without spaces in it", line));
      else if (comment.key == "sent_id" && comment.value.find('/') != comment.value.npos)
        tell_comment(i, fmt::format("sent_id '{}' has a slash, which parallel treebanks need", comment.value));
      if (comment.key == "parallel_id" && !is_parallel_id(comment.value))
        tell_comment(i, fmt::format("'{}' should be '# parallel_id = corpus/sentence'", line));
      if (comment.key == "text" && has_value && comment.value.empty()) tell_comment(i, "# text is empty");
      if (comment.key == "text" && ends_with_space(comment.value)) tell_comment(i, "# text ends with a space");
    }
  }

  /// Whether the row is written text: a multiword token, or a word that is not part of one.
  bool is_surface(const UdRow& row) const {
    if (row.kind != UdRow::kWord) return row.kind == UdRow::kMultiword;
    return std::ranges::none_of(sentence_.extra, [&](const ExtraLine& line) {
      const auto multiword = as_multiword(line);
      return multiword && multiword->first <= row.word && row.word <= multiword->last;
    });
  }

  /// The words must add up to the text, with a space after each word without SpaceAfter=No.
  void check_text() const {
    const auto texts = std::ranges::count_if(sentence_.comments, [](const std::string& line) {
      const UdComment comment(line);
      return comment.key == "text" && comment.has_value;
    });
    if (texts != 1) return;
    std::string_view text;
    size_t where = 0;
    for (size_t i = 0; i < sentence_.comments.size(); ++i)
      if (const UdComment comment(sentence_.comments[i]); comment.key == "text") text = comment.value, where = i;
    if (text.empty()) return;
    for (const UdRow& row : rows_) {
      if (!is_surface(row)) continue;
      if (!text.starts_with(row[kFormColumn])) {
        tell(row, fmt::format("# text is not what the words make: it goes on with '{}'", beginning(text)));
        return;
      }
      text.remove_prefix(row[kFormColumn].size());
      if (has_attribute(row[kMiscColumn], "SpaceAfter=No")) continue;
      if (!text.empty() && !begins_with_space(text))
        tell(row, fmt::format("no space follows '{}' in # text, but SpaceAfter=No is missing", row[kFormColumn]));
      while (begins_with_space(text)) remove_character(text);
    }
    if (!text.empty()) tell_comment(where, fmt::format("# text is longer than the words: '{}'", beginning(text)));
  }
  static void remove_character(std::string_view& text) {
    do text.remove_prefix(1);
    while (!text.empty() && (static_cast<unsigned char>(text[0]) & 0xc0) == 0x80);
  }
  static std::string beginning(std::string_view text) {
    constexpr int kShown = 20;
    std::string_view rest = text;
    for (int i = 0; i < kShown && !rest.empty(); ++i) remove_character(rest);
    return std::string(text.substr(0, text.size() - rest.size())) + (rest.empty() ? "" : "…");
  }

  void check_empty_node(const UdRow& row) const {
    if (is_given(row[kHeadColumn]) || is_given(row[kDeprelColumn]))
      tell(row, fmt::format("empty node {} has a head or a relation", row[kIdColumn]));
    if (row[kMiscColumn].find("SpaceAfter=No") != std::string_view::npos)
      tell(row, fmt::format("empty node {} has SpaceAfter=No", row[kIdColumn]));
  }

  void check_relation(const UdRow& row) const {
    const std::string_view deprel = row[kDeprelColumn];
    tell(row, problem_of_relation(deprel));
    if (!is_given(row[kHeadColumn])) return;
    const bool is_root = deprel.substr(0, deprel.find(':')) == "root";
    if ((row[kHeadColumn] == "0") != is_root)
      tell(row, row[kHeadColumn] == "0" ? fmt::format("HEAD is 0 but the relation is '{}'", deprel)
                                        : std::string("the relation is 'root' but HEAD is not 0"));
  }

  void check_deps(const UdRow& row, const std::set<NodeId>& nodes) {
    NodeId id;
    parse_node(row[kIdColumn], id);
    tell(row, problem_of_deps(
                  row[kDepsColumn], id, [&](NodeId head) { return nodes.contains(head); }, arcs_));
    readable_graph_ = readable_graph_ && arcs_.size() == split_at(row[kDepsColumn], '|').size() &&
                      std::ranges::all_of(arcs_, [&](const EnhancedArc& arc) { return nodes.contains(arc.head); });
    for (const EnhancedArc& arc : arcs_) children_[arc.head].push_back(id);
  }

  void check_space_inside_multiword() const {
    for (const UdRow& row : rows_)
      if (row.kind == UdRow::kWord && !is_surface(row) &&
          row[kMiscColumn].find("SpaceAfter=No") != std::string_view::npos)
        tell(row, "SpaceAfter=No belongs to the multiword token, not to its words");
  }

  /// From the root every node of an enhanced graph must be reached.
  void check_graph(std::set<NodeId> missing) {
    if (!is_enhanced() || !readable_graph_) return;
    std::vector<NodeId> todo = {{0, 0}};
    missing.erase({0, 0});
    while (!todo.empty()) {
      const NodeId node = todo.back();
      todo.pop_back();
      for (const NodeId& child : children_[node])
        if (missing.erase(child)) todo.push_back(child);
    }
    if (missing.empty()) return;
    for (const UdRow& row : rows_)
      if (NodeId id; row.kind != UdRow::kMultiword && parse_node(row[kIdColumn], id) && id == *missing.begin())
        tell(row, "the root of the graph in DEPS does not lead here");
  }

  const Sentence& sentence_;
  const std::string& file_;
  const UdRules::Report& report_;
  std::vector<UdRow> rows_;
  std::vector<EnhancedArc> arcs_;
  std::map<NodeId, std::vector<NodeId>> children_;  // in the enhanced graph
  bool readable_graph_ = true;
};

}  // namespace

void UdRules::check(const Sentence& sentence, const std::string& file, const Report& report) {
  if (level_ < 1) return;
  UdChecker checker(sentence, file, report);
  for (size_t i = 0; i < sentence.comments.size(); ++i) {
    const UdComment comment(sentence.comments[i]);
    for (const auto& [key, seen] : {std::pair("sent_id", &ids_), {"parallel_id", &parallel_ids_}})
      if (comment.key == key && !comment.value.empty() && !seen->emplace(comment.value).second)
        checker.tell_comment(i, fmt::format("{} '{}' is not the first", key, comment.value));
  }
  checker.check_file_rules(no_space_before_);
  no_space_before_ = checker.ends_without_space();
  if (level_ >= 2) checker.check_annotation();
  count(sentence);
  enhanced_.add(checker.is_enhanced(), sentence.line);
}

void UdRules::count(const Sentence& sentence) {
  const auto has = [&](std::string_view key) {
    return std::ranges::any_of(sentence.comments, [&](const std::string& line) { return UdComment(line).key == key; });
  };
  sent_id_.add(has("sent_id"), sentence.line);
  text_.add(has("text"), sentence.line);
  for (const UdRow& row : ud_rows_of(sentence)) {
    if (row.kind != UdRow::kWord) continue;
    upos_.add(is_given(row[kUposColumn]), row.line);
    if (is_given(row[kHeadColumn])) deprel_.add(is_given(row[kDeprelColumn]), row.line);
  }
}

void UdRules::finish(const std::string& file, const Report& report) const {
  const auto tell = [&](const Tally& tally, std::string_view what, std::string_view of) {
    if (tally.given == 0 || tally.missing == 0) return;
    const long more = tally.missing - 1;
    const std::string others = more == 0 ? "" : fmt::format(", nor in {} other {}{}", more, of, more == 1 ? "" : "s");
    report({file, tally.first_missing, 0, fmt::format("there is no {} here{}", what, others)});
  };
  if (level_ >= 1) {
    tell(sent_id_, "sent_id", "sentence");
    tell(text_, "text", "sentence");
  }
  if (level_ >= 2) {
    tell(upos_, "UPOS", "word");
    tell(deprel_, "relation", "word");
    tell(enhanced_, "enhanced dependency (DEPS)", "sentence");
  }
}

}  // namespace espalier

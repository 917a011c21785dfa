// Writes JSON lines: one sentence per line, in version 2 of the form that docs/espalier.schema.json defines
// and docs/formats.md explains. It holds all that other formats do: FEATS and MISC as objects, places in the
// text, multiword tokens and empty nodes among the tokens, a k-best list as a list. A column that could not
// be restored byte for byte stays a string. Tested by json_test.cc, tests/data_test.cc and
// scripts/check/json.
#include <unicode/utf8.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "espalier/format/brackets.h"
#include "espalier/format/formats.h"
#include "espalier/format/text/word_places.h"
#include "espalier/format/treebank/conll_reader.h"

namespace espalier {
namespace {

/// Puts a JSON object together; texts that are no UTF-8 get U+FFFD.
class JsonText {
 public:
  explicit JsonText(std::string& out) : out_(out) {}

  void open(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
  }
  void close(char bracket) {
    out_ += bracket;
    first_ = false;
  }
  void key(std::string_view name) {
    separate();
    quote(name);
    out_ += ':';
    first_ = true;  // its value follows without a comma
  }
  void text(std::string_view value) {
    separate();
    quote(value);
  }
  void raw(std::string_view value) {
    separate();
    out_ += value;
  }
  void number(size_t value) { raw(fmt::format_int(value)); }
  void number(double value) { raw(std::isfinite(value) ? fmt::format("{:.6g}", value) : "null"); }

 private:
  void raw(const fmt::format_int& number) { raw(std::string_view(number.data(), number.size())); }
  void separate() {
    if (!std::exchange(first_, false)) out_ += ',';
  }
  void quote(std::string_view text) {
    out_ += '"';
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
    const auto size = static_cast<int64_t>(text.size());
    for (int64_t i = 0; i < size;) {
      const int64_t begin = i;
      UChar32 c;
      U8_NEXT(bytes, i, size, c);
      if (c < 0) {
        out_ += "\uFFFD";
      } else if (c < 0x20) {
        out_ += fmt::format("\\u{:04x}", c);
      } else {
        if (c == '"' || c == '\\') out_ += '\\';
        out_.append(text.substr(static_cast<size_t>(begin), static_cast<size_t>(i - begin)));
      }
    }
    out_ += '"';
  }

  std::string& out_;
  bool first_ = true;  // nothing to separate from
};

/// Calls visit with each part of "a|b|c".
template <class Visit>
void for_each_part(std::string_view list, Visit visit) {
  for (size_t begin = 0, end = 0; begin <= list.size(); begin = end + 1) {
    end = std::min(list.find('|', begin), list.size());
    visit(list.substr(begin, end - begin));
  }
}

/// A number as CoNLL-U writes it, so that it comes back the same.
bool is_number(std::string_view text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  return digits && text.size() < 10 && (text[0] != '0' || text.size() == 1);
}

class SentenceJson {
 public:
  SentenceJson(const Sentence& sentence, std::string& out) : sentence_(sentence), json_(out) {}

  void write(std::span<const ScoredAnalysis> list) {
    const std::string text = surface_text(sentence_);
    json_.open('{');
    json_.key("version");
    json_.number(size_t{kJsonVersion});
    if (const auto id = comment_value(sentence_, "sent_id")) write_text("id", *id);
    write_text("text", text);
    if (list.empty()) {
      write_number("score", comment_value(sentence_, "score"));
    } else {
      json_.key("score");
      json_.number(list[0].score);
    }
    write_number("confidence", comment_value(sentence_, "confidence"));
    json_.key("comments");
    json_.open('[');
    for (const std::string& comment : sentence_.comments) json_.text(comment);
    json_.close(']');
    write_tokens(text);
    if (!sentence_.constituents.empty()) write_tree(sentence_);
    if (!list.empty()) write_list(list);
    json_.close('}');
  }

 private:
  void write_text(std::string_view key, std::string_view value) {
    json_.key(key);
    json_.text(value);
  }
  void write_number(std::string_view key, const std::optional<std::string_view>& value) {
    double number = 0;
    if (!value || std::from_chars(value->data(), value->data() + value->size(), number).ec != std::errc()) return;
    json_.key(key);
    json_.number(number);
  }
  void write_column(std::string_view key, std::string_view value) {
    if (is_given(value)) write_text(key, value);
  }

  void write_tokens(std::string_view text) {
    // A multiword token stands where its first word does.
    const auto places = in_characters(text, word_places(text, {&sentence_, 1})[0]);
    json_.key("tokens");
    json_.open('[');
    auto extra = sentence_.extra.begin();
    for (size_t i = 0; i <= places.size(); ++i) {
      for (; extra != sentence_.extra.end() && static_cast<size_t>(extra->before) <= i; ++extra)
        write_extra(extra->text, as_multiword(*extra) && i < places.size() ? places[i] : TextSpan{});
      if (i < places.size()) write_word(i + 1, sentence_.tokens[i], places[i]);
    }
    json_.close(']');
  }

  void write_word(size_t id, const Token& token, const TextSpan& place) {
    json_.open('{');
    json_.key("id");
    json_.number(id);
    write_text("form", token.form.empty() ? "_" : token.form);
    write_column("lemma", token.lemma);
    write_column("upos", token.upos);
    write_column("xpos", token.xpos);
    write_pairs("feats", token.feats);
    if (token.head != Token::kNoHead) {
      json_.key("head");
      json_.number(static_cast<size_t>(token.head));
    }
    write_column("deprel", token.deprel);
    write_deps(token.deps);
    write_pairs("misc", token.misc);
    write_place(place);
    json_.close('}');
  }

  /// A multiword token or an empty node. Its line has ten columns, as readers see to.
  void write_extra(std::string_view line, const TextSpan& place) {
    ConllReader::Columns columns;
    columns.fill("_");
    split_columns(line, columns);
    json_.open('{');
    write_text("id", columns[0]);
    write_text("form", columns[1].empty() ? "_" : columns[1]);
    write_column("lemma", columns[2]);
    write_column("upos", columns[3]);
    write_column("xpos", columns[4]);
    write_pairs("feats", columns[5]);
    write_column("head", columns[6]);
    write_column("deprel", columns[7]);
    write_deps(columns[8]);
    write_pairs("misc", columns[9]);
    write_place(place);
    json_.close('}');
  }

  /// "Case=Nom|Foreign" as {"Case":"Nom","Foreign":null}, if no name is there twice.
  void write_pairs(std::string_view key, std::string_view column) {
    if (!is_given(column)) return;
    names_.clear();
    for_each_part(column, [&](std::string_view part) { names_.push_back(part.substr(0, part.find('='))); });
    std::ranges::sort(names_);
    if (std::ranges::adjacent_find(names_) != names_.end()) return write_text(key, column);
    json_.key(key);
    json_.open('{');
    std::string_view confidence;
    for_each_part(column, [&](std::string_view part) {
      const size_t equals = part.find('=');
      json_.key(part.substr(0, equals));
      if (equals == std::string_view::npos) return json_.raw("null");
      json_.text(part.substr(equals + 1));
      if (part.starts_with("Confidence=")) confidence = part.substr(equals + 1);
    });
    json_.close('}');
    if (key == "misc" && !confidence.empty()) write_number("confidence", confidence);
  }

  /// "2:nsubj|5.1:obj" as [{"head":2,"deprel":"nsubj"},{"head":"5.1","deprel":"obj"}].
  void write_deps(std::string_view column) {
    if (!is_given(column)) return;
    bool all = true;  // are pairs
    for_each_part(column, [&](std::string_view part) { all &= part.find(':') != std::string_view::npos; });
    if (!all) return write_text("deps", column);
    json_.key("deps");
    json_.open('[');
    for_each_part(column, [&](std::string_view part) {
      const std::string_view head = part.substr(0, part.find(':'));
      json_.open('{');
      if (is_number(head)) {
        json_.key("head");
        json_.raw(head);
      } else {
        write_text("head", head);
      }
      write_text("deprel", part.substr(head.size() + 1));
      json_.close('}');
    });
    json_.close(']');
  }

  void write_place(const TextSpan& place) {
    if (place.begin == place.end) return;
    json_.key("start");
    json_.number(place.begin);
    json_.key("end");
    json_.number(place.end);
  }

  void write_tree(const Sentence& sentence) {
    std::string brackets;
    append_brackets(sentence, brackets);
    write_text("constituents", brackets);
  }

  void write_list(std::span<const ScoredAnalysis> list) {
    json_.key("kbest");
    json_.open('[');
    for (const auto& [score, analysis, scores] : list) {
      json_.open('{');
      json_.key("score");
      json_.number(score);
      if (!scores.empty()) {
        json_.key("scores");
        json_.open('{');
        for (const auto& [name, part] : scores) {
          json_.key(name);
          json_.number(part);
        }
        json_.close('}');
      }
      write_analysis(analysis);
      json_.close('}');
    }
    json_.close(']');
  }

  /// The columns that the analysis has, each as a list with an entry for every word.
  void write_analysis(const Analysis& analysis) {
    if (!analysis.heads.empty()) {
      json_.key("heads");
      json_.open('[');
      for (size_t i = 1; i < analysis.heads.size(); ++i) {
        const int head = analysis.heads[i];
        head == Token::kNoHead ? json_.raw("null") : json_.number(static_cast<size_t>(head));
      }
      json_.close(']');
    }
    const auto column = [&](std::string_view key, const std::vector<std::string>& values) {
      if (values.empty()) return;
      json_.key(key);
      json_.open('[');
      for (size_t i = 1; i < values.size(); ++i) json_.text(values[i]);
      json_.close(']');
    };
    column("deprels", analysis.deprels);
    column("upos", analysis.upos);
    column("xpos", analysis.xpos);
    column("feats", analysis.feats);
    column("lemmas", analysis.lemmas);
    if (analysis.constituents.empty()) return;
    Sentence copy = sentence_;
    annotate(copy, analysis);
    write_tree(copy);
  }

  const Sentence& sentence_;
  JsonText json_;
  std::vector<std::string_view> names_;
};

class JsonWriter final : public BufferedWriter {
 public:
  using BufferedWriter::BufferedWriter;
  void write_list(const Sentence& sentence, std::span<const ScoredAnalysis> list) override {
    list_ = list;
    write(sentence);
    list_ = {};
  }

 private:
  void append(const Sentence& sentence, std::string& out) override {
    SentenceJson(sentence, out).write(list_);
    out += '\n';
  }

  std::span<const ScoredAnalysis> list_;
};

}  // namespace

std::unique_ptr<Writer> make_json_writer(std::ostream& output) { return std::make_unique<JsonWriter>(output); }

}  // namespace espalier

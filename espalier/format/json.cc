// JSON lines, one sentence per line: {"comments": ["# text = Dogs bark"], "tokens": [{"form": "Dogs", "lemma": "dog",
// "upos": "NOUN", "xpos": "NNS", "feats": "Number=Plur", "head": 2, "deprel": "nsubj", "deps": "2:nsubj",
// "misc": "SpaceAfter=No"}, ...], "extra": [{"before": 0, "line": "1-2\tdu\t..."}], "tree": "(ROOT ...)"}.
// Only "form" is required; what a sentence does not say is left out: columns that are "_", "head" where there is none,
// empty lists. "extra" are the lines of CoNLL-U that are no words, each before the word with that index, from 0; "tree"
// is the phrase-structure tree in brackets. Unknown keys are ignored, so that a program may add its own.
// Lossless for all other formats. Tested by json_test.cc and fuzz/json_fuzz.cc.
#include <nlohmann/json.hpp>

#include <sstream>

#include "espalier/format/brackets.h"
#include "espalier/format/formats.h"
#include "espalier/format/line_reader.h"
#include "espalier/format/problem_log.h"

namespace espalier {
namespace {

using nlohmann::json;

struct Column {
  const char* name;
  std::string Token::*member;
};
constexpr Column kColumns[] = {{"form", &Token::form}, {"lemma", &Token::lemma}, {"upos", &Token::upos},
                               {"xpos", &Token::xpos}, {"feats", &Token::feats}, {"deprel", &Token::deprel},
                               {"deps", &Token::deps}, {"misc", &Token::misc}};

/// Text that would break the lines and columns of other formats does not come in.
std::string checked_text(const json& value, std::string_view what) {
  if (!value.is_string()) throw std::invalid_argument(fmt::format("{} is no string", what));
  const auto& text = value.get_ref<const std::string&>();
  if (text.find_first_of(std::string_view("\t\n\r\0", 4)) != std::string::npos) {
    throw std::invalid_argument(fmt::format("{} holds a tab, a line end or a NUL", what));
  }
  return text;
}

const json* find(const json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() || it->is_null() ? nullptr : &*it;
}

const json& checked_list(const json& value, std::string_view what) {
  if (!value.is_array()) throw std::invalid_argument(fmt::format("{} is no list", what));
  return value;
}

Token read_token(const json& object, int words) {
  if (!object.is_object()) throw std::invalid_argument("is no object");
  Token token;
  for (const auto& [name, member] : kColumns) {
    const json* value = find(object, name);
    if (!value) continue;
    token.*member = checked_text(*value, name);
    if ((token.*member).empty()) token.*member = "_";
  }
  if (!find(object, "form") || object["form"] == "") throw std::invalid_argument("has no \"form\"");
  if (const json* head = find(object, "head")) {
    if (!head->is_number_integer()) throw std::invalid_argument("\"head\" is no whole number");
    const bool inside = *head >= 0 && *head <= words;
    if (!inside) throw std::invalid_argument(fmt::format("HEAD {} is past the end of the sentence", head->dump()));
    token.head = head->get<int>();
  }
  return token;
}

/// The extra lines must be what the CoNLL-U reader takes: ask it.
void check_extra(const Sentence& sentence) {
  std::stringstream conllu;
  make_conllu_writer(conllu)->write(sentence);
  Sentence copy;
  try {
    make_conllu_reader(conllu, {})->next(copy);
  } catch (const Error& error) {
    throw std::invalid_argument(fmt::format("\"extra\" does not fit the words, as CoNLL-U: {}", error.what()));
  }
  if (copy.extra != sentence.extra) throw std::invalid_argument("\"extra\" does not fit the words");
}

void read_tree(const std::string& brackets, Sentence& sentence) {
  Sentence tree;
  BracketParser parser;
  std::string_view rest = brackets;
  const auto report = [](const std::string& message) { throw std::invalid_argument("\"tree\": " + message); };
  const bool complete = parser.feed(rest, tree, report);
  if (!complete || rest.find_first_not_of(' ') != std::string_view::npos) {
    throw std::invalid_argument("\"tree\" is not one bracketed tree");
  }
  if (tree.size() != sentence.size()) {
    throw std::invalid_argument(fmt::format("\"tree\" has {} words, \"tokens\" {}", tree.size(), sentence.size()));
  }
  sentence.constituents = std::move(tree.constituents);
}

class JsonReader final : public Reader {
 public:
  JsonReader(std::istream& input, ReaderOptions options) : lines_(input, options.name), log_(std::move(options)) {}

  bool ready() const override { return lines_.ready(); }
  bool next(Sentence& sentence) override {
    for (std::string_view line; lines_.next(line);) {
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      sentence.clear();
      sentence.line = lines_.number();
      read(line, sentence);
      if (log_.deliver()) return true;
    }
    return false;
  }

 private:
  void read(std::string_view line, Sentence& sentence) {
    int token = 0;  // being read, for the message
    try {
      const json object = json::parse(line);
      if (!object.is_object()) throw std::invalid_argument("a line that is no JSON object");
      if (const json* comments = find(object, "comments")) {
        for (const json& comment : checked_list(*comments, "\"comments\"")) {
          sentence.comments.push_back(checked_text(comment, "a comment"));
          if (!sentence.comments.back().starts_with('#')) throw std::invalid_argument("a comment without '#'");
        }
      }
      if (const json* tokens = find(object, "tokens")) {
        const int words = static_cast<int>(checked_list(*tokens, "\"tokens\"").size());
        for (const json& entry : *tokens) {
          ++token;
          sentence.tokens.push_back(read_token(entry, words));
        }
        token = 0;
      }
      if (const json* tree = find(object, "tree")) read_tree(checked_text(*tree, "\"tree\""), sentence);
      if (sentence.tokens.empty() && sentence.constituents.empty()) {
        throw std::invalid_argument("a sentence without words");
      }
      if (const json* extra = find(object, "extra")) read_extra(*extra, sentence);
    } catch (const json::exception& error) {
      give_up(sentence, token, fmt::format("not JSON: {}", error.what()));
    } catch (const std::invalid_argument& error) {
      give_up(sentence, token, error.what());
    }
  }

  /// Leaves of the sentence what stands for itself.
  void give_up(Sentence& sentence, int token, std::string message) {
    sentence.extra.clear();
    sentence.constituents.clear();
    for (Token& word : sentence.tokens) word.head = Token::kNoHead;
    log_.bad(sentence.line, token, std::move(message));
  }

  static void read_extra(const json& list, Sentence& sentence) {
    for (const json& entry : checked_list(list, "\"extra\"")) {
      const json* before = entry.is_object() ? find(entry, "before") : nullptr;
      const json* line = entry.is_object() ? find(entry, "line") : nullptr;
      if (!before || !before->is_number_integer() || !line || !line->is_string()) {
        throw std::invalid_argument("an entry of \"extra\" without \"before\" and \"line\"");
      }
      const int least = sentence.extra.empty() ? 0 : sentence.extra.back().before;
      if (!(*before >= least && *before <= sentence.size())) throw std::invalid_argument("\"before\" is out of order");
      sentence.extra.push_back({before->get<int>(), line->get<std::string>()});
    }
    if (!sentence.extra.empty()) check_extra(sentence);
  }

  LineReader lines_;
  ProblemLog log_;
};

class JsonWriter final : public BufferedWriter {
 public:
  using BufferedWriter::BufferedWriter;

 private:
  void append(const Sentence& sentence, std::string& out) override {
    using nlohmann::ordered_json;
    ordered_json object;
    if (!sentence.comments.empty()) object["comments"] = sentence.comments;
    ordered_json& tokens = object["tokens"] = ordered_json::array();
    for (const Token& token : sentence.tokens) {
      ordered_json& entry = tokens.emplace_back(ordered_json::object());
      for (const auto& [name, member] : kColumns) {
        const std::string& text = token.*member;
        if (member == &Token::deprel && token.head != Token::kNoHead) entry["head"] = token.head;
        if (member == &Token::form || (text != "_" && !text.empty())) entry[name] = text.empty() ? "_" : text;
      }
    }
    for (const ExtraLine& extra : sentence.extra) {
      object["extra"].push_back(ordered_json{{"before", extra.before}, {"line", extra.text}});
    }
    if (!sentence.constituents.empty()) {
      std::string brackets;
      append_brackets(sentence, brackets);
      object["tree"] = std::move(brackets);
    }
    out += object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    out += '\n';
  }
};

}  // namespace

std::unique_ptr<Reader> make_json_reader(std::istream& input, ReaderOptions options) {
  return std::make_unique<JsonReader>(input, std::move(options));
}
std::unique_ptr<Writer> make_json_writer(std::ostream& output) { return std::make_unique<JsonWriter>(output); }

}  // namespace espalier

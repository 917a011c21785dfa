// Reads JSON lines, one sentence per line, of json_writer.cc or of other programs: a token needs
// only "form", a sentence only "tokens". In version 1, which is no longer written, FEATS, DEPS and
// MISC are strings, multiword tokens and empty nodes stand in "extra", each with the index, from
// 0, of the word that follows, and "constituents" is called "tree". Unknown keys are ignored, and
// so are keys that repeat others: places, scores, lists. Tested by json_test.cc and
// fuzz/json_fuzz.cc.
#include <nlohmann/json.hpp>

#include <sstream>

#include "espalier/base/json_text.h"
#include "espalier/format/brackets.h"
#include "espalier/format/formats.h"
#include "espalier/format/line_reader.h"
#include "espalier/format/problem_log.h"

namespace espalier {
namespace {

using json = nlohmann::ordered_json;  // FEATS and MISC keep their order

/// Throws if the text has line ends or tabs, which other formats cannot hold.
const std::string& checked_text(const json& value, std::string_view what) {
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

std::string plain_column(const json& value, std::string_view name) { return checked_text(value, name); }

/// {"Case":"Nom","Foreign":null} is "Case=Nom|Foreign".
std::string pairs_column(const json& value, std::string_view name) {
  if (!value.is_object()) return checked_text(value, name);
  std::string column;
  for (const auto& [key, entry] : value.items()) {
    column.append("|").append(checked_text(key, name));  // the first name may be empty
    if (!entry.is_null()) column.append("=").append(checked_text(entry, name));
  }
  return column.empty() ? column : column.substr(1);
}

/// A number, or the text that stands for it in CoNLL-U.
std::string number_column(const json& value, std::string_view name) {
  return value.is_number_integer() ? json_text(value) : checked_text(value, name);
}

/// [{"head":2,"deprel":"nsubj"}] is "2:nsubj".
std::string deps_column(const json& value, std::string_view name) {
  if (!value.is_array()) return checked_text(value, name);
  std::string column;
  for (const json& entry : value) {
    const json* head = entry.is_object() ? find(entry, "head") : nullptr;
    const json* deprel = entry.is_object() ? find(entry, "deprel") : nullptr;
    if (!head || !deprel) throw std::invalid_argument("an entry of \"deps\" without \"head\" and \"deprel\"");
    if (!column.empty()) column += '|';
    column.append(number_column(*head, "head")).append(":").append(checked_text(*deprel, "deprel"));
  }
  return column;
}

struct Column {
  const char* name;
  std::string Token::*member;
  std::string (*read)(const json& value, std::string_view name);
};
constexpr Column kColumns[] = {{"form", &Token::form, plain_column},   {"lemma", &Token::lemma, plain_column},
                               {"upos", &Token::upos, plain_column},   {"xpos", &Token::xpos, plain_column},
                               {"feats", &Token::feats, pairs_column}, {"deprel", &Token::deprel, plain_column},
                               {"deps", &Token::deps, deps_column},    {"misc", &Token::misc, pairs_column}};

/// All columns but HEAD.
Token read_columns(const json& object) {
  Token token;
  for (const auto& [name, member, read] : kColumns) {
    const json* value = find(object, name);
    if (!value) continue;
    token.*member = read(*value, name);
    if ((token.*member).empty()) token.*member = "_";
  }
  if (!find(object, "form") || object["form"] == "") throw std::invalid_argument("has no \"form\"");
  return token;
}

int read_head(const json& head, int words) {
  if (!head.is_number_integer()) throw std::invalid_argument("\"head\" is no whole number");
  const bool inside = head >= 0 && head <= words;
  if (!inside) throw std::invalid_argument(fmt::format("HEAD {} is past the end of the sentence", json_text(head)));
  return head.get<int>();
}

/// Words have whole numbers; "3-4" is a multiword token, "5.1" an empty node.
bool is_word(const json& token) {
  if (!token.is_object()) throw std::invalid_argument("is no object");
  const json* id = find(token, "id");
  return !id || !id->is_string();
}

void read_extra_token(const json& object, Sentence& sentence) {
  const Token token = read_columns(object);
  const json* head = find(object, "head");
  sentence.extra.push_back(
      {sentence.size(), fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", checked_text(object["id"], "id"),
                                    token.form, token.lemma, token.upos, token.xpos, token.feats,
                                    head ? number_column(*head, "head") : "_", token.deprel, token.deps, token.misc)});
}

void read_word(const json& object, int words, Sentence& sentence) {
  Token token = read_columns(object);
  if (const json* head = find(object, "head")) token.head = read_head(*head, words);
  const json* id = find(object, "id");
  if (id && *id != sentence.size() + 1)
    throw std::invalid_argument(fmt::format("\"id\" is {} where {} should be", json_text(*id), sentence.size() + 1));
  sentence.tokens.push_back(std::move(token));
}

/// "extra" of version 1.
void read_extra_lines(const json& list, Sentence& sentence) {
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
}

/// Checks multiword tokens and empty nodes by the CoNLL-U reader.
void check_extra(const Sentence& sentence) {
  std::stringstream conllu;
  make_conllu_writer(conllu)->write(sentence);
  Sentence copy;
  try {
    make_conllu_reader(conllu, {})->next(copy);
  } catch (const Error& error) {
    throw std::invalid_argument(
        fmt::format("multiword tokens or empty nodes do not fit the words, as CoNLL-U: {}", error.what()));
  }
  if (copy.extra != sentence.extra) throw std::invalid_argument("multiword tokens or empty nodes do not fit the words");
}

void read_tree(const std::string& brackets, Sentence& sentence) {
  Sentence tree;
  BracketParser parser;
  std::string_view rest = brackets;
  const auto report = [](const std::string& message) { throw std::invalid_argument("\"constituents\": " + message); };
  const bool complete = parser.feed(rest, tree, report);
  if (!complete || rest.find_first_not_of(' ') != std::string_view::npos) {
    throw std::invalid_argument("\"constituents\" is not one bracketed tree");
  }
  if (tree.size() != sentence.size()) {
    throw std::invalid_argument(
        fmt::format("\"constituents\" has {} words, \"tokens\" {}", tree.size(), sentence.size()));
  }
  sentence.constituents = std::move(tree.constituents);
}

void check_version(const json& object) {
  const json* version = find(object, "version");
  if (!version) return;
  if (!version->is_number_integer() || *version < 1) throw std::invalid_argument("\"version\" is no version");
  if (*version > kJsonVersion) {
    throw std::invalid_argument(
        fmt::format("version {} of the JSON form; this program knows {}", json_text(*version), kJsonVersion));
  }
}

/// The comments as they are, or those that "id" and "text" stand for.
void read_comments(const json& object, Sentence& sentence) {
  if (const json* comments = find(object, "comments")) {
    for (const json& comment : checked_list(*comments, "\"comments\"")) {
      sentence.comments.push_back(checked_text(comment, "a comment"));
      if (!sentence.comments.back().starts_with('#')) throw std::invalid_argument("a comment without '#'");
    }
    return;
  }
  if (const json* id = find(object, "id")) sentence.comments.push_back("# sent_id = " + checked_text(*id, "\"id\""));
  if (const json* text = find(object, "text"))
    sentence.comments.push_back("# text = " + checked_text(*text, "\"text\""));
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
      check_version(object);
      read_comments(object, sentence);
      if (const json* tokens = find(object, "tokens")) {
        int words = 0;
        for (const json& entry : checked_list(*tokens, "\"tokens\"")) ++token, words += is_word(entry) ? 1 : 0;
        token = 0;
        for (const json& entry : *tokens) {
          ++token;
          is_word(entry) ? read_word(entry, words, sentence) : read_extra_token(entry, sentence);
        }
        token = 0;
      }
      for (const char* key : {"constituents", "tree"})
        if (const json* tree = find(object, key)) read_tree(checked_text(*tree, "\"constituents\""), sentence);
      if (sentence.tokens.empty() && sentence.constituents.empty()) {
        throw std::invalid_argument("a sentence without words");
      }
      if (const json* extra = find(object, "extra")) read_extra_lines(*extra, sentence);
      if (!sentence.extra.empty()) check_extra(sentence);
    } catch (const json::exception& error) {
      give_up(sentence, token, fmt::format("not JSON: {}", error.what()));
    } catch (const std::invalid_argument& error) {
      give_up(sentence, token, error.what());
    }
  }

  /// Reports a bad sentence and keeps those of its parts that are valid.
  void give_up(Sentence& sentence, int token, std::string message) {
    sentence.extra.clear();
    sentence.constituents.clear();
    for (Token& word : sentence.tokens) word.head = Token::kNoHead;
    log_.bad(sentence.line, token, std::move(message));
  }

  LineReader lines_;
  ProblemLog log_;
};

}  // namespace

std::unique_ptr<Reader> make_json_reader(std::istream& input, ReaderOptions options) {
  return std::make_unique<JsonReader>(input, std::move(options));
}

}  // namespace espalier

#include "server/parse_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "espalier/app/files.h"
#include "espalier/app/trace_json.h"
#include "espalier/base/json_text.h"
#include "server/answer.h"

namespace espalier::server {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 10> kFields = {"model", "text", "tokens", "conllu",     "language",
                                                      "kbest", "svg",  "trace",  "confidence", "keep"};

HttpError bad(const std::string& message) { return {400, message}; }

/// The fields of the request, each checked when it is read.
class Fields {
 public:
  explicit Fields(const Request& request) : body_(parsed(request)) {
    for (const auto& [key, value] : body_.items()) {
      if (std::ranges::find(kFields, key) == kFields.end())
        throw bad(fmt::format("unknown field \"{}\"; known: {}", key, fmt::join(kFields, ", ")));
    }
  }

  bool has(const char* key) const { return find(key) != nullptr; }
  std::string text(const char* key) const {
    const json* value = find(key);
    if (!value) return "";
    if (!value->is_string()) throw bad(fmt::format("\"{}\" is no string", key));
    return value->get<std::string>();
  }
  bool flag(const char* key) const {
    const json* value = find(key);
    if (value && !value->is_boolean()) throw bad(fmt::format("\"{}\" is neither true nor false", key));
    return value && value->get<bool>();
  }
  int number(const char* key, int most) const {
    const json* value = find(key);
    if (!value) return 0;
    if (!value->is_number_integer() || *value < 0 || *value > most)
      throw bad(fmt::format("\"{}\" is no whole number from 0 to {}", key, most));
    return value->get<int>();
  }
  const json* find(const char* key) const {
    const auto entry = body_.find(key);
    return entry == body_.end() || entry->is_null() ? nullptr : &*entry;
  }

 private:
  static json parsed(const Request& request) {
    const std::string_view type = request.header("Content-Type");
    if (!same_name(type.substr(0, type.find_first_of("; ")), "application/json"))
      throw HttpError(415, "the body must be application/json");
    try {
      json body = parse_json(request.body);
      if (!body.is_object()) throw bad("the body is no JSON object");
      return body;
    } catch (const json::exception& error) {
      throw bad(fmt::format("the body is not JSON: {}", error.what()));
    }
  }

  json body_;
};

Sentence sentence_of_words(const json& words, size_t number) {
  if (!words.is_array()) throw bad("\"tokens\" is no list of lists of words");
  Sentence sentence;
  for (const json& word : words) {
    const std::string* form = word.get_ptr<const std::string*>();
    if (!form || form->empty() || form->find_first_of(std::string_view("\t\n\r\0", 4)) != std::string::npos)
      throw bad(fmt::format(
          "\"tokens\": sentence {} has a word that is no string, is empty, or holds a tab or line end", number));
    sentence.tokens.emplace_back().form = *form;
  }
  if (sentence.tokens.empty()) throw bad(fmt::format("\"tokens\": sentence {} has no words", number));
  return sentence;
}

/// A list of sentences, each a list of words; or the words of a single one.
SentenceSource read_tokens(const json& tokens) {
  auto sentences = std::make_shared<std::vector<Sentence>>();
  if (tokens.is_array() && !tokens.empty() && tokens[0].is_string()) {
    sentences->push_back(sentence_of_words(tokens, 1));
  } else {
    if (!tokens.is_array()) throw bad("\"tokens\" is no list");
    for (const json& words : tokens) sentences->push_back(sentence_of_words(words, sentences->size() + 1));
  }
  return [sentences, next = size_t{0}](Sentence& sentence) mutable {
    if (next == sentences->size()) return false;
    sentence = std::move((*sentences)[next++]);
    return true;
  };
}

/// ["tags", "heads"]: the given columns of CoNLL-U to keep.
Keep read_keep(const json* list) {
  Keep keep;
  if (!list) return keep;
  if (!list->is_array()) throw bad("\"keep\" is no list");
  for (const json& column : *list) {
    if (column == "tags") {
      keep.tags = true;
    } else if (column == "heads") {
      keep.heads = true;
    } else {
      throw bad("\"keep\" may hold \"tags\" and \"heads\"");
    }
  }
  return keep;
}

SentenceSource source_of(const Fields& fields, const Model& model, const ParseOptions& options) {
  const int given = fields.has("text") + fields.has("tokens") + fields.has("conllu");
  if (given != 1) throw bad("give one of \"text\", \"tokens\" and \"conllu\"");
  if (const json* tokens = fields.find("tokens")) return read_tokens(*tokens);
  if (fields.has("conllu")) return read_format(fields.text("conllu"), "conllu");
  return read_raw_text(model, fields.text("text"), options);
}

/// The sentence as `espalier parse --to json` writes it, with fields for drawing and trace on request.
void write_sentence(const Document& one, bool svg, std::string& out) {
  std::ostringstream line;
  const auto writer = make_writer("json", line);
  if (one.alternatives.empty()) {
    writer->write(one.sentences[0]);
  } else {
    const auto& list = one.alternatives[0];
    writer->write_list(one.sentences[0], std::vector<ScoredAnalysis>(list.begin(), list.end()));
  }
  writer->finish();
  out += line.view();
  while (out.back() != '}') out.pop_back();
  out.pop_back();
  if (svg) out += ",\"svg\":" + json_string(write_text(one.sentences, "svg"));
  if (!one.traces.empty()) out += ",\"trace\":" + trace_json(one.traces[0]);
  out += '}';
}

}  // namespace

Response answer_parse(const Request& request, const ModelSet& models, const Limits& limits, Metrics& metrics,
                      const Stop& stop) {
  const Fields fields(request);
  auto work = std::make_shared<Work>(Work{models.find(fields.text("model")), {}, {}, limits, &metrics});
  ParseOptions& options = work->options;
  options.stop = stop;
  options.language = fields.text("language");
  options.kbest = fields.number("kbest", limits.kbest);
  options.keep = read_keep(fields.find("keep"));
  options.trace = fields.flag("trace");
  options.confidence = fields.flag("confidence");
  work->source = source_of(fields, work->model.model, options);

  Form form;
  form.open = fmt::format("{{\"model\":{},\"sentences\":[\n", json_string(work->model.name));
  form.between = ",\n";
  form.close = "\n]}\n";
  form.write = [svg = fields.flag("svg")](const Document& one, std::string& out) { write_sentence(one, svg, out); };
  form.fail = [](int status, const std::string& message) {
    return fmt::format("\n],\"error\":{{\"status\":{},\"message\":{}}}}}\n", status, json_string(message));
  };
  return answer_with(std::move(work), std::move(form));
}

}  // namespace espalier::server

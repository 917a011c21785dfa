#include "espalier/app/query.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "espalier/app/analyse.h"
#include "espalier/app/input.h"
#include "espalier/base/error.h"
#include "espalier/base/json_text.h"
#include "espalier/base/unicode.h"

namespace espalier {
namespace {

/// The words at or below a word, in their order.
std::string phrase_of(const Sentence& sentence, int top) {
  std::string text;
  for (int word = 1; word <= sentence.size(); ++word) {
    int up = word;
    for (int steps = 0; up > 0 && up != top && steps <= sentence.size(); ++steps) up = sentence.word(up).head;
    if (up == top) text += (text.empty() ? "" : " ") + sentence.word(word).form;
  }
  return text;
}

std::string column(const Sentence& sentence, int number, const std::string& name) {
  const Token& word = sentence.word(number);
  if (name == "form") return word.form;
  if (name == "lemma") return word.lemma;
  if (name == "upos") return word.upos;
  if (name == "xpos") return word.xpos;
  if (name == "feats") return word.feats;
  if (name == "deprel") return word.deprel;
  if (name == "id") return std::to_string(number);
  return phrase_of(sentence, number);
}

/// Explains why a pattern finds nothing: values that it needs and no word has, and values equal but for case.
class MissingValues {
 public:
  explicit MissingValues(const Query& query) {
    for (const Query::Value& value : query.needed()) missing_.push_back({value, lower_case(value.text), ""});
  }
  /// To be called for sentences without a match.
  void look_at(const Sentence& sentence) {
    if (missing_.empty()) return;
    for (const Token& token : sentence.tokens) {
      std::erase_if(missing_, [&](Missing& missing) {
        const std::string_view text = Query::value_of(token, missing.value.column);
        if (is(text, missing.value.text, missing.value.subtypes)) return true;
        if (missing.like.empty() && is(lower_case(text), missing.lower, missing.value.subtypes)) missing.like = text;
        return false;
      });
    }
  }
  /// "" if every value occurs, so that only their combination is missing.
  std::string text() const {
    std::string text;
    for (const auto& [value, unused, like] : missing_) {
      text += fmt::format("{}no word has {}={}", text.empty() ? "nothing matches: " : "; ", value.column, value.text);
      if (!like.empty())
        text += fmt::format(", but there is {} (upper and lower case differ; /{}/i is any)", like, value.text);
    }
    return text;
  }

 private:
  struct Missing {
    Query::Value value;
    std::string lower, like;
  };
  static bool is(std::string_view text, std::string_view value, bool subtypes) {
    return text == value ||
           (subtypes && text.size() > value.size() && text.starts_with(value) && text[value.size()] == ':');
  }
  std::vector<Missing> missing_;
};

/// Writes the matches of sentences.
class MatchWriter final : public Writer {
 public:
  MatchWriter(const QueryFiles& request, std::ostream& output)
      : request_(request), query_(request.pattern), missing_(query_), output_(output) {
    for (const std::string& name : request.show)
      if (std::ranges::find(query_columns(), name) == query_columns().end())
        throw usage_error("there is no column '{}' to show: {}", name, fmt::join(query_columns(), ", "));
    if (request.to == "conllu")
      sentences_ = make_writer("conllu", output, {});
    else if (request.to == "tsv")
      write_header();
    else if (request.to != "json")
      throw usage_error("'{}' is not among tsv, json, conllu", request.to);
  }

  void write(const Sentence& sentence) override {
    ++counts.sentences;
    size_t matches = 0;
    query_.match(sentence, [&](std::span<const int> words) {
      ++matches;
      if (request_.to == "tsv") write_line(sentence, words);
      if (request_.to == "json") write_json(sentence, words);
    });
    if (matches > 0 && sentences_) sentences_->write(sentence);
    counts.matching += matches > 0;
    counts.matches += matches;
    if (counts.matches == 0) missing_.look_at(sentence);
  }
  void finish() override {}
  /// Why nothing was found, if a single value is the reason; else "".
  std::string hint() const { return counts.matches == 0 && counts.sentences > 0 ? missing_.text() : ""; }

  QueriedFiles counts;

 private:
  std::string id_of(const Sentence& sentence) const {
    const auto id = comment_value(sentence, "sent_id");
    return id ? std::string(*id) : std::to_string(counts.sentences);
  }
  void write_header() {
    output_ << "sent_id";
    for (const std::string& name : query_.names())
      for (const std::string& show : request_.show)
        output_ << '\t' << (request_.show.size() == 1 ? name : name + "." + show);
    output_ << '\n';
  }
  void write_line(const Sentence& sentence, std::span<const int> words) {
    output_ << id_of(sentence);
    for (const int word : words)
      for (const std::string& show : request_.show) output_ << '\t' << column(sentence, word, show);
    output_ << '\n';
  }
  void write_json(const Sentence& sentence, std::span<const int> words) {
    nlohmann::ordered_json json = {{"sent_id", id_of(sentence)}, {"words", nlohmann::ordered_json::object()}};
    for (size_t i = 0; i < words.size(); ++i) {
      auto& entry = json["words"][query_.names()[i]] = {{"id", words[i]}};
      for (const std::string& show : request_.show)
        if (show != "id") entry[show] = column(sentence, words[i], show);
    }
    output_ << json_text(json) << '\n';
  }

  const QueryFiles& request_;
  Query query_;
  MissingValues missing_;
  std::ostream& output_;
  std::unique_ptr<Writer> sentences_;
};

void search_file(const Model* model, const QueryFiles& request, const std::string& file, SkipLog& log,
                 Writer& matches) {
  const std::string from = input_format(request.from, file, "conllu");
  if (from == "text" && !model) throw usage_error("'{}' is raw text, which has no trees: --model parses it", file);
  StreamOptions options;
  options.threads = request.threads;
  options.parse.stop = request.stop;
  if (from == "text" && model->can_tokenize()) {
    const Input input = Input::of(file, true, request.encoding);
    parse_text_stream(*model, *input.stream, file, matches, options);
    return input.warn_of_replaced(file, request.message);
  }
  ReaderOptions reading;
  if (model) reading = text_reading(*model, options.parse);
  Input input = open_sentences(file, from, &log, std::move(reading), request.encoding);
  if (model) {
    parse_stream(*model, *input.reader, matches, options);
  } else {
    for (Sentence sentence; input.reader->next(sentence);) {
      request.stop.check();
      matches.write(sentence);
    }
  }
  input.warn_of_replaced(file, request.message);
}

}  // namespace

const std::vector<std::string>& query_columns() {
  static const std::vector<std::string> all = {"form", "lemma", "upos", "xpos", "feats", "deprel", "id", "phrase"};
  return all;
}

QueriedFiles query_files(const Model* model, const QueryFiles& request, std::ostream& output) {
  MatchWriter matches(request, output);
  SkipLog log(request.message);
  for (const std::string& file : request.inputs) search_file(model, request, file, log, matches);
  matches.counts.skipped = log.count();
  if (const std::string hint = matches.hint(); request.message && !hint.empty()) request.message(hint);
  return matches.counts;
}

}  // namespace espalier

#include "espalier/app/warnings.h"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "espalier/format/dropped.h"
#include "espalier/format/text/language.h"

namespace espalier {

Message once(const Message& message) {
  if (!message) return message;
  return [message, said = std::make_shared<bool>(false)](const std::string& text) {
    if (!std::exchange(*said, true)) message(text);
  };
}

bool TagWatch::next(Sentence& sentence) {
  if (!input_->next(sentence)) return false;
  const bool untagged = sentence.size() > 0 && std::ranges::none_of(sentence.tokens, [](const Token& token) {
                          return is_given(token.upos) || is_given(token.xpos);
                        });
  if (message_ && untagged)
    std::exchange(message_, nullptr)(
        fmt::format("{}:{}: no tags, but the model was trained with tags and will do badly without; tag the input "
                    "first (a model of recipe tagger), or train one of recipe pipeline, which tags too",
                    file_, sentence.line));
  return true;
}

bool needs_tags(const Model& model) {
  const auto predicts = model.predicts();
  const auto has = [&](std::string_view what) { return std::ranges::find(predicts, what) != predicts.end(); };
  if (has("tags") || !(has("heads") || has("constituents") || has("lemmas"))) return false;
  // The model records that no word of its training data had a tag.
  const nlohmann::json metadata = model.info().value("metadata", nlohmann::json::object());
  const auto training = metadata.find("training");
  if (training == metadata.end() || !training->is_array()) return true;
  return std::ranges::any_of(
      *training, [](const nlohmann::json& file) { return !file.is_object() || !file.contains("untagged"); });
}

ScriptWatch::ScriptWatch(Writer& output, const Model& model, std::string file, Message message)
    : output_(output), file_(std::move(file)), message_(std::move(message)) {
  const nlohmann::json metadata = model.info().value("metadata", nlohmann::json::object());
  if (const auto scripts = metadata.find("scripts"); scripts != metadata.end() && scripts->is_array()) {
    for (const nlohmann::json& script : *scripts)
      if (script.is_string()) known_.insert(script.get<std::string>());
  } else if (!model.language().empty()) {
    known_ = scripts_of_language(model.language());
  }
}

void ScriptWatch::look_at(const Sentence& sentence) {
  if (!message_ || known_.empty()) return;
  ScriptCounts letters;
  for (const Token& token : sentence.tokens) count_letters(token.form, letters);
  long all = 0, foreign = 0;
  std::vector<std::string> unknown;
  for (const auto& [script, count] : letters) {
    all += count;
    if (known_.contains(script)) continue;
    foreign += count;
    unknown.push_back(script);
  }
  if (2 * foreign <= all) return;
  std::exchange(message_, nullptr)(
      fmt::format("{}:{}: written in {}, but the model has learned {} only: its analysis means nothing there", file_,
                  sentence.line, fmt::join(unknown, " and "), fmt::join(known_, " and ")));
}

void ScriptWatch::write(const Sentence& sentence) {
  look_at(sentence);
  output_.write(sentence);
}

void ScriptWatch::write_list(const Sentence& sentence, std::span<const ScoredAnalysis> list) {
  look_at(sentence);
  output_.write_list(sentence, list);
}

void DropWatch::look_at(const Sentence& sentence) {
  if (message_) {
    if (const auto dropped = dropped_by(format_, sentence); !dropped.empty())
      std::exchange(message_, nullptr)(
          fmt::format("format {} has no room for {}, which the sentences have (from line "
                      "{} on): they are not written; json keeps everything",
                      format_, fmt::join(dropped, ", "), sentence.line));
  }
}

void DropWatch::write(const Sentence& sentence) {
  look_at(sentence);
  output_->write(sentence);
}

void DropWatch::write_list(const Sentence& sentence, std::span<const ScoredAnalysis> list) {
  look_at(sentence);
  output_->write_list(sentence, list);
}

}  // namespace espalier

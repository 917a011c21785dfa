#include "espalier/parser/tag/lemmatizer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <span>

#include "espalier/base/stop_point.h"
#include "espalier/base/unicode.h"
#include "espalier/format/format.h"
#include "espalier/parser/linear_part.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/tag/lexicon.h"

namespace espalier {
namespace {

class Lemmatizer final : public Parser {
 public:
  Lemmatizer(LemmatizerModel model, Lexicon lexicon) : model_(std::move(model)), lexicon_(std::move(lexicon)) {}

  AboutParser about() const override { return {.kind = "lemmatizer", .predicts = {"lemmas"}}; }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Scratch>(*this); }

  void parse(Sentence& sentence, const Constraints&, Workspace& workspace) const override {
    auto& scratch = own<Scratch>(workspace);
    for (int i = 1; i <= sentence.size(); ++i) {
      stop_point();
      Token& token = sentence.word(i);
      if (const std::string* lemma = lexicon_.empty() ? nullptr : lexicon_.find(token)) {
        token.lemma = *lemma;
        continue;
      }
      const TagHashes tags(token);
      if (const auto lemma = model_.dictionary.find(token.form, tags)) {
        token.lemma = *lemma;
      } else {
        guess(sentence, i, tags, scratch);
      }
    }
  }

  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    const auto entries = model_.dictionary.entries();
    writer.add_array(prefix + "dictionary", std::span(entries));
    writer.add(prefix + "lemmas", model_.dictionary.text());
    nlohmann::json edits = nlohmann::json::array();
    for (const LemmaEdit& e : model_.edits) edits.push_back({e.cut_front, e.put_front, e.cut_back, e.put_back});
    nlohmann::json about = {{"edits", std::move(edits)}};
    save_linear(model_.weights, writer, prefix, about);
    return about;
  }

 private:
  struct Scratch final : Workspace {
    explicit Scratch(const Lemmatizer& lemmatizer) : Workspace(lemmatizer) {}
    std::vector<int16_t> row;
  };

  void guess(Sentence& sentence, int i, const TagHashes& tags, Scratch& scratch) const {
    Token& token = sentence.word(i);
    const std::string lower = lower_case(token.form);
    std::array<uint64_t, kMostLemmaKeys> keys;
    const int count = lemma_keys(sentence, i, lower, tags, keys.data());
    scratch.row.assign(model_.weights.columns(), 0);
    model_.weights.add({keys.data(), static_cast<size_t>(count)}, scratch.row.data());
    const auto casing = std::max_element(scratch.row.begin(), scratch.row.begin() + kCasings) - scratch.row.begin();
    static const LemmaEdit none;
    const LemmaEdit* best = &none;
    int most = 0;
    for (size_t e = 0; e < model_.edits.size(); ++e) {
      const int score = scratch.row[kCasings + e];
      if ((best == &none || score > most) && model_.edits[e].applies(lower)) best = &model_.edits[e], most = score;
    }
    make_lemma(token.form, lower, *best, static_cast<Casing>(casing), token.lemma);
  }

  LemmatizerModel model_;
  Lexicon lexicon_;
};

Lexicon read_lexicon(SettingsReader& overrides) {
  const std::string file = overrides.text("lexicon", "", "file of forms and lemmas that win (form, tab, lemma, tags)");
  if (file.empty()) return {};
  const auto input = open_input(file);
  return Lexicon::read(*input, file);
}

bool fits_a_column(std::string_view text) { return text.find_first_of("\t\n\r") == std::string_view::npos; }

}  // namespace

std::unique_ptr<Parser> make_lemmatizer(LemmatizerModel model) {
  return std::make_unique<Lemmatizer>(std::move(model), Lexicon());
}

std::unique_ptr<Parser> load_lemmatizer(const ModelPart& part, SettingsReader& overrides) {
  const nlohmann::json& m = part.metadata;
  LemmatizerModel model;
  for (const nlohmann::json& e : m.at("edits")) model.edits.push_back({e.at(0), e.at(1), e.at(2), e.at(3)});
  model.weights = load_linear(part, "", m, lemma_columns(model.edits.size()));
  const auto entries = part.array<LemmaDictionary::Entry>("dictionary");
  const auto text = part.array<char>("lemmas");
  std::string problem;
  if (std::ranges::any_of(entries, [&](const auto& e) { return uint64_t{e.begin} + e.size > text.size(); }))
    problem = "the dictionary points past its text";
  if (!fits_a_column({text.data(), text.size()}) || std::ranges::any_of(model.edits, [](const LemmaEdit& e) {
        return !fits_a_column(e.put_front) || !fits_a_column(e.put_back);
      }))
    problem = "the dictionary has lemmas that are no words";
  if (!problem.empty()) throw data_error(part.file->name(), 0, "{}", problem);
  model.dictionary = LemmaDictionary(entries, std::string(text.begin(), text.end()));
  return std::make_unique<Lemmatizer>(std::move(model), read_lexicon(overrides));
}

}  // namespace espalier

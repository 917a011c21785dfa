#include "espalier/parser/tag/tagger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "espalier/features/tagging.h"
#include "espalier/scorer/tag_scorer.h"
#include "espalier/search/beam.h"
#include "espalier/search/greedy.h"
#include "espalier/space/tagging.h"

namespace espalier {
namespace {

/// What a lead of one, the margin of training, is worth as a log of probabilities; measured by what it does to parsers.
constexpr float kSharpness = 3;

class Tagger final : public Parser {
 public:
  explicit Tagger(TaggerModel model) : model_(std::move(model)) {
    for (int id = 0; id < model_.readings.size(); ++id) upos_ = upos_ || model_.readings.reading(id).upos != "_";
  }

  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Scratch>(); }

  void parse(Sentence& sentence, Workspace& workspace) const override {
    auto& scratch = static_cast<Scratch&>(workspace);
    scratch.features.encode(sentence, *model_.dictionary);
    scratch.scorer.reset(model_.class_weights, scratch.features);
    choose_classes(sentence.size(), scratch);
    choose_readings(sentence.size(), scratch);
    name(scratch.readings, scratch.analysis);
    annotate(sentence, scratch.analysis);
  }

  bool has_kbest() const override { return true; }
  /// Scores are log probabilities, which a softmax makes of the scores of each step.
  std::vector<Candidate> kbest(const Sentence& sentence, int k, Workspace& workspace) const override {
    auto& scratch = static_cast<Scratch&>(workspace);
    scratch.features.encode(sentence, *model_.dictionary);
    scratch.scorer.reset(model_.class_weights, scratch.features);
    const float sharpness = kSharpness / model_.class_weights.scale();
    scratch.beam.run(Tagging(), model_.actions, sentence.size(), k, scratch.arena,
                     [&](const Tagging::State& state, int) {
                       return log_softmax(scratch.scorer.row(state), sharpness, scratch.logs);
                     });
    std::vector<Candidate> list(scratch.beam.survivors().size());
    for (size_t i = 0; i < list.size(); ++i) {
      list[i].score = scratch.beam.survivors()[i].score;
      scratch.beam.derivation(scratch.beam.first_survivor() + static_cast<int>(i), list[i].derivation);
      scratch.classes.assign(1, 0);
      std::ranges::copy(list[i].derivation, std::back_inserter(scratch.classes));
      choose_readings(sentence.size(), scratch);
      name(scratch.readings, list[i].analysis);
    }
    return list;
  }

  std::string kind() const override { return "tagger"; }
  std::vector<std::string> predicts() const override { return {"tags"}; }

  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    nlohmann::json metadata = {{"xpos", model_.xpos},
                               {"feats", model_.feats},
                               {"classes", model_.classes},
                               {"actions", model_.actions.to_json()},
                               {"readings", model_.readings.to_json()}};
    const std::vector<TagDictionary::Entry> words = model_.dictionary->entries();
    writer.add_array(prefix + "dictionary", std::span(words));
    for (const auto& [name, weights] :
         {std::pair("class", &model_.class_weights), {"reading", &model_.reading_weights}}) {
      writer.add_array(prefix + name + "_index", weights->index());
      writer.add_array(prefix + name + "_rows", weights->rows());
      metadata[name] = {{"row_columns", weights->columns()}, {"scale", weights->scale()}};
    }
    return metadata;
  }

 private:
  struct Scratch final : Workspace {
    TaggingFeatures features;
    TagScorer<Linear> scorer;
    Tagging::Arena arena;
    Beam<Tagging> beam;
    std::vector<int> classes, readings;  // of word 1..n: columns, reading ids
    Analysis analysis;
    std::vector<int16_t> row;
    std::vector<float> logs;
  };

  const float* log_softmax(const int16_t* row, float sharpness, std::vector<float>& logs) const {
    logs.resize(static_cast<size_t>(model_.actions.columns()));
    const float most = *std::max_element(row, row + logs.size());
    float sum = 0;
    for (size_t i = 0; i < logs.size(); ++i) {
      logs[i] = sharpness * (static_cast<float>(row[i]) - most);
      sum += std::exp(logs[i]);
    }
    for (float& log : logs) log -= std::log(sum);
    return logs.data();
  }

  /// The readings of words 1..n as they are written; only the columns that the tagger fills.
  void name(std::span<const int> readings, Analysis& analysis) const {
    const auto fill = [&](bool wanted, std::vector<std::string>& column, std::string Reading::*member) {
      if (!wanted) return;
      column.resize(readings.size());
      for (size_t i = 1; i < readings.size(); ++i) column[i] = model_.readings.reading(readings[i]).*member;
    };
    fill(upos_, analysis.upos, &Reading::upos);
    fill(model_.xpos, analysis.xpos, &Reading::xpos);
    fill(model_.feats, analysis.feats, &Reading::feats);
  }

  void choose_classes(int words, Scratch& scratch) const {
    scratch.classes.assign(static_cast<size_t>(words) + 1, 0);
    greedy_search(
        Tagging(), model_.actions, words, scratch.arena,
        [&](const Tagging::State& state) { return scratch.scorer.row(state); },
        [&](const Tagging::State& state, int column, float) {
          scratch.classes[static_cast<size_t>(state.word)] = column;
        });
  }

  void choose_readings(int words, Scratch& scratch) const {
    const ReadingTable& table = model_.readings;
    scratch.readings.assign(static_cast<size_t>(words) + 1, -1);
    scratch.row.resize(static_cast<size_t>(model_.reading_weights.columns()));
    std::array<uint64_t, TaggingFeatures::kMostReadingKeys> keys;
    int previous = -1, before_it = -1;
    for (int i = 1; i <= words; ++i) {
      const int tag_class = scratch.classes[static_cast<size_t>(i)];
      int best = table.begin(tag_class);
      if (table.end(tag_class) - best > 1) {
        const int count = scratch.features.reading_keys(i, scratch.classes, previous, before_it, keys.data());
        std::ranges::fill(scratch.row, int16_t{0});
        model_.reading_weights.add({keys.data(), static_cast<size_t>(count)}, scratch.row.data());
        best = table.best(scratch.row.data(), tag_class);
      }
      scratch.readings[static_cast<size_t>(i)] = best;
      before_it = std::exchange(previous, best);
    }
  }

  TaggerModel model_;
  bool upos_ = false;  // not if it learned from brackets, which have one kind of tags
};

Linear load_weights(const ModelPart& part, const std::string& name, int columns) {
  const nlohmann::json& m = part.metadata.at(name);
  Linear weights(part.array<RowBucket>(name + "_index"), part.array<int8_t>(name + "_rows"), m.at("row_columns"),
                 m.at("scale"), part.file);
  std::string problem = weights.problem();
  if (problem.empty() && columns > weights.columns()) problem = "the rows are too short for the tags";
  if (!problem.empty()) throw data_error(part.file->name(), 0, "{}", problem);
  return weights;
}

}  // namespace

std::unique_ptr<Parser> make_tagger(TaggerModel model) { return std::make_unique<Tagger>(std::move(model)); }

std::unique_ptr<Parser> load_tagger(const ModelPart& part, const Settings&) {
  const nlohmann::json& m = part.metadata;
  TaggerModel model;
  model.xpos = m.at("xpos");
  model.feats = m.at("feats");
  model.classes = m.at("classes").get<std::vector<std::string>>();
  std::string problem;
  model.actions =
      ActionTable::from_json(m.at("actions"), Tagging::kMoves, static_cast<int>(model.classes.size()), problem);
  if (problem.empty()) model.readings = ReadingTable::from_json(m.at("readings"), model.actions.columns(), problem);
  if (!problem.empty()) throw data_error(part.file->name(), 0, "{}", problem);
  model.dictionary = std::make_shared<TagDictionary>(part.array<TagDictionary::Entry>("dictionary"));
  model.class_weights = load_weights(part, "class", model.actions.columns());
  model.reading_weights = load_weights(part, "reading", model.readings.columns());
  return make_tagger(std::move(model));
}

}  // namespace espalier

#include "espalier/learn/tag/tagger_trainer.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "espalier/learn/clusters_setting.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/objective/augmented.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/update/passive_aggressive.h"
#include "espalier/learn/update/refit.h"
#include "espalier/learn/warm_start.h"
#include "espalier/parser/tag/tag_scorer.h"
#include "espalier/parser/tag/tag_search.h"
#include "espalier/parser/tag/tagger.h"
#include "espalier/parser/tag/tagging.h"
#include "espalier/space/tagging.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {
namespace {

struct TaggerOptions {
  int epochs, columns, least_updates, dictionary_count;
  float aggressiveness, margin, drop;
  bool patient;
  Refit refit;
  StepRule learner;
  std::shared_ptr<const TaggerModel> init;       ///< warm start; null: weights begin with 0
  std::shared_ptr<const WordClusters> clusters;  ///< null: none

  static TaggerOptions from(SettingsReader& s) {
    TaggerOptions o;
    o.epochs = s.integer("epochs", 8, 1, 1000, "passes over the training data");
    o.refit = Refit::from(s, o.epochs);
    o.learner = s.choice("learner", StepRule::kPassiveAggressive, step_rules(),
                         "averaged perceptron, or passive-aggressive steps");
    o.aggressiveness = s.real<float>("aggressiveness", 0.03, 1e-6, 1e6, "largest passive-aggressive step (C)");
    o.margin = s.real<float>("margin", 1, 0, 1e6, "margin that passive-aggressive updates ask for");
    o.columns = s.integer("columns", 128, 16, 1024, "most classes of words: UPOS with XPOS if they fit, else UPOS");
    o.least_updates = s.integer("min_updates", 2, 1, 1000000, "features updated less often are dropped");
    o.drop =
        s.real<float>("drop", 0.5, 0, 0.99, "share of the remaining features that is dropped, smallest weights first");
    o.dictionary_count = s.integer("dictionary", 2, 1, 1000000, "occurrences from which a word's tags are remembered");
    o.patient = s.flag("patient", false, "delayed allocation: features get weights at their second update");
    if (const std::string file = init_file(s); !file.empty())
      o.init = warm_start_model(file, "tagger", model_of<TaggerModel>);
    o.clusters = clusters_of(s, o.init ? o.init->clusters : nullptr);
    return o;
  }
};

constexpr long kOftenEnough = 10;  // occurrences that make UPOS with XPOS worth a column

/// Larger than any count: entries of a warm start keep their order and come before new ones.
constexpr long kKnownBefore = 1l << 40;

bool empty_column(const std::string& text) { return text.empty() || text == "_"; }

struct TaggingInstance {
  TaggingFeatures features;
  std::vector<int> classes, readings;  // of word 1..n; columns and reading ids
};

/// Readings with their counts; those of a warm start's model come first, with the ids that they have there.
std::vector<ReadingTable::Entry> entries_of(const std::map<std::pair<int, Reading>, long>& readings,
                                            const TaggerModel* init) {
  std::vector<ReadingTable::Entry> entries;
  if (!init) {
    for (const auto& [key, count] : readings) entries.push_back({key.first, key.second, count});
    return entries;
  }
  const ReadingTable& before = init->readings;
  int next = 0;  // the number of the next new one
  for (int id = 0; id < before.size(); ++id) {
    entries.push_back({before.class_of(id), before.reading(id), kKnownBefore - id, before.number(id)});
    next = std::max(next, before.number(id) + 1);
  }
  for (const auto& [key, count] : readings)
    if (key.first >= before.classes() || before.find(key.first, key.second) == ReadingTable::kNone)
      entries.push_back({key.first, key.second, count, next++});
  return entries;
}

constexpr int kAccident = 20;  // a tag with less than 1/20 of a word's occurrences is not counted

/// The tags of every word that is frequent enough; `column` numbers a token's class.
template <class Column>
std::shared_ptr<TagDictionary> tag_dictionary(const TaggerOptions& options, const std::vector<Sentence>& treebank,
                                              const Column& column) {
  std::map<uint64_t, std::map<int, int>> tags_of;
  for (const Sentence& sentence : treebank) {
    for (const Token& token : sentence.tokens) {
      const int tag = column(token);
      ++tags_of[TaggingFeatures::form_key(token.form)][tag];
      ++tags_of[TaggingFeatures::lower_key(token.form)][tag];
    }
  }
  std::vector<TagDictionary::Entry> words;
  for (const auto& [word, tags] : tags_of) {
    int total = 0;
    std::vector<std::pair<int, int>> ranked;
    for (const auto& [tag, count] : tags) {
      total += count;
      ranked.emplace_back(-count, tag);
    }
    if (total < options.dictionary_count) continue;
    std::ranges::sort(ranked);
    uint64_t ambiguity = 1;
    for (const auto& [negative_count, tag] : ranked)
      if (-negative_count * kAccident >= total) ambiguity = combine(ambiguity, static_cast<uint64_t>(tag) + 1);
    words.push_back({word, ambiguity});
  }
  if (options.init) std::ranges::copy(options.init->dictionary->entries(), std::back_inserter(words));  // these win
  return std::make_shared<TagDictionary>(words);
}

/// The training data in numbers, and the model without its weights.
struct TaggerCorpus {
  TaggerModel model;
  std::vector<TaggingInstance> instances;
};

/// Reads classes, readings, the dictionary, and the sentences in numbers.
TaggerCorpus read_tagger_corpus(const TaggerOptions& options, const std::vector<Sentence>& treebank) {
  TaggerCorpus corpus;
  TaggerModel& model = corpus.model;
  const TaggerModel* init = options.init.get();
  model.xpos = init && init->xpos;
  model.feats = init && init->feats;
  std::map<std::pair<std::string, std::string>, long> pairs;
  for (const Sentence& sentence : treebank) {
    for (const Token& token : sentence.tokens) {
      ++pairs[{token.upos, token.xpos}];
      model.xpos |= !empty_column(token.xpos);
      model.feats |= !empty_column(token.feats);
    }
  }
  if (pairs.empty()) throw Error(ErrorKind::kData, "there is no sentence to learn from");
  const bool with_xpos =
      init ? std::ranges::all_of(init->classes,
                                 [](const std::string& name) { return name.find(':') != std::string::npos; })
           : std::ranges::count_if(pairs, [](const auto& p) { return p.second >= kOftenEnough; }) <= options.columns;

  // Rare classes are folded into the most frequent one with the same UPOS, which is what stands before the colon.
  const auto class_name = [&](const Token& t) { return with_xpos ? t.upos + ":" + t.xpos : t.upos; };
  Vocabulary names;
  std::map<int, long> count_of;
  if (init) {  // numbered as there, and in the same columns: features know them by both
    for (const std::string& name : init->classes) names.add(name);
    for (int c = 0; c < init->actions.columns(); ++c) count_of[init->actions.action(c).label] = kKnownBefore - c;
  }
  for (const Sentence& sentence : treebank) {
    for (const Token& token : sentence.tokens) {
      long& count = count_of[names.add(class_name(token))];
      count += count < kKnownBefore / 2;
    }
  }
  std::vector<ActionTable::Count> counts;
  for (const auto& [name, count] : count_of) counts.push_back({Tagging::kTag, name, count});
  const int most = std::max(options.columns, init ? static_cast<int>(counts.size()) : 0);  // then none is folded
  model.classes = names.texts();
  model.actions = ActionTable(Tagging::kMoves, {false}, counts, most, model.classes);

  const auto column = [&](const Token& t) { return model.actions.column(Tagging::kTag, names.find(class_name(t))); };
  std::map<std::pair<int, Reading>, long> readings;
  for (const Sentence& sentence : treebank)
    for (const Token& token : sentence.tokens) ++readings[{column(token), {token.upos, token.xpos, token.feats}}];
  model.readings = ReadingTable(entries_of(readings, init), model.actions.columns());

  model.dictionary = tag_dictionary(options, treebank, column);
  model.clusters = options.clusters;
  for (const Sentence& sentence : treebank) {
    if (sentence.size() == 0) continue;
    TaggingInstance& instance = corpus.instances.emplace_back();
    instance.features.encode(sentence, *model.dictionary, model.clusters.get());
    instance.classes.push_back(0);
    instance.readings.push_back(ReadingTable::kNone);
    for (const Token& token : sentence.tokens) {
      instance.classes.push_back(column(token));
      instance.readings.push_back(model.readings.find(instance.classes.back(), {token.upos, token.xpos, token.feats}));
    }
  }
  return corpus;
}

class TaggerLearner final : public RankingLearner {
 public:
  TaggerLearner(const TaggerOptions& options, TaggerCorpus corpus)
      : options_(options),
        model_(std::move(corpus.model)),
        instances_(std::move(corpus.instances)),
        class_weights_(model_.actions.columns(), options_.patient),
        reading_weights_(model_.readings.columns(), options_.patient) {
    if (const TaggerModel* init = options.init.get()) start_from(*init);
  }

  size_t size() const override { return instances_.size(); }

  void begin_epoch(int epoch) override {
    if (!begins_other_model(epoch)) return;
    class_weights_.keep_only(pruning(most_class_keys()));
    reading_weights_.keep_only(pruning(TaggingFeatures::kMostReadingKeys));
  }
  bool begins_other_model(int epoch) const override { return options_.refit.begins(epoch); }

  size_t learn(std::span<const size_t> batch, int) override {
    const TaggingInstance& instance = instances_[batch.front()];
    bool changed = learn_classes(instance);
    changed |= learn_readings(instance);
    class_weights_.tick();
    reading_weights_.tick();
    return changed;
  }

  std::unique_ptr<Parser> freeze() const override {
    TaggerModel model = model_;
    model.class_weights = class_weights_.freeze(pruning(most_class_keys()));
    model.reading_weights = reading_weights_.freeze(pruning(TaggingFeatures::kMostReadingKeys));
    return make_tagger(std::move(model));
  }

  void archive(Archive& archive) override {
    class_weights_.archive(archive);
    reading_weights_.archive(archive);
  }

  KBestList list(const Sentence& sentence, bool) override { return search_.list(sentence); }
  /// Updates word by word, where the two differ in their classes.
  bool prefer(const Sentence& sentence, const Candidate& better, const Candidate& worse, double, bool) override {
    const auto n = static_cast<size_t>(sentence.size());
    TaggingFeatures features;
    features.encode(sentence, *model_.dictionary, model_.clusters.get());
    scorer_.reset(class_weights_, features);
    const Tagging space;
    Tagging::Arena arena;
    auto state = space.initial(arena, sentence.size());
    bool changed = false;
    for (size_t i = 0; i < n; ++i) {
      const int right = better.derivation[i], wrong = worse.derivation[i];
      if (right != wrong) {
        const float* row = scorer_.row(state);
        changed |= correct_class(right, wrong, row[right] - row[wrong], true);
      }
      space.apply(state, arena, Tagging::kTag, model_.actions.action(right).label);
    }
    return changed;
  }
  void tick() override {
    class_weights_.tick();
    reading_weights_.tick();
  }

 private:
  int most_class_keys() const {
    const int word_keys = model_.clusters ? TaggingFeatures::kMostWordKeys : TaggingFeatures::kMostPlainKeys;
    return word_keys + TaggingFeatures::kMostTagKeys;
  }

  OnlineLinear::Freeze pruning(int most_features) const {
    return {.least_updates = options_.least_updates,
            .drop = options_.drop,
            .most_rows = options_.refit.most_features,
            .most_features = most_features};
  }

  void start_from(const TaggerModel& init) {
    class_weights_.start_from(init.class_weights, columns_of_actions(model_.actions, init.actions));
    Vocabulary theirs;  // of readings' parts
    for (const std::string& name : init.readings.part_names()) theirs.add(name);
    std::vector<int> from;
    for (const std::string& name : model_.readings.part_names()) from.push_back(theirs.find(name));
    reading_weights_.start_from(init.reading_weights, std::move(from));
  }

  /// The step for a decision that leads by `lead`, with `norm` features; 0 = no correction.
  float step(float lead, bool mistaken, float norm) const {
    if (options_.learner == StepRule::kPerceptron) return mistaken ? 1.0f : 0.0f;
    return passive_aggressive_step(options_.margin - lead, norm, options_.aggressiveness);
  }

  bool learn_classes(const TaggingInstance& instance) {
    const ActionTable& actions = model_.actions;
    scorer_.reset(class_weights_, instance.features);
    chosen_.assign(1, 0);
    bool changed = false;
    Tagging space;
    Tagging::Arena arena;
    auto state = space.initial(arena, instance.features.size());
    while (!space.is_final(state, arena)) {
      const float* row = scorer_.row(state);
      const int right = instance.classes[state.word];
      int wrong = -1;
      for (int c = 0; c < actions.columns(); ++c)
        if (c != right && (wrong < 0 || row[c] > row[wrong])) wrong = c;
      int next = right;
      if (wrong >= 0) {
        const float lead = row[right] - row[wrong];
        const bool mistaken = lead < 0 || (lead == 0 && wrong < right);
        if (mistaken) next = wrong;
        changed |= correct_class(right, wrong, lead, mistaken);
      }
      chosen_.push_back(next);
      space.apply(state, arena, Tagging::kTag, actions.action(next).label);
    }
    return changed;
  }

  /// Updates the weights of the last row.
  bool correct_class(int right, int wrong, float lead, bool mistaken) {
    const auto keys = scorer_.last_keys();
    const float by = step(lead, mistaken, static_cast<float>(2 * keys.size()));
    if (by <= 0) return false;
    uint32_t rows[kMostFeatures];
    class_weights_.locate(keys, rows);
    for (size_t i = 0; i < keys.size(); ++i) {
      if (rows[i] == 0) continue;
      class_weights_.touch(rows[i]);
      class_weights_.adjust(rows[i], right, right + 1, by);
      class_weights_.adjust(rows[i], wrong, wrong + 1, -by);
    }
    return true;
  }

  bool learn_readings(const TaggingInstance& instance) {
    const ReadingTable& table = model_.readings;
    row_.resize(reading_weights_.columns());
    std::array<uint64_t, TaggingFeatures::kMostReadingKeys> memory;
    bool changed = false;
    int previous = -1, before_it = -1;
    for (int i = 1; i <= instance.features.size(); ++i) {
      // The word has its right class, since only there the right reading competes; its neighbours have predicted ones.
      const int tag_class = instance.classes[i];
      const int predicted_class = std::exchange(chosen_[i], tag_class);
      const int right = instance.readings[i];
      int next = right;
      if (table.end(tag_class) - table.begin(tag_class) > 1) {
        const int count = instance.features.reading_keys(i, chosen_, previous, before_it, memory.data());
        const std::span<const uint64_t> keys(memory.data(), static_cast<size_t>(count));
        std::ranges::fill(row_, 0.0f);
        reading_weights_.add(keys, row_.data());
        int wrong = -1;
        float most = 0;
        for (int id = table.begin(tag_class); id < table.end(tag_class); ++id) {
          if (id == right) continue;
          if (const float score = table.score(row_.data(), id); wrong < 0 || score > most) most = score, wrong = id;
        }
        const float lead = table.score(row_.data(), right) - most;
        const bool mistaken = lead < 0 || (lead == 0 && wrong < right);
        if (mistaken) next = wrong;
        changed |= correct_reading(right, wrong, lead, mistaken, keys);
      }
      chosen_[i] = predicted_class;
      before_it = std::exchange(previous, table.number(next));
    }
    return changed;
  }

  bool correct_reading(int right, int wrong, float lead, bool mistaken, std::span<const uint64_t> keys) {
    const auto plus = model_.readings.parts(right), minus = model_.readings.parts(wrong);
    difference_.clear();
    for (const uint16_t c : plus)
      if (!std::ranges::binary_search(minus, c)) difference_.emplace_back(c, 1.0f);
    for (const uint16_t c : minus)
      if (!std::ranges::binary_search(plus, c)) difference_.emplace_back(c, -1.0f);
    const float by = step(lead, mistaken, static_cast<float>(keys.size() * std::max<size_t>(difference_.size(), 1)));
    if (by <= 0) return false;
    uint32_t rows[kMostFeatures];
    reading_weights_.locate(keys, rows);
    for (size_t i = 0; i < keys.size(); ++i) {
      if (rows[i] == 0) continue;
      reading_weights_.touch(rows[i]);
      for (const auto& [column, sign] : difference_) reading_weights_.adjust(rows[i], column, column + 1, by * sign);
    }
    return true;
  }

  TaggerOptions options_;
  TaggerModel model_;
  std::vector<TaggingInstance> instances_;
  OnlineLinear class_weights_, reading_weights_;
  TagScorer<OnlineLinear> scorer_;
  std::vector<int> chosen_;  // classes of word 1..n as the tagger has them
  std::vector<float> row_;
  std::vector<std::pair<int, float>> difference_;
  TagSearch<OnlineLinear> search_{model_, class_weights_, reading_weights_};
};

}  // namespace

TrainFunction configure_tagger(SettingsReader& reader) {
  const TaggerOptions options = TaggerOptions::from(reader);
  const Objectives objectives = Objectives::from(reader);
  Objectives::own_select(reader, {"tags"});
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    TaggerLearner learner(options, read_tagger_corpus(options, data.train));
    return train_augmented(learner, objectives, options.epochs, run_identity(settings, data, context.seed), data,
                           context);
  };
}

}  // namespace espalier

// Tagging in one thread, with the weights of a trained model (Linear) or of one in training (OnlineLinear). A
// candidate's `derivation` is the columns of the classes of words 1..n, then the numbers of their readings, from which
// learners make updates:
//
//   TagSearch<OnlineLinear> search(model, class_weights, reading_weights);   // keeps references
//   KBestList list = search.list(sentence);                                  // by the current weights
//
// Tested by learn/tag/tagger_trainer_test.cc.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "espalier/parser/candidate.h"
#include "espalier/parser/tag/tag_scorer.h"
#include "espalier/parser/tag/tagger.h"
#include "espalier/parser/tag/tagging.h"
#include "espalier/search/beam.h"
#include "espalier/search/greedy.h"
#include "espalier/space/tagging.h"
#include "espalier/tree/constraints.h"

namespace espalier {

template <class Weights>
class TagSearch {
 public:
  /// Keeps references. The model's own weights are not used.
  TagSearch(const TaggerModel& model, const Weights& class_weights, const Weights& reading_weights)
      : model_(model), class_weights_(class_weights), reading_weights_(reading_weights) {
    const ReadingTable& readings = model.readings;
    for (int id = 0; id < readings.size(); ++id) upos_ = upos_ || readings.reading(id).upos != "_";
  }
  TagSearch(const TagSearch&) = delete;

  void parse(Sentence& sentence) {
    fitting_.clear();
    begin(sentence);
    choose_classes(sentence.size());
    choose_readings(sentence.size());
    finish(analysis_);
    annotate(sentence, analysis_);
  }

  /// Scores are log probabilities by a softmax over the scores of each step. While the list is used, the sentence must
  /// live and this search must not be used otherwise.
  /// Words with given tags get classes and readings with these tags, if there are any.
  KBestList list(const Sentence& sentence, const Constraints& given = {}) {
    constrain(given, sentence.size());
    return KBestList([this, &sentence](int k, std::vector<Candidate>& list) {
      begin(sentence);
      const float sharpness = kSharpness / class_weights_.scale();
      beam_.run(Tagging(), model_.actions, sentence.size(), k, arena_, [&](const Tagging::State& state, int) {
        return only_given(state.word, log_softmax(scorer_.row(state), sharpness));
      });
      list.clear();
      for (size_t i = 0; i < beam_.survivors().size(); ++i) {
        Candidate candidate;
        candidate.score = beam_.survivors()[i].score;
        if (candidate.score < kNever / 2) break;  // a class that is not given
        beam_.derivation(beam_.first_survivor() + static_cast<int>(i), candidate.derivation);
        classes_.assign(1, 0);
        classes_.insert(classes_.end(), candidate.derivation.begin(), candidate.derivation.end());
        choose_readings(sentence.size());
        candidate.derivation.insert(candidate.derivation.end(), readings_.begin() + 1, readings_.end());
        finish(candidate.analysis);
        add_distinct(std::move(candidate), list);
      }
    });
  }

 private:
  using Sum = typename Weights::Sum;
  static constexpr float kNever = -1e30f;
  /// The difference in log probability for a lead of one, the margin of training; chosen by the accuracy of
  /// parsers.
  static constexpr float kSharpness = 3;
  /// Smaller terms do not change a sum of at least one; most columns have such, and exponentials are slow.
  static constexpr float kNegligible = -18;

  void begin(const Sentence& sentence) {
    features_.encode(sentence, *model_.dictionary, model_.clusters.get());
    scorer_.reset(class_weights_, features_);
  }

  const float* log_softmax(const Sum* row, float sharpness) {
    logs_.resize(model_.actions.columns());
    const auto most = static_cast<float>(*std::max_element(row, row + logs_.size()));
    float sum = 0;
    for (size_t i = 0; i < logs_.size(); ++i) {
      logs_[i] = sharpness * (static_cast<float>(row[i]) - most);
      if (logs_[i] > kNegligible) sum += std::exp(logs_[i]);
    }
    const float log_sum = std::log(sum);
    for (float& log : logs_) log -= log_sum;
    return logs_.data();
  }

  /// Determines the readings that agree with a word's given tags, if some reading does.
  void constrain(const Constraints& given, int words) {
    fitting_.clear();
    if (!given.on_tags()) return;
    fitting_.resize(words + 1);
    for (int i = 1; i <= words; ++i) {
      auto& fits = fitting_[i];
      const auto add = [&](std::string Reading::*column, const std::string& wanted) {
        if (wanted == "_") return;
        std::vector<bool> narrower(model_.readings.size());
        bool any = false;
        for (size_t id = 0; id < narrower.size(); ++id) {
          narrower[id] = model_.readings.reading(static_cast<int>(id)).*column == wanted && (fits.empty() || fits[id]);
          any = any || narrower[id];
        }
        if (any) fits = std::move(narrower);
      };
      add(&Reading::upos, Constraints::text(given.upos, i));
      add(&Reading::xpos, Constraints::text(given.xpos, i));
      add(&Reading::feats, Constraints::text(given.feats, i));
    }
  }
  bool fits(int word, int reading) const {
    const auto& fits = fitting_[word];
    return fits.empty() || fits[reading];
  }
  const float* only_given(int word, const float* logs) {
    if (fitting_.empty()) return logs;
    for (int column = 0; column < model_.actions.columns(); ++column) {
      bool any = false;
      for (int id = model_.readings.begin(column); id < model_.readings.end(column) && !any; ++id) any = fits(word, id);
      if (!any) logs_[column] = kNever;
    }
    return logs_.data();
  }
  /// The best of the class's readings that agree with the given tags.
  int best_given(int word, int tag_class) const {
    const ReadingTable& table = model_.readings;
    int best = -1;
    auto most = table.score(row_.data(), table.begin(tag_class));
    for (int id = table.begin(tag_class); id < table.end(tag_class); ++id) {
      if (!fits(word, id)) continue;
      const auto score = table.score(row_.data(), id);
      if (best < 0 || score > most) best = id, most = score;
    }
    return best < 0 ? table.best(row_.data(), tag_class) : best;
  }

  void choose_classes(int words) {
    classes_.assign(words + 1, 0);
    greedy_search(
        Tagging(), model_.actions, words, arena_, [&](const Tagging::State& state) { return scorer_.row(state); },
        [&](const Tagging::State& state, int column, float) { classes_[state.word] = column; });
  }

  void choose_readings(int words) {
    const ReadingTable& table = model_.readings;
    readings_.assign(words + 1, -1);
    row_.resize(reading_weights_.columns());
    std::array<uint64_t, TaggingFeatures::kMostReadingKeys> keys;
    int previous = -1, before_it = -1;
    for (int i = 1; i <= words; ++i) {
      const int tag_class = classes_[i];
      int best = table.begin(tag_class);
      if (table.end(tag_class) - best > 1) {
        const int count = features_.reading_keys(i, classes_, previous, before_it, keys.data());
        std::ranges::fill(row_, Sum{0});
        reading_weights_.add({keys.data(), static_cast<size_t>(count)}, row_.data());
        best = fitting_.empty() ? table.best(row_.data(), tag_class) : best_given(i, tag_class);
      }
      readings_[i] = best;
      before_it = std::exchange(previous, table.number(best));
    }
  }

  /// Writes the readings of words 1..n into the columns that the tagger fills.
  void finish(Analysis& analysis) const {
    const auto fill = [&](bool wanted, std::vector<std::string>& column, std::string Reading::*member) {
      if (!wanted) return;
      column.resize(readings_.size());
      for (size_t i = 1; i < readings_.size(); ++i) column[i] = model_.readings.reading(readings_[i]).*member;
    };
    fill(upos_, analysis.upos, &Reading::upos);
    fill(model_.xpos, analysis.xpos, &Reading::xpos);
    fill(model_.feats, analysis.feats, &Reading::feats);
  }

  const TaggerModel& model_;
  const Weights &class_weights_, &reading_weights_;
  bool upos_ = false;  // false for models of bracketed trees, which have XPOS alone
  TaggingFeatures features_;
  TagScorer<Weights> scorer_;
  Tagging::Arena arena_;
  Beam<Tagging> beam_;
  std::vector<int> classes_, readings_;  // of word 1..n: columns, reading ids
  std::vector<Sum> row_;
  std::vector<float> logs_;
  std::vector<std::vector<bool>> fitting_;  // by word: readings; empty: all
  Analysis analysis_;
};

}  // namespace espalier

#include "espalier/learn/tag/lemmatizer_trainer.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "espalier/base/hash.h"
#include "espalier/base/unicode.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/online.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/update/passive_aggressive.h"
#include "espalier/parser/tag/lemmatizer.h"

namespace espalier {
namespace {

struct LemmatizerOptions {
  int epochs, edits, least_words, least_updates;
  float aggressiveness, margin, drop, sure;

  static LemmatizerOptions from(SettingsReader& s) {
    LemmatizerOptions o;
    o.epochs = s.integer("epochs", 6, 1, 1000, "passes over the different words");
    o.edits = s.integer("edits", 508, 1, 4092, "number of edits (ways to make a lemma of an unknown form), at most");
    o.least_words = s.integer("min_words", 2, 1, 1000000, "different words that an edit must occur with");
    o.least_updates = s.integer("min_updates", 2, 1, 1000000, "features updated less often are dropped");
    o.aggressiveness = s.real<float>("aggressiveness", 0.05, 1e-6, 1e6, "largest passive-aggressive step (C)");
    o.margin = s.real<float>("margin", 1, 0, 1e6, "margin that updates ask for");
    o.drop =
        s.real<float>("drop", 0.5, 0, 0.99, "share of the remaining features that is dropped, smallest weights first");
    o.sure =
        s.real<float>("sure", 0.5, 0, 1, "share of a form's occurrences that a lemma needs to enter the dictionary");
    return o;
  }
};

bool has_lemma(const Token& token) { return !token.lemma.empty() && (token.lemma != "_" || token.form == "_"); }

/// The lemmas of a key with their counts; equal counts: the first in the alphabet.
using LemmaCounts = std::map<std::string, int>;

LemmaDictionary count_dictionary(const std::vector<Sentence>& treebank, float sure) {
  std::map<uint64_t, LemmaCounts> counts;
  for (const Sentence& sentence : treebank) {
    for (const Token& token : sentence.tokens) {
      if (!has_lemma(token)) continue;
      const TagHashes tags(token);
      const uint64_t form = hash_string(token.form);
      ++counts[LemmaDictionary::exact_key(form, tags)][token.lemma];
      ++counts[LemmaDictionary::coarse_key(form, tags)][token.lemma];
    }
  }
  std::string text;
  std::unordered_map<std::string, uint32_t> places;
  std::vector<LemmaDictionary::Entry> entries;
  for (const auto& [key, lemmas] : counts) {
    int total = 0;
    for (const auto& [lemma, count] : lemmas) total += count;
    const auto& [best, count] = *std::ranges::max_element(lemmas, {}, &LemmaCounts::value_type::second);
    if (static_cast<float>(count) < sure * static_cast<float>(total)) continue;
    const auto [place, is_new] = places.emplace(best, static_cast<uint32_t>(text.size()));
    if (is_new) text += best;
    entries.push_back({key, place->second, static_cast<uint32_t>(best.size())});
  }
  return LemmaDictionary(entries, std::move(text));
}

/// A word to learn from. Words with equal features and lemma are one instance.
struct LemmaInstance {
  std::string lower;
  std::vector<uint64_t> keys;
  int edit;          // column
  unsigned casings;  // bit c: casing c gives the lemma
  auto operator<=>(const LemmaInstance&) const = default;
};

class LemmatizerLearner final : public OnlineLearner {
 public:
  LemmatizerLearner(const LemmatizerOptions& options, const std::vector<Sentence>& treebank)
      : options_(options), edits_(frequent_edits(treebank)), weights_(lemma_columns(edits_.size())) {
    dictionary_ = count_dictionary(treebank, options.sure);
    gather(treebank);
  }

  size_t size() const override { return instances_.size(); }

  size_t learn(std::span<const size_t> batch, int) override {
    const LemmaInstance& word = instances_[batch.front()];
    row_.assign(weights_.columns(), 0);
    weights_.add(word.keys, row_.data());
    const bool edit = correct(
        word, kCasings, lemma_columns(edits_.size()), [&](int c) { return c == word.edit; },
        [&](int c) { return edits_[c - kCasings].applies(word.lower); });
    const bool casing = correct(
        word, 0, kCasings, [&](int c) { return word.casings >> c & 1; }, [](int) { return true; });
    weights_.tick();
    return edit || casing;
  }

  std::unique_ptr<Parser> freeze() const override {
    return make_lemmatizer(
        {dictionary_, edits_,
         weights_.freeze(
             {.least_updates = options_.least_updates, .drop = options_.drop, .most_features = kMostLemmaKeys})});
  }
  void archive(Archive& archive) override { weights_.archive(archive); }

 private:
  /// The edits that occur with enough different words.
  std::vector<LemmaEdit> frequent_edits(const std::vector<Sentence>& treebank) const {
    std::set<std::pair<std::string, std::string>> seen;
    std::map<LemmaEdit, int> counts;
    for (const Sentence& sentence : treebank) {
      for (const Token& token : sentence.tokens) {
        if (!has_lemma(token)) continue;
        const auto [pair, is_new] = seen.emplace(lower_case(token.form), lower_case(token.lemma));
        if (!is_new) continue;
        if (const auto edit = lemma_edit(pair->first, pair->second)) ++counts[*edit];
      }
    }
    if (counts.empty()) throw Error(ErrorKind::kData, "there is no lemma to learn from");
    std::vector<std::pair<int, LemmaEdit>> ranked;
    for (const auto& [edit, count] : counts)
      if (count >= options_.least_words) ranked.emplace_back(-count, edit);
    std::ranges::sort(ranked);
    std::vector<LemmaEdit> edits;
    for (const auto& [count, edit] : ranked)
      if (edits.size() < static_cast<size_t>(options_.edits)) edits.push_back(edit);
    if (edits.empty()) edits.emplace_back();  // the form itself
    return edits;
  }

  void gather(const std::vector<Sentence>& treebank) {
    std::map<LemmaEdit, int> columns;
    for (size_t e = 0; e < edits_.size(); ++e) columns[edits_[e]] = kCasings + static_cast<int>(e);
    std::array<uint64_t, kMostLemmaKeys> keys;
    std::string lemma;
    for (const Sentence& sentence : treebank) {
      for (int i = 1; i <= sentence.size(); ++i) {
        const Token& token = sentence.word(i);
        if (!has_lemma(token)) continue;
        LemmaInstance word{lower_case(token.form), {}, 0, 0};
        const auto edit = lemma_edit(word.lower, lower_case(token.lemma));
        const auto column = edit ? columns.find(*edit) : columns.end();
        if (column == columns.end()) continue;
        word.edit = column->second;
        for (int c = 0; c < kCasings; ++c) {
          make_lemma(token.form, word.lower, *edit, static_cast<Casing>(c), lemma);
          if (lemma == token.lemma) word.casings |= 1u << c;
        }
        const int count = lemma_keys(sentence, i, word.lower, TagHashes(token), keys.data());
        word.keys.assign(keys.begin(), keys.begin() + count);
        instances_.push_back(std::move(word));
      }
    }
    std::ranges::sort(instances_);
    instances_.erase(std::unique(instances_.begin(), instances_.end()), instances_.end());
  }

  /// A passive-aggressive step unless a right column of begin..end-1 leads all possible wrong ones by the margin.
  template <class Right, class Possible>
  bool correct(const LemmaInstance& word, int begin, int end, const Right& is_right, const Possible& possible) {
    int right = -1, wrong = -1;
    for (int c = begin; c < end; ++c) {
      int& best = is_right(c) ? right : wrong;
      const auto score = [&](int column) { return row_[column]; };
      if ((best < 0 || score(c) > score(best)) && possible(c)) best = c;
    }
    if (right < 0 || wrong < 0) return false;
    const float lead = row_[right] - row_[wrong];
    const float step = passive_aggressive_step(options_.margin - lead, static_cast<float>(2 * word.keys.size()),
                                               options_.aggressiveness);
    if (step == 0) return false;
    std::array<uint32_t, kMostLemmaKeys> rows;
    weights_.locate(word.keys, rows.data());
    for (size_t i = 0; i < word.keys.size(); ++i) {
      if (rows[i] == 0) continue;
      weights_.touch(rows[i]);
      weights_.adjust(rows[i], right, right + 1, step);
      weights_.adjust(rows[i], wrong, wrong + 1, -step);
    }
    return true;
  }

  LemmatizerOptions options_;
  std::vector<LemmaEdit> edits_;
  LemmaDictionary dictionary_;
  std::vector<LemmaInstance> instances_;
  OnlineLinear weights_;
  std::vector<float> row_;
};

}  // namespace

TrainFunction configure_lemmatizer(SettingsReader& reader) {
  const LemmatizerOptions options = LemmatizerOptions::from(reader);
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    LemmatizerLearner learner(options, data.train);
    return train_online(learner, options.epochs, run_identity(settings, data, context.seed), data, context);
  };
}

}  // namespace espalier

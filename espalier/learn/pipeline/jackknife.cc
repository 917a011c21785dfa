#include "espalier/learn/pipeline/jackknife.h"

#include <charconv>
#include <sstream>

#include "espalier/base/error.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/folds.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/stage.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/parse_all.h"

namespace espalier {
namespace {

/// The tags of all words, a line each; columns hold neither tabs nor line ends.
std::string tags_as_text(const std::vector<Sentence>& sentences) {
  std::string text;
  for (const Sentence& sentence : sentences) {
    for (const Token& token : sentence.tokens) {
      text.append(token.upos).append("\t").append(token.xpos).append("\t").append(token.feats).append("\n");
    }
  }
  return text;
}

void tags_from_text(const std::string& text, std::span<Sentence> sentences) {
  std::istringstream lines(text);
  for (Sentence& sentence : sentences) {
    for (Token& token : sentence.tokens) {
      std::getline(lines, token.upos, '\t');
      std::getline(lines, token.xpos, '\t');
      if (!std::getline(lines, token.feats)) throw run_error("a finished fold is damaged; train without --resume");
    }
  }
}

}  // namespace

std::vector<Sentence> jackknife_tags(const std::vector<Sentence>& treebank, int folds, const Trainer& tagger,
                                     const TrainContext& context) {
  const std::vector<size_t> order = scattered_order(treebank.size(), folds);
  std::vector<Sentence> sentences;
  for (const size_t i : order) sentences.push_back(treebank[i]);
  const std::vector<Fold> blocks = contiguous_folds(sentences.size(), folds);
  const std::string key = run_identity(tagger.settings, {sentences, {}}, context.seed);
  const auto results = run_folds(blocks.size(), "jackknife", key, context, [&](size_t i, const TrainContext& own) {
    const Trained trained = tagger.train(outside(sentences, blocks[i]), own);
    if (trained.stopped) throw stopped_without_model();
    std::vector<Sentence> held_out = inside(sentences, blocks[i]);
    parse_all(*trained.parser, held_out, own.threads);
    return tags_as_text(held_out);
  });
  for (size_t i = 0; i < blocks.size(); ++i)
    tags_from_text(results[i], std::span(sentences).subspan(blocks[i].begin, blocks[i].end - blocks[i].begin));
  std::vector<Sentence> tagged(treebank.size());
  for (size_t i = 0; i < order.size(); ++i) tagged[order[i]] = std::move(sentences[i]);
  return tagged;
}

int jackknife_folds(SettingsReader& settings) {
  constexpr std::string_view kJackknife = "jackknife:";
  const std::string value =
      settings.text("tags", "input", "tags to train on: input, or jackknife:K = predicted by K-fold taggers");
  if (value == "input") return 0;
  int folds = 0;
  const char* end = value.data() + value.size();
  if (!value.starts_with(kJackknife) || std::from_chars(value.data() + kJackknife.size(), end, folds).ptr != end ||
      folds < 2 || folds > 1000) {
    throw usage_error("tags={}: must be input or jackknife:K with K from 2 to 1000", value);
  }
  return folds;
}

void tag_unseen(const Parser& tagger, TrainData& data, int threads) {
  parse_all(tagger, data.dev, threads);
  for (ObjectiveData& objective : data.objectives) {
    parse_all(tagger, objective.train, threads);
    parse_all(tagger, objective.dev, threads);
  }
}

TrainFunction with_tags_as_set(SettingsReader& settings, TrainFunction train) {
  const int folds = jackknife_folds(settings);
  if (folds == 0) return train;
  const std::string recipe = settings.text("tagger.recipe", "tagger", "recipe of the tagger");
  const Trainer tagger = configure(load_recipe(recipe, settings.values().with_prefix("tagger.")));
  settings.adopt(tagger.known, "tagger.");
  return [=](const TrainData& data, const TrainContext& context) {
    TrainData tagged{jackknife_tags(data.train, folds, tagger, context), data.dev, data.objectives};
    if (!tagged.dev.empty() || !tagged.objectives.empty())
      tag_unseen(*train_stage("tagger", tagger, {data.train, {}}, context).parser, tagged, context.threads);
    return train(tagged, context);
  };
}

}  // namespace espalier

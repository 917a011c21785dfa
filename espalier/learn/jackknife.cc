#include "espalier/learn/jackknife.h"

#include <charconv>
#include <sstream>

#include "espalier/base/error.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/folds.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/stage.h"
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

std::vector<Sentence> jackknife_tags(const std::vector<Sentence>& treebank, int folds, const Settings& tagger,
                                     const TrainContext& context) {
  const std::vector<size_t> order = scattered_order(treebank.size(), folds);
  std::vector<Sentence> sentences;
  for (const size_t i : order) sentences.push_back(treebank[i]);
  const std::vector<Fold> blocks = contiguous_folds(sentences.size(), folds);
  const std::string key = run_identity(tagger, {sentences, {}}, context.seed);
  const auto results = run_folds(blocks.size(), "jackknife", key, context, [&](size_t i, const TrainContext& own) {
    const Settings settings = tagger;  // a copy: settings remember what they are asked, and folds run in parallel
    const Trained trained = train(settings, outside(sentences, blocks[i]), own);
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

int jackknife_folds(const Settings& settings) {
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

Settings tagger_settings(const Settings& settings) {
  const Settings own = settings.with_prefix("tagger.");
  Settings tagger = load_recipe(own.text("recipe", "tagger", "recipe of the tagger"));
  const std::string trainer = tagger.text("recipe", "", "");
  tagger.merge(own);
  tagger.set("recipe", trainer);
  settings.know_prefix("tagger.");
  return tagger;
}

void tag_unseen(const Parser& tagger, TrainData& data, int threads) {
  parse_all(tagger, data.dev, threads);
  for (ObjectiveData& objective : data.objectives) {
    parse_all(tagger, objective.train, threads);
    parse_all(tagger, objective.dev, threads);
  }
}

TrainData with_predicted_tags(const TrainData& data, int folds, const Settings& tagger, const TrainContext& context) {
  TrainData tagged{jackknife_tags(data.train, folds, tagger, context), data.dev, data.objectives};
  if (!tagged.dev.empty() || !tagged.objectives.empty())
    tag_unseen(*train_stage("tagger", tagger, {data.train, {}}, context).parser, tagged, context.threads);
  return tagged;
}

}  // namespace espalier

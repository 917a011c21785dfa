#include "espalier/learn/combine/hc_trainer.h"

#include <algorithm>

#include "espalier/base/error.h"
#include "espalier/learn/checkpoint.h"
#include "espalier/learn/combine/fold_lists.h"
#include "espalier/learn/combine/hc_bases.h"
#include "espalier/learn/combine/list_loss.h"
#include "espalier/learn/combine/mixture_fit.h"
#include "espalier/learn/combine/rank_learner.h"
#include "espalier/learn/dev_score.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/progress.h"
#include "espalier/learn/stage.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/combine/mixture.h"
#include "espalier/parser/combine/reranker.h"
#include "espalier/parser/combine/tree_scores.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/pipeline.h"
#include "espalier/tree/head_rules.h"

namespace espalier {
namespace {

enum class Ranking { kFine, kCoarse, kGold, kNone };

struct HcOptions {
  FoldOptions folds;
  Ranking ranking;
  std::string loss, head_rules, keep, ranker;
  bool mixture;
  int epochs, least;
  double aggressiveness;
  size_t most;
  uint64_t rank_seed;

  explicit HcOptions(SettingsReader& s) {
    folds.folds = s.integer("folds", 10, 2, 1000, "blocks of the training data, parsed by models of the others");
    folds.size = s.integer<size_t>("list", 16, 1, 4096, "candidates per sentence and parser");
    folds.width = s.integer("width", 32, 1, 4096, "trees that the search keeps; the best of them form the list");
    ranking = s.choice("ranking", Ranking::kFine, {"fine", "coarse", "gold", "none"},
                       "pairs to learn from: each level of loss against the worse ones, the best against all, the gold "
                       "tree against all, even if it is not in the list, or none");
    mixture = s.flag("mixture", true, "mix the ranker's score with the parsers'");
    loss = s.text("loss", "auto",
                  "what makes a tree worse: auto (labelled errors, or brackets), no-punctuation (heads), or a loss");
    ListLoss check(loss);
    epochs = s.integer("epochs", 10, 1, 1000, "passes of the ranker over the lists");
    aggressiveness = s.real("aggressiveness", 1e9, 1e-9, 1e9, "largest step of the ranker (C)");
    least = s.integer("min_lists", 3, 1, 255, "features that differ in fewer lists are left out");
    most = s.integer<size_t>("features", 2000000, 1, 1000000000,
                             "features that the ranker keeps, those with the largest weights");
    head_rules = s.text("head_rules", "english", "head rules of constituents: english, generic or a file");
    head_rules_text(head_rules);
    rank_seed =
        s.integer<uint64_t>("rank_seed", 0, 0, 1000000000, "seed of the ranker alone; 0 = that of the training");
    ranker = s.text("ranker", "", "model whose ranker is used, for trees of any parser");
    keep = s.text("keep", "", "folder that keeps base models and lists for other runs with the same ones");
  }
};

/// Lists of several parsers as one, with their losses.
std::vector<LossList> pooled(const std::vector<Sentence>& sentences,
                             std::vector<std::vector<CandidateList>> lists_by_parser, const ListLoss& loss) {
  std::vector<LossList> all(sentences.size());
  for (size_t i = 0; i < sentences.size(); ++i) {
    std::vector<CandidateList> lists;
    for (auto& of_parser : lists_by_parser) lists.push_back(std::move(of_parser[i]));
    all[i].sentence = &sentences[i];
    all[i].list = pool(std::move(lists));
    all[i].losses = loss(sentences[i], all[i].list.analyses);
  }
  return all;
}

std::vector<MixtureList> mixture_lists(std::span<const LossList> lists) {
  std::vector<MixtureList> all;
  for (const LossList& list : lists) {
    MixtureList& one = all.emplace_back();
    one.parsers = list.list.scores;
    for (auto& scores : one.parsers) rescale(scores);
    one.ranker.assign(list.list.size(), 0);
    one.losses.assign(list.losses.begin(), list.losses.end());
  }
  return all;
}

/// The mean difference between the best and the worst score of a list.
template <class Scores>
double mean_range(size_t lists, Scores&& scores) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < lists; ++i) {
    const auto& of_list = scores(i);
    if (of_list.size() < 2) continue;
    const auto [low, high] = std::ranges::minmax(of_list);
    sum += high - low;
    ++count;
  }
  return sum > 0 ? sum / count : 1;
}

/// The ranker of the best epoch, and its mixture.
struct Learned {
  std::vector<std::pair<uint64_t, float>> weights;
  Mixture mixture;
  double ranker_range = 1;
  nlohmann::json report;
};

Learned learn_ranker(const HcOptions& options, AtomColumns columns, std::span<LossList> train,
                     std::span<const LossList> dev, const std::string& identity, const TrainContext& context) {
  std::vector<MixtureList> mixtures = mixture_lists(dev);
  Learned learned;
  learned.mixture = fit_mixture(mixtures, false);
  learned.report["parser_loss"] = learned.mixture.loss;
  if (options.ranking == Ranking::kNone) return learned;

  RankFeatures features(columns, options.head_rules);
  const std::vector<RankExample> examples = features.learn(train, options.least, context.threads);
  const std::vector<RankExample> held_out = features.encode(dev, context.threads);
  features.drop_index();
  const uint64_t seed = options.rank_seed ? options.rank_seed : context.seed;
  const RankOptions rank{options.ranking == Ranking::kFine, options.aggressiveness};
  RankLearner learner(examples, features.size(), rank, seed, held_out, std::move(mixtures), options.mixture);
  TrainContext own = part_context(context, "rank");
  own.progress = [&](Progress progress) {
    progress.phase = "rank";
    context.progress(progress);
  };
  if (train_online(learner, options.epochs, identity, {}, own).stopped) throw stopped_without_model();

  const RankLearner::Best& best = learner.best();
  learned.mixture = best.mixture;
  learned.ranker_range = mean_range(held_out.size(), [&](size_t i) { return rank_scores(held_out[i], best.weights); });
  for (size_t i = 0; i < best.weights.size(); ++i)
    if (best.weights[i] != 0) learned.weights.emplace_back(features.key(i), best.weights[i]);
  learned.report["features"] = features.size();
  learned.report["epoch"] = best.epoch;
  learned.report["ranker_loss"] = best.loss_alone;
  learned.report["mixture_loss"] = best.mixture.loss;
  learned.report["alpha"] = best.mixture.alpha;
  return learned;
}

std::unique_ptr<Parser> load_base(const std::string& file) {
  auto parser = std::move(load_stages(file).back().parser);
  if (const AboutParser about = parser->about(); !about.can.kbest || about.kind == "rerank")
    throw usage_error("{}: a model without k-best lists, or one that is reranked already", file);
  return parser;
}

/// Loads the ranker of a model; of a pipeline, its parser's.
void load_ranker_of(const std::string& name, RerankModel& model) {
  const auto file = ModelFile::open(name);
  ModelPart part{file, file->metadata().value("model", nlohmann::json::object()), ""};
  if (part.metadata.value("kind", "") == "pipeline")
    for (const nlohmann::json& stage : nlohmann::json(part.metadata.at("stages")))  // a damaged file may have none
      part = {file, stage.at("part"), stage.at("name").get<std::string>() + "/"};
  load_ranker(part, model);
}

/// Fits the mixture for the ranker of another model.
Mixture fit_to(const RerankModel& model, bool mixture, std::span<const LossList> dev) {
  std::vector<MixtureList> lists = mixture_lists(dev);
  TreeScores scores(model.columns, model.head_rules);
  for (size_t i = 0; i < lists.size(); ++i) {
    if (lists[i].ranker.size() < 2) continue;
    scores.score(model.weights, *dev[i].sentence, dev[i].list.analyses, false, lists[i].ranker);
    rescale(lists[i].ranker);
  }
  const std::vector<double> ranker_alone(model.parsers.size(), 0.0);
  return mixture ? fit_mixture(lists, true) : Mixture{ranker_alone, mixture_loss(lists, ranker_alone)};
}

Trained train_hc(const std::vector<HcBase>& bases, const HcOptions& options, const Settings& settings,
                 const TrainData& data, const TrainContext& context) {
  if (!options.ranker.empty() && data.dev.empty())
    throw usage_error("a ranker of another model needs --dev, to choose its weight");
  TrainContext stages = context;
  if (!options.keep.empty()) {
    stages.checkpoint = options.keep + "/hc";
    stages.resume = true;
    stages.make_parts = {};  // other machines do not see that folder
  }
  RerankModel model;
  nlohmann::json report;
  std::vector<std::vector<CandidateList>> train_lists, dev_lists;
  const bool needs_folds = options.ranker.empty() && (options.ranking != Ranking::kNone || data.dev.empty());
  for (const HcBase& base : bases) {
    Trained trained =
        base.file.empty() ? train_stage(base.name, *base.whole, data, stages) : Trained{load_base(base.file), {}};
    report[base.name] = std::move(trained.report);
    dev_lists.push_back(lists_of(*trained.parser, data.dev, options.folds.width, options.folds.size, context.threads));
    model.parsers.push_back(std::move(trained.parser));
    FoldOptions folds = options.folds;
    folds.name = base.name + " folds";
    if (needs_folds) train_lists.push_back(jackknifed_lists(data.train, data.objectives, *base.fold, folds, stages));
  }

  const ListLoss loss(options.loss);
  std::vector<LossList> train, dev = pooled(data.dev, std::move(dev_lists), loss);
  if (needs_folds) train = pooled(data.train, std::move(train_lists), loss);
  if (data.dev.empty()) {
    context.note("without --dev, every tenth list of the training data is held out to choose the mixture");
    std::vector<LossList> rest;
    for (size_t i = 0; i < train.size(); ++i) (i % 10 == 9 ? dev : rest).push_back(std::move(train[i]));
    train = std::move(rest);
  }
  if (options.ranking == Ranking::kGold)
    for (LossList& list : train) put_gold(list);
  model.columns = AtomColumns::of(data.train);
  model.head_rules = options.head_rules;
  model.list = static_cast<int>(options.folds.size);
  model.width = options.folds.width;
  if (options.ranker.empty()) {
    Learned learned =
        learn_ranker(options, model.columns, train, dev, run_identity(settings, data, context.seed), context);
    model.alpha = learned.mixture.alpha;
    model.weights = RankWeights(std::move(learned.weights), options.most);
    model.ranker_range = learned.ranker_range;
    report["rank"] = std::move(learned.report);
  } else {
    load_ranker_of(options.ranker, model);
    const Mixture mixture = fit_to(model, options.mixture, dev);
    model.alpha = mixture.alpha;
    report["rank"] = {{"mixture_loss", mixture.loss}, {"alpha", mixture.alpha}};
  }
  for (size_t i = 0; i < bases.size(); ++i)
    model.parser_ranges.push_back(mean_range(dev.size(), [&](size_t k) { return dev[k].list.scores[i]; }));
  auto parser = make_reranker(std::move(model));
  if (!data.dev.empty()) report["dev"] = score_on_dev(*parser, data.dev, context.threads).details;
  return {std::move(parser), std::move(report)};
}

}  // namespace

TrainFunction configure_hc(SettingsReader& settings) {
  const std::vector<HcBase> bases = hc_bases(settings);
  const HcOptions options(settings);
  if (!bases.front().file.empty() && options.ranker.empty())
    throw usage_error("trained models have no folds that a ranker could learn from: set ranker, too");
  return [=, values = settings.values()](const TrainData& data, const TrainContext& context) {
    return train_hc(bases, options, values, data, context);
  };
}

}  // namespace espalier

#include "espalier/app/train_crossval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "espalier/app/configured_trainer.h"
#include "espalier/app/evaluate.h"
#include "espalier/base/error.h"
#include "espalier/base/output_file.h"
#include "espalier/base/parallel.h"
#include "espalier/base/rng.h"
#include "espalier/learn/folds.h"
#include "espalier/learn/trained.h"

namespace espalier {
namespace {

/// A share of the sentences, drawn at random, in their order; larger shares contain smaller ones.
std::vector<Sentence> share_of(const std::vector<Sentence>& sentences, double share, uint64_t seed) {
  std::vector<size_t> order(sentences.size());
  std::iota(order.begin(), order.end(), size_t{0});
  Rng rng(seed, "curve");
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  order.resize(std::max<size_t>(1, static_cast<size_t>(std::lround(share * static_cast<double>(order.size())))));
  std::ranges::sort(order);
  std::vector<Sentence> some;
  for (const size_t i : order) some.push_back(sentences[i]);
  return some;
}

std::vector<std::string> metrics_of(const std::vector<std::string>& predicts) {
  const auto has = [&](const char* what) { return std::ranges::find(predicts, what) != predicts.end(); };
  std::vector<std::string> metrics;
  const auto add = [&](std::initializer_list<const char*> names) {
    metrics.insert(metrics.end(), names.begin(), names.end());
  };
  if (has("heads")) add({"las", "uas"});
  if (has("constituents")) add({"f1", "precision", "recall"});
  if (has("tags")) add({"upos", "xpos", "feats"});
  if (has("lemmas")) add({"lemma"});
  return metrics;
}

/// The parsed sentences of the folds, and their scores.
struct FoldResult {
  std::vector<Sentence> parsed;
  std::vector<std::string> metrics;
  size_t learned_from = 0;
};

/// Trains on a share of the sentences outside of a fold and parses those inside.
FoldResult run_fold(const Trainer& trainer, std::span<const Sentence> sentences, const Fold& fold, double share,
                    const TrainContext& context) {
  TrainData data = outside(sentences, fold);
  if (share < 1) data.train = share_of(data.train, share, context.seed);
  const Trained trained = trainer.train(data, context);
  if (!trained.parser || trained.stopped) throw stopped_without_model();
  FoldResult result;
  result.learned_from = data.train.size();
  result.metrics = metrics_of(trained.parser->about().predicts);
  result.parsed = inside(sentences, fold);
  const Model model{std::shared_ptr<const Parser>(trained.parser.get(), [](const Parser*) {})};
  for (Sentence& sentence : result.parsed) {
    for (Token& token : sentence.tokens) {
      token.head = Token::kNoHead;
      token.deprel = "_";
    }
    model.parse(sentence);
  }
  return result;
}

nlohmann::ordered_json summary(const std::vector<double>& scores) {
  const double n = static_cast<double>(scores.size());
  const double mean = std::accumulate(scores.begin(), scores.end(), 0.0) / n;
  double squares = 0;
  for (const double score : scores) squares += (score - mean) * (score - mean);
  return {{"folds", scores}, {"mean", mean}, {"deviation", n > 1 ? std::sqrt(squares / (n - 1)) : 0}};
}

void check(const CrossvalFiles& request) {
  if (request.folds < 2) throw usage_error("cross-validation needs two folds at least");
  if (request.curve.empty()) throw usage_error("a curve needs a share at least");
  for (size_t i = 0; i < request.curve.size(); ++i)
    if (!(request.curve[i] > 0 && request.curve[i] <= 1) || (i > 0 && request.curve[i] <= request.curve[i - 1]))
      throw usage_error("shares of a curve are above 0, at most 1, and ascend");
}

TrainContext context_of(const CrossvalFiles& request) {
  TrainContext context;
  context.threads = request.threads > 0 ? request.threads : hardware_threads();
  context.seed = request.seed;
  if (request.progress) context.progress = request.progress;
  if (request.stop) context.stop = [stop = request.stop] { return stop->load(); };
  return context;
}

}  // namespace

nlohmann::ordered_json crossvalidate(const CrossvalFiles& request) {
  check(request);
  const Trainer trainer = configured_trainer(request.recipe, request.settings);
  const std::vector<Sentence> original = read_sentences(request.train, request.format, request.message).sentences;
  if (original.size() < static_cast<size_t>(request.folds))
    throw usage_error("{} sentences are too few for {} folds", original.size(), request.folds);
  const std::vector<size_t> order = scattered_order(original.size(), request.folds);
  std::vector<Sentence> sentences;
  for (const size_t i : order) sentences.push_back(original[i]);
  const std::vector<Fold> folds = contiguous_folds(sentences.size(), request.folds);
  const TrainContext context = context_of(request);

  nlohmann::ordered_json report = {{"folds", folds.size()}, {"sentences", sentences.size()}};
  std::vector<Sentence> parsed(original.size());
  for (const double share : request.curve) {
    std::vector<FoldResult> results(folds.size());
    run_folds(folds.size(), fmt::format("{:.0f} %", 100 * share), "crossval", context,
              [&](size_t f, const TrainContext& own) {
                results[f] = run_fold(trainer, sentences, folds[f], share, own);
                return std::string();
              });
    if (results[0].metrics.empty())
      throw usage_error("models of recipe {} predict nothing that is scored on given words",
                        trainer.settings.get("recipe"));
    std::map<std::string, std::vector<double>> scores;  // without what gold does not have
    double learned_from = 0;
    for (size_t f = 0; f < folds.size(); ++f) {
      const bool brackets = results[f].metrics.front() == "f1";
      const auto json =
          evaluate(inside(sentences, folds[f]), results[f].parsed, {.format = brackets ? "ptb" : "conllu"}).json();
      for (const std::string& metric : results[0].metrics)
        if (json.at(metric).is_number()) scores[metric].push_back(json.at(metric).get<double>());
      learned_from += static_cast<double>(results[f].learned_from) / static_cast<double>(folds.size());
    }
    nlohmann::ordered_json point = {{"share", share}, {"sentences", std::lround(learned_from)}};
    std::erase_if(results[0].metrics, [&](const std::string& metric) { return scores[metric].size() < folds.size(); });
    report["metrics"] = results[0].metrics;
    for (const std::string& metric : results[0].metrics) point["scores"][metric] = summary(scores[metric]);
    report["curve"].push_back(std::move(point));
    for (size_t f = 0; f < folds.size(); ++f)
      for (size_t i = folds[f].begin; i < folds[f].end; ++i)
        parsed[order[i]] = std::move(results[f].parsed[i - folds[f].begin]);
  }
  if (!request.output.empty()) {
    OutputFile file(request.output);
    const std::string format = guess_format(request.output);
    file.stream() << write_text(parsed, format.empty() ? "conllu" : format);
    file.commit();
  }
  return report;
}

std::string crossval_table(const nlohmann::ordered_json& report) {
  std::string table;
  for (const auto& point : report["curve"]) {
    if (report["curve"].size() > 1 && !table.empty()) table += '\n';
    table += fmt::format("{} folds, each model learned from {} sentences ({:.0f} %)\n", report["folds"].get<int>(),
                         point["sentences"].get<long>(), 100 * point["share"].get<double>());
    for (const auto& [metric, scores] : point["scores"].items()) {
      table += fmt::format("{:10} {:6.2f} ± {:.2f}   ", metric, scores["mean"].get<double>(),
                           scores["deviation"].get<double>());
      for (const auto& score : scores["folds"]) table += fmt::format(" {:6.2f}", score.get<double>());
      table += '\n';
    }
  }
  return table;
}

std::string learning_curve_svg(const nlohmann::ordered_json& report) {
  constexpr double kWidth = 640, kHeight = 400, kLeft = 60, kBottom = 350, kTop = 30, kRight = 620;
  const std::string metric = report["metrics"][0];
  double least = 100, most = 0, largest = 1;
  for (const auto& point : report["curve"]) {
    const auto& scores = point["scores"][metric];
    const double mean = scores["mean"], deviation = scores["deviation"];
    least = std::min(least, mean - deviation), most = std::max(most, mean + deviation);
    largest = std::max(largest, point["sentences"].get<double>());
  }
  least = std::floor(least / 5) * 5;
  most = std::max(std::ceil(most / 5) * 5, least + 5);
  const auto x = [&](double sentences) { return kLeft + sentences / largest * (kRight - kLeft); };
  const auto y = [&](double score) { return kBottom - (score - least) / (most - least) * (kBottom - kTop); };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<title>{2} by sentences learned from</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kWidth, kHeight, metric);
  for (double tick = least; tick <= most; tick += (most - least) / 5)
    svg += fmt::format(
        "<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#ddd\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5:.0f}</text>\n",
        kLeft, y(tick), kRight, kLeft - 8, y(tick) + 4, tick);
  std::string line;
  for (const auto& point : report["curve"]) {
    const auto& scores = point["scores"][metric];
    const double at = x(point["sentences"]), mean = scores["mean"], deviation = scores["deviation"];
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", at, y(mean));
    svg += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#1f5fa8\"/><circle cx=\"{0:.1f}\" cy=\"{3:.1f}\" r=\"4\" "
        "fill=\"#1f5fa8\"><title>{4} sentences: {5:.2f} ± {6:.2f}</title></circle>"
        "<text x=\"{0:.1f}\" y=\"{7}\" text-anchor=\"middle\">{4}</text>\n",
        at, y(mean - deviation), y(mean + deviation), y(mean), point["sentences"].get<long>(), mean, deviation,
        kBottom + 18);
  }
  svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\"/>\n", line);
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">sentences learned from</text>\n"
      "<text x=\"{}\" y=\"18\">{}, percent</text>\n</svg>\n",
      (kLeft + kRight) / 2, kHeight - 8, kLeft - 40, metric);
  return svg;
}

}  // namespace espalier

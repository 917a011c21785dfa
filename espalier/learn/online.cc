#include "espalier/learn/online.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>

#include "espalier/base/rng.h"
#include "espalier/learn/dev_score.h"

namespace espalier {
namespace {

using Clock = std::chrono::steady_clock;
// The weights of a large model are gigabytes: a checkpoint may cost 1/20 of the time, and short runs do without.
constexpr int kRestraint = 20;
constexpr auto kBetweenCheckpoints = std::chrono::minutes(1);
constexpr size_t kBetweenNews = 256;  // instances

struct Run {
  int epoch = 0;  // finished ones
  int best_epoch = 0;
  DevScore best;
  std::unique_ptr<Parser> parser;
  nlohmann::json curve = nlohmann::json::array();
};

void save_checkpoint(const OnlineLearner& learner, const Run& run, const std::string& identity,
                     const std::string& file) {
  ModelWriter writer;
  writer.metadata = {{"checkpoint", identity},           {"epoch", run.epoch},
                     {"best_epoch", run.best_epoch},     {"best_value", run.best.value},
                     {"best_details", run.best.details}, {"curve", run.curve}};
  writer.metadata["best"] = run.parser->save(writer, "best/");
  writer.metadata["best"]["kind"] = run.parser->kind();
  writer.add("learner", learner.save());
  writer.save(file);
}

Run resume(OnlineLearner& learner, const std::string& identity, const std::string& file) {
  const auto checkpoint = ModelFile::open(file);
  const nlohmann::json& m = checkpoint->metadata();
  if (m.value("checkpoint", "") != identity)
    throw data_error(file, 0, "this checkpoint belongs to another run (other recipe, settings, seed or data)");
  Run run;
  run.epoch = m.at("epoch");
  run.best_epoch = m.at("best_epoch");
  run.best = {m.at("best_value"), m.at("best_details")};
  run.curve = m.at("curve");
  run.parser = load_part({checkpoint, m.at("best"), "best/"}, {});
  const auto bytes = checkpoint->array<char>("learner");
  learner.restore({bytes.data(), bytes.size()});
  return run;
}

}  // namespace

Trained train_online(OnlineLearner& learner, int epochs, const std::string& identity, const TrainData& data,
                     const TrainContext& context) {
  Run run;
  if (context.resume && !context.checkpoint.empty() && std::filesystem::exists(context.checkpoint))
    run = resume(learner, identity, context.checkpoint);

  auto last_checkpoint = Clock::now();
  Clock::duration cost{0};  // of the last checkpoint
  std::vector<size_t> order(learner.size());
  for (int epoch = run.epoch + 1; epoch <= epochs && !context.stopping(); ++epoch) {
    std::iota(order.begin(), order.end(), size_t{0});
    Rng rng(context.seed + static_cast<uint64_t>(epoch) * 0x10001, "shuffle");
    rng.shuffle(order);
    Progress news;
    news.phase = "train";
    news.epoch = epoch;
    news.epochs = epochs;
    news.total = order.size();
    size_t updates = 0;
    for (const size_t instance : order) {
      if (context.stopping()) break;
      updates += learner.learn(instance, epoch);
      if (++news.done % kBetweenNews == 0) {
        news.values = {{"updates", updates}};
        context.progress(news);
      }
    }
    // An epoch that was cut short is only worth keeping if there is nothing else, and never counts as finished.
    const bool complete = news.done == order.size();
    if (!complete && (run.parser || news.done == 0)) break;

    auto parser = learner.freeze();
    const DevScore score = data.dev.empty() ? DevScore{} : score_on_dev(*parser, data.dev, context.threads);
    news.epoch_end = true;
    news.values = {{"updates", updates}};
    if (!data.dev.empty()) news.values["dev"] = score.details;
    context.progress(news);
    run.curve.push_back(news.values);
    if (complete) run.epoch = epoch;
    // Without dev data the last epoch is the best.
    if (!run.parser || data.dev.empty() || score.value > run.best.value) {
      run.parser = std::move(parser);
      run.best = score;
      run.best_epoch = epoch;
    }
    if (complete && !context.checkpoint.empty() && epoch < epochs &&
        (context.stopping() ||
         Clock::now() - last_checkpoint > std::max<Clock::duration>(kBetweenCheckpoints, kRestraint * cost))) {
      const auto begin = Clock::now();
      save_checkpoint(learner, run, identity, context.checkpoint);
      last_checkpoint = Clock::now();
      cost = last_checkpoint - begin;
    }
  }
  Trained trained{std::move(run.parser), {{"epochs", run.epoch}, {"best_epoch", run.best_epoch}, {"curve", run.curve}}};
  if (!data.dev.empty()) trained.report["dev"] = run.best.details;
  return trained;
}

}  // namespace espalier

#include "espalier/learn/stage.h"

#include <filesystem>

#include "espalier/base/error.h"
#include "espalier/learn/folds.h"
#include "espalier/learn/identity.h"

namespace espalier {

Trained train_stage(const std::string& stage, const Settings& settings, const TrainData& data,
                    const TrainContext& context) {
  const std::string folder = checkpoint_folder(context);
  const std::string file = folder + "/" + stage + ".esp";
  const std::string identity = run_identity(settings, data, context.seed);
  if (context.resume && !folder.empty() && std::filesystem::exists(file)) {
    const auto model = ModelFile::open(file);
    if (model->metadata().value("identity", "") == identity)
      return {load_parser(model), model->metadata().at("report")};
  }
  TrainContext own = context;
  if (!folder.empty()) {
    std::filesystem::create_directories(folder);
    own.checkpoint = folder + "/" + stage + ".checkpoint";
    own.resume = context.resume && std::filesystem::exists(own.checkpoint);
  }
  own.progress = [&](Progress progress) {
    progress.phase = stage + " " + progress.phase;
    context.progress(progress);
  };
  Trained trained = train(settings, data, own);
  if (trained.parser && !folder.empty() && !context.stopping()) {
    save_parser(*trained.parser, {{"identity", identity}, {"report", trained.report}}, file);
    std::filesystem::remove(own.checkpoint);
  }
  return trained;
}

std::array<Trained, 2> train_both_ways(const std::string& key, const Settings& settings, const TrainData& data,
                                       const TrainContext& context) {
  std::array<Trained, 2> both;
  for (size_t i = 0; i < 2; ++i) {
    if (context.stopping()) throw run_error("stopped after the first direction; --resume goes on with the second");
    const std::string name = i == 0 ? "l2r" : "r2l";
    Settings own = settings;
    own.set(key, name);
    both[i] = train_stage(name, own, data, context);
    if (!both[i].parser) throw run_error("stopped before there was a parser; --resume goes on there");
  }
  return both;
}

}  // namespace espalier

#include "espalier/learn/stage.h"

#include <filesystem>

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

}  // namespace espalier

#include "espalier/learn/stage.h"

#include "espalier/learn/checkpoint.h"
#include "espalier/learn/identity.h"

namespace espalier {

Trained train_stage(const std::string& stage, const Settings& settings, const TrainData& data,
                    const TrainContext& context) {
  const Checkpoint finished(part_file(context, stage + ".esp"), run_identity(settings, data, context.seed),
                            context.resume);
  if (const auto kept = finished.open())
    return {load_part({kept, kept->metadata().at("model"), ""}, {}), kept->metadata().at("report")};

  TrainContext own = part_context(context, stage);
  own.progress = [&](Progress progress) {
    progress.phase = stage + " " + progress.phase;
    context.progress(progress);
  };
  Trained trained = train(settings, data, own);
  if (trained.stopped || !trained.parser) throw stopped_without_model();
  ModelWriter writer;
  writer.metadata = {{"model", save_part(*trained.parser, writer, "")}, {"report", trained.report}};
  finished.write(std::move(writer));
  remove_checkpoint(own);
  return trained;
}

std::array<Trained, 2> train_both_ways(const std::string& key, const Settings& settings, const TrainData& data,
                                       const TrainContext& context) {
  std::array<Trained, 2> both;
  for (size_t i = 0; i < 2; ++i) {
    const std::string name = i == 0 ? "l2r" : "r2l";
    Settings own = settings;
    own.set(key, name);
    both[i] = train_stage(name, own, data, context);
  }
  return both;
}

}  // namespace espalier

#include "espalier/learn/stage.h"

#include "espalier/learn/checkpoint.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/progress.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/model_file.h"

namespace espalier {

Trained train_stage(const std::string& stage, const Trainer& trainer, const TrainData& data,
                    const TrainContext& context) {
  const Checkpoint finished(part_file(context, stage + ".esp"), run_identity(trainer.settings, data, context.seed),
                            context.resume);
  if (const auto kept = finished.open())
    return read_kept(*kept, [&](const nlohmann::json& m) {
      return Trained{load_part({kept, m.at("model"), ""}), m.at("report")};
    });

  TrainContext own = part_context(context, stage);
  own.progress = [&](Progress progress) {
    progress.phase = stage + " " + progress.phase;
    context.progress(progress);
  };
  Trained trained = trainer.train(data, own);
  if (trained.stopped || !trained.parser) throw stopped_without_model();
  ModelWriter writer;
  writer.metadata = {{"model", save_part(*trained.parser, writer, "")}, {"report", trained.report}};
  finished.write(std::move(writer));
  remove_checkpoint(own);
  return trained;
}

constexpr std::array kWays = {"l2r", "r2l"};

std::array<Trainer, 2> configure_both_ways(const std::string& key, const Settings& settings) {
  const auto one_way = [&](const char* way) {
    Settings own = settings;
    own.set(key, way);
    if (own.has("tags")) own.set("tags", "input");  // the pipeline has predicted them already
    own.erase_prefix("tagger.");
    return configure(own);
  };
  return {one_way(kWays[0]), one_way(kWays[1])};
}

std::array<Trained, 2> train_both_ways(const std::array<Trainer, 2>& trainers, const TrainData& data,
                                       const TrainContext& context) {
  std::array<Trained, 2> both;
  for (size_t i = 0; i < 2; ++i) both[i] = train_stage(kWays[i], trainers[i], data, context);
  return both;
}

}  // namespace espalier

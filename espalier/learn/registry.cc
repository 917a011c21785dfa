// What can be trained: one line per name that a recipe's key `recipe` may have.
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/base/stop_point.h"
#include "espalier/base/suggest.h"
#include "espalier/learn/checkpoint.h"
#include "espalier/learn/classify/classify_trainer.h"
#include "espalier/learn/combine/committee.h"
#include "espalier/learn/combine/hc_trainer.h"
#include "espalier/learn/graph/graph_trainer.h"
#include "espalier/learn/l2s/l2s_trainers.h"
#include "espalier/learn/l2s/tokenizer_trainer.h"
#include "espalier/learn/objective/objectives.h"
#include "espalier/learn/pipeline/jackknife.h"
#include "espalier/learn/pipeline/pipeline.h"
#include "espalier/learn/shift_reduce/shift_reduce_trainer.h"
#include "espalier/learn/tag/lemmatizer_trainer.h"
#include "espalier/learn/tag/tagger_trainer.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "espalier/learn/transition/transition_trainer.h"

namespace espalier {
namespace {

struct Entry {
  std::string_view name;
  ConfigureFunction configure;
  bool reads_tags = true;         ///< takes setting `tags`: may be trained on predicted ones
  bool has_kbest = true;          ///< its models have (Abilities::kbest)
  bool takes_objectives = false;  ///< ... while they learn, so that further objectives can rank them
};

const std::vector<Entry>& trainers() {
  static const std::vector<Entry> all = {
      {"greedy", configure_transition, true, true, true},
      {"beam", configure_transition, true, true, true},
      {"tagger", configure_tagger, false, true, true},
      {"lemmatizer", configure_lemmatizer, true, false},
      {"pipeline", configure_pipeline, false},
      {"committee", configure_committee, true},
      {"l2s", configure_l2s, true, false},
      {"l2s-tagger", configure_l2s_tagger, false, false},
      {"classify", configure_classify, true},
      {"shift-reduce", configure_shift_reduce, true, true, true},
      {"tokenizer", configure_tokenizer, false, false},
      {"cube", configure_cube, true, true, true},
      {"mst", configure_mst, true, true, true},
      {"hc", configure_hc, true, true, true},
  };
  return all;
}

const Entry& entry_of(const std::string& name) {
  const auto entry = std::ranges::find(trainers(), name, &Entry::name);
  if (entry != trainers().end()) return *entry;
  const auto names = trainer_names();
  throw usage_error("recipe '{}' is not one that can be trained{}; known are {}", name, suggestion(name, names),
                    fmt::join(names, ", "));
}

}  // namespace

Trainer configure(const Settings& settings) {
  SettingsReader reader(settings);
  const Entry& entry = entry_of(reader.text("recipe", "", "which part trains the model"));
  TrainFunction own = entry.configure(reader);
  if (entry.reads_tags) own = with_tags_as_set(reader, std::move(own));
  reader.check_all_known();
  const bool objectives = entry.takes_objectives && settings.has("objective.0.data");
  return {settings, reader.known(), entry.has_kbest,
          [settings, own, objectives](const TrainData& data, const TrainContext& context) {
            if (!context.resume) remove_checkpoint(context);
            const StopScope scope(context.stop);
            try {
              if (!objectives || !data.objectives.empty()) return own(data, context);
              return own({data.train, data.dev, load_objectives(settings, data, context)}, context);
            } catch (const Stopped&) {  // within something else than epochs
              throw stopped_without_model();
            }
          }};
}

Trained train(const Settings& settings, const TrainData& data, const TrainContext& context) {
  return configure(settings).train(data, context);
}

Error stopped_without_model() { return run_error("stopped before there was a model to save; --resume continues"); }

void note_left_out(const TrainContext& context, size_t count, std::string_view why) {
  if (count) context.note(fmt::format("{} training sentences are left out: {}", count, why));
}

std::vector<std::string> trainer_names() {
  std::vector<std::string> names;
  for (const Entry& entry : trainers()) names.emplace_back(entry.name);
  return names;
}

}  // namespace espalier

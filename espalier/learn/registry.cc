// What can be trained: one line per name that a recipe's key `recipe` may have.
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/base/suggest.h"
#include "espalier/learn/checkpoint.h"
#include "espalier/learn/committee.h"
#include "espalier/learn/constituent/classify_trainer.h"
#include "espalier/learn/constituent/shift_reduce_trainer.h"
#include "espalier/learn/graph/graph_trainer.h"
#include "espalier/learn/jackknife.h"
#include "espalier/learn/l2s/l2s_trainers.h"
#include "espalier/learn/objectives.h"
#include "espalier/learn/pipeline.h"
#include "espalier/learn/rank/hc_trainer.h"
#include "espalier/learn/tag/lemmatizer_trainer.h"
#include "espalier/learn/tag/tagger_trainer.h"
#include "espalier/learn/tag/tokenizer_trainer.h"
#include "espalier/learn/trainer.h"
#include "espalier/learn/transition/transition_trainer.h"

namespace espalier {
namespace {

struct Entry {
  std::string_view name;
  TrainFunction train;
  bool reads_tags = true;         ///< takes setting `tags`: may be trained on predicted ones
  bool has_kbest = true;          ///< its models have (Parser::has_kbest)
  bool takes_objectives = false;  ///< ... while they learn, so that further objectives can rank them
};

const std::vector<Entry>& trainers() {
  static const std::vector<Entry> all = {
      {"greedy", train_transition, true, true, true},
      {"beam", train_transition, true, true, true},
      {"tagger", train_tagger, false, true, true},
      {"lemmatizer", train_lemmatizer, true, false},
      {"pipeline", train_pipeline, false},
      {"committee", train_committee, true},
      {"l2s", train_l2s, true, false},
      {"l2s-tagger", train_l2s_tagger, false, false},
      {"classify", train_classify, true},
      {"shift-reduce", train_shift_reduce, true, true, true},
      {"tokenizer", train_tokenizer, false, false},
      {"cube", train_cube, true, true, true},
      {"mst", train_mst, true, true, true},
      {"hc", train_hc},
  };
  return all;
}

}  // namespace

Trained train(const Settings& settings, const TrainData& data, const TrainContext& context) {
  const std::string name = settings.text("recipe", "", "which part trains the model");
  for (const Entry& entry : trainers()) {
    if (entry.name != name) continue;
    if (entry.takes_objectives && !context.check_only && data.objectives.empty() && settings.has("objective.0.data")) {
      TrainData all = data;
      all.objectives = load_objectives(settings, data, context);
      return train(settings, all, context);
    }
    if (!context.resume && !context.check_only) remove_checkpoint(context);
    const int folds = entry.reads_tags ? jackknife_folds(settings) : 0;
    if (folds == 0) return entry.train(settings, data, context);
    // Before the taggers are trained, which takes long, everything that could be wrong with the settings is looked at.
    const Settings tagger = tagger_settings(settings);
    check_settings(tagger);
    TrainContext check;
    check.check_only = true;
    Trained nothing = entry.train(settings, {}, check);
    if (context.check_only) return nothing;
    return entry.train(settings, with_predicted_tags(data, folds, tagger, context), context);
  }
  const auto names = trainer_names();
  throw usage_error("recipe '{}' is not one that can be trained{}; known are {}", name, suggestion(name, names),
                    fmt::join(names, ", "));
}

bool trains_kbest(const Settings& settings) {
  const std::string name = settings.text("recipe", "", "which part trains the model");
  return std::ranges::any_of(trainers(), [&](const Entry& entry) { return entry.name == name && entry.has_kbest; });
}

void check_settings(const Settings& settings) {
  TrainContext context;
  context.check_only = true;
  train(settings, {}, context);
}

Error stopped_without_model() { return run_error("stopped before there was a model to save; --resume goes on"); }

void note_left_out(const TrainContext& context, size_t count, std::string_view why) {
  if (count) context.note(fmt::format("{} training sentences are left out: {}", count, why));
}

std::vector<std::string> trainer_names() {
  std::vector<std::string> names;
  for (const Entry& entry : trainers()) names.emplace_back(entry.name);
  return names;
}

}  // namespace espalier

// What can be trained: one line per name that a recipe's key `recipe` may have.
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/base/suggest.h"
#include "espalier/learn/classify_trainer.h"
#include "espalier/learn/graph.h"
#include "espalier/learn/jackknife.h"
#include "espalier/learn/l2s.h"
#include "espalier/learn/pipeline.h"
#include "espalier/learn/shift_reduce_trainer.h"
#include "espalier/learn/tagger_trainer.h"
#include "espalier/learn/tokenizer.h"
#include "espalier/learn/trainer.h"
#include "espalier/learn/transition_trainer.h"

namespace espalier {
namespace {

struct Entry {
  std::string_view name;
  TrainFunction train;
  bool reads_tags = true;  ///< takes setting `tags`: may be trained on predicted ones
};

const std::vector<Entry>& trainers() {
  static const std::vector<Entry> all = {
      {"greedy", train_transition, true},
      {"beam", train_transition, true},
      {"tagger", train_tagger, false},
      {"pipeline", train_pipeline, false},
      {"l2s", train_l2s},
      {"l2s-tagger", train_l2s_tagger, false},
      {"classify", train_classify, true},
      {"shift-reduce", train_shift_reduce, true},
      {"tokenizer", train_tokenizer, false},
      {"cube", train_cube},
      {"mst", train_mst},
  };
  return all;
}

}  // namespace

Trained train(const Settings& settings, const TrainData& data, const TrainContext& context) {
  const std::string name = settings.text("recipe", "", "which part trains the model");
  for (const Entry& entry : trainers()) {
    if (entry.name != name) continue;
    const int folds = entry.reads_tags ? jackknife_folds(settings) : 0;
    if (folds == 0) return entry.train(settings, data, context);
    return entry.train(settings, with_predicted_tags(data, folds, tagger_settings(settings), context), context);
  }
  const auto names = trainer_names();
  throw usage_error("recipe '{}' is not one that can be trained{}; known are {}", name, suggestion(name, names),
                    fmt::join(names, ", "));
}

std::vector<std::string> trainer_names() {
  std::vector<std::string> names;
  for (const Entry& entry : trainers()) names.emplace_back(entry.name);
  return names;
}

}  // namespace espalier

// What can be trained: one line per name that a recipe's key `recipe` may have.
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/base/stop_point.h"
#include "espalier/base/suggest.h"
#include "espalier/learn/chart/chart_trainer.h"
#include "espalier/learn/checkpoint.h"
#include "espalier/learn/classify/classify_trainer.h"
#include "espalier/learn/combine/committee.h"
#include "espalier/learn/combine/hc_bases.h"
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
  /// "heads", "constituents", "tags", "lemmas" or "tokens"; "trees": heads or constituents, as its parsers do; "all".
  std::string_view predicts;
  bool reads_tags = true;  ///< takes setting `tags`: may be trained on predicted ones
  bool has_kbest = true;   ///< its models have lists (Abilities::kbest)
  /// Whole trees are ranked or tried while it learns, so that further objectives can say.
  bool takes_objectives = false;
  bool made_of_others = false;  ///< its settings name other recipes
};

const std::vector<Entry>& trainers() {
  static const std::vector<Entry> all = {
      {"greedy", configure_transition, "heads", true, true, true},
      {"beam", configure_transition, "heads", true, true, true},
      {"tagger", configure_tagger, "tags", false, true, true},
      {"lemmatizer", configure_lemmatizer, "lemmas", true, false},
      {"pipeline", configure_pipeline, "all", false, true, false, true},
      {"committee", configure_committee, "trees", true, true, false, true},
      {"l2s", configure_l2s, "heads", true, true, true},
      {"l2s-constituents", configure_l2s_constituents, "constituents", true, true, true},
      {"l2s-tagger", configure_l2s_tagger, "tags", false, false},
      {"classify", configure_classify, "constituents", true, true, true},
      {"shift-reduce", configure_shift_reduce, "constituents", true, true, true},
      {"chart", configure_chart, "constituents", true, true, true},
      {"tokenizer", configure_tokenizer, "tokens", false, false},
      {"cube", configure_cube, "heads", true, true, true},
      {"mst", configure_mst, "heads", true, true, true},
      {"hc", configure_hc, "trees", true, true, true, true},
  };
  return all;
}

bool is_tree(const Entry& entry) { return entry.predicts == "heads" || entry.predicts == "constituents"; }

template <class Test>
std::string names_of(Test test) {
  std::vector<std::string_view> names;
  for (const Entry& entry : trainers())
    if (test(entry)) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_objectives(const Entry& entry, const Settings& settings) {
  if (entry.takes_objectives) return;
  for (const auto& [key, value] : settings.values())
    if (key.starts_with("objective."))
      throw usage_error(
          "{}: recipe '{}' takes no objectives; these do: {}; a pipeline's parser does as "
          "parser.{}, a committee's first member as member.0.{}",
          key, entry.name, names_of([](const Entry& e) { return e.takes_objectives; }), key, key);
}

/// Checks that all settings are known; names the other recipes that have one that is not.
void check_all_known(const Entry& entry, const SettingsReader& reader) {
  const std::string key = reader.unknown();
  if (key.empty()) return;
  const std::string others = names_of([&](const Entry& other) {
    Settings bare;
    bare.set("recipe", std::string(other.name));
    return !other.made_of_others && configure(bare).known.contains(key);
  });
  if (!others.empty()) throw usage_error("recipe '{}' has no setting '{}'; these have: {}", entry.name, key, others);
  reader.check_all_known();
}

/// Checks early that the treebank has trees of the right kind.
void check_trees(std::string_view recipe, std::string_view predicts, const std::vector<Sentence>& treebank) {
  const auto some = [&](auto test) { return std::ranges::any_of(treebank, test); };
  const bool heads = some([](const Sentence& sentence) {
    return std::ranges::any_of(sentence.tokens, [](const Token& token) { return token.head != Token::kNoHead; });
  });
  const bool brackets = some([](const Sentence& sentence) { return !sentence.constituents.nodes.empty(); });
  const auto refuse = [&](const char* has, const char* needs) {
    throw Error(
        ErrorKind::kData,
        fmt::format("the training data have {}; recipe '{}' learns from {}, and these from such data: {}{}", has,
                    recipe, needs, names_of([&](const Entry& e) { return e.predicts != predicts && is_tree(e); }),
                    predicts == "heads" ? "; convert --heads makes dependencies of brackets" : ""));
  };
  if (predicts == "heads" && brackets && !heads) refuse("brackets and no heads", "dependencies");
  if (predicts == "constituents" && heads && !brackets) refuse("heads and no brackets", "constituents");
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
  check_objectives(entry, settings);
  TrainFunction own = entry.configure(reader);
  if (entry.reads_tags) own = with_tags_as_set(reader, std::move(own));
  check_all_known(entry, reader);
  const bool objectives = entry.takes_objectives && settings.has("objective.0.data");
  const std::string_view predicts = entry.predicts != "trees" ? entry.predicts
                                    : entry.name == "hc"      ? predicts_of_bases(settings)
                                                              : predicts_of_members(settings);
  return {settings, reader.known(), entry.has_kbest, predicts,
          [settings, own, objectives, predicts, &entry](const TrainData& data, const TrainContext& context) {
            check_trees(entry.name, predicts, data.train);
            if (!context.resume) remove_checkpoint(context);
            const StopScope scope(context.stop);
            try {
              if (!objectives || !data.objectives.empty()) return own(data, context);
              return own({data.train, data.dev, load_objectives(settings, data, context)}, context);
            } catch (const Stopped&) {  // outside of epochs
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

#include "espalier/learn/shift_reduce/shift_reduce_trainer.h"

#include "espalier/learn/dev_score.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/objective/augmented.h"
#include "espalier/learn/sequential/beam_learner.h"
#include "espalier/learn/shift_reduce/binary_treebank.h"
#include "espalier/learn/stage.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/warm_start.h"
#include "espalier/parser/shift_reduce/shift_reduce_parser.h"
#include "espalier/parser/shift_reduce/shift_reduce_search.h"
#include "espalier/parser/shift_reduce/shift_reduce_templates.h"
#include "espalier/space/shift_reduce.h"
#include "espalier/tree/constituent_preprocess.h"

namespace espalier {
namespace {

struct ShiftReduceOptions : SequentialOptions {
  int parse_beam;
  TreebankOptions treebank;
  bool both_directions;
  Direction direction;
  std::shared_ptr<const ShiftReduceModel> init;  // warm start; null: weights begin with 0

  explicit ShiftReduceOptions(SettingsReader& s) {
    beam = s.integer("beam", 8, 1, 4096, "states kept per step while training");
    parse_beam = s.integer("parse_beam", beam, 1, 4096, "states kept per step while parsing");
    runs = Runs::from(s, 10);
    refit = Refit::from(s, runs.all_epochs());
    update = s.choice("update", BeamUpdateAt::kMaxViolation, beam_updates(), "which prefix a beam update corrects");
    learner = s.choice("learner", StepRule::kPassiveAggressive, step_rules(),
                       "averaged perceptron, or passive-aggressive steps");
    aggressiveness = s.real<float>("aggressiveness", 0.01, 1e-6, 1e6, "largest passive-aggressive step (C)");
    margin = s.real<float>("margin", passive_aggressive() ? 1 : 25, 0, 1e6, "how far the right action must be ahead");
    least_updates = s.integer("min_updates", 1, 1, 1000000, "features updated less often are dropped");
    drop =
        s.real<float>("drop", 0.5, 0, 0.99, "share of the remaining features that is dropped, smallest weights first");
    patient = s.flag("patient", true, "delayed allocation: features get weights at their second update");
    treebank = TreebankOptions::from(s);
    const std::string ends = s.choice("direction", "both", {"both", "l2r", "r2l"}, "from which end sentences are read");
    both_directions = ends == "both";
    direction = both_directions ? Direction::kLeftToRight : direction_named(ends);
    if (const std::string file = init_file(s); !file.empty() && !both_directions)
      init = warm_start_model(file, "shift-reduce (direction " + ends + ")",
                              [&](const Parser& parser) { return shift_reduce_model(parser, direction); });
  }
};

struct ShiftReduceInstance {
  ConstituentAtoms atoms;
  std::vector<int32_t> columns;  // the gold derivation

  ArcCosts costs() const { return {}; }
};

/// The training data in numbers, and the model without its weights.
struct ShiftReduceCorpus {
  ShiftReduce space;
  ShiftReduceModel model;
  std::vector<ShiftReduceInstance> instances;
};

ShiftReduceCorpus read_shift_reduce_corpus(const ShiftReduceOptions& options, const std::vector<Sentence>& treebank) {
  BinaryTreebank read = read_binary_treebank(options.treebank, options.direction, treebank, options.init.get());
  ShiftReduceCorpus corpus;
  for (size_t i = 0; i < read.trees.size(); ++i) {
    ShiftReduceInstance& instance = corpus.instances.emplace_back();
    const Sentence& sentence = *read.sentences[i];
    instance.atoms.encode(sentence, words_to_parse(sentence), options.direction);
    for (const auto& [move, label] : ShiftReduce::derivation(read.trees[i]))
      instance.columns.push_back(read.actions.column(move, label));
  }
  corpus.space = ShiftReduce(read.labels);
  corpus.model = {.beam = options.parse_beam,
                  .direction = options.direction,
                  .root = std::move(read.root),
                  .labels = std::move(read.labels),
                  .actions = std::move(read.actions),
                  .weights = {}};
  return corpus;
}

/// The Family for BeamLearner.
struct ShiftReduceFamily {
  using Space = ShiftReduce;
  using Templates = ShiftReduceFeatures;
  using Model = ShiftReduceModel;
  using Options = ShiftReduceOptions;
  using Corpus = ShiftReduceCorpus;

  static Templates templates(const Model&) { return {}; }
  static ActionFactors factors(const ActionTable& actions) { return ShiftReduce::factors(actions); }
  struct Search : ShiftReduceSearch<OnlineLinear> {
    using ShiftReduceSearch::ShiftReduceSearch;
    KBestList list(const Sentence& sentence, bool /*labels*/) { return ShiftReduceSearch::list(sentence); }
  };

  static ConstituentAtoms encode(const Sentence& sentence, const Model& model) {
    ConstituentAtoms atoms;
    atoms.encode(sentence, words_to_parse(sentence), model.direction);
    return atoms;
  }
  static std::unique_ptr<Parser> make_parser(Model model) { return make_shift_reduce_parser(std::move(model)); }
  static DevScore score(const Options&, const Parser& frozen, const std::vector<Sentence>& dev, int threads) {
    return score_on_dev(frozen, dev, threads);
  }
};

TrainFunction configure_both(const Settings& settings) {
  return [ways = configure_both_ways("direction", settings)](const TrainData& data, const TrainContext& context) {
    const auto [l2r, r2l] = train_both_ways(ways, data, context);
    Trained both{make_two_way_parser(*l2r.parser, *r2l.parser), {{"l2r", l2r.report}, {"r2l", r2l.report}}};
    if (!data.dev.empty()) both.report["dev"] = score_on_dev(*both.parser, data.dev, context.threads).details;
    return both;
  };
}

}  // namespace

TrainFunction configure_shift_reduce(SettingsReader& reader) {
  const ShiftReduceOptions options(reader);
  const Objectives objectives = Objectives::from(reader);
  Objectives::own_select(reader, {"f1"});
  if (options.both_directions) return configure_both(reader.values());
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    BeamLearner<ShiftReduceFamily> learner(options, read_shift_reduce_corpus(options, data.train));
    return train_augmented(learner, objectives, options.runs.all_epochs(), run_identity(settings, data, context.seed),
                           data, context);
  };
}

}  // namespace espalier

#include "espalier/learn/classify/classify_trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/base/unicode.h"
#include "espalier/eval/bracket.h"
#include "espalier/learn/checkpoint.h"
#include "espalier/learn/classify/boost/label_booster.h"
#include "espalier/learn/dev_score.h"
#include "espalier/learn/folds.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/objective/objectives.h"
#include "espalier/learn/progress.h"
#include "espalier/learn/stage.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/classify/two_way_classifier.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/parse_all.h"
#include "espalier/tree/constituent_labels.h"
#include "espalier/tree/constituent_preprocess.h"

namespace espalier {
namespace {

/// A prepared training sentence.
struct Prepared {
  const Sentence* sentence;
  std::vector<int> words;
  ConstituentTree tree;
};

struct ClassifyTraining {
  BoostOptions boost;
  Strategy strategy;
  std::string order, head_rules;
  bool sequences;
  double mistakes;
  int reach, max_length, min_words, min_labels, seeds, tune;
  Objectives objectives;

  explicit ClassifyTraining(SettingsReader& settings) {
    order = settings.choice("strategy", "r2l", {"l2r", "r2l", "bu", "both"},
                            "order of inferences; both: one model each for l2r and r2l, their costs added");
    strategy = order == "l2r" ? Strategy::kLeftToRight : order == "bu" ? Strategy::kBottomUp : Strategy::kRightToLeft;
    boost.stumps = settings.choice("trees", "full", {"full", "stumps"}, "depth of trees") == "stumps";
    const auto penalty = settings.choice("regulariser", "l1", {"l1", "l2", "none"},
                                         "penalty in gains and parameters; none: l1, of parameters only");
    boost.regulariser = penalty == "l1" ? Regulariser::kL1 : penalty == "l2" ? Regulariser::kL2 : Regulariser::kNone;
    boost.sample = settings.integer<size_t>("sample", 10000, 100, 100000000, "examples from which a tree is grown");
    boost.trees_per_sample =
        settings.integer("trees_per_sample", 1, 1, 1000000, "trees grown before a new sample is drawn");
    boost.eta = settings.real("eta", 0.5, 0.01, 0.99, "penalty of a tree, as a share of the largest gain");
    boost.least_lambda = settings.real("least_lambda", 0.3, 1e-6, 1e6, "the penalty at which training ends");
    boost.least_gain = settings.real("min_gain", 0, 0, 1, "gain that a split needs, in penalties; more: smaller trees");
    mistakes =
        settings.real("mistakes", 0, 0, 1e6,
                      "penalty to which a first parser is trained, from whose errors the second learns, too; 0 = "
                      "no first parser (always with bu)");
    boost.most_trees = settings.integer("max_trees", 100000, 1, 1000000000, "trees per label");
    boost.intercept = settings.flag("intercept", true, "begin with the unpenalised log odds of the label");
    head_rules = head_rules_text(settings.text("head_rules", "english", "english, generic or a file of head rules"));
    sequences =
        settings.choice("atoms", "extended", {"thesis", "extended"},
                        "atoms of features; extended: also label sequences and classes of rare words") == "extended";
    reach = settings.integer("reach", 0, 0, BottomUp::kLongestReach,
                             "items that an inference of l2r or r2l may skip; 0 = any number");
    min_words = settings.integer("min_word_count", sequences ? 3 : 1, 1, 1000000, "rarer words share a value");
    min_labels = settings.integer("min_label_count", 3, 1, 1000000, "rarer labels are cut out of the trees");
    max_length = settings.integer("max_length", 0, 0, 1000000, "use only sentences of at most so many words; 0 = all");
    seeds = settings.integer("seeds", 1, 1, 100, "ensembles whose margins are averaged");
    tune = settings.integer("tune", 400, 0, 1000000,
                            "training sentences held out to choose lambda, if there is no dev file");
    objectives = Objectives::from(settings, Teaching::kExamples);
    if (!objectives.all.empty() && order == "bu")
      throw usage_error(
          "strategy=bu: objectives prefer one derivation to another, and a tree has many here; strategy=l2r, r2l and "
          "both have one");
  }
};

constexpr size_t kTrainingSentences = 200;  // whose F1 is reported along the path
constexpr double kFirstParser = 10;         // the penalty at which objectives ask a first parser, times the least one

std::vector<Prepared> prepare(const std::vector<Sentence>& sentences, int max_length) {
  std::vector<Prepared> all;
  for (const Sentence& sentence : sentences) {
    if (sentence.constituents.empty() || (max_length && sentence.size() > max_length)) continue;
    Prepared prepared{&sentence, words_to_parse(sentence), {}};
    if (prepared.words.empty()) continue;
    prepared.tree = simplified(sentence, prepared.words);
    all.push_back(std::move(prepared));
  }
  return all;
}

AtomSpace collect_space(const std::vector<Prepared>& data, const Vocabulary& labels, int min_words) {
  Vocabulary tags;
  std::map<std::string, int> words;
  for (const Prepared& prepared : data) {
    for (const int word : prepared.words) {
      tags.add(parser_tag(prepared.sentence->word(word)));
      ++words[lower_case(prepared.sentence->word(word).form)];
    }
  }
  return {labels.texts(), tags.texts(), {words.begin(), words.end()}, min_words};
}

/// Counts the label sequences of all candidates; rare ones are no atoms.
struct SequenceCounter {
  tsl::robin_map<uint64_t, uint32_t> counts;

  void item(int, int) {}
  void far_left(int) {}
  void far_right(int) {}
  void terminals_near(int, int) {}
  void length(int, int) {}
  void sequence(uint64_t hash) { ++counts[hash]; }
};

void collect_sequences(const BoostExamples& examples, AtomSpace& space) {
  constexpr uint32_t kLeast = 5;
  SequenceCounter counter;
  for (const auto& sentence : examples.sentences) {
    for (uint32_t s = sentence.begin; s < sentence.end; ++s) {
      const auto& state = examples.states[s];
      const RowView view = examples.view(sentence, state);
      for (uint32_t span = state.begin; span < state.end; ++span) {
        const ItemSpan at = examples.spans[span].items();
        visit_left_edge(view, at.first, counter);
        visit_right_edge(view, at.first + at.count - 1, counter);
        visit_span(view, at, counter);
      }
    }
  }
  std::vector<uint64_t> kept;
  for (const auto& [hash, count] : counter.counts) {
    if (count >= kLeast) kept.push_back(hash);
  }
  std::ranges::sort(kept);
  for (const uint64_t hash : kept) space.add_sequence(hash);
}

/// A sentence and its tree, numbered.
struct Numbered {
  std::vector<int> symbols;
  std::vector<WordValues> values;
  ConstituentTree tree;
  std::vector<int> labels;
};

std::vector<int> label_numbers(const ConstituentTree& tree, const Vocabulary& labels) {
  std::vector<int> numbers;
  for (const auto& node : tree.nodes) numbers.push_back(node.is_leaf() ? -1 : labels.find(node.label));
  return numbers;
}

Numbered numbered(const Prepared& prepared, const Vocabulary& labels, const AtomSpace& space) {
  Numbered result{{}, {}, with_known_labels(prepared.tree, labels), {}};
  result.labels = label_numbers(result.tree, labels);
  for (const int word : prepared.words) {
    const Token& token = prepared.sentence->word(word);
    result.symbols.push_back(space.tag_symbol(parser_tag(token)));
    result.values.push_back(space.word_values(token.form, parser_tag(token)));
  }
  return result;
}

/// Parses the training sentences greedily and adds the states to which mistakes lead.
size_t add_mistakes(const std::shared_ptr<const ClassifyModel>& model, const std::vector<Prepared>& train,
                    const Vocabulary& labels, int threads, BoostExamples& examples) {
  ClassifyOptions greedy;
  greedy.search = ClassifySearch::kGreedy;
  const ClassifyParser parser(model, greedy);
  std::vector<ConstituentTree> parsed(train.size());
  for_each_with_workspace(parser, train.size(), threads, [&](size_t i, Workspace& workspace) {
    if (train[i].words.size() > size_t{BottomUp::kMostWords}) return;
    std::vector<ClassifyParser::Found> found;
    parser.search(*train[i].sentence, train[i].words, 1, found, workspace);
    parsed[i] = std::move(found.front().tree);
  });
  size_t added = 0;
  for (size_t i = 0; i < train.size(); ++i) {
    Numbered gold = numbered(train[i], labels, model->space);
    added += examples.add_mistakes(gold.symbols, std::move(gold.values), gold.tree, gold.labels, parsed[i],
                                   label_numbers(parsed[i], labels));
  }
  return added;
}

/// Lets a first parser list trees of the objectives' sentences; if the first of a list costs more than the cheapest,
/// the cheapest is preferred to it. The value of these states is what is saved, as often as the objective's weight
/// says.
size_t add_preferences(const std::shared_ptr<const ClassifyModel>& model, const Objectives& objectives,
                       const TrainData& data, const Vocabulary& labels, int threads, BoostExamples& examples) {
  size_t added = 0;
  for (size_t o = 0; o < objectives.all.size(); ++o) {
    const Objective& objective = objectives.all[o];
    const std::vector<Sentence>& sentences = data.objectives[o].train;
    ClassifyOptions beam;
    beam.search = ClassifySearch::kBeam;
    beam.width = static_cast<size_t>(objective.k);
    const ClassifyParser parser(model, beam);
    std::vector<std::vector<ClassifyParser::Found>> lists(sentences.size());
    for_each_with_workspace(parser, sentences.size(), threads, [&](size_t i, Workspace& workspace) {
      parser.search(sentences[i], words_to_parse(sentences[i]), beam.width, lists[i], workspace);
    });
    const double times = objective.weight * static_cast<double>(data.train.size()) / static_cast<double>(lists.size());
    for (size_t i = 0; i < lists.size(); ++i) {
      const Sentence& sentence = sentences[i];
      const std::vector<int> words = words_to_parse(sentence);
      std::vector<Analysis> analyses(lists[i].size());
      std::vector<const Analysis*> judged;
      for (size_t k = 0; k < analyses.size(); ++k) {
        analyses[k].constituents = restored(lists[i][k].tree, sentence, words, model->root);
        judged.push_back(&analyses[k]);
      }
      if (judged.size() < 2) continue;
      const std::vector<double> costs = objective.loss->costs(sentence, judged);
      const size_t best = static_cast<size_t>(std::ranges::min_element(costs) - costs.begin());
      const double saved = (costs[0] - costs[best]) * objective.loss->in_words(sentence.size()) / sentence.size();
      if (saved <= 0 || times == 0) continue;
      const Numbered better = numbered({&sentence, words, lists[i][best].tree}, labels, model->space);
      const Numbered worse = numbered({&sentence, words, lists[i][0].tree}, labels, model->space);
      added += examples.add_preference(better.symbols, better.values, better.tree, better.labels, worse.tree,
                                       worse.labels, static_cast<float>(times * saved));
    }
  }
  return added;
}

/// A label's trees to bytes and from bytes.
std::string to_bytes(const LabelResult& result, size_t label, size_t labels) {
  BoostedTrees trees;
  trees.intercept.assign(labels, 0);
  trees.intercept[label] = result.intercept;
  trees.trees = result.trees;
  ModelWriter writer;
  writer.metadata = {{"rejected", result.rejected}};
  save_trees(trees, writer, "");
  return writer.to_bytes();
}

/// Trains all labels, one job per label and seed, frequent labels first because they take longest. Returns the joined
/// trees; `rejected` counts trees that did not reduce the risk.
BoostedTrees boost_labels(const std::string& phase, const ClassifyTraining& options, const Vocabulary& labels,
                          const AtomSpace& space, const BoostExamples& examples, const AtomNumbering& numbering,
                          const std::string& identity, const TrainContext& context, size_t* rejected) {
  const size_t count = static_cast<size_t>(labels.size()), seeds = static_cast<size_t>(options.seeds);
  std::mutex progress_mutex;
  const auto tell = [&](const Progress& news) {
    const std::lock_guard lock(progress_mutex);
    context.progress(news);
  };
  const auto results = run_folds(count * seeds, phase, identity, context, [&](size_t job, const TrainContext&) {
    const size_t label = job / seeds;
    const std::string& name = labels.text(static_cast<int>(label));
    BoostOptions boost = options.boost;
    boost.seed = combine(context.seed, job % seeds);
    const LabelResult result =
        boost_label(static_cast<int>(label), space, examples, numbering, boost, [&](int trees, double lambda, double) {
          if (trees % 16 == 0) tell({name, 0, 0, 0, 0, false, {{"trees", trees}, {"lambda", lambda}}});
          if (context.stopping()) throw stopped_without_model();
          return true;
        });
    nlohmann::json profile;  // an array, which is logged and not shown
    for (size_t part = 0; part < result.profile.size(); ++part)
      profile.push_back({{"part", kBoostPartNames[part]}, {"cpu_seconds", result.profile[part]}});
    const double lambda = result.trees.empty() ? 0 : static_cast<double>(result.trees.back().lambda);
    tell({name,
          0,
          0,
          0,
          0,
          true,
          {{"trees", result.trees.size()},
           {"lambda", lambda},
           {"leaves", result.leaves},
           {"parameters", result.parameters},
           {"rejected", result.rejected},
           {"profile", profile}}});
    return to_bytes(result, label, count);
  });

  BoostedTrees all;
  all.scale = 1.0F / static_cast<float>(seeds);
  all.intercept.assign(count, 0);
  for (const std::string& bytes : results) {
    const auto file = ModelFile::from_bytes(bytes, "trees of a label");
    BoostedTrees one = load_trees({file, {}, ""}, space.labels(), space.size());
    *rejected += read_kept(*file, [](const nlohmann::json& m) { return m.at("rejected").get_ref<const uint64_t&>(); });
    for (size_t label = 0; label < count; ++label) all.intercept[label] += one.intercept[label] * all.scale;
    std::ranges::move(one.trees, std::back_inserter(all.trees));
  }
  return all;
}

/// The size of the model without trees of a smaller penalty.
nlohmann::json size_at(const BoostedTrees& model, double lambda) {
  size_t trees = 0, leaves = 0, parameters = 0;
  double norm = 0;
  for (const DecisionTree& tree : model.trees) {
    if (tree.lambda < static_cast<float>(lambda)) continue;
    ++trees;
    leaves += tree.leaves.size();
    for (const float leaf : tree.leaves) parameters += leaf != 0, norm += static_cast<double>(std::abs(leaf));
  }
  return {{"trees", trees}, {"leaves", leaves}, {"parameters", parameters}, {"norm", norm}};
}

/// F1 on the tuning sentences for a penalty, the search run in parallel.
double tuning_score(const std::shared_ptr<const ClassifyModel>& model, double lambda, ClassifyOptions options,
                    const std::vector<Sentence>& tuning, int threads) {
  options.lambda = lambda;
  const ClassifyParser parser(model, options);
  std::vector<Sentence> parsed = tuning;
  parse_all(parser, parsed, threads);
  return score_brackets(tuning, parsed).brackets.f1();
}

Trained train_both(const ClassifyTraining& options, const std::array<Trainer, 2>& ways, const TrainData& data,
                   const TrainContext& context) {
  auto [l2r, r2l] = train_both_ways(ways, data, context);
  std::array parsers{std::move(l2r.parser), std::move(r2l.parser)};
  Trained both{std::make_unique<TwoWayClassifier>(std::move(parsers)), {{"l2r", l2r.report}, {"r2l", r2l.report}}};
  std::vector<Sentence> dev;
  for (const Prepared& prepared : prepare(data.dev, options.max_length)) dev.push_back(*prepared.sentence);
  if (!dev.empty()) both.report["dev"] = score_on_dev(*both.parser, dev, context.threads).details;
  return both;
}

Trained train_one(const ClassifyTraining& options, ClassifyOptions use, const Settings& settings, const TrainData& data,
                  const TrainContext& context) {
  // The tuning set: the dev file, or sentences held out.
  std::vector<Prepared> train = prepare(data.train, options.max_length);
  std::vector<Sentence> tuning;
  for (const Prepared& prepared : prepare(data.dev, options.max_length)) tuning.push_back(*prepared.sentence);
  if (tuning.empty() && options.tune > 0 && !settings.has("lambda")) {
    std::vector<size_t> order(train.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    Rng(context.seed, "tuning set").shuffle(order);
    order.resize(std::min(static_cast<size_t>(options.tune), train.size() / 2));
    std::ranges::sort(order, std::greater{});
    for (const size_t i : order) {
      tuning.push_back(*train[i].sentence);
      train.erase(train.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  if (train.empty()) throw usage_error("there is no sentence with a phrase-structure tree to train on");

  std::vector<ConstituentTree> trees;
  for (const Prepared& prepared : train) trees.push_back(prepared.tree);
  const Vocabulary labels = frequent_labels(trees, options.min_labels);
  auto model = std::make_shared<ClassifyModel>(
      ClassifyModel{collect_space(train, labels, options.min_words),
                    {},
                    options.strategy,
                    options.head_rules,
                    std::string(plain_label(train[0].sentence->constituents.nodes[0].label)),
                    options.sequences,
                    options.reach});
  const BottomUp logic = model->make_logic();
  const HeadRules heads = model->make_head_rules();

  BoostExamples examples(logic, heads, options.sequences);
  Rng derivations(context.seed, "derivations");
  size_t unusable = 0;
  for (const Prepared& prepared : train) {
    Numbered gold = numbered(prepared, labels, model->space);
    unusable += !examples.add(gold.symbols, std::move(gold.values), gold.tree, gold.labels, derivations);
  }
  if (options.sequences) collect_sequences(examples, model->space);
  const AtomNumbering numbering(model->space, examples, 1 + examples.size() / 50'000);

  nlohmann::json report;
  report["sentences"] = examples.sentences.size();
  report["unusable_sentences"] = unusable;
  report["states"] = examples.states.size();
  report["spans"] = examples.size();
  report["extra"] = std::ranges::count(examples.positives, true, &BoostExamples::Positive::extra);
  report["examples"] = examples.candidates;
  report["atoms"] = model->space.size();
  context.progress({"examples", 0, 0, 0, 0, true, report});

  size_t rejected = 0;
  const bool asks = !options.objectives.all.empty();
  if ((options.mistakes > 0 || asks) && logic.deterministic()) {
    ClassifyTraining first = options;
    first.boost.least_lambda = options.mistakes > 0 ? options.mistakes : kFirstParser * options.boost.least_lambda;
    first.seeds = 1;
    model->trees = boost_labels("first labels", first, labels, model->space, examples, numbering,
                                run_identity(settings, data, context.seed), context, &rejected);
    if (options.mistakes > 0) {
      report["mistaken_states"] = add_mistakes(model, train, labels, context.threads, examples);
      context.progress({"mistakes", 0, 0, 0, 0, true, {{"states", report["mistaken_states"]}}});
    }
    if (asks) {
      report["preferred_states"] = add_preferences(model, options.objectives, data, labels, context.threads, examples);
      context.progress({"objectives", 0, 0, 0, 0, true, {{"states", report["preferred_states"]}}});
    }
  }
  model->trees = boost_labels("labels", options, labels, model->space, examples, numbering,
                              run_identity(settings, data, context.seed), context, &rejected);
  // One lambda for all labels, the best of a logarithmic grid; the larger one of equals.
  if (!settings.has("lambda")) use.lambda = options.boost.least_lambda;
  if (!tuning.empty() && !settings.has("lambda")) {
    // F1 is also reported on some training sentences, to show over-fitting.
    std::vector<Sentence> trained_on;
    for (size_t i = 0; i < train.size(); i += 1 + train.size() / kTrainingSentences)
      trained_on.push_back(*train[i].sentence);
    double best = -1;
    for (int step = 8; step >= 0; --step) {
      const double lambda = options.boost.least_lambda * std::pow(10, step / 4.0);
      if (context.stopping()) throw stopped_without_model();
      nlohmann::json at = size_at(model->trees, lambda);
      at["lambda"] = lambda;
      const double f1 = tuning_score(model, lambda, use, tuning, context.threads);
      at["f1"] = f1;
      at["training_f1"] = tuning_score(model, lambda, use, trained_on, context.threads);
      if (f1 > best) best = f1, use.lambda = lambda;
      report["tuning"].push_back(at);
      context.progress({"lambda", 0, 0, static_cast<size_t>(8 - step), 9, true, {{"lambda", lambda}, {"f1", f1}}});
    }
    report["f1"] = best;
  }
  // The best sharpness depends on how far the classifiers were trained.
  if (!tuning.empty() && use.cost == StepCost::kSoftmax && !settings.has("sharpness")) {
    double best = -1;
    for (const double sharpness : {0.5, 0.6, 0.75, 1.0}) {
      if (context.stopping()) throw stopped_without_model();
      ClassifyOptions tried = use;
      tried.sharpness = sharpness;
      const double f1 = tuning_score(model, use.lambda, tried, tuning, context.threads);
      if (f1 > best) best = f1, use.sharpness = sharpness;
    }
    report["sharpness"] = use.sharpness;
    report["f1"] = best;
  }
  report.update(size_at(model->trees, use.lambda));
  report["rejected"] = rejected;
  report["lambda"] = use.lambda;
  return {std::make_unique<ClassifyParser>(model, use), report};
}

}  // namespace

TrainFunction configure_classify(SettingsReader& reader) {
  const ClassifyTraining options(reader);
  const ClassifyOptions use = ClassifyOptions::from(reader, {});
  if (options.order != "both") {
    return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
      return train_one(options, use, settings, data, context);
    };
  }
  return [=, ways = configure_both_ways("strategy", reader.values())](
             const TrainData& data, const TrainContext& context) { return train_both(options, ways, data, context); };
}

}  // namespace espalier

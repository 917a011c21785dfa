// Constituent parsing by classification (Turian 2007): one boosted classifier per label judges every inference
// that a bottom-up logic allows, ln(1 + exp(-margin)) is its cost, and the agenda finds the cheapest derivation.
// If the search reaches its limit without a tree, the greedy derivation is used. Tested by
// tests/classify_test.cc.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "espalier/parser/classify/atomic.h"
#include "espalier/parser/classify/kill_matrix.h"
#include "espalier/parser/inspect.h"
#include "espalier/search/costed_beam.h"
#include "espalier/space/bottom_up.h"
#include "espalier/tree/head_rules.h"
#include "espalier/tree/vocabulary.h"
#include "espalier/weights/boosted_trees.h"

namespace espalier {

/// The trained model.
struct ClassifyModel {
  AtomSpace space;
  BoostedTrees trees;
  Strategy strategy = Strategy::kRightToLeft;
  std::string head_rules;  ///< their text
  std::string root;        ///< label of the trees' root, "ROOT"
  bool sequences = true;   ///< with atoms of label sequences
  int reach = 0;           ///< of the logic

  std::vector<bool> punctuation_symbols() const;
  BottomUp make_logic() const;
  HeadRules make_head_rules() const;

  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const;
  static ClassifyModel load(const ModelPart& part);
};

void save_trees(const BoostedTrees& trees, ModelWriter& writer, const std::string& prefix);
/// Throws a data Error if anything points outside of the labels, the atoms or the file.
BoostedTrees load_trees(const ModelPart& part, int labels, int atoms);

/// The cost of an inference, given the margin h of its classifier.
enum class StepCost {
  kLogistic,  ///< ln(1 + exp(-h))
  kSoftmax,   ///< -ln of exp(h)'s share among all inferences that the state allows
};

/// The agenda's strategies, and a beam.
enum class ClassifySearch { kGreedy, kBestFirst, kGreedyCompletion, kBeam };

/// Options that can be set whenever a model is loaded.
struct ClassifyOptions {
  double lambda = 0;  ///< trees built with a smaller penalty are left out
  StepCost cost = StepCost::kLogistic;
  double sharpness = 0.6;  ///< softmax: factor of the margins
  ClassifySearch search = ClassifySearch::kGreedyCompletion;
  size_t gamma = 100'000;  ///< partial parses scored before the agenda ends; 0 = no limit
  size_t width = 8;        ///< of the beam, which also runs if greedy completion proves nothing; 0 = no beam

  /// `fallback` has the model's own values.
  static ClassifyOptions from(SettingsReader& settings, const ClassifyOptions& fallback);
};

class ClassifyParser final : public Parser, public Inspectable {
 public:
  ClassifyParser(std::shared_ptr<const ClassifyModel> model, const ClassifyOptions& options);

  AboutParser about() const override;
  std::unique_ptr<Workspace> make_workspace() const override;
  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  KBestList list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  const Inspectable* inspect() const override { return this; }
  std::any inside() const override { return this; }
  Trace trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override;
  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override;

  /// Parses, and reports on the search.
  AgendaReport analyse(const Sentence& sentence, ConstituentTree& tree, Workspace& workspace) const;

  /// A derivation's tree over the words that are parsed; TOP is its root.
  struct Found {
    double cost = 0;
    ConstituentTree tree;
  };
  /// The k cheapest trees, one (greedy) if the search finds none before its limit, none for a sentence without words.
  AgendaReport search(const Sentence& sentence, const std::vector<int>& words, size_t k, std::vector<Found>& found,
                      Workspace& workspace) const;
  /// The cost of a tree over the words of the sentence that the workspace searched last.
  double cost(const ConstituentTree& tree, Workspace& workspace) const;

  const ClassifyModel& model() const { return *model_; }
  size_t conjunctions() const { return conjunctions_; }

 private:
  friend class ClassifySpace;
  std::shared_ptr<const ClassifyModel> model_;
  ClassifyOptions options_;
  Vocabulary labels_;
  BottomUp logic_;
  HeadRules heads_;
  size_t conjunctions_ = 0;
  std::optional<KillMatrix> matrix_;  // none: it would be too large, and the trees are walked
};

/// A k-best list: scores are negative costs.
std::vector<Candidate> candidates(const std::vector<ClassifyParser::Found>& found, const Sentence& sentence,
                                  const std::vector<int>& words, const std::string& root);

std::unique_ptr<Parser> load_classify_parser(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier

// Confidence: for each arc or bracket, and for the whole tree, the probability that it is right. The share of the
// model's k-best list that contains a part, each tree weighted by exp(score / temperature), ranks parts; a monotone map
// (eval/calibration.h) turns it into a probability. A tree's would be the product of its parts' if errors came alone;
// logistic regression on that product and the number of parts, and another monotone map, make it right. All this is
// fitted on a treebank that the model was not trained on, and kept in the model's metadata. Tested by
// confidence_test.cc.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "espalier/eval/calibration.h"
#include "espalier/parser/candidate.h"
#include "espalier/tree/sentence.h"

namespace espalier {

class Parser;
class Workspace;
struct Constraints;

/// Where a sentence's tree agrees with its k-best list, from which confidence is computed. Its parts are the words'
/// arcs, or its brackets (eval/bracket.h) if the list is one of constituents.
struct ListAgreement {
  static constexpr int kMost = 64;  ///< candidates
  std::vector<double> scores;       ///< best first
  std::vector<uint64_t> parts;      ///< for each arc or bracket: bit k is set if candidate k has it, too

  ListAgreement(const Sentence& sentence, std::span<const Candidate> list);
  /// The share of a set of candidates in the list.
  double share(uint64_t candidates, double temperature) const;
};

/// With gold: which parts are right, and whether nothing is wrong.
struct JudgedSentence {
  ListAgreement agreement;
  std::vector<bool> right;
  bool tree_right;
};

/// The probability that a model's parts and trees are right.
struct Chances {
  double tree = 0;
  std::vector<double> parts;
};

class Calibration {
 public:
  /// Chooses the temperature with the least Brier score of parts. `unit`: "arcs" or "brackets".
  static Calibration fit(std::span<const JudgedSentence> sentences, int kbest, const std::string& unit);
  /// The inverse of `json`; throws a data Error that names the file.
  static Calibration from_json(const nlohmann::json& json, const std::string& file);
  nlohmann::json json() const;

  int kbest() const { return kbest_; }
  const std::string& unit() const { return unit_; }
  /// A part's probability is at least its tree's, since a tree is right only if all its parts are; those that are
  /// `given` (none, if it is empty) are right for sure.
  Chances chances(const ListAgreement& agreement, const std::vector<bool>& given = {}) const;
  /// Writes `# confidence = 0.83`, and Confidence=0.95 in MISC of words whose arcs were not given, or a comment
  /// `# bracket = NP 1-2 0.95` for each bracket, parents first.
  void annotate(Sentence& sentence, const ListAgreement& agreement, const Constraints& given) const;
  /// The same for a parsed sentence: the list is made here, of trees with the given heads and relations.
  void annotate(Sentence& sentence, const Parser& parser, const Constraints& given, Workspace& workspace) const;

 private:
  Calibration(int kbest, std::string unit, double temperature, MonotoneMap parts, LogisticMap odds, MonotoneMap trees)
      : kbest_(kbest),
        unit_(std::move(unit)),
        temperature_(temperature),
        parts_(std::move(parts)),
        odds_(odds),
        trees_(std::move(trees)) {}
  std::vector<double> chances_of_parts(const ListAgreement& agreement) const;

  int kbest_;
  std::string unit_;
  double temperature_;
  MonotoneMap parts_;  ///< of shares of the list
  LogisticMap odds_;   ///< of the parts of a tree
  MonotoneMap trees_;  ///< of what `odds_` says
};

/// Removes the confidence of arcs, and of their tree, that an earlier parse has left.
void forget_confidence(Sentence& sentence);

}  // namespace espalier

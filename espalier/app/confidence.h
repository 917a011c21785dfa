// How sure a model is: for each arc, and for the whole tree, the probability that it is right. The share
// that an arc has in the model's k-best list, each tree weighed by exp(score / temperature), says which arcs are less
// sure than others; a monotone map (eval/calibration.h) turns it into a probability. Both are fitted on a
// treebank that the model was not trained on, and kept in the model's metadata. Tested by confidence_test.cc.
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

/// A sentence's tree and where it agrees with its list: all that confidence needs to know.
struct ListAgreement {
  static constexpr int kMost = 64;  ///< candidates
  std::vector<double> scores;       ///< best first
  std::vector<uint64_t> arcs;       ///< of each word: bit k if candidate k has the same head and relation
  uint64_t tree = 0;                ///< bit k: all words have

  ListAgreement(const Sentence& sentence, std::span<const Candidate> list);
  /// The share of the candidates in a set.
  double share(uint64_t candidates, double temperature) const;
};

/// With gold: which arcs are right.
struct JudgedSentence {
  ListAgreement agreement;
  std::vector<bool> right;
};

/// The probability that a model's arcs and trees are right.
struct Chances {
  double tree = 0;
  std::vector<double> arcs;
};

class Calibration {
 public:
  /// Chooses for arcs and trees the temperature that leaves the smaller Brier score.
  static Calibration fit(std::span<const JudgedSentence> sentences, int kbest);
  /// As `json` gave it; throws a data Error that names the file.
  static Calibration from_json(const nlohmann::json& json, const std::string& file);
  nlohmann::json json() const;

  int kbest() const { return kbest_; }
  /// An arc's is at least its tree's: a tree is right only if all of its arcs are.
  Chances chances(const ListAgreement& agreement) const;
  /// Writes `# confidence = 0.83`, and Confidence=0.95 in MISC of words whose arcs were not given.
  void annotate(Sentence& sentence, const ListAgreement& agreement, const Constraints& given) const;
  /// The same for a sentence that the parser has parsed: chances among the trees that have what was given.
  void annotate(Sentence& sentence, const Parser& parser, const Constraints& given, Workspace& workspace) const;

 private:
  struct Part {
    double temperature;
    MonotoneMap map;
  };
  Calibration(int kbest, Part arcs, Part trees) : kbest_(kbest), arcs_(std::move(arcs)), trees_(std::move(trees)) {}

  int kbest_;
  Part arcs_, trees_;
};

}  // namespace espalier

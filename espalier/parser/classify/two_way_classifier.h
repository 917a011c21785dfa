// Two classify models in one parser: one infers from left to right, the other from right to left. Each proposes its
// cheapest trees, both judge all of them, and the smallest sum of costs wins. Tested by tests/classify_test.cc.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "espalier/parser/classify/classify_parser.h"

namespace espalier {

class TwoWayClassifier final : public Parser, public Inspectable {
 public:
  static constexpr int kProposals = 2;  ///< more proposals take time and hardly change the result

  /// Of two ClassifyParsers, l2r first.
  explicit TwoWayClassifier(std::array<std::unique_ptr<Parser>, 2> parsers, int proposals = kProposals);

  AboutParser about() const override;
  std::unique_ptr<Workspace> make_workspace() const override;
  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  KBestList list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  const Inspectable* inspect() const override { return this; }
  /// Shows the trace of the first of the two.
  Trace trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override;
  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override;

 private:
  const ClassifyParser& parser(size_t i) const { return static_cast<const ClassifyParser&>(*parsers_[i]); }
  /// The k cheapest trees of either parser, ordered by the sum of both parsers' costs.
  std::vector<ClassifyParser::Found> judged(const Sentence& sentence, const std::vector<int>& words, int k,
                                            Workspace& workspace) const;

  std::array<std::unique_ptr<Parser>, 2> parsers_;
  int proposals_;
};

std::unique_ptr<Parser> load_two_way_classifier(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier

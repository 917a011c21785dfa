#include "espalier/parser/combine/reranker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "espalier/base/error.h"
#include "espalier/parser/combine/mixture.h"
#include "espalier/parser/combine/template_digest.h"
#include "espalier/parser/combine/tree_scores.h"
#include "espalier/parser/combine/tree_trace.h"
#include "espalier/parser/given_heads.h"
#include "espalier/parser/model_file.h"

namespace espalier {
namespace {

/// The digest of the templates of models that were saved without a digest.
constexpr const char* kTemplatesBeforeDigests = "7337041806fe5948";

class Reranker final : public Parser, public Inspectable {
 public:
  explicit Reranker(RerankModel model) : model_(std::move(model)) {
    double left = 1;
    for (const double alpha : model_.alpha) left -= alpha;
    ranks_ = left > 1e-9;
  }

  AboutParser about() const override {
    AboutParser about = model_.parsers.front()->about();
    about.kind = "rerank";
    about.can = {.kbest = true, .constrain = about.can.constrain};
    about.can.trace = std::ranges::all_of(model_.parsers, [](const auto& parser) { return parser->about().can.trace; });
    for (const auto& parser : model_.parsers) about.most_words = std::min(about.most_words, parser->about().most_words);
    return about;
  }

  std::unique_ptr<Workspace> make_workspace() const override {
    auto scratch = std::make_unique<Scratch>(*this);
    for (const auto& parser : model_.parsers) scratch->parsers.push_back(parser->make_workspace());
    return scratch;
  }

  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    if (sentence.size() == 0) return;
    if (given.on_trees()) return annotate(sentence, list(sentence, given, workspace).best(1).front().analysis);
    auto& scratch = own<Scratch>(workspace);
    rank(sentence, given, false, scratch);
    const size_t best = mixed_best(model_.alpha, scratch.rescaled, scratch.rescaled_ranker);
    annotate(sentence, scratch.list.analyses[best]);
  }

  KBestList list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    auto& scratch = own<Scratch>(workspace);
    if (sentence.size() == 0) return model_.parsers.front()->list(sentence, *scratch.parsers.front());
    KBestList ranked([this, &sentence, given, &scratch](int k, std::vector<Candidate>& list) {
      rank(sentence, given, true, scratch);
      list = best(k, scratch);
    });
    return given.on_trees() ? mended(std::move(ranked), given, about().roots) : ranked;
  }

  const Inspectable* inspect() const override { return this; }
  /// Of the first parser that proposes the tree.
  Trace trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const override {
    if (sentence.size() == 0) return {};
    auto& scratch = own<Scratch>(workspace);
    size_t proposer = 0;
    std::optional<Candidate> found;
    for (size_t i = 0; i < model_.parsers.size() && !found; ++i) {
      found = listed(*model_.parsers[i], sentence, candidate.analysis, searched(), *scratch.parsers[i]);
      if (found) proposer = i;
    }
    const Parser& parser = *model_.parsers[proposer];
    if (!found) found = led_to(parser, sentence, candidate.analysis, *scratch.parsers[proposer]);  // given heads
    const std::string whose = model_.parsers.size() == 1
                                  ? "the parser whose list was reranked"
                                  : fmt::format("parser {} of {}, which proposed the tree that was chosen",
                                                proposer + 1, model_.parsers.size());
    return trace_of(parser, whose, sentence, *found, *scratch.parsers[proposer]);
  }

  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    nlohmann::json parsers = nlohmann::json::array();
    for (size_t i = 0; i < model_.parsers.size(); ++i)
      parsers.push_back(save_part(*model_.parsers[i], writer, fmt::format("{}base-{}/", prefix, i)));
    writer.add_array(prefix + "ranker", model_.weights.buckets());
    return {{"parsers", std::move(parsers)},
            {"list", model_.list},
            {"width", model_.width},
            {"alpha", model_.alpha},
            {"templates", template_digest()},
            {"scale", model_.weights.scale()},
            {"columns", model_.columns.to_json()},
            {"head_rules", model_.head_rules},
            {"parser_ranges", model_.parser_ranges},
            {"ranker_range", model_.ranker_range}};
  }

 private:
  struct Scratch final : Workspace {
    explicit Scratch(const Reranker& owner) : Workspace(owner), scores(owner.model_.columns, owner.model_.head_rules) {}
    std::vector<std::unique_ptr<Workspace>> parsers;
    TreeScores scores;
    PooledList list;
    std::vector<double> ranker, rescaled_ranker;
    std::vector<std::vector<double>> rescaled;
  };

  int searched() const { return std::max(model_.width, model_.list); }

  /// Computes the pooled list with all scores; the ranker's are of whole trees, or up to a constant for the list.
  void rank(const Sentence& sentence, const Constraints& given, bool whole, Scratch& scratch) const {
    std::vector<std::vector<Candidate>> lists;
    for (size_t i = 0; i < model_.parsers.size(); ++i) {
      lists.push_back(kbest(*model_.parsers[i], sentence, given, searched(), *scratch.parsers[i]));
      if (lists[i].size() > static_cast<size_t>(model_.list)) lists[i].resize(model_.list);
    }
    scratch.list = pool(std::move(lists));
    scratch.rescaled = scratch.list.scores;
    for (auto& scores : scratch.rescaled) rescale(scores);
    scratch.ranker.assign(scratch.list.size(), 0);
    if (ranks_ && (whole || scratch.list.size() > 1))
      scratch.scores.score(model_.weights, sentence, scratch.list.analyses, whole, scratch.ranker);
    scratch.rescaled_ranker = scratch.ranker;
    rescale(scratch.rescaled_ranker);
  }

  /// The best k of the ranked list, whose analyses are moved out.
  std::vector<Candidate> best(int k, Scratch& scratch) const {
    std::vector<Candidate> candidates;
    const double base = of_whole_list(scratch);
    for (const size_t i : mixed_order(model_.alpha, scratch.rescaled, scratch.rescaled_ranker)) {
      if (static_cast<int>(candidates.size()) == k) break;
      Candidate& candidate = candidates.emplace_back();
      const double mixed = mixed_score(model_.alpha, scratch.rescaled, scratch.rescaled_ranker, i);
      candidate.score = base + mixed;
      candidate.analysis = std::move(scratch.list.analyses[i]);
      for (size_t p = 0; p < model_.parsers.size(); ++p)
        candidate.scores.emplace_back(model_.parsers.size() == 1 ? "h" : fmt::format("h{}", p + 1),
                                      scratch.list.scores[p][i]);
      candidate.scores.emplace_back("c", scratch.ranker[i]);
      candidate.scores.emplace_back("mixed", mixed);
    }
    return candidates;
  }

  /// The part of the score that rescaling removes, in units of typical lists.
  double of_whole_list(const Scratch& scratch) const {
    double sum = 0, left = 1;
    for (size_t i = 0; i < model_.alpha.size(); ++i) {
      sum += model_.alpha[i] * std::ranges::min(scratch.list.scores[i]) / model_.parser_ranges[i];
      left -= model_.alpha[i];
    }
    return sum + left * std::ranges::min(scratch.ranker) / model_.ranker_range;
  }

  RerankModel model_;
  bool ranks_ = true;  // the mixture has the ranker's score
};

}  // namespace

std::unique_ptr<Parser> make_reranker(RerankModel model) { return std::make_unique<Reranker>(std::move(model)); }

void load_ranker(const ModelPart& part, RerankModel& model) {
  const nlohmann::json& m = part.metadata;
  const std::string& file = part.file->name();
  if (m.value("kind", "") != "rerank") throw usage_error("{}: a model without a ranker", file);
  if (m.value("templates", kTemplatesBeforeDigests) != template_digest())
    throw data_error(file, 0,
                     "the ranker was trained with other feature templates than this version of the program has; "
                     "please train it anew, or use the version that trained it");
  model.weights = RankWeights(part.array<RankWeights::Bucket>("ranker"), m.at("scale"), part.file);
  model.columns = AtomColumns::from_json(m.at("columns"));
  model.head_rules = m.at("head_rules");
  model.ranker_range = m.at("ranker_range");
  std::string problem = model.weights.problem();
  if (!(std::isfinite(model.ranker_range) && model.ranker_range > 0))
    problem = "the range of the ranker's scores is not a positive number";
  if (!problem.empty()) throw data_error(file, 0, "{}", problem);
}

std::unique_ptr<Parser> load_reranker(const ModelPart& part, SettingsReader& overrides) {
  const nlohmann::json& m = part.metadata;
  const std::string& file = part.file->name();
  RerankModel model;
  model.list = static_cast<int>(
      overrides.integer("list", m.at("list").get<long>(), 1, 4096, "candidates of each parser that are reranked"));
  model.width = static_cast<int>(
      overrides.integer("width", m.at("width").get<long>(), 1, 4096, "how many candidates a parser searches for"));
  const auto& parsers = m.at("parsers");
  for (size_t i = 0; i < parsers.size(); ++i) {
    if (parsers[i].at("kind") == "rerank") throw data_error(file, 0, "a reranker within a reranker");
    SettingsReader own(overrides.values().with_prefix("base."));
    model.parsers.push_back(load_part({part.file, parsers[i], fmt::format("{}base-{}/", part.prefix, i)}, own));
    if (!model.parsers.back()->about().can.kbest) throw data_error(file, 0, "a reranked parser has no k-best lists");
    overrides.adopt(own.known(), "base.");
  }
  overrides.pass_on("base.");
  model.alpha = m.at("alpha").get<std::vector<double>>();
  load_ranker(part, model);
  model.parser_ranges = m.at("parser_ranges").get<std::vector<double>>();
  std::string problem;
  if (model.parsers.empty()) problem = "a reranker without a parser";
  if (model.alpha.size() != model.parsers.size() || model.parser_ranges.size() != model.parsers.size())
    problem = "the mixture does not fit the parsers";
  const auto positive = [](double range) { return std::isfinite(range) && range > 0; };
  if (!std::ranges::all_of(model.parser_ranges, positive)) problem = "the ranges of scores are not positive numbers";
  if (!std::ranges::all_of(model.alpha, [](double alpha) { return alpha >= 0 && alpha <= 1; }))
    problem = "the mixture's weights are not between 0 and 1";
  if (!problem.empty()) throw data_error(file, 0, "{}", problem);
  return make_reranker(std::move(model));
}

}  // namespace espalier

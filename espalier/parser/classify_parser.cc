#include "espalier/parser/classify_parser.h"

#include <cmath>

#include "espalier/tree/constituent_preprocess.h"

namespace espalier {

/// The logic with its scorer: what the agenda searches. One per thread, for one sentence at a time.
class ClassifySpace {
 public:
  using State = ForestState;
  struct Action {
    int16_t first, count, label, head;
  };

  explicit ClassifySpace(const ClassifyParser& parser) : parser_(parser) {
    if (parser.matrix_) masks_.emplace(parser.matrix_->bits());
    if (!masks_) atoms_.emplace(parser.model_->space);
    heads_.resize(static_cast<size_t>(parser.logic_.labels()));
  }

  void start(const Sentence& sentence, const std::vector<int>& words) {
    symbols_.clear(), values_.clear();
    for (const int word : words) {
      const Token& token = sentence.word(word);
      symbols_.push_back(parser_.model_->space.tag_symbol(parser_tag(token)));
      values_.push_back(parser_.model_->space.word_values(token.form, parser_tag(token)));
    }
  }

  State initial() {
    const State state = parser_.logic_.initial(symbols_, forest_);
    if (masks_) masks_->start_sentence(values_);
    return state;
  }
  bool is_final(const State& state) const { return parser_.logic_.is_final(state, forest_); }
  bool leads_to_final(const Action& action) const { return action.label == BottomUp::kTop; }
  bool deterministic() const { return parser_.logic_.deterministic(); }
  uint64_t signature(const State& state) const { return state.signature; }
  State apply(const State& state, const Action& action) {
    return parser_.logic_.apply(state, forest_, {action.first, action.count}, action.label, action.head);
  }

  void expand(const State& state, std::vector<Expansion<Action>>& out) {
    out.clear();
    const RowView view{values_, &forest_, state.frontier(forest_), parser_.model_->sequences};
    if (masks_) masks_->start_state(view);
    parser_.logic_.spans(state, forest_, spans_);
    for (const ItemSpan span : spans_) {
      children_.clear();
      for (int p = span.first; p < span.first + span.count; ++p) children_.push_back(view.symbol(p));
      parser_.heads_.heads(children_, heads_.data());
      if (masks_) masks_->start_span(span);
      for (int head = 0; head < span.count; ++head) score_head(view, state, span, head, out);
    }
  }

  const Forest& forest() const { return forest_; }

 private:
  /// Costs of all labels under which this child is the head: they share one row.
  void score_head(const RowView& view, const State& state, ItemSpan span, int head,
                  std::vector<Expansion<Action>>& out) {
    const uint64_t* mask = nullptr;
    bool collected = false;
    for (int label = 0; label < parser_.logic_.labels(); ++label) {
      if (heads_[static_cast<size_t>(label)] != head || !parser_.logic_.allows(state, forest_, span, label)) continue;
      float margin;
      if (masks_) {
        if (!mask) mask = masks_->row(span.first + head);
        margin = parser_.matrix_->margin(label, mask);
      } else {
        if (!collected) atoms_->collect(view, span, span.first + head), collected = true;
        margin = parser_.model_->trees.margin(label, static_cast<float>(parser_.options_.lambda),
                                              [this](int atom) { return atoms_->has(atom); });
      }
      const double h = static_cast<double>(margin);
      const double cost = h > 0 ? std::log1p(std::exp(-h)) : -h + std::log1p(std::exp(h));
      out.push_back({cost,
                     {static_cast<int16_t>(span.first), static_cast<int16_t>(span.count), static_cast<int16_t>(label),
                      static_cast<int16_t>(head)}});
    }
  }

  const ClassifyParser& parser_;
  Forest forest_;
  std::vector<int> symbols_, children_;
  std::vector<WordValues> values_;
  std::vector<uint8_t> heads_;
  std::vector<ItemSpan> spans_;
  std::optional<RowMasks<0>> masks_;
  std::optional<RowAtoms> atoms_;
};

namespace {

struct ClassifyWorkspace : Workspace {
  explicit ClassifyWorkspace(const ClassifyParser& parser) : space(parser) {}
  ClassifySpace space;
  AgendaSearch<ClassifySpace> search;
};

/// The derivation's tree, nodes before their children.
void add_item(const Forest& forest, int item, const std::vector<std::string>& symbols, ConstituentTree& tree) {
  const Item& source = forest.items[static_cast<size_t>(item)];
  const size_t at = tree.nodes.size();
  tree.nodes.emplace_back();
  tree.nodes[at].label = symbols[static_cast<size_t>(source.symbol)];
  if (source.is_terminal()) tree.nodes[at].word = source.start + 1;
  for (int i = 0; i < source.count; ++i) {
    tree.nodes[at].children.push_back(static_cast<int>(tree.nodes.size()));
    add_item(forest, forest.children[static_cast<size_t>(source.children + i)], symbols, tree);
  }
}

}  // namespace

ClassifyOptions ClassifyOptions::from(const Settings& settings, const ClassifyOptions& fallback) {
  ClassifyOptions options = fallback;
  options.lambda = settings.real("lambda", fallback.lambda, 0, 1e9,
                                 "leave out trees built with a smaller penalty (a prefix of the regularisation path)");
  const auto search = settings.choice("search", "greedy-completion", {"greedy-completion", "best-first", "greedy"},
                                      "how the cheapest derivation is found");
  options.search.strategy = search == "greedy"       ? AgendaStrategy::kGreedy
                            : search == "best-first" ? AgendaStrategy::kBestFirst
                                                     : AgendaStrategy::kGreedyCompletion;
  options.search.scored = static_cast<size_t>(
      settings.integer("gamma", static_cast<long>(fallback.search.scored), 0, 1'000'000'000,
                       "partial parses scored per sentence before the search gives up; 0 = no limit"));
  options.compiled = settings.flag("compiled", true, "score by the kill matrix instead of walking the trees");
  return options;
}

ClassifyParser::ClassifyParser(std::shared_ptr<const ClassifyModel> model, const ClassifyOptions& options)
    : model_(std::move(model)),
      options_(options),
      logic_(model_->strategy, model_->space.labels(), model_->punctuation_symbols()),
      heads_(model_->make_head_rules()) {
  const auto conjunctions = model_->trees.conjunctions(static_cast<float>(options.lambda));
  conjunctions_ = conjunctions.size();
  if (options.compiled && conjunctions.size() <= KillMatrix::kMost) {
    matrix_.emplace(model_->space, conjunctions, model_->trees.intercept);
  }
}

std::unique_ptr<Workspace> ClassifyParser::make_workspace() const { return std::make_unique<ClassifyWorkspace>(*this); }

AgendaReport ClassifyParser::analyse(const Sentence& sentence, ConstituentTree& tree, Workspace& workspace) const {
  auto& work = static_cast<ClassifyWorkspace&>(workspace);
  tree.clear();
  AgendaReport report;
  const std::vector<int> words = words_to_parse(sentence);
  if (!words.empty()) {
    work.space.start(sentence, words);
    ForestState best;
    report = work.search.run(work.space, options_.search, best);
    if (!report.solved) {  // the limit came first: any derivation is better than none
      const size_t scored = report.scored;
      report = work.search.run(work.space, {AgendaStrategy::kGreedy, 0}, best);
      report.scored += scored;
    }
    if (report.solved) {
      add_item(work.space.forest(), best.last, model_->space.symbols(), tree);
      tree = restored(tree, sentence, words, model_->root);
      return report;
    }
  }
  tree = restored(tree, sentence, {}, model_->root);  // a flat tree
  return report;
}

void ClassifyParser::parse(Sentence& sentence, Workspace& workspace) const {
  ConstituentTree tree;
  analyse(sentence, tree, workspace);
  sentence.constituents = std::move(tree);
}

nlohmann::json ClassifyParser::save(ModelWriter& writer, const std::string& prefix) const {
  nlohmann::json metadata = model_->save(writer, prefix);
  metadata["lambda"] = options_.lambda;
  metadata["gamma"] = options_.search.scored;
  return metadata;
}

std::unique_ptr<Parser> load_classify_parser(const ModelPart& part, const Settings& overrides) {
  ClassifyOptions fallback;
  fallback.lambda = part.metadata.at("lambda");
  fallback.search.scored = part.metadata.at("gamma");
  return std::make_unique<ClassifyParser>(std::make_shared<ClassifyModel>(ClassifyModel::load(part)),
                                          ClassifyOptions::from(overrides, fallback));
}

}  // namespace espalier

#include "espalier/parser/classify/classify_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "espalier/parser/model_file.h"
#include "espalier/tree/constituent_preprocess.h"

namespace espalier {

/// The space that the agenda searches: the logic with its scorer. One per thread, for one sentence at a time.
class ClassifySpace {
 public:
  using State = ForestState;
  struct Action {
    int16_t first, count, label, head;  // places: up to BottomUp::kMostWords
    friend bool operator==(const Action&, const Action&) = default;
  };

  explicit ClassifySpace(const ClassifyParser& parser) : parser_(parser) {
    if (parser.matrix_) masks_.emplace(parser.matrix_->bits());
    if (!masks_) atoms_.emplace(parser.model_->space);
    heads_.resize(parser.logic_.labels());
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
  size_t memory() const {
    return forest_.items.size() * sizeof(Item) + (forest_.children.size() + forest_.frontiers.size()) * sizeof(int) +
           (masks_ ? masks_->memory() : 0);
  }
  State apply(const State& state, const Action& action) {
    return parser_.logic_.apply(state, forest_, {action.first, action.count}, action.label, action.head);
  }

  void expand(const State& state, std::vector<Expansion<Action>>& out) {
    score_all(state, out);
    make_costs(out);
  }

  /// The cost of a tree over the sentence's words, TOP its root: that of its derivation in this logic's order.
  double cost(const ConstituentTree& tree) {
    double sum = 0;
    const auto add = [&](const State&, const Expansion<Action>& step) { sum += step.cost; };
    return derive(tree, add) ? sum : std::numeric_limits<double>::infinity();
  }

  /// Calls visit(state, step) for every inference of the tree's derivation; false if it has labels that are not known.
  template <class Visit>
  bool derive(const ConstituentTree& tree, Visit&& visit) {
    for (const auto& node : tree.nodes)
      if (!node.is_leaf() && parser_.labels_.find(node.label) == Vocabulary::kUnknown) return false;
    State state = initial();
    if (!tree.empty()) derive_below(tree, 0, state, visit);
    return true;
  }

  const Forest& forest() const { return forest_; }

 private:
  template <class Visit>
  void derive_below(const ConstituentTree& tree, int number, State& state, Visit& visit) {
    const auto& node = tree.nodes[number];
    if (node.is_leaf()) return;
    const bool backwards = parser_.logic_.strategy() == Strategy::kRightToLeft;
    const size_t count = node.children.size();
    for (size_t i = 0; i < count; ++i) derive_below(tree, node.children[backwards ? count - 1 - i : i], state, visit);
    int first_leaf = number;
    while (!tree.nodes[first_leaf].is_leaf()) first_leaf = tree.nodes[first_leaf].children.front();
    const int start = tree.nodes[first_leaf].word - 1;

    const RowView view{values_, &forest_, state.frontier(forest_), parser_.model_->sequences};
    const auto place = std::ranges::find(view.frontier, start, [&](int item) { return forest_.items[item].start; });
    const ItemSpan span{static_cast<int>(place - view.frontier.begin()), static_cast<int>(count)};
    const int label = parser_.labels_.find(node.label);
    children_.clear();
    for (int p = span.first; p < span.first + span.count; ++p) children_.push_back(view.symbol(p));
    const int head = parser_.heads_.head(label, children_);
    // Softmax costs depend on all inferences of the state. An inference that the logic forbids is added to them.
    const Action wanted = action(span, label, head);
    scored_.clear();
    if (parser_.options_.cost == StepCost::kSoftmax) score_all(state, scored_);
    const auto find = [&] { return std::ranges::find(scored_, wanted, &Expansion<Action>::action); };
    if (find() == scored_.end()) {
      if (masks_) {
        masks_->start_state(view);
        masks_->start_span(span);
      }
      Row row;
      scored_.push_back({margin_of(view, span, head, label, row), wanted});
    }
    make_costs(scored_);
    visit(state, *find());
    state = parser_.logic_.apply(state, forest_, span, label, head);
  }

  /// All inferences that the state allows, with their margins in place of costs.
  void score_all(const State& state, std::vector<Expansion<Action>>& out) {
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

  static Action action(ItemSpan span, int label, int head) {
    return {static_cast<int16_t>(span.first), static_cast<int16_t>(span.count), static_cast<int16_t>(label),
            static_cast<int16_t>(head)};
  }

  /// Margins of all labels under which this child is the head: they share one row.
  void score_head(const RowView& view, const State& state, ItemSpan span, int head,
                  std::vector<Expansion<Action>>& out) {
    Row row;
    for (int label = 0; label < parser_.logic_.labels(); ++label) {
      if (heads_[label] != head || !parser_.logic_.allows(state, forest_, span, label)) continue;
      out.push_back({margin_of(view, span, head, label, row), action(span, label, head)});
    }
  }

  /// The row that all labels of one span and head share; computed for the first of them.
  struct Row {
    const uint64_t* mask = nullptr;
    bool collected = false;
  };
  double margin_of(const RowView& view, ItemSpan span, int head, int label, Row& row) {
    float margin;
    if (masks_) {
      if (!row.mask) row.mask = masks_->row(span.first + head);
      margin = parser_.matrix_->margin(label, row.mask);
    } else {
      if (!row.collected) atoms_->collect(view, span, span.first + head), row.collected = true;
      margin = parser_.model_->trees.margin(label, static_cast<float>(parser_.options_.lambda),
                                            [this](int atom) { return atoms_->has(atom); });
    }
    return static_cast<double>(margin);
  }

  /// Turns the margins of a state's inferences into costs.
  void make_costs(std::vector<Expansion<Action>>& steps) const {
    if (parser_.options_.cost == StepCost::kLogistic) {
      for (auto& [cost, action] : steps) {
        const double h = cost;
        cost = h > 0 ? std::log1p(std::exp(-h)) : -h + std::log1p(std::exp(h));
      }
      return;
    }
    const double sharpness = parser_.options_.sharpness;
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const auto& step : steps) most = std::max(most, step.cost);
    for (const auto& step : steps) sum += std::exp(sharpness * (step.cost - most));
    const double whole = std::log(sum);
    for (auto& step : steps) step.cost = std::max(0.0, whole - sharpness * (step.cost - most));
  }

  const ClassifyParser& parser_;
  Forest forest_;
  std::vector<int> symbols_, children_;
  std::vector<WordValues> values_;
  std::vector<uint8_t> heads_;
  std::vector<ItemSpan> spans_;
  std::optional<RowMasks<0>> masks_;
  std::optional<RowAtoms> atoms_;
  std::vector<Expansion<Action>> scored_;
};

namespace {

struct ClassifyWorkspace : Workspace {
  explicit ClassifyWorkspace(const ClassifyParser& parser) : Workspace(parser), space(parser) {}
  ClassifySpace space;
  AgendaSearch<ClassifySpace> search;
  CostedBeam<ClassifySpace> beam;
  std::vector<AgendaSearch<ClassifySpace>::Solution> solutions;
};

/// The derivation's tree, nodes before their children.
void add_item(const Forest& forest, int item, const std::vector<std::string>& symbols, ConstituentTree& tree) {
  const Item& source = forest.items[item];
  const size_t at = tree.nodes.size();
  tree.nodes.emplace_back();
  tree.nodes[at].label = symbols[source.symbol];
  if (source.is_terminal()) tree.nodes[at].word = source.start + 1;
  for (int i = 0; i < source.count; ++i) {
    tree.nodes[at].children.push_back(static_cast<int>(tree.nodes.size()));
    add_item(forest, forest.children[source.children + i], symbols, tree);
  }
}

/// Adds the trees of a search to those of another, cheapest first, each once. To be called before the next
/// search.
void add_solutions(const ClassifyWorkspace& work, const std::vector<std::string>& symbols,
                   std::vector<ClassifyParser::Found>& found) {
  for (const auto& solution : work.solutions) {
    ClassifyParser::Found next{solution.cost, {}};
    add_item(work.space.forest(), solution.state.last, symbols, next.tree);
    const auto same = std::ranges::find(found, next.tree, &ClassifyParser::Found::tree);
    if (same != found.end() && same->cost <= next.cost) continue;
    if (same != found.end()) found.erase(same);
    found.insert(std::ranges::upper_bound(found, next.cost, {}, &ClassifyParser::Found::cost), std::move(next));
  }
}

using Step = Expansion<ClassifySpace::Action>;

/// Keeps `done` and the cheapest other steps; returns the place of `done`.
size_t cheapest_with(const Step& done, std::vector<Step>& all) {
  constexpr size_t kShown = 6;
  std::erase_if(all, [&](const Step& other) { return other.action == done.action; });
  std::ranges::stable_sort(all, {}, &Step::cost);
  if (all.size() >= kShown) all.resize(kShown - 1);
  const auto place = std::ranges::upper_bound(all, done.cost, {}, &Step::cost);
  return static_cast<size_t>(all.insert(place, done) - all.begin());
}

/// An item of a state's frontier, by words of the sentence.
TraceItem item_at(const Forest& forest, const ForestState& state, int place, const std::vector<std::string>& symbols,
                  const std::vector<int>& words) {
  const Item& item = forest.items[state.frontier(forest)[place]];
  return {words[item.start], words[item.end - 1], item.is_terminal() ? "" : symbols[item.symbol]};
}

/// In the order of their enumerations.
const std::vector<std::string> kSearches = {"greedy", "best-first", "greedy-completion", "beam"};
const std::vector<std::string> kCosts = {"logistic", "softmax"};

template <class Enumeration>
Enumeration named(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<Enumeration>(std::ranges::find(names, name) - names.begin());
}
template <class Enumeration>
const std::string& name_of(const std::vector<std::string>& names, Enumeration value) {
  return names[static_cast<size_t>(value)];
}

}  // namespace

ClassifyOptions ClassifyOptions::from(SettingsReader& settings, const ClassifyOptions& fallback) {
  ClassifyOptions options = fallback;
  options.lambda = settings.real("lambda", fallback.lambda, 0, 1e9,
                                 "use only trees grown with at least this penalty: a shorter regularisation path");
  options.cost = named<StepCost>(
      kCosts, settings.choice("cost", name_of(kCosts, fallback.cost), kCosts,
                              "cost of an inference: by its own classifier, or relative to all inferences (softmax)"));
  options.sharpness = settings.real("sharpness", fallback.sharpness, 0.01, 100,
                                    "factor of margins in cost=softmax; below 1, since classifiers are overconfident");
  options.search = named<ClassifySearch>(kSearches, settings.choice("search", name_of(kSearches, fallback.search),
                                                                    kSearches, "how the cheapest derivation is found"));
  options.gamma = settings.integer<size_t>("gamma", fallback.gamma, 0, 1'000'000'000,
                                           "partial parses scored per sentence, at most; 0 = no limit");
  options.width = settings.integer<size_t>("width", fallback.width, 0, 100'000,
                                           "width of the beam that continues after gamma; 0 = no beam");
  return options;
}

ClassifyParser::ClassifyParser(std::shared_ptr<const ClassifyModel> model, const ClassifyOptions& options)
    : model_(std::move(model)), options_(options), logic_(model_->make_logic()), heads_(model_->make_head_rules()) {
  for (int label = 0; label < model_->space.labels(); ++label) labels_.add(model_->space.symbols()[label]);
  const auto conjunctions = model_->trees.conjunctions(static_cast<float>(options.lambda));
  conjunctions_ = conjunctions.size();
  if (conjunctions.size() <= KillMatrix::kMost) {
    matrix_.emplace(model_->space, conjunctions, model_->trees.intercept);
  }
}

AboutParser ClassifyParser::about() const {
  return {.kind = "classify",
          .predicts = {"constituents"},
          .can = {.kbest = true, .trace = true},
          .most_words = BottomUp::kMostWords};
}

std::unique_ptr<Workspace> ClassifyParser::make_workspace() const { return std::make_unique<ClassifyWorkspace>(*this); }

AgendaReport ClassifyParser::search(const Sentence& sentence, const std::vector<int>& words, size_t k,
                                    std::vector<Found>& found, Workspace& workspace) const {
  auto& work = own<ClassifyWorkspace>(workspace);
  found.clear();
  if (words.empty()) return {};
  work.space.start(sentence, words);
  const auto by_agenda = [&](AgendaStrategy strategy, size_t gamma) {
    const AgendaReport report = work.search.run(work.space, {strategy, gamma}, k, work.solutions);
    add_solutions(work, model_->space.symbols(), found);
    return report;
  };
  const auto by_beam = [&] {
    const AgendaReport report = work.beam.run(work.space, std::max<size_t>(options_.width, 1), k, work.solutions);
    add_solutions(work, model_->space.symbols(), found);
    return report;
  };
  if (options_.search == ClassifySearch::kBeam) return by_beam();
  AgendaReport report = by_agenda(static_cast<AgendaStrategy>(options_.search), options_.gamma);
  if (!report.solved) {  // limit reached without a solution: take the greedy derivation
    const AgendaReport greedy = by_agenda(AgendaStrategy::kGreedy, 0);
    report.scored += greedy.scored;
    report.cost = greedy.cost;
  } else if (!report.optimal && options_.search == ClassifySearch::kGreedyCompletion && options_.width > 0) {
    const AgendaReport beam = by_beam();
    report.scored += beam.scored;
    report.first_was_best = report.first_was_best && report.cost <= beam.cost;
    report.cost = std::min(report.cost, beam.cost);
    found.resize(std::min(found.size(), k));
  }
  return report;
}

double ClassifyParser::cost(const ConstituentTree& tree, Workspace& workspace) const {
  return own<ClassifyWorkspace>(workspace).space.cost(tree);
}

AgendaReport ClassifyParser::analyse(const Sentence& sentence, ConstituentTree& tree, Workspace& workspace) const {
  std::vector<Found> found;
  const std::vector<int> words = words_to_parse(sentence);
  const AgendaReport report = search(sentence, words, 1, found, workspace);
  // A flat tree at worst.
  tree = found.empty() ? restored({}, sentence, {}, model_->root)
                       : restored(found.front().tree, sentence, words, model_->root);
  return report;
}

void ClassifyParser::parse(Sentence& sentence, const Constraints&, Workspace& workspace) const {
  ConstituentTree tree;
  analyse(sentence, tree, workspace);
  sentence.constituents = std::move(tree);
}

KBestList ClassifyParser::list(const Sentence& sentence, const Constraints&, Workspace& workspace) const {
  return KBestList([this, &sentence, &workspace](int k, std::vector<Candidate>& list) {
    std::vector<Found> found;
    const std::vector<int> words = words_to_parse(sentence);
    search(sentence, words, static_cast<size_t>(k), found, workspace);
    if (found.empty()) found.push_back({});
    list = candidates(found, sentence, words, model_->root);
  });
}

/// At each step of the tree's derivation: all items, the inference, and the cheapest of those that went to the agenda.
Trace ClassifyParser::trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const {
  auto& space = own<ClassifyWorkspace>(workspace).space;
  const std::vector<int> words = words_to_parse(sentence);
  Sentence with_tree = sentence;
  with_tree.constituents = candidate.analysis.constituents;
  Trace trace;
  trace.system = fmt::format("agenda ({})", kStrategyNames[static_cast<size_t>(model_->strategy)]);
  if (words.empty()) return trace;
  space.start(sentence, words);
  std::vector<Step> all;
  space.derive(simplified(with_tree, words), [&](const ForestState& state, const Step& done) {
    TraceStep& step = trace.steps.emplace_back();
    space.expand(state, all);
    step.taken = cheapest_with(done, all);
    const auto item = [&](int place) { return item_at(space.forest(), state, place, model_->space.symbols(), words); };
    for (int place = 0; place < state.size; ++place) step.stack.push_back(item(place));
    for (const auto& [cost, action] : all) {
      step.actions.push_back({.move = "build",
                              .label = model_->space.symbols()[action.label],
                              .score = -cost,
                              .first = item(action.first).first,
                              .last = item(action.first + action.count - 1).last});
    }
  });
  return trace;
}

std::vector<Candidate> candidates(const std::vector<ClassifyParser::Found>& found, const Sentence& sentence,
                                  const std::vector<int>& words, const std::string& root) {
  std::vector<Candidate> list;
  for (const auto& [cost, tree] : found) {
    list.emplace_back().score = -cost;
    list.back().analysis.constituents = restored(tree, sentence, tree.empty() ? std::vector<int>() : words, root);
  }
  return list;
}

nlohmann::json ClassifyParser::save(ModelWriter& writer, const std::string& prefix) const {
  nlohmann::json metadata = model_->save(writer, prefix);
  metadata["lambda"] = options_.lambda;
  metadata["gamma"] = options_.gamma;
  const ClassifyOptions usual;
  if (options_.search != usual.search) metadata["search"] = name_of(kSearches, options_.search);
  if (options_.cost != usual.cost) metadata["cost"] = name_of(kCosts, options_.cost);
  if (options_.sharpness != usual.sharpness) metadata["sharpness"] = options_.sharpness;
  if (options_.width != usual.width) metadata["width"] = options_.width;
  return metadata;
}

std::unique_ptr<Parser> load_classify_parser(const ModelPart& part, SettingsReader& overrides) {
  ClassifyOptions fallback;
  fallback.lambda = part.metadata.at("lambda");
  fallback.gamma = part.metadata.at("gamma");
  const auto read = [&](const char* key, const std::vector<std::string>& names, auto& value) {
    if (!part.metadata.contains(key)) return;
    const auto known = std::ranges::find(names, part.metadata.at(key).get<std::string>());
    if (known == names.end()) throw data_error(part.file->name(), 0, "the model's metadata is damaged");
    value = named<std::remove_reference_t<decltype(value)>>(names, *known);
  };
  read("search", kSearches, fallback.search);
  read("cost", kCosts, fallback.cost);
  fallback.sharpness = part.metadata.value("sharpness", fallback.sharpness);
  fallback.width = part.metadata.value("width", fallback.width);
  return std::make_unique<ClassifyParser>(std::make_shared<ClassifyModel>(ClassifyModel::load(part)),
                                          ClassifyOptions::from(overrides, fallback));
}

}  // namespace espalier

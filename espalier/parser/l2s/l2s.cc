#include "espalier/parser/l2s/l2s.h"

#include <algorithm>
#include <functional>
#include <map>

#include "espalier/base/error.h"
#include "espalier/parser/model_file.h"

namespace espalier {

void L2sModel::learn_labels(const std::vector<Sentence>& train) {
  std::array<std::map<std::string, long>, kArcKinds> counts;
  for (const Sentence& sentence : train) {
    if (!tree_problem(sentence, nullptr, roots()).empty()) continue;
    const std::vector<int> heads = heads_of(sentence);
    for (int i = 1; i <= sentence.size(); ++i) {
      const ArcKind kind = kind_of_arc(heads[i], i);
      labels[kind].add(sentence.word(i).deprel);
      ++counts[kind][sentence.word(i).deprel];
    }
  }
  // Arc-eager needs the most frequent label first (L2sParser::write); arc-hybrid keeps the order of appearance, as in
  // models saved earlier.
  if (options.system == ArcHybrid::kName) return;
  for (size_t kind = 0; kind < kArcKinds; ++kind) {
    std::vector<std::string> texts = labels[kind].texts();
    std::ranges::stable_sort(texts, std::greater(), [&](const std::string& text) { return counts[kind][text]; });
    labels[kind] = {};
    for (const std::string& text : texts) labels[kind].add(text);
  }
}

void L2sModel::complete(int moves, const std::array<int, kArcKinds>& moves_of_arcs) {
  model.system = options.system;
  model.beam = options.beam;
  model.single_root = options.single_root;
  // Sets of labels have 64 bits. A label's number has the bit of its text, so that sets mean the same in every model.
  constexpr size_t kBits = 64, kMostNumbers = 1 << 14;
  Vocabulary all;
  std::vector<int> number_of;
  std::vector<ActionTable::Count> counts;
  std::vector<bool> builds_nothing(moves, true);
  for (size_t kind = 0; kind < kArcKinds; ++kind) {
    builds_nothing[moves_of_arcs[kind]] = false;
    // Every kind of arc must have a label, even if training had none.
    if (labels[kind].size() == 0) labels[kind].add(kind == kRootArc ? "root" : "dep");
    int rank = 0;
    for (const std::string& text : labels[kind].texts()) {
      const auto id = static_cast<size_t>(all.add(text));
      if (id == number_of.size()) {
        const uint64_t atom = hash_string(text, 5);
        size_t number = atom % kBits;
        while (number < label_atoms.size() && label_atoms[number] != 0) number += kBits;
        if (number >= kMostNumbers) throw usage_error("there are too many labels, such as '{}'", text);
        if (number >= label_atoms.size()) {
          label_atoms.resize(number + 1, 0);
          model.labels.resize(number + 1);
        }
        label_atoms[number] = atom;
        model.labels[number] = text;
        number_of.push_back(static_cast<int>(number));
      }
      counts.push_back({moves_of_arcs[kind], number_of[id], labels[kind].size() - rank++});
    }
  }
  const int columns = moves + static_cast<int>(counts.size());  // none is folded, and their order stays
  model.actions = ActionTable(moves, builds_nothing, std::move(counts), columns, model.labels);
  if (options.features == Options::kRich) {
    rich = transition_templates(options.system, "rich");
    view = std::make_shared<StackView>(label_atoms);
  } else {
    templates = options.make();
  }
}

std::unique_ptr<Parser> load_l2s_parser(const ModelPart& part, SettingsReader& overrides) {
  const nlohmann::json& saved = part.metadata.at("task").at("options");
  return with_dynamic_oracle(saved.value("system", std::string(ArcHybrid::kName)), [&]<class Space>() {
    L2sParser<Space> task;
    task.load(part.metadata.at("task"));
    task.model.beam = task.options.beam =
        overrides.integer("beam", task.options.beam, 1, 4096, "states kept per step; 1 = greedy");
    task.options.sharpness = overrides.real("sharpness", task.options.sharpness, 0.01, 100,
                                            "lists: factor of costs before they become probabilities");
    auto regressors = load_regressors(part, task.actions());
    return make_l2s_parser(std::move(task), std::move(regressors));
  });
}

std::unique_ptr<Parser> make_l2s_tagger(const L2sTagger& task, std::vector<HashedRegressor> regressors) {
  return std::make_unique<ImperativeParser<L2sTagger>>("l2s-tagger", std::vector<std::string>{"tags"}, task,
                                                       std::move(regressors));
}

std::unique_ptr<Parser> load_l2s_tagger(const ModelPart& part, SettingsReader&) {
  return ImperativeParser<L2sTagger>::load("l2s-tagger", {"tags"}, part);
}

}  // namespace espalier

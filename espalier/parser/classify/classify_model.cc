// Saves and loads classify models: names as JSON in the metadata, trees and sequence hashes as arrays.
#include <algorithm>

#include "espalier/base/json_text.h"
#include "espalier/base/nesting.h"
#include "espalier/parser/classify/classify_parser.h"
#include "espalier/parser/model_file.h"

namespace espalier {
namespace {

struct TreeHeader {
  int32_t label, nodes, leaves;
  float lambda;
};

}  // namespace

void save_trees(const BoostedTrees& model, ModelWriter& writer, const std::string& prefix) {
  std::vector<TreeHeader> headers;
  std::vector<DecisionTree::Node> nodes;
  std::vector<float> leaves;
  for (const DecisionTree& tree : model.trees) {
    headers.push_back(
        {tree.label, static_cast<int32_t>(tree.nodes.size()), static_cast<int32_t>(tree.leaves.size()), tree.lambda});
    nodes.insert(nodes.end(), tree.nodes.begin(), tree.nodes.end());
    leaves.insert(leaves.end(), tree.leaves.begin(), tree.leaves.end());
  }
  writer.add_array<TreeHeader>(prefix + "trees", headers);
  writer.add_array<DecisionTree::Node>(prefix + "nodes", nodes);
  writer.add_array<float>(prefix + "leaves", leaves);
  writer.add_array<float>(prefix + "intercept", model.intercept);
}

BoostedTrees load_trees(const ModelPart& part, int labels, int atoms) {
  const auto damaged = [&] { return data_error(part.file->name(), 0, "the decision trees are damaged"); };
  BoostedTrees model;
  const auto intercept = part.array<float>("intercept");
  auto nodes = part.array<DecisionTree::Node>("nodes");
  auto leaves = part.array<float>("leaves");
  if (intercept.size() != static_cast<size_t>(labels)) throw damaged();
  model.intercept.assign(intercept.begin(), intercept.end());
  for (const TreeHeader& header : part.array<TreeHeader>("trees")) {
    if (header.label < 0 || header.label >= labels || header.nodes < 0 || header.leaves < 1 ||
        static_cast<size_t>(header.nodes) > nodes.size() || static_cast<size_t>(header.leaves) > leaves.size()) {
      throw damaged();
    }
    DecisionTree tree{header.label, header.lambda, {}, {}};
    tree.nodes.assign(nodes.begin(), nodes.begin() + header.nodes);
    tree.leaves.assign(leaves.begin(), leaves.begin() + header.leaves);
    nodes = nodes.subspan(header.nodes);
    leaves = leaves.subspan(header.leaves);
    for (int at = 0; at < header.nodes; ++at) {
      const auto& node = tree.nodes[at];
      for (const int child : {node.yes, node.no}) {
        // Children must come after their parents, so that every walk ends.
        if (child >= 0 ? child <= at || child >= header.nodes : ~child >= header.leaves) throw damaged();
      }
      if (node.atom < 0 || node.atom >= atoms) throw damaged();
    }
    model.trees.push_back(std::move(tree));
  }
  return model;
}

std::vector<bool> ClassifyModel::punctuation_symbols() const {
  std::vector<bool> marks;
  for (const auto& symbol : space.symbols()) {
    marks.push_back(symbol.starts_with('/') && is_punctuation_tag(std::string_view(symbol).substr(1)));
  }
  return marks;
}

BottomUp ClassifyModel::make_logic() const { return {strategy, space.labels(), punctuation_symbols(), reach}; }

HeadRules ClassifyModel::make_head_rules() const {
  std::vector<std::string> labels, symbols;
  for (const auto& symbol : space.symbols()) {
    const bool is_tag = static_cast<int>(symbols.size()) >= space.labels();
    if (!is_tag) labels.push_back(symbol);
    symbols.push_back(is_tag ? symbol.substr(1) : symbol);
  }
  return {head_rules, "head rules", labels, symbols, punctuation_symbols()};
}

nlohmann::json ClassifyModel::save(ModelWriter& writer, const std::string& prefix) const {
  save_trees(trees, writer, prefix);
  writer.add_array<uint64_t>(prefix + "sequences", space.sequence_hashes());
  nlohmann::json metadata;
  // Thousands of words: a section of its own keeps `info` readable.
  writer.add(prefix + "vocabulary", json_text(space.to_json()));
  metadata["labels"] = std::vector(space.symbols().begin(), space.symbols().begin() + space.labels());
  metadata["strategy"] = kStrategyNames[static_cast<size_t>(strategy)];
  metadata["head_rules"] = head_rules;
  metadata["root"] = root;
  metadata["with_sequences"] = sequences;
  if (reach) metadata["reach"] = reach;
  metadata["scale"] = trees.scale;
  return metadata;
}

ClassifyModel ClassifyModel::load(const ModelPart& part) {
  const auto& metadata = part.metadata;
  const auto vocabulary = part.array<char>("vocabulary");
  if (json_depth({vocabulary.data(), vocabulary.size()}) > kDeepestNesting)
    throw data_error(part.file->name(), 0, "the vocabulary is nested more than {} deep", kDeepestNesting);
  const auto names = parse_json({vocabulary.data(), vocabulary.size()});
  ClassifyModel model{AtomSpace::from_json(names), {}, Strategy::kRightToLeft, "", "", true, 0};
  const auto damaged = [&] { return data_error(part.file->name(), 0, "the model's metadata is damaged"); };
  const auto& symbols = model.space.symbols();
  const int labels = model.space.labels();
  if (labels < 1 || labels >= static_cast<int>(symbols.size()) ||
      !std::all_of(symbols.begin() + labels, symbols.end(), [](auto& tag) { return tag.starts_with('/'); })) {
    throw damaged();
  }
  for (const uint64_t hash : part.array<uint64_t>("sequences")) model.space.add_sequence(hash);
  const std::string strategy = metadata.at("strategy");
  const auto known = std::ranges::find(kStrategyNames, strategy);
  if (known == std::end(kStrategyNames)) throw damaged();
  model.strategy = static_cast<Strategy>(known - kStrategyNames);
  model.head_rules = metadata.at("head_rules");
  model.root = metadata.at("root");
  model.sequences = metadata.at("with_sequences");
  model.reach = metadata.value("reach", 0);
  if (model.reach < 0 || model.reach > BottomUp::kLongestReach) throw damaged();
  model.trees = load_trees(part, model.space.labels(), model.space.size());
  model.trees.scale = metadata.at("scale");
  return model;
}

}  // namespace espalier

#include "espalier/tree/binarise.h"

#include "espalier/tree/constituent_preprocess.h"

namespace espalier {
namespace {

class Binariser {
 public:
  Binariser(const ConstituentTree& tree, const std::function<int(int)>& head_child, Vocabulary& labels)
      : tree_(tree), head_child_(head_child), labels_(labels) {}

  int add(int node) {
    const auto* source = &at(node);
    if (source->is_leaf()) return emit({.kind = BinaryTree::kWord, .word = source->word});
    if (source->children.size() > 1) return add_branches(node);
    std::string chain = source->label;
    int below = source->children[0];
    for (source = &at(below); source->children.size() == 1; source = &at(below)) {
      chain.append(" ").append(source->label);
      below = source->children[0];
    }
    const int child = add(below);
    return emit({.kind = BinaryTree::kUnary, .label = labels_.add(chain), .left = child});
  }

  BinaryTree out;

 private:
  const ConstituentTree::Node& at(int node) const { return tree_.nodes[node]; }
  int emit(BinaryTree::Node node) {
    out.nodes.push_back(node);
    return static_cast<int>(out.nodes.size()) - 1;
  }

  int add_branches(int node) {
    const auto& children = at(node).children;
    const int label = labels_.add(at(node).label);
    const int head = head_child_(node);
    std::vector<int> before;
    for (int i = 0; i < head; ++i) before.push_back(add(children[i]));
    int built = add(children[head]);
    size_t missing = children.size() - 1;
    for (; !before.empty(); before.pop_back())
      built = emit({BinaryTree::kHeadRight, --missing > 0, 0, label, before.back(), built});
    for (size_t i = static_cast<size_t>(head) + 1; i < children.size(); ++i) {
      const int right = add(children[i]);
      built = emit({BinaryTree::kHeadLeft, --missing > 0, 0, label, built, right});
    }
    return built;
  }

  const ConstituentTree& tree_;
  const std::function<int(int)>& head_child_;
  Vocabulary& labels_;
};

class Mirror {
 public:
  explicit Mirror(const BinaryTree& tree) : tree_(tree), words_(static_cast<int>(tree.words())) {
    out.nodes.reserve(tree.nodes.size());
  }

  int add(int node) {
    const BinaryTree::Node& source = at(node);
    if (source.kind == BinaryTree::kWord) return emit({.kind = BinaryTree::kWord, .word = words_ + 1 - source.word});
    if (source.kind != BinaryTree::kUnary) return add_branches(node);
    const int child = add(source.left);
    return emit({.kind = BinaryTree::kUnary, .label = source.label, .left = child});
  }

  BinaryTree out;

 private:
  const BinaryTree::Node& at(int node) const { return tree_.nodes[node]; }
  int emit(BinaryTree::Node node) {
    out.nodes.push_back(node);
    return static_cast<int>(out.nodes.size()) - 1;
  }

  /// Mirrors a constituent: it is built around its head again, first towards the new left, which was the right.
  int add_branches(int node) {
    std::vector<int> left, right;  // children of the constituent beside its head, from the outermost inwards
    const int label = at(node).label;
    bool part = true;
    while (part) {
      const BinaryTree::Node& source = at(node);
      const bool head_left = source.kind == BinaryTree::kHeadLeft;
      (head_left ? right : left).push_back(head_left ? source.right : source.left);
      node = head_left ? source.left : source.right;
      part = at(node).part;
    }
    size_t missing = left.size() + right.size();
    for (int& child : right) child = add(child);
    int built = add(node);
    for (; !right.empty(); right.pop_back())
      built = emit({BinaryTree::kHeadRight, --missing > 0, 0, label, right.back(), built});
    for (; !left.empty(); left.pop_back()) {
      const int child = add(left.back());
      built = emit({BinaryTree::kHeadLeft, --missing > 0, 0, label, built, child});
    }
    return built;
  }

  const BinaryTree& tree_;
  int words_;
};

class Unbinariser {
 public:
  Unbinariser(const BinaryTree& tree, const std::vector<std::string>& labels) : tree_(tree), labels_(labels) {
    out.nodes.emplace_back();
    out.nodes[0].label = kTopLabel;
  }

  /// Adds what the node stands for to the children of `parent`.
  void add(int node, int parent) {
    const BinaryTree::Node& source = tree_.nodes[node];
    switch (source.kind) {
      case BinaryTree::kWord:
        out.nodes[append("", parent)].word = source.word;
        break;
      case BinaryTree::kUnary:
        for (std::string_view chain = labels_[source.label]; !chain.empty();) {
          const std::string_view top = top_of_chain(chain);
          parent = append(top, parent);
          chain.remove_prefix(std::min(top.size() + 1, chain.size()));
        }
        add(source.left, parent);
        break;
      case BinaryTree::kHeadLeft:
      case BinaryTree::kHeadRight:
        add_branches(source, append(labels_[source.label], parent));
    }
  }

  ConstituentTree out;

 private:
  void add_branches(const BinaryTree::Node& source, int parent) {
    const bool head_left = source.kind == BinaryTree::kHeadLeft;
    for (const int child : {source.left, source.right}) {
      const BinaryTree::Node& below = tree_.nodes[child];
      if (below.part && (child == source.left) == head_left) {
        add_branches(below, parent);
      } else {
        add(child, parent);
      }
    }
  }
  int append(std::string_view label, int parent) {
    if (label == kTopLabel) return parent;
    const int at = static_cast<int>(out.nodes.size());
    out.nodes.emplace_back();
    out.nodes.back().label = label;
    out.nodes[parent].children.push_back(at);
    return at;
  }

  const BinaryTree& tree_;
  const std::vector<std::string>& labels_;
};

}  // namespace

std::string_view top_of_chain(std::string_view chain) { return chain.substr(0, chain.find(' ')); }

BinaryTree binarised(const ConstituentTree& tree, const std::function<int(int)>& head_child, Vocabulary& labels) {
  Binariser binariser(tree, head_child, labels);
  if (!tree.empty()) binariser.add(tree.nodes[0].children.size() == 1 ? tree.nodes[0].children[0] : 0);
  return std::move(binariser.out);
}

BinaryTree mirrored(const BinaryTree& tree) {
  Mirror mirror(tree);
  if (!tree.nodes.empty()) mirror.add(static_cast<int>(tree.nodes.size()) - 1);
  return std::move(mirror.out);
}

ConstituentTree unbinarised(const BinaryTree& tree, const std::vector<std::string>& labels) {
  Unbinariser unbinariser(tree, labels);
  if (!tree.nodes.empty()) unbinariser.add(static_cast<int>(tree.nodes.size()) - 1, 0);
  return std::move(unbinariser.out);
}

}  // namespace espalier

#include "espalier/parser/combine/constituent_templates.h"

#include <algorithm>

#include "espalier/base/hash.h"
#include "espalier/parser/combine/feature_key.h"

namespace espalier {
namespace {

enum ConstituentGroup : int { kRule, kHeads, kNodeSpan, kWord, kConjuncts, kRightBranch };

uint64_t span_bucket(int words) {
  return static_cast<uint64_t>(words <= 5 ? words : words <= 8 ? 6 : words <= 12 ? 7 : words <= 20 ? 8 : 9);
}

struct ConstituentTemplates {
  using Node = RankedBrackets::Node;
  const SentenceAtoms& atoms;
  const RankedBrackets& tree;

  uint64_t w(int i) const { return atoms.word(i)->field[WordAtoms::kForm]; }
  uint64_t t(int i) const { return atoms.word(i)->field[WordAtoms::kFine]; }
  uint64_t s(int i) const { return atoms.word(i)->field[WordAtoms::kShape]; }
  const Node& node(int i) const { return tree.nodes[i]; }
  uint64_t label(const Node& of, int child) const {
    return child < 0 || child >= static_cast<int>(of.children.size()) ? 1 : node(of.children[child]).label;
  }
  uint64_t parent(const Node& of) const { return tree.label(of.parent); }
  uint64_t grandparent(const Node& of) const { return tree.label(tree.parent(of.parent)); }

  void rule(const Node& n, std::vector<uint64_t>& keys) const;
  void heads(const Node& n, std::vector<uint64_t>& keys) const;
  void span(const Node& n, std::vector<uint64_t>& keys) const;
  void word(int leaf, std::vector<uint64_t>& keys) const;
  void coordination(const Node& n, std::vector<uint64_t>& keys) const;
  void right_branch(std::vector<uint64_t>& keys) const;
};

void ConstituentTemplates::rule(const Node& n, std::vector<uint64_t>& keys) const {
  GroupWriter put(kRule, keys);
  const int count = static_cast<int>(n.children.size());
  uint64_t whole = n.label;
  for (int i = 0; i < count; ++i) whole = extended(whole, label(n, i) + (i == n.head_child));
  put(whole);
  put(whole, parent(n));
  put(whole, parent(n), grandparent(n));
  put(whole, w(n.head));
  put(whole, t(n.head));
  put(n.label, parent(n), grandparent(n));
  put(n.label, parent(n), t(n.head));
  put(n.label, parent(n), w(n.head));
  put(n.label, w(n.head));
  put(n.label, t(n.head));
  put(n.label, std::min(count, 6), parent(n));
  put(n.label, label(n, n.head_child), count == 1);
  // Pieces of the rule: pairs and triples of neighbours, and how they lie to the head.
  GroupWriter pieces = put;
  for (int i = 0; i <= count; ++i) {
    GroupWriter each = pieces;
    const int side = i < n.head_child ? 0 : i == n.head_child ? 1 : i == n.head_child + 1 ? 2 : 3;
    each(n.label, label(n, i - 1), label(n, i), side);
    each(n.label, label(n, i - 1), label(n, i), side, parent(n));
    each(n.label, label(n, i - 2), label(n, i - 1), label(n, i), side);
    each(n.label, label(n, n.head_child), label(n, i - 1), label(n, i), side);
    each(n.label, label(n, i - 1), label(n, i), w(n.head));
    each(n.label, label(n, i - 1), label(n, i), t(n.head));
  }
}

/// The head with the head of each other child.
void ConstituentTemplates::heads(const Node& n, std::vector<uint64_t>& keys) const {
  const uint64_t main = label(n, n.head_child);
  for (int i = 0; i < static_cast<int>(n.children.size()); ++i) {
    if (i == n.head_child) continue;
    GroupWriter put(kHeads, keys);
    const Node& other = node(n.children[i]);
    const int h = n.head, m = other.head;
    const uint64_t how = feature_key(n.label, main, other.label, i > n.head_child);
    put(how);
    put(how, w(h), w(m));
    put(how, w(h), t(m));
    put(how, t(h), w(m));
    put(how, t(h), t(m));
    put(how, w(h));
    put(how, w(m));
    put(how, t(h), t(m), parent(n));
    put(how, span_bucket(other.end - other.begin));
    put(how, span_bucket(std::abs(h - m)));
    put(t(h), w(h), t(m), w(m));
    put(n.label, w(h), w(m));
    // The head of the second child, such as the object of a preposition.
    for (const int child : other.children) {
      const Node& below = node(child);
      if (below.head == m) continue;
      GroupWriter deep = put;
      deep(how, t(h), w(m), t(below.head));
      deep(how, w(h), w(m), w(below.head));
      deep(how, t(h), w(m), w(below.head));
    }
  }
}

void ConstituentTemplates::span(const Node& n, std::vector<uint64_t>& keys) const {
  GroupWriter put(kNodeSpan, keys);
  const int first = n.begin, last = n.end - 1;
  const uint64_t length = span_bucket(n.end - n.begin);
  const bool ends = n.end > atoms.size();
  for (const uint64_t name : {n.label, feature_key(n.label, parent(n))}) {
    put(name, length);
    put(name, w(first));
    put(name, w(last));
    put(name, w(first - 1));
    put(name, w(n.end));
    put(name, t(first), t(last));
    put(name, t(first - 1), t(n.end));
    put(name, t(first - 1), t(first), t(last), t(n.end));
    put(name, length, t(first), t(last));
    put(name, length, ends, t(n.end));  // heavy constituents come last
  }
  put(n.label, w(first), w(last));
  put(n.label, w(first - 1), w(n.end));
  put(n.label, t(first - 1), t(first));
  put(n.label, t(last), t(n.end));
  put(n.label, w(first - 1), t(first));
  put(n.label, t(last), w(n.end));
  put(n.label, s(first), length);
  uint64_t tags = n.label;  // of the whole span, if it is short
  if (n.end - n.begin <= 6) {
    for (int i = first; i <= last; ++i) tags = extended(tags, t(i));
    put(tags);
  }
}

/// A word under its ancestors.
void ConstituentTemplates::word(int leaf, std::vector<uint64_t>& keys) const {
  GroupWriter put(kWord, keys);
  const Node& n = node(leaf);
  const int i = n.begin, up = n.parent, above = tree.parent(up), top = tree.parent(above);
  put(w(i), tree.label(up));
  put(w(i), tree.label(up), tree.label(above));
  put(w(i), tree.label(up), tree.label(above), tree.label(top));
  put(n.label, tree.label(up), tree.label(above));
  put(n.label, tree.label(up), tree.label(above), tree.label(top));
  put(t(i - 1), n.label, tree.label(up), tree.label(above));
  put(n.label, t(i + 1), tree.label(up), tree.label(above));
  put(w(i - 1), w(i), tree.label(up));
  put(w(i), w(i + 1), tree.label(up));
  put(s(i), tree.label(up), tree.label(above));
}

/// Similarity of conjuncts.
void ConstituentTemplates::coordination(const Node& n, std::vector<uint64_t>& keys) const {
  static const uint64_t kCoordinators[] = {hash_string("CC"), hash_string("CONJP")};
  for (int i = 1; i + 1 < static_cast<int>(n.children.size()); ++i) {
    if (std::ranges::find(kCoordinators, label(n, i)) == std::end(kCoordinators)) continue;
    GroupWriter put(kConjuncts, keys);
    const Node& before = node(n.children[i - 1]);
    const Node& after = node(n.children[i + 1]);
    const uint64_t same = before.label == after.label;
    const int longer = (after.end - after.begin) - (before.end - before.begin);
    put(n.label, same);
    put(n.label, before.label, after.label);
    put(n.label, same, before.shape == after.shape);
    put(before.label, same, before.shape == after.shape, before.children.size() == after.children.size());
    put(n.label, std::clamp(longer, -5, 5));
    put(before.label, std::clamp(longer, -5, 5), i + 2 == static_cast<int>(n.children.size()));
    put(n.label, t(before.head), t(after.head));
    put(n.label, w(before.head), w(after.head));
  }
}

void ConstituentTemplates::right_branch(std::vector<uint64_t>& keys) const {
  GroupWriter put(kRightBranch, keys);
  int on_branch = 0, all = 0;
  for (const Node& n : tree.nodes) {
    if (n.children.empty()) continue;
    ++all;
    on_branch += n.end > atoms.size() - 1;  // up to the final punctuation
  }
  put(std::min(on_branch, 15));
  put(10 * on_branch / std::max(all, 1));
  put(std::min(10 * all / std::max(atoms.size(), 1), 30));
}

}  // namespace

void add_constituent_groups(const SentenceAtoms& atoms, const RankedBrackets& tree, FeatureGroups& groups) {
  const ConstituentTemplates t{atoms, tree};
  uint64_t branch = 0;
  for (int i = 0; i < static_cast<int>(tree.nodes.size()); ++i) {
    const auto& n = t.node(i);
    const uint64_t parent = t.parent(n), grandparent = t.grandparent(n);
    const auto at = [&](ConstituentGroup name) {
      return feature_key(static_cast<uint64_t>(name), n.begin, n.end, n.label, parent, grandparent);
    };
    if (n.children.empty()) {
      groups.add(feature_key(at(kWord), tree.label(tree.parent(tree.parent(n.parent)))),
                 [&](auto& keys) { t.word(i, keys); });
      continue;
    }
    uint64_t below = 0, deep = 0;
    for (const int child : n.children) {
      const auto& c = t.node(child);
      below = extended(extended(below, c.label), static_cast<uint64_t>(c.end));
      deep = extended(extended(deep, c.shape), static_cast<uint64_t>(c.end));
    }
    branch = extended(branch, n.end > atoms.size() - 1);
    groups.add(feature_key(at(kRule), below, n.head), [&](auto& keys) { t.rule(n, keys); });
    groups.add(feature_key(at(kNodeSpan)), [&](auto& keys) { t.span(n, keys); });
    if (n.children.size() > 1) groups.add(feature_key(at(kHeads), deep, n.head), [&](auto& keys) { t.heads(n, keys); });
    if (n.children.size() > 2)
      groups.add(feature_key(at(kConjuncts), deep), [&](auto& keys) { t.coordination(n, keys); });
  }
  groups.add(feature_key(kRightBranch, branch), [&](auto& keys) { t.right_branch(keys); });
}

}  // namespace espalier

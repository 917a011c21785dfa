#include "espalier/parser/combine/dependency_templates.h"

#include <algorithm>
#include <cstdlib>

#include "espalier/base/hash.h"

namespace espalier {
namespace {

constexpr int kNone = RankedTree::kNone;
const uint64_t kConjunct = hash_string("conj");

/// 1..5, 6-10, more; with the direction.
uint64_t distance(int from, int to) {
  const int d = std::abs(to - from);
  const int bucket = d <= 5 ? d : d <= 10 ? 6 : 7;
  return static_cast<uint64_t>(to > from ? bucket : bucket + 8);
}
uint64_t right_of(int a, int b) { return a > b; }
uint64_t length_bucket(int words) {
  return static_cast<uint64_t>(words <= 6 ? words : words <= 10 ? 7 : words <= 20 ? 8 : 9);
}

/// What templates look at: forms (w), coarse and fine tags (p, x), labels (l).
struct TreeView {
  const RankedWords& words;
  const RankedTree& tree;

  uint64_t w(int i) const { return words.form(i); }
  uint64_t p(int i) const { return words.tag(i); }
  uint64_t x(int i) const { return words.fine(i); }
  uint64_t l(int i) const { return tree.label(i); }
};

/// A word m of a tree and the words around it; kNone where there are none.
struct Place : TreeView {
  int m;
  int h = tree.head(m), g = tree.head(h), gg = tree.head(g);
  int s = tree.inner_sibling(m), t = s == kNone ? kNone : tree.inner_sibling(s);
  int outer = tree.outer_sibling(m);

  uint64_t extent(int i) const { return feature_key(static_cast<uint64_t>(tree.first(i)), tree.last(i)); }
  template <class... Parts>
  uint64_t sign(int group, Parts... parts) const {
    return feature_key(static_cast<uint64_t>(group) << 32 | static_cast<uint32_t>(m), parts...);
  }
};

// The groups of features. Each has a number, which is part of its keys. `is_there` says which words have it (by default
// all); `signature` is a hash of everything that the group looks at in the tree, `extract` appends its keys.

/// First order.
struct ArcGroup : Place {
  static constexpr int kGroup = 0;
  uint64_t signature() const { return sign(kGroup, h, l(m)); }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const uint64_t d = distance(h, m), r = right_of(m, h), lr = l(m) + r;
    put(lr, d);
    put(lr, w(m));
    put(lr, p(m));
    put(lr, x(m));
    put(lr, w(h));
    put(lr, p(h));
    put(lr, w(m), p(m), words.atoms.word(m)->field[WordAtoms::kSuffix]);
    const auto pair = [&](auto... atoms) { put.also(put(atoms...), d, lr); };
    pair(w(h), w(m));
    pair(w(h), p(m));
    pair(p(h), w(m));
    pair(p(h), p(m));
    pair(x(h), x(m));
    pair(p(h), p(m), w(m));
    pair(w(h), p(m), w(m));
    pair(w(h), p(h), p(m));
    pair(w(h), p(h), w(m));
    pair(x(h), w(m));
    pair(w(h), x(m));
    put(p(h), p(m), d, lr);
    put(x(h), x(m), d, lr);
    const auto context = [&](auto... atoms) { put.also(put(r, atoms...), l(m)); };
    context(p(h - 1), p(h), p(m), p(m + 1));
    context(p(h), p(h + 1), p(m - 1), p(m));
    context(p(h - 1), p(h), p(m - 1), p(m));
    context(p(h), p(h + 1), p(m), p(m + 1));
    context(p(h), p(m - 1), p(m));
    context(p(h), p(m), p(m + 1));
    context(p(h - 1), p(h), p(m));
    context(p(h), p(h + 1), p(m));
    put(r, p(m - 1), p(m), p(m + 1), p(h), l(m));
    put(r, x(m - 1), x(m), x(m + 1), l(m));
    put(r, w(m - 1), p(m), p(h), l(m));
    put(r, w(m + 1), p(m), p(h), l(m));
    const size_t low = static_cast<size_t>(std::min(h, m)), high = static_cast<size_t>(std::max(h, m));
    for (const auto& count : words.counts) {
      const int between = high > low + 1 ? count[high - 1] - count[low] : 0;
      put(p(h), p(m), r, std::min(between, 3));
      put(lr, std::min(between, 3));
    }
    agreement(lr, put);
  }

 private:
  /// FEATS of both ends, and whether they agree.
  void agreement(uint64_t how, GroupWriter& put) const {
    const auto& of_head = words.attributes[h];
    const auto& of_word = words.attributes[m];
    GroupWriter from_here = put;  // the same templates for every attribute
    for (const auto& one : of_word) {
      GroupWriter own = from_here;
      own(one.value, how, p(h));
      own(one.value, how, p(h), p(m));
      const auto same = std::ranges::find(of_head, one.name, &RankedWords::Attribute::name);
      if (same == of_head.end()) continue;
      own(one.name, how, same->value == one.value);
      own(one.name, how, same->value == one.value, p(h), p(m));
      own(one.value, how, same->value, p(h), p(m));
    }
    for (const auto& one : of_head) put(feature_key(kGroup, one.value), how, p(m));
  }
};

/// The heads of two neighbouring words.
struct NeighboursGroup : Place {
  static constexpr int kGroup = 12;
  uint64_t signature() const { return sign(kGroup, h, l(m), tree.head(m - 1), l(m - 1)); }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const int a = tree.head(m - 1), b = tree.head(m);
    const uint64_t dir = right_of(m - 1, a) + 2 * right_of(m, b) + 4 * (a == b) + 8 * (a == m) + 16 * (b == m - 1);
    put(p(a), p(b), p(m - 1), p(m), dir);
    put(l(m - 1), l(m), dir);
    put(l(m - 1), l(m), p(m - 1), p(m), dir);
    put(l(m - 1), p(m - 1), w(m), dir);
    put(w(m - 1), p(m), l(m), dir);
  }
};

/// s is the next child towards the head; none: m is the innermost one. m none: s is the outermost one.
struct SiblingGroup : Place {
  static constexpr int kGroup = 3;
  uint64_t signature() const { return sign(kGroup, h, l(m), s, l(s), outer == kNone); }
  void extract(std::vector<uint64_t>& keys) const {
    pair(s, m, keys);
    if (outer == kNone) pair(m, kNone, keys);
  }

 private:
  void pair(int s, int m, std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const uint64_t r = right_of(m == kNone ? s : m, h);
    const uint64_t d = s == kNone || m == kNone ? 0 : distance(s, m);
    const uint64_t both = extended(l(s), l(m)) + r;
    put(both);
    put(both, p(h));
    put(both, w(h));
    put(both, d);
    put.also(put(p(h), p(s), p(m)), r, d, both);
    put.also(put(x(h), x(s), x(m)), r, both);
    put.also(put(w(h), p(s), p(m)), r, both);
    put.also(put(p(h), w(s), p(m)), r, both);
    put.also(put(p(h), p(s), w(m)), r, both);
    put.also(put(p(s), p(m)), r, d);
    put.also(put(w(s), p(m)), r, d);
    put.also(put(p(s), w(m)), r, d);
    put.also(put(w(s), w(m)), r);
  }
};

/// All children of m at once; punctuation does not count.
struct FrameGroup : Place {
  static constexpr int kGroup = 6;
  uint64_t signature() const { return sign(kGroup, h, l(m), tree.frame(m)); }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    int left = 0, right = 0;
    uint64_t left_labels = 1, right_labels = 2, tags = 3, left_set = 0, right_set = 0;
    std::vector<uint64_t> seen;
    for (const int child : tree.children(m)) {
      if (words.is(child, RankedWords::kPunctuation)) continue;
      const bool after = child > m;
      (after ? right : left) += 1;
      uint64_t& labels = after ? right_labels : left_labels;
      labels = extended(labels, l(child));
      tags = extended(tags, p(child) + after);
      if (std::ranges::find(seen, l(child)) != seen.end()) {
        keys.push_back(feature_key(kGroup, l(child), p(m)));  // twice under one head
      } else {
        seen.push_back(l(child));
        (after ? right_set : left_set) += mix(l(child));
      }
    }
    const int l5 = std::min(left, 5), r5 = std::min(right, 5), all = std::min(left + right, 6);
    for (const uint64_t of : {p(m), w(m), x(m), extended(p(m), l(m))}) {
      put(of, l5);
      put(of, r5);
      put(of, all);
      put(of, l5, r5);
      put(of, left_set + right_set);
      put(of, left_set);
      put(of, right_set);
    }
    put(p(m), tags);
    put(p(m), tags, l(m));
    put(p(m), left_labels, right_labels);
    put(w(m), left_labels, right_labels);
    put(p(m), l(m), left_labels, right_labels);
    put(p(m), left_labels);
    put(p(m), right_labels);
    put(w(m), left_labels);
    put(w(m), right_labels);
  }
};

struct SpanGroup : Place {
  static constexpr int kGroup = 7;
  uint64_t signature() const { return sign(kGroup, h, l(m), extent(m)); }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const int first = tree.first(m), last = tree.last(m);
    const uint64_t length = length_bucket(last - first + 1);
    const uint64_t r = right_of(m, h);
    const bool ends = last == words.size();
    const uint64_t flags = ends + 2 * (ends || words.is(last + 1, RankedWords::kPunctuation));
    put.also(put(p(m), length), flags, l(m));
    put(w(m), length);
    put(l(m), length, r, p(h));
    put.also(put(p(m), p(first - 1), p(last + 1)), l(m), p(h));
    put(w(m), p(first - 1), p(last + 1));
    put(l(m), p(first - 1), p(last + 1));
    put.also(put(p(m), p(first), p(last)), l(m), p(h));
    put(l(m), p(first - 1), p(first));
    put(l(m), p(last), p(last + 1));
    put(l(m), w(first), r);
    put(l(m), w(last + 1), r);
    put(l(m), w(first - 1), r);
  }
};

struct GrandGroup : Place {
  static constexpr int kGroup = 1;
  bool is_there() const { return h > 0; }
  uint64_t signature() const { return sign(kGroup, g, h, l(h), l(m)); }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const uint64_t dir = right_of(m, h) * 2 + right_of(h, g) + 4 * right_of(m, g);
    const uint64_t both = extended(l(h), l(m)) + dir;
    put(both);
    put.also(put(p(g), p(h), p(m)), dir, both, l(m) + dir);
    put.also(put(x(g), x(h), x(m)), dir, both);
    put.also(put(w(g), p(h), p(m)), dir, both);
    put.also(put(p(g), w(h), p(m)), dir, both);
    put.also(put(p(g), p(h), w(m)), dir, both);
    put(w(g), w(h), p(m), dir);
    put(p(g), w(h), w(m), dir);
    put(w(g), p(h), w(m), dir);
    put(w(g), w(h), w(m));
    put.also(put(p(g), p(m)), dir, both);
    put.also(put(w(g), p(m)), dir);
    put.also(put(p(g), w(m)), dir);
    put(w(g), w(m), dir);
    put(p(h), both);
    put(w(h), both);
    put(p(m), both);
    put(w(m), both);
  }
};

struct GrandSiblingGroup : Place {
  static constexpr int kGroup = 4;
  bool is_there() const { return h > 0; }
  uint64_t signature() const { return sign(kGroup, g, h, l(h), s, l(s), l(m)); }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const uint64_t dir = right_of(m == kNone ? s : m, h) + 2 * right_of(h, g);
    const uint64_t labels = feature_key(l(h), l(s), l(m));
    put.also(put(p(g), p(h), p(s), p(m)), dir, labels);
    put(labels, dir);
    put(w(g), p(h), p(s), p(m), dir);
    put(p(g), w(h), p(s), p(m), dir);
    put(p(g), p(h), w(s), p(m), dir);
    put(p(g), p(h), p(s), w(m), dir);
    put.also(put(p(g), p(s), p(m)), dir);
  }
};

struct GreatGroup : Place {
  static constexpr int kGroup = 2;
  bool is_there() const { return g > 0; }
  uint64_t signature() const { return sign(kGroup, gg, g, h, l(g), l(h), l(m)); }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const uint64_t dir = right_of(m, h) + 2 * right_of(h, g) + 4 * right_of(g, gg);
    const uint64_t chain = feature_key(l(m), l(h), l(g));
    put.also(put(p(gg), p(g), p(h), p(m)), dir, chain);
    put(chain, dir);
    put(w(gg), p(g), p(h), p(m));
    put(p(gg), w(g), p(h), p(m));
    put(p(gg), p(g), w(h), p(m));
    put(p(gg), p(g), p(h), w(m));
    put.also(put(p(gg), p(g), p(m)), dir);
    put.also(put(p(gg), p(h), p(m)), dir);
    put.also(put(p(gg), p(m)), dir);
  }
};

struct TriSiblingGroup : Place {
  static constexpr int kGroup = 5;
  bool is_there() const { return s != kNone; }
  uint64_t signature() const { return sign(kGroup, h, t, s, l(t), l(s), l(m)); }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const uint64_t r = right_of(s, h);
    const uint64_t labels = feature_key(l(t), l(s), l(m));
    put.also(put(p(h), p(t), p(s), p(m)), r, labels);
    put(labels, r);
    put(labels, r, p(h));
    put(w(h), p(t), p(s), p(m), r);
    put(p(h), w(t), p(s), p(m), r);
    put(p(h), p(t), w(s), p(m), r);
    put(p(h), p(t), p(s), w(m), r);
    put.also(put(p(h), p(t), p(m)), r);
    put.also(put(p(t), p(s), p(m)), r);
  }
};

/// The outermost children of m on both sides, with m's own place.
struct InsideGroup : Place {
  static constexpr int kGroup = 8;
  std::span<const int> children = tree.children(m);
  int left = children.empty() || children.front() > m ? kNone : children.front();
  int right = children.empty() || children.back() < m ? kNone : children.back();
  bool is_there() const { return left != kNone || right != kNone; }
  uint64_t signature() const { return sign(kGroup, h, l(m), s, left, l(left), right, l(right)); }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const uint64_t r = right_of(m, h);
    const uint64_t labels = feature_key(l(m), l(left), l(right));
    put.also(put(p(h), p(m), p(left), p(right)), r, labels);
    put(labels, r);
    put(w(m), p(left), p(right), l(m));
    put(p(m), p(left), p(right), l(m));
    put(p(m), w(left), p(right), l(m));
    put(p(m), p(left), w(right), l(m));
    put(p(h), p(s), p(m), p(left), r);
    put(p(h), p(s), p(m), p(right), r);
    put(w(h), p(m), p(left), p(right), r);
    put(p(h), p(m), p(left), r, l(m));
    put(p(h), p(m), p(right), r, l(m));
  }
};

/// A preposition, case marker or subordinator below m tells the function of m.
struct MarkedGroup : Place {
  static constexpr int kGroup = 9;
  int marker = find_marker();
  bool is_there() const { return marker != kNone; }
  uint64_t signature() const { return sign(kGroup, g, h, l(m), marker); }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const uint64_t r = right_of(m, h), d = distance(h, m);
    for (const uint64_t how : {w(marker), extended(w(marker), l(m))}) {
      put(how, w(h), w(m));
      put(how, w(h), p(m), r);
      put(how, p(h), w(m), r);
      put(how, p(h), p(m), r);
      put(how, p(h), p(m), d);
      put(how, w(h), r);
      put(how, w(m));
    }
    put(w(marker), l(m), r);
    put(w(marker), p(g), p(h), p(m));
  }

 private:
  /// The first child of m that marks how it is attached: an adposition, or a word that is labelled so.
  int find_marker() const {
    static const uint64_t kLabels[] = {hash_string("case"), hash_string("mark")};
    for (const int child : tree.children(m)) {
      if (tree.children(child).empty() && words.is(child, RankedWords::kAdposition)) return child;
      if (std::ranges::find(kLabels, tree.label(child)) != std::end(kLabels)) return child;
    }
    return kNone;
  }
};

/// m is a later conjunct of h.
struct ConjunctGroup : Place {
  static constexpr int kGroup = 10;
  bool is_there() const { return l(m) == kConjunct; }
  uint64_t signature() const {
    return sign(kGroup, coordinator(), g, h, l(h), tree.frame(m), tree.frame(h), extent(m), extent(h));
  }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const uint64_t c = coordinator() == kNone ? 1 : w(coordinator());
    put(c, p(h), p(m));
    put(c, x(h), x(m));
    put(c, w(h), w(m));
    put(p(g), p(h), p(m), l(h));
    put(w(g), p(m), l(h));
    put(c, p(g), p(m), l(h));
    put(c, x(h) == x(m), p(h));
    const int own = tree.last(h) - tree.first(h), other = tree.last(m) - tree.first(m);
    put(c, length_bucket(other + 1), p(m));
    put(c, std::clamp(other - own, -6, 6));
    put(c, distance(h, m), p(h), p(m));
    // Do they have children of the same kind?
    const auto has = [&](int parent, uint64_t label) {
      return std::ranges::any_of(tree.children(parent), [&](int child) { return l(child) == label; });
    };
    GroupWriter parallel = put;
    for (const int child : tree.children(m)) {
      GroupWriter each = parallel;
      each(l(child), has(h, l(child)), p(h) == p(m));
      each(l(child), has(h, l(child)), p(h), p(m));
    }
    put();
    put();
    GroupWriter agree = put;
    for (const auto& one : words.attributes[m]) {
      const auto& of_head = words.attributes[h];
      const auto same = std::ranges::find(of_head, one.name, &RankedWords::Attribute::name);
      GroupWriter each = agree;
      each(c, one.name, same == of_head.end() ? 2 : same->value == one.value, p(m));
    }
  }

 private:
  int coordinator() const {
    for (const int child : tree.children(m))
      if (words.is(child, RankedWords::kCoordinator)) return child;
    return kNone;
  }
};

struct PunctuationGroup : Place {
  static constexpr int kGroup = 11;
  bool is_there() const { return words.is(m, RankedWords::kPunctuation); }
  uint64_t signature() const { return sign(kGroup, g, h, l(h), tree.frame(h), extent(h)); }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const uint64_t r = right_of(m, h);
    put(w(m), p(h), r, l(h));
    put(w(m), p(h), distance(h, m), m == words.size());
    put(w(m), p(h), p(m - 1), p(m + 1), r);
    put(w(m), g == 0, r, m == words.size());
    // Whether it is at the edge of its head's span, and whether it closes a pair of punctuation.
    put(w(m), r, tree.first(h) == m, tree.last(h) == m, l(h));
    for (const int other : tree.children(h)) {
      if (other >= m || !words.is(other, RankedWords::kPunctuation)) continue;
      put(w(other), w(m), other < h && m > h);
      break;
    }
  }
};

/// The root and the right branch.
struct WholeGroup : TreeView {
  static constexpr int kGroup = 13;
  uint64_t signature() const {
    uint64_t branch = tree.frame(0);
    for (int i = 0, steps = 0; steps <= words.size(); ++steps) {
      i = last_child(i);
      if (i == kNone) break;
      branch = extended(branch, static_cast<uint64_t>(i));
    }
    return feature_key(static_cast<uint64_t>(kGroup) << 32, branch);
  }
  void extract(std::vector<uint64_t>& keys) const {
    GroupWriter put(kGroup, keys);
    const auto roots = tree.children(0);
    put(std::min<size_t>(roots.size(), 4));
    int length = 0;
    for (int i = 0; i != kNone && length <= words.size(); i = last_child(i)) ++length;
    put(10 * length / std::max(words.size(), 1));
    put(std::min(length, 12));
    for (const int root : roots) {
      GroupWriter each = put;
      each(x(root), 4 * (root - 1) / std::max(words.size(), 1));
      each(w(root));
      each(p(root), p(words.size()));
    }
  }

 private:
  int last_child(int i) const {
    int last = kNone;
    for (const int child : tree.children(i))
      if (!words.is(child, RankedWords::kPunctuation)) last = child;
    return last;
  }
};

template <class Group>
void add(const Group& group, FeatureGroups& groups) {
  if constexpr (requires { group.is_there(); }) {
    if (!group.is_there()) return;
  }
  groups.add(group.signature(), [&](auto& keys) { group.extract(keys); });
}

template <class... Group>
void add_all(const Place& place, FeatureGroups& groups) {
  (add(Group{place}, groups), ...);
}

}  // namespace

void add_dependency_groups(const RankedWords& words, const RankedTree& tree, FeatureGroups& groups) {
  for (int m = 1; m <= words.size(); ++m)
    add_all<ArcGroup, NeighboursGroup, SiblingGroup, FrameGroup, SpanGroup, GrandGroup, GrandSiblingGroup, GreatGroup,
            TriSiblingGroup, InsideGroup, MarkedGroup, ConjunctGroup, PunctuationGroup>(Place{{words, tree}, m},
                                                                                        groups);
  add(WholeGroup{{words, tree}}, groups);
}

}  // namespace espalier

#include "espalier/rank/dependency_templates.h"

#include <algorithm>
#include <cstdlib>

#include "espalier/base/hash.h"

namespace espalier {
namespace {

constexpr int kNone = RankedTree::kNone;

enum DependencyGroup : int {
  kArc,
  kGrand,
  kGreat,
  kSibling,
  kGrandSibling,
  kTriSibling,
  kFrame,
  kSpan,
  kInside,
  kCase,
  kCoordination,
  kPunctuation,
  kNeighbours,
  kWhole
};

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

struct DependencyTemplates {
  const RankedWords& words;
  const RankedTree& tree;

  uint64_t w(int i) const { return words.form(i); }
  uint64_t p(int i) const { return words.tag(i); }
  uint64_t x(int i) const { return words.fine(i); }
  uint64_t l(int i) const { return tree.label(i); }

  void arc(int h, int m, std::vector<uint64_t>& keys) const;
  void agreement(int h, int m, uint64_t how, GroupWriter& put) const;
  void grand(int g, int h, int m, std::vector<uint64_t>& keys) const;
  void great(int gg, int g, int h, int m, std::vector<uint64_t>& keys) const;
  void sibling(int h, int s, int m, std::vector<uint64_t>& keys) const;
  void grand_sibling(int g, int h, int s, int m, std::vector<uint64_t>& keys) const;
  void tri_sibling(int h, int t, int s, int m, std::vector<uint64_t>& keys) const;
  void frame(int h, std::vector<uint64_t>& keys) const;
  void span(int m, std::vector<uint64_t>& keys) const;
  void inside(int h, int s, int m, int left, int right, std::vector<uint64_t>& keys) const;
  void marked(int h, int m, int marker, std::vector<uint64_t>& keys) const;
  void conjunct(int h, int m, int coordinator, std::vector<uint64_t>& keys) const;
  void punctuation(int m, std::vector<uint64_t>& keys) const;
  void neighbours(int m, std::vector<uint64_t>& keys) const;
  void whole(std::vector<uint64_t>& keys) const;
};

/// First order.
void DependencyTemplates::arc(int h, int m, std::vector<uint64_t>& keys) const {
  GroupWriter put(kArc, keys);
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
  agreement(h, m, lr, put);
}

/// FEATS of both ends, and whether they agree.
void DependencyTemplates::agreement(int h, int m, uint64_t how, GroupWriter& put) const {
  const auto& of_head = words.attributes[static_cast<size_t>(h)];
  const auto& of_word = words.attributes[static_cast<size_t>(m)];
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
  for (const auto& one : of_head) put(feature_key(kArc, one.value), how, p(m));
}

void DependencyTemplates::grand(int g, int h, int m, std::vector<uint64_t>& keys) const {
  GroupWriter put(kGrand, keys);
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

void DependencyTemplates::great(int gg, int g, int h, int m, std::vector<uint64_t>& keys) const {
  GroupWriter put(kGreat, keys);
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

/// s is the next child towards the head; none: m is the innermost one. m none: s is the outermost one.
void DependencyTemplates::sibling(int h, int s, int m, std::vector<uint64_t>& keys) const {
  GroupWriter put(kSibling, keys);
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

void DependencyTemplates::grand_sibling(int g, int h, int s, int m, std::vector<uint64_t>& keys) const {
  GroupWriter put(kGrandSibling, keys);
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

void DependencyTemplates::tri_sibling(int h, int t, int s, int m, std::vector<uint64_t>& keys) const {
  GroupWriter put(kTriSibling, keys);
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

/// All children of h at once; punctuation does not count.
void DependencyTemplates::frame(int h, std::vector<uint64_t>& keys) const {
  GroupWriter put(kFrame, keys);
  int left = 0, right = 0;
  uint64_t left_labels = 1, right_labels = 2, tags = 3, left_set = 0, right_set = 0;
  std::vector<uint64_t> seen;
  for (const int child : tree.children(h)) {
    if (words.is(child, RankedWords::kPunctuation)) continue;
    const bool after = child > h;
    (after ? right : left) += 1;
    uint64_t& labels = after ? right_labels : left_labels;
    labels = extended(labels, l(child));
    tags = extended(tags, p(child) + after);
    if (std::ranges::find(seen, l(child)) != seen.end()) {
      keys.push_back(feature_key(kFrame, l(child), p(h)));  // twice under one head
    } else {
      seen.push_back(l(child));
      (after ? right_set : left_set) += mix(l(child));
    }
  }
  const int l5 = std::min(left, 5), r5 = std::min(right, 5), all = std::min(left + right, 6);
  for (const uint64_t of : {p(h), w(h), x(h), extended(p(h), l(h))}) {
    put(of, l5);
    put(of, r5);
    put(of, all);
    put(of, l5, r5);
    put(of, left_set + right_set);
    put(of, left_set);
    put(of, right_set);
  }
  put(p(h), tags);
  put(p(h), tags, l(h));
  put(p(h), left_labels, right_labels);
  put(w(h), left_labels, right_labels);
  put(p(h), l(h), left_labels, right_labels);
  put(p(h), left_labels);
  put(p(h), right_labels);
  put(w(h), left_labels);
  put(w(h), right_labels);
}

void DependencyTemplates::span(int m, std::vector<uint64_t>& keys) const {
  GroupWriter put(kSpan, keys);
  const int first = tree.first(m), last = tree.last(m), h = tree.head(m);
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

/// The outermost children of m on both sides, with m's own place.
void DependencyTemplates::inside(int h, int s, int m, int left, int right, std::vector<uint64_t>& keys) const {
  GroupWriter put(kInside, keys);
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

/// A preposition, case marker or subordinator below m says how m hangs on h.
void DependencyTemplates::marked(int h, int m, int marker, std::vector<uint64_t>& keys) const {
  GroupWriter put(kCase, keys);
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
  put(w(marker), p(tree.head(h)), p(h), p(m));
}

/// m is a later conjunct of h.
void DependencyTemplates::conjunct(int h, int m, int coordinator, std::vector<uint64_t>& keys) const {
  GroupWriter put(kCoordination, keys);
  const int g = tree.head(h);
  const uint64_t c = coordinator == kNone ? 1 : w(coordinator);
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
  for (const auto& one : words.attributes[static_cast<size_t>(m)]) {
    const auto& of_head = words.attributes[static_cast<size_t>(h)];
    const auto same = std::ranges::find(of_head, one.name, &RankedWords::Attribute::name);
    GroupWriter each = agree;
    each(c, one.name, same == of_head.end() ? 2 : same->value == one.value, p(m));
  }
}

void DependencyTemplates::punctuation(int m, std::vector<uint64_t>& keys) const {
  GroupWriter put(kPunctuation, keys);
  const int h = tree.head(m);
  const uint64_t r = right_of(m, h);
  put(w(m), p(h), r, l(h));
  put(w(m), p(h), distance(h, m), m == words.size());
  put(w(m), p(h), p(m - 1), p(m + 1), r);
  put(w(m), tree.head(h) == 0, r, m == words.size());
  // Does it stand at the edge of its head's span, and does it close what another mark opened?
  put(w(m), r, tree.first(h) == m, tree.last(h) == m, l(h));
  for (const int other : tree.children(h)) {
    if (other >= m || !words.is(other, RankedWords::kPunctuation)) continue;
    put(w(other), w(m), other < h && m > h);
    break;
  }
}

/// The heads of two neighbouring words.
void DependencyTemplates::neighbours(int m, std::vector<uint64_t>& keys) const {
  GroupWriter put(kNeighbours, keys);
  const int a = tree.head(m - 1), b = tree.head(m);
  const uint64_t dir = right_of(m - 1, a) + 2 * right_of(m, b) + 4 * (a == b) + 8 * (a == m) + 16 * (b == m - 1);
  put(p(a), p(b), p(m - 1), p(m), dir);
  put(l(m - 1), l(m), dir);
  put(l(m - 1), l(m), p(m - 1), p(m), dir);
  put(l(m - 1), p(m - 1), w(m), dir);
  put(w(m - 1), p(m), l(m), dir);
}

/// The root and the right branch.
void DependencyTemplates::whole(std::vector<uint64_t>& keys) const {
  GroupWriter put(kWhole, keys);
  const auto roots = tree.children(0);
  put(std::min<size_t>(roots.size(), 4));
  int length = 0;
  for (int i = 0; i != kNone && length <= words.size();) {
    int next = kNone;
    for (const int child : tree.children(i))
      if (!words.is(child, RankedWords::kPunctuation)) next = child;
    i = next;
    ++length;
  }
  put(10 * length / std::max(words.size(), 1));
  put(std::min(length, 12));
  for (const int root : roots) {
    GroupWriter each = put;
    each(x(root), 4 * (root - 1) / std::max(words.size(), 1));
    each(w(root));
    each(p(root), p(words.size()));
  }
}

/// The first child of m that marks how it is attached: an adposition, or a word that is labelled so.
int marker_of(const RankedWords& words, const RankedTree& tree, int m) {
  static const uint64_t kLabels[] = {hash_string("case"), hash_string("mark")};
  for (const int child : tree.children(m)) {
    if (tree.children(child).empty() && words.is(child, RankedWords::kAdposition)) return child;
    if (std::ranges::find(kLabels, tree.label(child)) != std::end(kLabels)) return child;
  }
  return kNone;
}

int coordinator_of(const RankedWords& words, const RankedTree& tree, int m) {
  for (const int child : tree.children(m))
    if (words.is(child, RankedWords::kCoordinator)) return child;
  return kNone;
}

}  // namespace

void add_dependency_groups(const RankedWords& words, const RankedTree& tree, FeatureGroups& groups) {
  static const uint64_t kConjunct = hash_string("conj");
  const DependencyTemplates t{words, tree};
  const auto extent = [&](int i) { return feature_key(static_cast<uint64_t>(tree.first(i)), tree.last(i)); };
  for (int m = 1; m <= words.size(); ++m) {
    const int h = tree.head(m), g = tree.head(h), gg = tree.head(g);
    const int s = tree.inner_sibling(m), outer = tree.outer_sibling(m);
    const int t2 = s == kNone ? kNone : tree.inner_sibling(s);
    const uint64_t l = tree.label(m), lh = tree.label(h), ls = tree.label(s);
    const auto children = tree.children(m);
    const auto at = [&](DependencyGroup name) { return static_cast<uint64_t>(name) << 32 | static_cast<uint32_t>(m); };
    groups.add(feature_key(at(kArc), h, l), [&](auto& keys) { t.arc(h, m, keys); });
    groups.add(feature_key(at(kNeighbours), h, l, tree.head(m - 1), tree.label(m - 1)),
               [&](auto& keys) { t.neighbours(m, keys); });
    groups.add(feature_key(at(kSibling), h, l, s, ls, outer == kNone), [&](auto& keys) {
      t.sibling(h, s, m, keys);
      if (outer == kNone) t.sibling(h, m, kNone, keys);
    });
    groups.add(feature_key(at(kFrame), h, l, tree.frame(m)), [&](auto& keys) { t.frame(m, keys); });
    groups.add(feature_key(at(kSpan), h, l, extent(m)), [&](auto& keys) { t.span(m, keys); });
    if (h > 0) {
      groups.add(feature_key(at(kGrand), g, h, lh, l), [&](auto& keys) { t.grand(g, h, m, keys); });
      groups.add(feature_key(at(kGrandSibling), g, h, lh, s, ls, l),
                 [&](auto& keys) { t.grand_sibling(g, h, s, m, keys); });
    }
    if (g > 0)
      groups.add(feature_key(at(kGreat), gg, g, h, tree.label(g), lh, l),
                 [&](auto& keys) { t.great(gg, g, h, m, keys); });
    if (s != kNone)
      groups.add(feature_key(at(kTriSibling), h, t2, s, tree.label(t2), ls, l),
                 [&](auto& keys) { t.tri_sibling(h, t2, s, m, keys); });
    if (!children.empty()) {
      const int left = children.front() < m ? children.front() : kNone;
      const int right = children.back() > m ? children.back() : kNone;
      groups.add(feature_key(at(kInside), h, l, s, left, tree.label(left), right, tree.label(right)),
                 [&](auto& keys) { t.inside(h, s, m, left, right, keys); });
      if (const int marker = marker_of(words, tree, m); marker != kNone)
        groups.add(feature_key(at(kCase), g, h, l, marker), [&](auto& keys) { t.marked(h, m, marker, keys); });
    }
    if (l == kConjunct) {
      const int c = coordinator_of(words, tree, m);
      groups.add(feature_key(at(kCoordination), c, g, h, lh, tree.frame(m), tree.frame(h), extent(m), extent(h)),
                 [&](auto& keys) { t.conjunct(h, m, c, keys); });
    }
    if (words.is(m, RankedWords::kPunctuation)) {
      groups.add(feature_key(at(kPunctuation), g, h, lh, tree.frame(h), extent(h)),
                 [&](auto& keys) { t.punctuation(m, keys); });
    }
  }
  uint64_t branch = tree.frame(0);
  for (int i = 0, steps = 0; steps <= words.size(); ++steps) {
    int next = kNone;
    for (const int child : tree.children(i))
      if (!words.is(child, RankedWords::kPunctuation)) next = child;
    if (next == kNone) break;
    branch = extended(branch, static_cast<uint64_t>(i = next));
  }
  groups.add(feature_key(static_cast<uint64_t>(kWhole) << 32, branch), [&](auto& keys) { t.whole(keys); });
}

}  // namespace espalier

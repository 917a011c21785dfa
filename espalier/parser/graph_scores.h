// All scores that the searches of a graph parser ask for, for one sentence: arcs with their best labels, second-order
// parts in one batch, third-order parts when they are first asked for. Dense arrays, reused from sentence to sentence;
// the same code with a TrainingTable and a FrozenTable. Satisfies what search/cube.h asks of `Parts`. Tested by
// graph_parser_test.cc: every score equals the sum of the weights of the part's features.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "espalier/base/hash.h"
#include "espalier/features/graph_templates.h"
#include "espalier/parser/graph_model.h"
#include "espalier/space/arc_set.h"

namespace espalier {

/// One part of a tree: words by role, contexts, and the labels its features are copied for. Comparable as bytes.
struct GraphPart {
  int32_t kind = 0;
  std::array<int32_t, kMaxRoles> words{};
  int32_t context = 0;                          // fine
  int32_t label = -1;                           // of the modifier; -1 = none
  int32_t outer_label = -1;                     // of the other arc; -1 = none
  uint64_t inner_labels = 0, outer_labels = 0;  // frames only

  friend bool operator==(const GraphPart&, const GraphPart&) = default;
  uint64_t hash() const {
    uint64_t h =
        combine(static_cast<uint64_t>(kind) << 32 | static_cast<uint32_t>(context),
                static_cast<uint64_t>(static_cast<uint32_t>(label)) << 32 | static_cast<uint32_t>(outer_label));
    for (const int w : words) h = combine(h, static_cast<uint64_t>(w));
    return combine(combine(h, inner_labels), outer_labels);
  }
};

/// Columns of a higher-order row: the unlabelled copy and those of labels are spread over 16 by the feature's own key.
inline constexpr int kPartColumns = 16;
inline uint32_t part_column(uint64_t key, uint32_t label_hash) {
  return ((static_cast<uint32_t>(key) ^ label_hash) * 0x9E3779B1u) >> 28;
}
inline uint32_t label_hash(int label) { return static_cast<uint32_t>(mix(static_cast<uint64_t>(label) + 17)); }
inline uint32_t label_pair_hash(int outer, int label) {
  return static_cast<uint32_t>(mix(static_cast<uint64_t>(outer) * 4099 + static_cast<uint64_t>(label) + 100003));
}

template <class Table>
class GraphScores {
 public:
  /// What must be known of the gold tree to learn: it stays reachable, and everything else is raised by `augment`.
  struct Gold {
    std::span<const int> heads, labels;
    float augment;
  };

  GraphScores(const GraphModel& model, const Table& arc_table, const Table& part_table)
      : model_(&model), arc_table_(&arc_table), part_table_(&part_table) {}

  const GraphSentence& sentence() const { return sentence_; }
  ArcSet& mutable_arcs() { return arcs_; }

  /// First the sentence, then (into mutable_arcs()) the arcs, numbered, then their scores, then second-order parts.
  void encode(const Sentence& sentence) { sentence_.encode(sentence, model_->tags), arcs_.reset(sentence.size()); }
  void score_arcs(const Gold* gold = nullptr);
  void score_parts();

  const ArcSet& arcs() const { return arcs_; }
  int order() const { return model_->order; }
  int labels(int a) const { return label_count_[a]; }
  int label(int a, int l) const { return label_[a * candidates() + l]; }
  /// The rank of a label among an arc's candidates, or -1.
  int label_rank(int a, int label) const {
    for (int l = 0; l < labels(a); ++l)
      if (this->label(a, l) == label) return l;
    return -1;
  }
  uint64_t label_bit(int a, int l) const { return model_->frame_bits[label(a, l)]; }

  float arc(int a, int l) const { return arc_score_[a * candidates() + l]; }
  float sibling(int a, int l, int s, int s_label) const {
    const int place = s == ArcSet::kNone ? 0 : arcs_.rank(s) + 1;
    return sibling_[sibling_at_[a] + (place * candidates() + (s == ArcSet::kNone ? 0 : s_label)) * candidates() + l];
  }
  float grandchild(int a, int l, int g, int g_label) const {
    return grandchild_[grandchild_at_[a] + (arcs_.incoming_rank(g) * candidates() + g_label) * candidates() + l];
  }
  float stop(int head, Side side, int last, int last_label, int count);
  float tri_sibling(int a, int l, int s, int t) {
    const int j = arcs_.rank(s), i = t == ArcSet::kNone ? 0 : arcs_.rank(t) + 1;
    float* at = &tri_[tri_at_[a] + (j * (j + 1) / 2 + i) * candidates()];
    if (std::isnan(at[0])) evaluate(tri_sibling_part(a, s, t), a, ArcSet::kNone, at);
    return at[l];
  }
  float grand_sibling(int a, int l, int g, int s) {
    const int i = s == ArcSet::kNone ? 0 : arcs_.rank(s) + 1;
    float* at = &grand_[grand_at_[a] + (arcs_.incoming_rank(g) * (arcs_.rank(a) + 1) + i) * candidates()];
    if (std::isnan(at[0])) evaluate(grand_sibling_part(a, g, s), a, ArcSet::kNone, at);
    return at[l];
  }
  float extreme(int a, int l, int inner, int outer);
  float frame(int a, int l, uint64_t inner, uint64_t outer);

  // The parts by name, without labels; `with_labels` adds those that a visitor knows.
  GraphPart arc_part(int a) const;
  GraphPart sibling_part(int a, int s) const;
  GraphPart grandchild_part(int a, int g) const;
  GraphPart stop_part(int head, Side side, int last, int count) const;
  GraphPart tri_sibling_part(int a, int s, int t) const;
  GraphPart grand_sibling_part(int a, int g, int s) const;
  GraphPart extreme_part(int a, int inner, int outer) const;
  GraphPart frame_part(int a, uint64_t inner, uint64_t outer) const;

  /// Calls visit(is_arc_table, key, column) for every feature of a labelled part.
  template <class Visit>
  void for_each_feature(const GraphPart& part, Visit&& visit) const;

 private:
  static constexpr int kMaxKeys = 192;  // templates plus tags between
  static constexpr int kBatch = 8;
  struct Pending {
    uint64_t keys[32];
    uint32_t refs[32];
    int count, pairs, arc, outer;
    float* to;
  };
  struct FrameMemo {
    uint64_t inner = 0, outer = 0;
    int arc = -1;
    float scores[4] = {};
  };

  int candidates() const { return model_->candidates; }
  int word(int a) const { return a == ArcSet::kNone ? sentence_.no_word() : arcs_.modifier(a); }
  int keys(const GraphPart& part, uint64_t* keys) const;
  int between_keys(int head, int modifier, uint64_t* keys) const;
  void expand();
  void choose_labels(int a, const typename Table::Sum* sums, const Gold* gold);
  void request(const GraphPart& part, int a, int outer, float* to);
  void flush();
  void evaluate(const GraphPart& part, int a, int outer, float* to) {
    request(part, a, outer, to);
    flush();
  }
  void sum(const Pending& part);

  const GraphModel* model_;
  const Table *arc_table_, *part_table_;
  GraphSentence sentence_;
  ArcSet arcs_;
  std::vector<uint64_t> shares_[kPartKinds][kMaxRoles];
  std::vector<int> label_, label_count_;
  std::vector<float> arc_score_, sibling_, grandchild_, tri_, grand_, stop_, bare_stop_, extreme_;
  std::vector<int> sibling_at_, grandchild_at_, tri_at_, grand_at_, extreme_at_;
  std::vector<FrameMemo> frame_;
  std::vector<Pending> batch_ = std::vector<Pending>(kBatch);
  int pending_ = 0;
  std::vector<uint64_t> arc_keys_[3];
  std::vector<uint32_t> arc_refs_[3];
  std::vector<typename Table::Sum> sums_;
};

template <class Table>
GraphPart GraphScores<Table>::arc_part(int a) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a);
  return {.kind = kArcPart, .words = {h, m}, .context = (h < m) * kDistances + distance_bucket(h, m)};
}

template <class Table>
GraphPart GraphScores<Table>::sibling_part(int a, int s) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a);
  const int distance = s == ArcSet::kNone ? 0 : 1 + distance_bucket(word(s), m);
  return {.kind = kSiblingPart, .words = {h, word(s), m}, .context = (h < m) * (kDistances + 1) + distance};
}

template <class Table>
GraphPart GraphScores<Table>::grandchild_part(int a, int g) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a), top = arcs_.head(g);
  return {.kind = kGrandchildPart,
          .words = {top, h, m},
          .context = ((top < h) * 2 + (h < m)) * kDistances + distance_bucket(h, m)};
}

template <class Table>
GraphPart GraphScores<Table>::stop_part(int head, Side side, int last, int count) const {
  return {.kind = kStopPart, .words = {head, word(last)}, .context = side * 6 + std::min(count, 5)};
}

template <class Table>
GraphPart GraphScores<Table>::tri_sibling_part(int a, int s, int t) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a);
  return {.kind = kTriSiblingPart, .words = {h, word(t), word(s), m}, .context = h < m};
}

template <class Table>
GraphPart GraphScores<Table>::grand_sibling_part(int a, int g, int s) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a), top = arcs_.head(g);
  return {.kind = kGrandSiblingPart, .words = {top, h, word(s), m}, .context = (top < h) * 2 + (h < m)};
}

template <class Table>
GraphPart GraphScores<Table>::extreme_part(int a, int inner, int outer) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a);
  return {.kind = kExtremePart, .words = {h, m, word(inner), word(outer)}, .context = h < m};
}

template <class Table>
GraphPart GraphScores<Table>::frame_part(int a, uint64_t inner, uint64_t outer) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a);
  return {.kind = kFramePart, .words = {h, m}, .context = h < m, .inner_labels = inner, .outer_labels = outer};
}

template <class Table>
void GraphScores<Table>::expand() {
  const int kinds = model_->order == 1 ? kArcPart + 1 : model_->order == 2 ? kStopPart + 1 : int{kPartKinds};
  for (int kind = 0; kind < kinds; ++kind) {
    const TemplateSet& set = model_->templates.sets[kind];
    for (int role = 0; role < set.roles(); ++role) set.expand(sentence_, role, shares_[kind][role]);
  }
}

template <class Table>
int GraphScores<Table>::keys(const GraphPart& part, uint64_t* out) const {
  const TemplateSet& set = model_->templates.sets[part.kind];
  const int count = set.size();
  const auto* shares = shares_[part.kind];
  const uint64_t* first = &shares[0][part.words[0] * count];
  const uint64_t* second = &shares[1][part.words[1] * count];
  if (part.kind == kFramePart) {
    const bool right = part.context;
    const uint64_t fine = combine(mix(part.inner_labels + right), part.outer_labels);
    const uint64_t coarse = mix((part.inner_labels | part.outer_labels) * 2 + 1);
    for (int t = 0; t < count; ++t) out[t] = first[t] + second[t] + set.context(t, fine, coarse);
    return count;
  }
  const uint64_t* context = set.context(part.context);
  for (int t = 0; t < count; ++t) out[t] = first[t] + second[t] + context[t];
  for (int role = 2; role < set.roles(); ++role) {
    const uint64_t* more = &shares[role][part.words[role] * count];
    for (int t = 0; t < count; ++t) out[t] += more[t];
  }
  if (part.kind == kArcPart) return count + between_keys(part.words[0], part.words[1], out + count);
  return count;
}

/// What stands between head and modifier: each tag once; the set of tags; how many verbs, coordinators, punctuation.
template <class Table>
int GraphScores<Table>::between_keys(int head, int modifier, uint64_t* out) const {
  const int right = head < modifier, from = right ? head : modifier, to = right ? modifier : head;
  uint64_t tags = 0;
  int verbs = 0, coordinators = 0, punctuation = 0;
  for (int k = from + 1; k < to; ++k) {
    tags |= uint64_t{1} << sentence_.tag(k);
    verbs += sentence_.is_verb(k);
    coordinators += sentence_.is_coordinator(k);
    punctuation += sentence_.is_punctuation(k);
  }
  const uint64_t pair = mix(sentence_.atom(head, kTag) * 3 + sentence_.atom(modifier, kTag) * 5 + right);
  int count = 0;
  for (uint64_t rest = tags; rest; rest &= rest - 1) out[count++] = mix(pair + 1000 + std::countr_zero(rest));
  out[count++] = mix(pair + 2000 + tags * 4096);
  out[count++] = mix(pair + 3000 + std::min(verbs, 3));
  out[count++] = mix(pair + 3100 + std::min(coordinators, 3));
  out[count++] = mix(pair + 3200 + std::min(punctuation, 3));
  out[count++] = mix(pair + 3300 + std::min(verbs, 3) * 16 + std::min(coordinators, 3) * 4 + std::min(punctuation, 3));
  return count;
}

/// Three arcs are under way at a time: keys and slots of one, rows of the next, sums of the third.
template <class Table>
void GraphScores<Table>::score_arcs(const Gold* gold) {
  expand();
  const int count = arcs_.size();
  label_.resize(count * candidates());
  label_count_.resize(count);
  arc_score_.resize(count * candidates());
  sums_.resize(arc_table_->width());
  const auto begin = [&](int a) {
    auto& keys = arc_keys_[a % 3];
    keys.resize(kMaxKeys);
    keys.resize(this->keys(arc_part(a), keys.data()));
    for (const uint64_t key : keys) arc_table_->prefetch_slot(key);
  };
  const auto find = [&](int a) {
    const auto& keys = arc_keys_[a % 3];
    auto& refs = arc_refs_[a % 3];
    refs.resize(keys.size());
    size_t found = 0;
    for (const uint64_t key : keys) {
      const uint32_t ref = arc_table_->find(key);
      arc_table_->prefetch_row(ref);
      refs[found] = ref;
      found += ref != 0;
    }
    refs.resize(found);
  };
  for (int a = 0; a < count + 2; ++a) {
    if (a < count) begin(a);
    if (a >= 1 && a <= count) find(a - 1);
    if (a < 2) continue;
    std::fill(sums_.begin(), sums_.end(), typename Table::Sum{0});
    arc_table_->add_rows(arc_refs_[(a - 2) % 3], sums_.data());
    choose_labels(a - 2, sums_.data(), gold);
  }
}

/// The best few labels, among those seen with these tags; the gold label is always one of them.
template <class Table>
void GraphScores<Table>::choose_labels(int a, const typename Table::Sum* sums, const Gold* gold) {
  const int h = arcs_.head(a), m = arcs_.modifier(a), wanted = candidates();
  const int gold_label = gold && gold->heads[m] == h ? gold->labels[m] : -1;
  int* labels = &label_[a * wanted];
  float* scores = &arc_score_[a * wanted];
  int found = 0;
  const auto offer = [&](int label) {
    const float augment = gold && label != gold_label ? gold->augment : 0;
    const float score =
        (static_cast<float>(sums[0]) + static_cast<float>(sums[1 + label])) * arc_table_->unit() + augment;
    int at = found < wanted ? found++ : wanted;
    if (at == wanted && score <= scores[--at]) return;
    for (; at > 0 && scores[at - 1] < score; --at) scores[at] = scores[at - 1], labels[at] = labels[at - 1];
    scores[at] = score;
    labels[at] = label;
  };
  for (const uint16_t label : model_->allowed_labels(h < m, sentence_.tag(h), sentence_.tag(m))) offer(label);
  label_count_[a] = found;
  if (gold_label >= 0 && label_rank(a, gold_label) < 0) {
    const int at = found < wanted ? found++ : wanted - 1;
    labels[at] = gold_label;
    scores[at] = (static_cast<float>(sums[0]) + static_cast<float>(sums[1 + gold_label])) * arc_table_->unit();
    label_count_[a] = found;
  }
}

template <class Table>
void GraphScores<Table>::score_parts() {
  if (model_->order < 2) return;
  const int count = arcs_.size(), r = candidates();
  const bool third = model_->order >= 3;
  int siblings = 0, grandchildren = 0, tri = 0, grand = 0, extreme = 0;
  sibling_at_.resize(count);
  grandchild_at_.resize(count);
  tri_at_.resize(count);
  grand_at_.resize(count);
  extreme_at_.resize(count);
  for (int a = 0; a < count; ++a) {
    const int rank = arcs_.rank(a), incoming = arcs_.incoming(arcs_.head(a)), m = arcs_.modifier(a);
    sibling_at_[a] = siblings, siblings += (rank + 1) * r * r;
    grandchild_at_[a] = grandchildren, grandchildren += incoming * r * r;
    if (!third) continue;
    tri_at_[a] = tri, tri += rank * (rank + 1) / 2 * r;
    grand_at_[a] = grand, grand += incoming * (rank + 1) * r;
    extreme_at_[a] = extreme;
    extreme += (arcs_.end(m, kLeftSide) - arcs_.begin(m, kLeftSide) + 1) *
               (arcs_.end(m, kRightSide) - arcs_.begin(m, kRightSide) + 1) * r;
  }
  const float unknown = std::numeric_limits<float>::quiet_NaN();
  sibling_.resize(siblings);
  grandchild_.resize(grandchildren);
  stop_.assign(count * 6 * r, unknown);
  bare_stop_.resize(2 * (arcs_.words() + 1));
  if (third) {
    tri_.assign(tri, unknown);
    grand_.assign(grand, unknown);
    extreme_.assign(extreme, unknown);
    frame_.assign(1024, {});
  }
  for (int a = 0; a < count; ++a) {
    float* to = &sibling_[sibling_at_[a]];
    request(sibling_part(a, ArcSet::kNone), a, ArcSet::kNone, to);
    for (int s = arcs_.begin(arcs_.head(a), arcs_.side(a)); s < a; ++s) request(sibling_part(a, s), a, s, to += r * r);
    to = &grandchild_[grandchild_at_[a]];
    for (int i = 0; i < arcs_.incoming(arcs_.head(a)); ++i, to += r * r) {
      const int g = arcs_.incoming(arcs_.head(a), i);
      request(grandchild_part(a, g), a, g, to);
    }
  }
  for (int h = 0; h <= arcs_.words(); ++h)
    for (const Side side : {kLeftSide, kRightSide})
      request(stop_part(h, side, ArcSet::kNone, 0), ArcSet::kNone, ArcSet::kNone, &bare_stop_[2 * h + side]);
  flush();
}

template <class Table>
float GraphScores<Table>::stop(int head, Side side, int last, int last_label, int count) {
  if (last == ArcSet::kNone) return bare_stop_[2 * head + side];
  float* at = &stop_[(last * 6 + std::min(count, 5)) * candidates()];
  if (std::isnan(at[0])) evaluate(stop_part(head, side, last, count), last, ArcSet::kNone, at);
  return at[last_label];
}

template <class Table>
float GraphScores<Table>::extreme(int a, int l, int inner, int outer) {
  const Side out = arcs_.side(a);
  const int m = arcs_.modifier(a);
  const int i = inner == ArcSet::kNone ? 0 : arcs_.rank(inner) + 1,
            o = outer == ArcSet::kNone ? 0 : arcs_.rank(outer) + 1;
  float* at = &extreme_[extreme_at_[a] + (i * (arcs_.end(m, out) - arcs_.begin(m, out) + 1) + o) * candidates()];
  if (std::isnan(at[0])) evaluate(extreme_part(a, inner, outer), a, ArcSet::kNone, at);
  return at[l];
}

template <class Table>
float GraphScores<Table>::frame(int a, int l, uint64_t inner, uint64_t outer) {
  FrameMemo& memo = frame_[mix(inner + outer * 3 + static_cast<uint64_t>(a) * 0x9E3779B97F4A7C15u) % frame_.size()];
  if (memo.arc != a || memo.inner != inner || memo.outer != outer) {
    memo.arc = a, memo.inner = inner, memo.outer = outer;
    evaluate(frame_part(a, inner, outer), a, ArcSet::kNone, memo.scores);
  }
  return memo.scores[l];
}

/// Adds a part to the batch: its scores, for all labels of arc `a` (and of arc `outer`), will stand at `to`.
template <class Table>
void GraphScores<Table>::request(const GraphPart& part, int a, int outer, float* to) {
  Pending& pending = batch_[pending_++];
  pending.count = keys(part, pending.keys);
  pending.pairs = outer == ArcSet::kNone ? 0 : model_->templates.sets[part.kind].pairs();
  pending.arc = a;
  pending.outer = outer;
  pending.to = to;
  for (int t = 0; t < pending.count; ++t) part_table_->prefetch_slot(pending.keys[t]);
  if (pending_ == kBatch) flush();
}

template <class Table>
void GraphScores<Table>::flush() {
  // Features that have a row move to the front. No branch asks which: it would be guessed wrong every third time.
  for (int p = 0; p < pending_; ++p) {
    Pending& part = batch_[p];
    int found = 0, pairs = 0;
    for (int t = 0; t < part.count; ++t) {
      const uint64_t key = part.keys[t];
      const uint32_t ref = part_table_->find(key);
      part_table_->prefetch_row(ref);
      part.keys[found] = key;
      part.refs[found] = ref;
      found += ref != 0;
      pairs += ref != 0 && t < part.pairs;
    }
    part.count = found;
    part.pairs = pairs;
  }
  for (int p = 0; p < pending_; ++p) sum(batch_[p]);
  pending_ = 0;
}

template <class Table>
void GraphScores<Table>::sum(const Pending& part) {
  using Sum = decltype(part_table_->value(0, 0));
  constexpr int kMost = GraphModel::kMaxCandidates;
  const int count = part.arc == ArcSet::kNone ? 0 : labels(part.arc);
  const int outer = part.outer == ArcSet::kNone ? 0 : labels(part.outer);
  uint32_t hashes[kMost], pair_hashes[kMost][kMost];
  for (int l = 0; l < count; ++l) {
    hashes[l] = model_->label_hashes[label(part.arc, l)];
    for (int o = 0; o < outer; ++o) pair_hashes[o][l] = model_->pair_hash(label(part.outer, o), label(part.arc, l));
  }
  Sum plain = 0, labelled[kMost] = {}, paired[kMost][kMost] = {};
  for (int t = 0; t < part.count; ++t) {
    const uint32_t ref = part.refs[t];
    const uint64_t key = part.keys[t];
    plain += part_table_->value(ref, part_column(key, 0));
    for (int l = 0; l < count; ++l) labelled[l] += part_table_->value(ref, part_column(key, hashes[l]));
    if (t < part.pairs)
      for (int o = 0; o < outer; ++o)
        for (int l = 0; l < count; ++l) paired[o][l] += part_table_->value(ref, part_column(key, pair_hashes[o][l]));
  }
  const float unit = part_table_->unit();
  if (count == 0) part.to[0] = static_cast<float>(plain) * unit;
  for (int o = 0; o < std::max(outer, 1); ++o)
    for (int l = 0; l < count; ++l)
      part.to[o * candidates() + l] = static_cast<float>(plain + labelled[l] + paired[o][l]) * unit;
}

template <class Table>
template <class Visit>
void GraphScores<Table>::for_each_feature(const GraphPart& part, Visit&& visit) const {
  uint64_t all[kMaxKeys];
  const int count = keys(part, all), pairs = part.outer_label < 0 ? 0 : model_->templates.sets[part.kind].pairs();
  for (int t = 0; t < count; ++t) {
    if (part.kind == kArcPart) {
      visit(true, all[t], 0u);
      visit(true, all[t], static_cast<uint32_t>(1 + part.label));
      continue;
    }
    visit(false, all[t], part_column(all[t], 0));
    if (part.label >= 0) visit(false, all[t], part_column(all[t], label_hash(part.label)));
    if (t < pairs) visit(false, all[t], part_column(all[t], label_pair_hash(part.outer_label, part.label)));
  }
}

/// Turns what CubeSearch::for_each_part reports into labelled parts, and hands each to `emit`.
template <class Table, class Emit>
struct PartNamer {
  const GraphScores<Table>& scores;
  Emit emit;

  void arc(int a, int l) { labelled(scores.arc_part(a), a, l); }
  void sibling(int a, int l, int s, int s_label) {
    labelled(scores.sibling_part(a, s), a, l, s == ArcSet::kNone ? -1 : scores.label(s, s_label));
  }
  void grandchild(int a, int l, int g, int g_label) {
    labelled(scores.grandchild_part(a, g), a, l, scores.label(g, g_label));
  }
  void stop(int head, Side side, int last, int last_label, int count) {
    labelled(scores.stop_part(head, side, last, count), last, last_label);
  }
  void tri_sibling(int a, int l, int s, int t) { labelled(scores.tri_sibling_part(a, s, t), a, l); }
  void grand_sibling(int a, int l, int g, int s) { labelled(scores.grand_sibling_part(a, g, s), a, l); }
  void extreme(int a, int l, int inner, int outer) { labelled(scores.extreme_part(a, inner, outer), a, l); }
  void frame(int a, int l, uint64_t inner, uint64_t outer) { labelled(scores.frame_part(a, inner, outer), a, l); }

 private:
  void labelled(GraphPart part, int a, int l, int outer_label = -1) {
    part.label = a == ArcSet::kNone ? -1 : scores.label(a, l);
    part.outer_label = outer_label;
    emit(part);
  }
};
template <class Table, class Emit>
PartNamer(const GraphScores<Table>&, Emit) -> PartNamer<Table, Emit>;

}  // namespace espalier

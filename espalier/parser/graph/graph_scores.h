// The scores of one sentence for the searches of a graph parser: arcs with their best labels, larger parts when they
// are first needed, a few at a time. Dense arrays, reused from sentence to sentence, or small tables of the last scores
// where an array would be too large; the same code for weights in training and frozen ones. Satisfies the requirements
// of `Parts` in search/cube.h. Tested by graph_parser_test.cc: every score equals the sum of the weights of the part's
// features; and by graph_scores_test.cc.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "espalier/base/hash.h"
#include "espalier/base/stop_point.h"
#include "espalier/parser/graph/graph_features.h"
#include "espalier/parser/graph/graph_model.h"
#include "espalier/space/arc_set.h"
#include "espalier/tree/projectivity.h"

namespace espalier {

template <class Table>
class GraphScores {
 public:
  /// A tree that the search must be able to build: its arcs must be among arcs(); its labels stay candidates of these.
  struct KeptTree {
    std::span<const int> heads, labels;  ///< by word, from 1
  };
  /// Adds nothing to scores.
  struct AsScored {
    float operator()(int, int, int) const { return 0; }
  };

  GraphScores(const GraphModel& model, const Table& arc_table, const Table& part_table)
      : model_(&model), arc_table_(&arc_table), part_table_(&part_table), features_(model) {}

  const GraphFeatures& features() const { return features_; }
  const GraphSentence& sentence() const { return features_.sentence(); }
  ArcSet& mutable_arcs() { return features_.mutable_arcs(); }

  /// Call in this order: encode the sentence, fill and number mutable_arcs(), score arcs, make room for parts.
  void encode(const Sentence& sentence) { features_.encode(sentence); }
  /// Constraints on the label of the arc into a word, beside a label's number; by word, valid until changed.
  enum : int { kAnyLabel = -1, kPlainLabel = -2 };
  void restrict_labels(std::vector<int> wanted) { wanted_labels_ = std::move(wanted); }
  /// `label_gap`: labels this far below an arc's best one are not among its candidates; 0 = no gap.
  /// `raise(modifier, head, label)` is added to the score of every candidate.
  template <class Raise = AsScored>
  void score_arcs(const KeptTree* kept = nullptr, float label_gap = 0, Raise&& raise = {});
  /// Removes the scored arcs for which keep(head, modifier) is false.
  template <class Keep>
  void keep_arcs(Keep&& keep);
  void score_parts();

  const ArcSet& arcs() const { return features_.arcs(); }
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
  /// The score by which arcs are dropped: the separate coarse score, or that of the best label. Valid until keep_arcs.
  float coarse(int a) const { return model_->coarse ? coarse_[a] : arc(a, 0); }
  float sibling(int a, int l, int s, int s_label) {
    const float* at = ask_sibling(a, s);
    answer();
    return at[(s == ArcSet::kNone ? 0 : s_label) * labels(a) + l];
  }
  float grandchild(int a, int l, int g, int g_label) {
    const float* at = ask_grandchild(a, g);
    answer();
    return at[g_label * labels(a) + l];
  }
  float stop(int head, Side side, int last, int last_label, int count);
  float tri_sibling(int a, int l, int s, int t) { return answered(ask_tri_sibling(a, s, t), l); }
  float grand_sibling(int a, int l, int g, int s) { return answered(ask_grand_sibling(a, g, s), l); }
  float extreme(int a, int l, int inner, int outer) { return answered(ask_extreme(a, inner, outer), l); }
  float frame(int a, int l, uint64_t inner, uint64_t outer) { return answered(ask_frame(a, inner, outer), l); }

  // Announce parts before their scores are needed, so that their rows are fetched together.
  const float* ask_sibling(int a, int s) {
    const int place = s == ArcSet::kNone ? 0 : arcs().rank(s) + 1;
    return ask(slot(kSiblingPart, a, place, candidates()), a, s, [&] { return features_.sibling(a, s); });
  }
  const float* ask_grandchild(int a, int g) {
    return ask(slot(kGrandchildPart, a, arcs().incoming_rank(g), candidates()), a, g,
               [&] { return features_.grandchild(a, g); });
  }
  const float* ask_tri_sibling(int a, int s, int t) {
    const int j = arcs().rank(s), i = t == ArcSet::kNone ? 0 : arcs().rank(t) + 1;
    return ask(slot(kTriSiblingPart, a, j * (j + 1) / 2 + i, 1), a, ArcSet::kNone,
               [&] { return features_.tri_sibling(a, s, t); });
  }
  const float* ask_grand_sibling(int a, int g, int s) {
    const int i = s == ArcSet::kNone ? 0 : arcs().rank(s) + 1;
    return ask(slot(kGrandSiblingPart, a, arcs().incoming_rank(g) * (arcs().rank(a) + 1) + i, 1), a, ArcSet::kNone,
               [&] { return features_.grand_sibling(a, g, s); });
  }
  const float* ask_extreme(int a, int inner, int outer);
  const float* ask_frame(int a, uint64_t inner, uint64_t outer);
  void answer() {
    if (pending_) flush();
  }

 private:
  static constexpr int kArcsPerStep = 256;                  // between stop points
  static constexpr int kBatch = 8;                          // parts scored together
  static constexpr int kMost = GraphModel::kMaxCandidates;  // labels per arc
  static constexpr int kMaxLanes = (1 + kMost + kMost * kMost + 7) / 8 * 8;
  struct Pending {
    int first_key, count, pairs, arc, outer;
    float* to;
  };
  /// Scores of every part of a kind, from `begin` for an arc; none if they are too many.
  struct Dense {
    std::vector<float> scores;
    std::vector<int> begin;
  };
  static constexpr size_t kMostDense = size_t{4} << 20;
  /// The last scores of parts that no array holds. If a part replaces another that is still requested, its scores are
  /// written later and overwrite the other's.
  template <int kScores>
  struct Memo {
    uint64_t first = 0, second = 0;
    uint64_t arc = 0;  // with the sentence's number, from 1, so that entries of other sentences need not be cleared
    float scores[kScores] = {};
  };
  static constexpr size_t kMemos = 4096;
  /// The entry of a part, with its first score unknown unless the part has it already.
  template <int kScores>
  float* remembered(std::vector<Memo<kScores>>& memos, int a, uint64_t first, uint64_t second) {
    Memo<kScores>& memo =
        memos[mix(first + second * 3 + static_cast<uint64_t>(a) * 0x9E3779B97F4A7C15u) % memos.size()];
    const uint64_t arc = sentence_ << 32 | static_cast<uint32_t>(a);
    if (memo.arc != arc || memo.first != first || memo.second != second) {
      memo.arc = arc, memo.first = first, memo.second = second;
      memo.scores[0] = kUnknown;
    }
    return memo.scores;
  }
  /// Where the scores of an arc's part stand: for all labels of the arc, `width` times.
  float* slot(PartKind kind, int a, int place, int width) {
    Dense& dense = dense_[kind];
    if (!dense.scores.empty()) return &dense.scores[dense.begin[a] + place * width * labels(a)];
    return remembered(parts_, a, static_cast<uint64_t>(kind), static_cast<uint64_t>(place));
  }
  static constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

  /// Room for labels per arc; at least two if a label is kept, so that it has a rival.
  int candidates() const { return slots_; }
  template <class Raise>
  void choose_labels(int a, const typename Table::Sum* sums, const KeptTree* kept, float gap, Raise& raise);
  void request(const GraphPart& part, int a, int outer, float* to);
  void flush();
  /// Requests a part unless its scores are known or requested.
  template <class Name>
  const float* ask(float* at, int a, int outer, Name&& name) {
    if (std::isnan(at[0])) {
      at[0] = 0;
      request(name(), a, outer, at);
    }
    return at;
  }
  float answered(const float* at, int l) {
    answer();
    return at[l];
  }
  void sum(const Pending& part);

  const GraphModel* model_;
  const Table *arc_table_, *part_table_;
  GraphFeatures features_;
  int slots_ = 1;
  std::vector<int> label_, label_count_;
  std::vector<int> wanted_labels_;  // by word; none: any
  std::vector<float> arc_score_, coarse_, stop_, bare_stop_;
  Dense dense_[kPartKinds];
  std::vector<Memo<kMost * kMost>> parts_;  // of kinds whose arrays would be too large
  std::vector<Memo<kMost>> frame_;          // there are too many frames for an array
  uint64_t sentence_ = 0;
  Pending batch_[kBatch];
  int pending_ = 0, pending_keys_ = 0;
  uint64_t part_keys_[kBatch * GraphFeatures::kMaxPartKeys];
  uint32_t part_refs_[kBatch * GraphFeatures::kMaxPartKeys];
  std::vector<typename Table::Sum> sums_;
};

/// Works on three arcs at a time: fetches the first's index entries and the second's rows, and sums the
/// third's.
template <class Table>
template <class Raise>
void GraphScores<Table>::score_arcs(const KeptTree* kept, float label_gap, Raise&& raise) {
  features_.expand();
  slots_ = kept ? std::max(model_->candidates, 2) : model_->candidates;
  const int count = arcs().size();
  label_.resize(count * candidates());
  label_count_.resize(count);
  arc_score_.resize(count * candidates());
  coarse_.resize(count);
  sums_.resize(arc_table_->columns());
  uint64_t keys[2][GraphFeatures::kMaxKeys];
  uint32_t refs[2][GraphFeatures::kMaxKeys];
  size_t sizes[2] = {}, found[2] = {};
  for (int a = 0; a < count + 2; ++a) {
    if (a % kArcsPerStep == 0) stop_point();
    const int now = a % 2, before = 1 - now;
    if (a >= 2) {
      std::fill(sums_.begin(), sums_.end(), typename Table::Sum{0});
      arc_table_->add_rows({refs[now], found[now]}, sums_.data());
      choose_labels(a - 2, sums_.data(), kept, label_gap, raise);
      coarse_[a - 2] =
          static_cast<float>(sums_[model_->coarse_column()]) * arc_table_->unit() * GraphModel::kCoarseValue;
    }
    if (a < count) {
      sizes[now] = static_cast<size_t>(features_.keys(features_.arc(a), keys[now]));
      arc_table_->prefetch({keys[now], sizes[now]});
    }
    if (a >= 1 && a <= count) {
      arc_table_->find({keys[before], sizes[before]}, refs[before]);
      found[before] = 0;
      for (size_t i = 0; i < sizes[before]; ++i) {
        const uint32_t ref = refs[before][i];
        arc_table_->prefetch_row(ref);
        refs[before][found[before]] = ref;
        found[before] += ref != 0;
      }
    }
  }
}

/// The best few labels among those seen with these tags; a kept label is always included, if necessary as the last.
template <class Table>
template <class Raise>
void GraphScores<Table>::choose_labels(int a, const typename Table::Sum* sums, const KeptTree* kept, float gap,
                                       Raise& raise) {
  const int h = arcs().head(a), m = arcs().modifier(a), wanted = model_->candidates;
  const int kept_label = kept && kept->heads[m] == h ? kept->labels[m] : -1;
  int* labels = &label_[a * candidates()];
  float* scores = &arc_score_[a * candidates()];
  int found = 0;
  const auto offer = [&](int label) {
    const float score =
        (static_cast<float>(sums[0]) + static_cast<float>(sums[1 + label])) * arc_table_->unit() + raise(m, h, label);
    int at = found < wanted ? found++ : wanted;
    if (at == wanted && score <= scores[--at]) return;
    for (; at > 0 && scores[at - 1] < score; --at) scores[at] = scores[at - 1], labels[at] = labels[at - 1];
    scores[at] = score;
    labels[at] = label;
  };
  const auto allowed = model_->allowed_labels(h < m, sentence().tag(h), sentence().tag(m));
  const int only = wanted_labels_.empty() ? kAnyLabel : wanted_labels_[m];
  if (only == kAnyLabel) {
    for (const uint16_t label : allowed) offer(label);
  } else if (only == kPlainLabel) {
    for (const uint16_t label : allowed)
      if (!is_pseudo_projective(model_->labels.text(label))) offer(label);
    if (found == 0) offer(allowed.front());
  } else {
    offer(only);
  }
  while (gap > 0 && scores[found - 1] < scores[0] - gap) --found;
  label_count_[a] = found;
  if (kept_label >= 0 && label_rank(a, kept_label) < 0) {
    const int at = found < candidates() ? found++ : found - 1;
    labels[at] = kept_label;
    scores[at] = (static_cast<float>(sums[0]) + static_cast<float>(sums[1 + kept_label])) * arc_table_->unit();
    label_count_[a] = found;
  }
}

template <class Table>
template <class Keep>
void GraphScores<Table>::keep_arcs(Keep&& keep) {
  ArcSet& arcs = features_.mutable_arcs();
  const int r = candidates();
  int kept = 0;  // arcs stay in order, so their new numbers are consecutive
  for (int a = 0; a < arcs.size(); ++a) {
    if (!keep(arcs.head(a), arcs.modifier(a))) {
      arcs.drop(arcs.head(a), arcs.modifier(a));
      continue;
    }
    label_count_[kept] = label_count_[a];
    std::copy_n(&label_[a * r], r, &label_[kept * r]);
    std::copy_n(&arc_score_[a * r], r, &arc_score_[kept * r]);
    ++kept;
  }
  if (kept < arcs.size()) arcs.number();
}

template <class Table>
void GraphScores<Table>::score_parts() {
  if (model_->order < 2) return;
  const int count = arcs().size(), r = candidates();
  const auto make_room = [&](PartKind kind, int width, auto&& places) {
    Dense& dense = dense_[kind];
    dense.begin.resize(count);
    size_t size = 0;
    for (int a = 0; a < count && size <= kMostDense; ++a) {
      dense.begin[a] = static_cast<int>(size);
      size += size_t{1} * places(a) * width * labels(a);
    }
    dense.scores.assign(size <= kMostDense ? size : 0, kUnknown);
    if (size > kMostDense) parts_.resize(kMemos);
  };
  const auto incoming = [&](int a) { return arcs().incoming(arcs().head(a)); };
  const auto outermost = [&](int a, Side side) {
    const int m = arcs().modifier(a);
    return arcs().end(m, side) - arcs().begin(m, side) + 1;
  };
  ++sentence_;
  make_room(kSiblingPart, r, [&](int a) { return arcs().rank(a) + 1; });
  make_room(kGrandchildPart, r, incoming);
  stop_.assign(count * 6 * r, kUnknown);
  bare_stop_.resize(2 * (arcs().words() + 1));
  if (model_->order >= 3) {
    make_room(kTriSiblingPart, 1, [&](int a) { return arcs().rank(a) * (arcs().rank(a) + 1) / 2; });
    make_room(kGrandSiblingPart, 1, [&](int a) { return incoming(a) * (arcs().rank(a) + 1); });
    make_room(kExtremePart, 1, [&](int a) { return outermost(a, kLeftSide) * outermost(a, kRightSide); });
    frame_.resize(kMemos);
  }
  for (int h = 0; h <= arcs().words(); ++h)
    for (const Side side : {kLeftSide, kRightSide})
      request(features_.stop(h, side, ArcSet::kNone, 0), ArcSet::kNone, ArcSet::kNone, &bare_stop_[2 * h + side]);
  flush();
}

template <class Table>
float GraphScores<Table>::stop(int head, Side side, int last, int last_label, int count) {
  if (last == ArcSet::kNone) return bare_stop_[2 * head + side];
  float* at = &stop_[(last * 6 + std::min(count, 5)) * candidates()];
  return answered(ask(at, last, ArcSet::kNone, [&] { return features_.stop(head, side, last, count); }), last_label);
}

template <class Table>
const float* GraphScores<Table>::ask_extreme(int a, int inner, int outer) {
  const Side out = arcs().side(a);
  const int m = arcs().modifier(a);
  const int i = inner == ArcSet::kNone ? 0 : arcs().rank(inner) + 1,
            o = outer == ArcSet::kNone ? 0 : arcs().rank(outer) + 1;
  const int place = i * (arcs().end(m, out) - arcs().begin(m, out) + 1) + o;
  return ask(slot(kExtremePart, a, place, 1), a, ArcSet::kNone, [&] { return features_.extreme(a, inner, outer); });
}

template <class Table>
const float* GraphScores<Table>::ask_frame(int a, uint64_t inner, uint64_t outer) {
  return ask(remembered(frame_, a, inner, outer), a, ArcSet::kNone, [&] { return features_.frame(a, inner, outer); });
}

/// Adds a part to the batch: its scores, for all labels of arc `a` (and of arc `outer`), will stand at `to`.
template <class Table>
void GraphScores<Table>::request(const GraphPart& part, int a, int outer, float* to) {
  uint64_t* keys = part_keys_ + pending_keys_;
  const int count = features_.keys(part, keys);
  part_table_->prefetch({keys, static_cast<size_t>(count)});
  batch_[pending_++] = {pending_keys_, count, outer == ArcSet::kNone ? 0 : features_.pairs(part), a, outer, to};
  pending_keys_ += count;
  if (pending_ == kBatch) flush();
}

template <class Table>
void GraphScores<Table>::flush() {
  part_table_->find({part_keys_, static_cast<size_t>(pending_keys_)}, part_refs_);
  // Moves features that have a row to the front, without a branch, which would be mispredicted every third time.
  for (int p = 0; p < pending_; ++p) {
    Pending& part = batch_[p];
    uint64_t* keys = part_keys_ + part.first_key;
    uint32_t* refs = part_refs_ + part.first_key;
    int found = 0, pairs = 0;
    for (int t = 0; t < part.count; ++t) {
      const uint32_t ref = refs[t];
      part_table_->prefetch_row(ref);
      keys[found] = keys[t];
      refs[found] = ref;
      found += ref != 0;
      pairs += ref != 0 && t < part.pairs;
    }
    part.count = found;
    part.pairs = pairs;
  }
  for (int p = 0; p < pending_; ++p) sum(batch_[p]);
  pending_ = pending_keys_ = 0;
}

/// Lanes of the sum: without label, with each label of the arc, with each pair of labels.
template <class Table>
void GraphScores<Table>::sum(const Pending& part) {
  const int count = part.arc == ArcSet::kNone ? 0 : labels(part.arc);
  const int outer = part.outer == ArcSet::kNone ? 0 : labels(part.outer);
  uint32_t hashes[kMaxLanes] = {kUnlabelled};
  typename Table::ColumnSum sums[kMaxLanes] = {};
  const int first_pair = 1 + count;
  for (int l = 0; l < count; ++l) {
    hashes[1 + l] = model_->label_hashes[label(part.arc, l)];
    for (int o = 0; o < outer; ++o)
      hashes[first_pair + o * count + l] = model_->pair_hash(label(part.outer, o), label(part.arc, l));
  }
  const uint64_t* keys = part_keys_ + part.first_key;
  const uint32_t* refs = part_refs_ + part.first_key;
  part_table_->add_columns(refs, keys, part.pairs, hashes, first_pair + outer * count, sums);
  const auto paired = [&](int o, int l) { return outer ? sums[first_pair + o * count + l] : 0; };
  typename Table::ColumnSum rest[kMaxLanes] = {};
  part_table_->add_columns(refs + part.pairs, keys + part.pairs, part.count - part.pairs, hashes, first_pair, rest);
  const float unit = part_table_->unit();
  const auto plain = sums[0] + rest[0];
  if (count == 0) part.to[0] = static_cast<float>(plain) * unit;
  for (int o = 0; o < std::max(outer, 1); ++o)
    for (int l = 0; l < count; ++l)
      part.to[o * count + l] = static_cast<float>(plain + sums[1 + l] + rest[1 + l] + paired(o, l)) * unit;
}

}  // namespace espalier

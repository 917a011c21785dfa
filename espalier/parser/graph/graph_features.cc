#include "espalier/parser/graph/graph_features.h"

#include <algorithm>
#include <bit>

#include "espalier/base/hash.h"

namespace espalier {

PartNames part_names(const GraphModel& model) {
  PartNames names;
  names.tags.assign(GraphSentence::kMaxTags + 1, hash_string("<rare>"));
  names.tags[0] = 0;
  for (int tag = 0; tag < std::min(model.tags.size(), GraphSentence::kMaxTags - 1); ++tag)
    names.tags[tag + 1] = hash_string(model.tags.text(tag));
  names.frame_bits.assign(64, 0);
  for (int label = 0; label < model.labels.size(); ++label) {
    const uint64_t name = hash_string(model.labels.text(label)), bit = model.frame_bits[label];
    names.labels.push_back(name);
    // A bit that several labels share has the name of the first.
    if (bit == 0) continue;
    uint64_t& of_bit = names.frame_bits[std::countr_zero(bit)];
    if (of_bit == 0) of_bit = name;
  }
  return names;
}

uint64_t GraphFeatures::set_of(uint64_t bits, const std::vector<uint64_t>& names) {
  if (names.empty()) return bits;
  uint64_t sum = 0;
  for (; bits; bits &= bits - 1) sum += names[std::countr_zero(bits)];
  return sum;
}

GraphPart GraphFeatures::arc(int a) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a);
  return {.kind = kArcPart, .words = {h, m}, .context = (h < m) * kDistances + arc_distance(h, m)};
}

GraphPart GraphFeatures::sibling(int a, int s) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a);
  const int distance = s == ArcSet::kNone ? 0 : 1 + arc_distance(word(s), m);
  return {.kind = kSiblingPart, .words = {h, word(s), m}, .context = (h < m) * (kDistances + 1) + distance};
}

GraphPart GraphFeatures::grandchild(int a, int g) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a), top = arcs_.head(g);
  return {.kind = kGrandchildPart,
          .words = {top, h, m},
          .context = ((top < h) * 2 + (h < m)) * kDistances + arc_distance(h, m)};
}

GraphPart GraphFeatures::stop(int head, Side side, int last, int count) const {
  return {.kind = kStopPart, .words = {head, word(last)}, .context = side * 6 + std::min(count, 5)};
}

GraphPart GraphFeatures::tri_sibling(int a, int s, int t) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a);
  return {.kind = kTriSiblingPart, .words = {h, word(t), word(s), m}, .context = h < m};
}

GraphPart GraphFeatures::grand_sibling(int a, int g, int s) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a), top = arcs_.head(g);
  return {.kind = kGrandSiblingPart, .words = {top, h, word(s), m}, .context = (top < h) * 2 + (h < m)};
}

GraphPart GraphFeatures::extreme(int a, int inner, int outer) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a);
  return {.kind = kExtremePart, .words = {h, m, word(inner), word(outer)}, .context = h < m};
}

GraphPart GraphFeatures::frame(int a, uint64_t inner, uint64_t outer) const {
  const int h = arcs_.head(a), m = arcs_.modifier(a);
  return {.kind = kFramePart, .words = {h, m}, .context = h < m, .inner_labels = inner, .outer_labels = outer};
}

void GraphFeatures::expand() {
  const int kinds = model_->order == 1 ? kArcPart + 1 : model_->order == 2 ? kStopPart + 1 : int{kPartKinds};
  for (int kind = 0; kind < kinds; ++kind) {
    const TemplateSet& set = model_->templates.sets[kind];
    for (int role = 0; role < set.roles(); ++role) set.expand(sentence_, role, shares_[kind][role]);
  }
}

int GraphFeatures::keys(const GraphPart& part, uint64_t* out) const {
  const TemplateSet& set = model_->templates.sets[part.kind];
  const int count = set.size();
  if (count == 0) return 0;  // not one of the model's parts
  const auto* shares = shares_[part.kind];
  const uint64_t* first = &shares[0][part.words[0] * count];
  const uint64_t* second = &shares[1][part.words[1] * count];
  if (part.kind == kFramePart) {
    const bool right = part.context;
    const auto labels = [&](uint64_t bits) { return set_of(bits, names_.frame_bits); };
    const uint64_t fine = combine(combine(labels(part.inner_labels), right), labels(part.outer_labels));
    const uint64_t all = part.inner_labels | part.outer_labels;
    // Doubled bits have lost the last one, which is added again.
    const uint64_t last = names_.frame_bits.empty() ? all >> 63 : 0;
    const uint64_t coarse = mix(labels(all) * 2 + 1 + last);
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

/// Of the words between head and modifier: each tag once; the set of tags; how many verbs, coordinators, punctuation.
int GraphFeatures::between_keys(int head, int modifier, uint64_t* out) const {
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
  for (uint64_t rest = tags; rest; rest &= rest - 1) {
    const auto tag = static_cast<uint64_t>(std::countr_zero(rest));
    out[count++] = mix(pair + 1000 + (names_.tags.empty() ? tag : names_.tags[tag]));
  }
  if (model_->hall) return count;
  out[count++] = mix(pair + 2000 + set_of(tags, names_.tags) * 4096);
  out[count++] = mix(pair + 3000 + std::min(verbs, 3));
  out[count++] = mix(pair + 3100 + std::min(coordinators, 3));
  out[count++] = mix(pair + 3200 + std::min(punctuation, 3));
  out[count++] = mix(pair + 3300 + std::min(verbs, 3) * 16 + std::min(coordinators, 3) * 4 + std::min(punctuation, 3));
  return count;
}

}  // namespace espalier

#include "espalier/parser/combine/dependency_features.h"

#include <algorithm>
#include <string_view>

#include "espalier/base/hash.h"
#include "espalier/parser/combine/dependency_templates.h"
#include "espalier/tree/head_rules.h"

namespace espalier {
namespace {

template <size_t N>
bool among(std::string_view tag, const std::string_view (&list)[N]) {
  return std::ranges::find(list, tag) != std::end(list);
}

/// By UPOS; where there is none, by the tags of the Penn treebanks.
uint8_t word_classes(const Token& token) {
  const bool universal = token.upos != "_" && !token.upos.empty();
  const std::string_view tag = universal ? token.upos : token.xpos;
  uint8_t classes = 0;
  if (universal ? tag == "PUNCT" : is_punctuation_tag(tag)) classes |= RankedWords::kPunctuation;
  if (among(tag, {"CCONJ", "CC"})) classes |= RankedWords::kCoordinator;
  if (among(tag, {"VERB", "AUX", "MD"}) || (!universal && tag.starts_with("VB"))) classes |= RankedWords::kVerb;
  if (among(tag, {"ADP", "IN", "TO", "RP", "P"})) classes |= RankedWords::kAdposition;
  return classes;
}

void read_attributes(std::string_view feats, std::vector<RankedWords::Attribute>& attributes) {
  constexpr size_t kMost = 12;
  attributes.clear();
  while (!feats.empty() && feats != "_" && attributes.size() < kMost) {
    const std::string_view one = feats.substr(0, feats.find('|'));
    attributes.push_back({hash_string(one.substr(0, one.find('='))), hash_string(one)});
    feats.remove_prefix(std::min(feats.size(), one.size() + 1));
  }
  std::ranges::sort(attributes, {}, &RankedWords::Attribute::name);
}

}  // namespace

void RankedWords::encode(const Sentence& sentence, AtomColumns columns) {
  atoms.encode(sentence, columns);
  const auto n = static_cast<size_t>(sentence.size());
  classes.assign(n + 1, 0);
  if (attributes.size() < n + 1) attributes.resize(n + 1);
  counts.assign(3, std::vector<int>(n + 1, 0));
  for (size_t i = 1; i <= n; ++i) {
    const Token& token = sentence.tokens[i - 1];
    classes[i] = word_classes(token);
    read_attributes(token.feats, attributes[i]);
    size_t kind = 0;
    for (const Class counted : {kVerb, kCoordinator, kPunctuation}) {
      counts[kind][i] = counts[kind][i - 1] + ((classes[i] & counted) != 0);
      ++kind;
    }
  }
}

int RankedTree::sibling(int i, int step) const {
  const int head = head_[at(i)];
  const auto family = children(head);
  const int place = place_[at(i)] + step;
  if (place < 0 || place >= static_cast<int>(family.size())) return kNone;
  const int found = family[at(place)];
  return (found < head) == (i < head) ? found : kNone;
}

void RankedTree::link(const RankedWords& words, const Analysis& analysis) {
  const size_t n = at(words.size());
  head_ = analysis.heads;
  label_.assign(n + 1, 0);
  begin_.assign(n + 2, 0);
  for (size_t i = 1; i <= n; ++i) {
    label_[i] = hash_string(analysis.deprels[i]);
    ++begin_[at(head_[i]) + 1];
  }
  for (size_t i = 0; i <= n; ++i) begin_[i + 1] += begin_[i];
  children_.resize(n);
  place_.assign(n + 1, 0);
  order_.assign(n + 1, 0);  // how many children each head has so far
  frame_.assign(n + 1, 0);
  for (size_t i = 1; i <= n; ++i) {
    const size_t head = at(head_[i]);
    place_[i] = order_[head]++;
    children_[begin_[head] + at(place_[i])] = static_cast<int>(i);
    frame_[head] = extended(extended(frame_[head], label_[i]), i);
  }
  first_.resize(n + 1);
  last_.resize(n + 1);
  for (size_t i = 0; i <= n; ++i) first_[i] = last_[i] = static_cast<int>(i);
  // From the root downwards, then back up.
  order_.assign(1, 0);
  for (size_t next = 0; next < order_.size() && order_.size() <= n; ++next)
    for (const int child : children(order_[next])) order_.push_back(child);
  for (size_t i = order_.size(); i-- > 1;) {
    const size_t word = at(order_[i]), head = at(head_[word]);
    first_[head] = std::min(first_[head], first_[word]);
    last_[head] = std::max(last_[head], last_[word]);
  }
}

void DependencyFeatures::add(const Analysis& analysis, FeatureGroups& groups) {
  tree_.link(words_, analysis);
  add_dependency_groups(words_, tree_, groups);
  groups.end_tree();
}

}  // namespace espalier

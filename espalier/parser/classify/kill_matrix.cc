#include "espalier/parser/classify/kill_matrix.h"

#include <algorithm>
#include <map>

namespace espalier {

KillMatrix::Layout KillMatrix::lay_out(const std::vector<Conjunction>& conjunctions) {
  Layout layout;
  layout.plane = (conjunctions.size() + 63) / 64;
  layout.no_positive.assign(layout.plane, 0);
  size_t next = layout.plane * 128;
  std::map<int, size_t> more_bit;  // atoms that are a further positive literal somewhere
  for (size_t c = 0; c < conjunctions.size(); ++c) {
    std::vector<int> positive;
    for (const int literal : conjunctions[c].literals) {
      if (literal % 2) {
        positive.push_back(literal / 2);
      } else {
        layout.bits.push_back({literal / 2, static_cast<int>(c)});
      }
    }
    layout.has_more.push_back(positive.size() > 1);
    layout.more_starts.push_back(layout.more.size());
    if (positive.empty()) {
      layout.no_positive[c / 64] |= uint64_t{1} << (c % 64);
      continue;
    }
    layout.bits.push_back({positive.back(), static_cast<int>(layout.plane * 64 + c)});
    positive.pop_back();
    for (const int atom : positive) {
      const auto [it, added] = more_bit.try_emplace(atom, next);
      if (added) layout.bits.push_back({atom, static_cast<int>(next++)});
      layout.more.push_back(static_cast<uint32_t>(it->second));
    }
  }
  layout.more_starts.push_back(layout.more.size());
  layout.words = std::max(1, static_cast<int>((next + 63) / 64));
  return layout;
}

KillMatrix::KillMatrix(const AtomSpace& space, const std::vector<Conjunction>& conjunctions,
                       const std::vector<float>& intercept)
    : KillMatrix(space, lay_out(conjunctions), conjunctions, intercept) {}

KillMatrix::KillMatrix(const AtomSpace& space, Layout layout, const std::vector<Conjunction>& conjunctions,
                       const std::vector<float>& intercept)
    : plane_(layout.plane),
      bits_(space, std::move(layout.bits), layout.words),
      no_positive_(std::move(layout.no_positive)),
      has_more_(std::move(layout.has_more)),
      more_starts_(std::move(layout.more_starts)),
      more_(std::move(layout.more)),
      intercept_(intercept) {
  starts_.assign(intercept.size() + 1, 0);
  for (const Conjunction& c : conjunctions) {
    weights_.push_back(c.weight);
    ++starts_[c.label + 1];
  }
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

}  // namespace espalier

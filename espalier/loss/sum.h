// "sum:labelled,2*arc-length": a weighted sum of losses over arcs, each in words. Tested by
// loss_test.cc.
#pragma once

#include <algorithm>
#include <charconv>

#include "espalier/base/error.h"
#include "espalier/loss/arc_loss.h"

namespace espalier {

class SumLoss final : public ArcLoss {
 public:
  struct Part {
    float weight;
    std::unique_ptr<const ArcLoss> loss;
  };

  explicit SumLoss(std::vector<Part> parts)
      : ArcLoss(LossScale::kCount, std::ranges::any_of(parts, looks_at_labels_too), {}), parts_(std::move(parts)) {}

  std::vector<ArcPrice> prices(const Analysis& gold) const override {
    std::vector<ArcPrice> sums(gold.heads.size());
    for (const auto& [weight, loss] : parts_) {
      const float scale = weight * static_cast<float>(loss->in_words(static_cast<int>(sums.size()) - 1));
      const std::vector<ArcPrice> prices = loss->prices(gold);
      for (size_t m = 1; m < sums.size(); ++m) {
        sums[m].head += scale * prices[m].head;
        sums[m].label += scale * prices[m].label;
      }
    }
    return sums;
  }

 private:
  static bool looks_at_labels_too(const Part& part) { return part.loss->looks_at_labels() == LooksAtLabels::kYes; }
  std::vector<Part> parts_;
};

inline std::unique_ptr<const Loss> make_sum_loss(std::string_view argument) {
  std::vector<SumLoss::Part> parts;
  for (size_t from = 0, end; from < argument.size(); from = end + 1) {
    end = std::min(argument.find(',', from), argument.size());
    std::string_view name = argument.substr(from, end - from);
    float weight = 1;
    if (const size_t times = name.find('*'); times != name.npos) {
      const auto [rest, error] = std::from_chars(name.data(), name.data() + times, weight);
      if (error != std::errc() || rest != name.data() + times || !(weight > 0 && weight <= 1000))
        throw usage_error("loss 'sum': '{}' is no weight from 0 to 1000", name.substr(0, times));
      name.remove_prefix(times + 1);
    }
    parts.push_back({weight, make_arc_loss(name)});
  }
  if (parts.empty()) throw usage_error("loss 'sum' needs losses over arcs, such as 'sum:labelled,2*arc-length'");
  return std::make_unique<SumLoss>(std::move(parts));
}

}  // namespace espalier

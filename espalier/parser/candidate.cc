#include "espalier/parser/candidate.h"

#include <algorithm>

namespace espalier {

void add_distinct(Candidate candidate, std::vector<Candidate>& list) {
  if (std::ranges::find(list, candidate.analysis, &Candidate::analysis) == list.end())
    list.push_back(std::move(candidate));
}

void sort_features(FeatureVector& features) {
  std::ranges::stable_sort(features, {}, &Feature::key);
  size_t kept = 0;
  for (size_t i = 0; i < features.size(); ++i) {
    if (kept > 0 && features[kept - 1].key == features[i].key) {
      features[kept - 1].value += features[i].value;
    } else {
      features[kept++] = features[i];
    }
  }
  features.resize(kept);
}

double weighted_sum(const FeatureVector& features) {
  double sum = 0;
  for (const Feature& feature : features) sum += static_cast<double>(feature.value) * feature.weight;
  return sum;
}

std::span<const Candidate> KBestList::best(int k) {
  if (k > asked_ && static_cast<size_t>(k) > list_.size()) {
    search_(k, list_);
    asked_ = k;
  }
  return std::span(list_).first(std::min(list_.size(), static_cast<size_t>(k)));
}

std::vector<Candidate> KBestList::take(int k) {
  best(k);
  list_.resize(std::min(list_.size(), static_cast<size_t>(k)));
  asked_ = 0;
  return std::move(list_);
}

}  // namespace espalier

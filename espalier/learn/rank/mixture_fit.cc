#include "espalier/learn/rank/mixture_fit.h"

#include "espalier/rank/mixture.h"

namespace espalier {

size_t parsers_of(std::span<const MixtureList> lists) {
  size_t parsers = 1;
  for (const MixtureList& list : lists) parsers = std::max(parsers, list.parsers.size());
  return parsers;
}

double mixture_loss(std::span<const MixtureList> lists, std::span<const double> alpha) {
  double loss = 0;
  for (const MixtureList& list : lists)
    if (!list.losses.empty()) loss += list.losses[mixed_best(alpha, list.parsers, list.ranker)];
  return loss;
}

Mixture fit_mixture(std::span<const MixtureList> lists, bool ranked) {
  constexpr int kSteps = 200, kRounds = 5;
  const size_t parsers = parsers_of(lists);
  // In steps of the grid. Where there is no ranker, the first parser gets what the others leave.
  std::vector<int> steps(parsers, parsers == 1 ? 0 : kSteps / static_cast<int>(parsers + 1));
  const auto alpha_of = [&] {
    std::vector<double> alpha;
    int left = kSteps;
    for (const int step : steps) left -= step;
    for (size_t i = 0; i < parsers; ++i)
      alpha.push_back(static_cast<double>(steps[i] + (i == 0 && !ranked ? left : 0)) / kSteps);
    return alpha;
  };
  const size_t first = ranked ? 0 : 1;
  if (!ranked) steps[0] = 0;
  Mixture best{alpha_of(), mixture_loss(lists, alpha_of())};
  for (int round = 0; round < kRounds; ++round) {
    const double before = best.loss;
    for (size_t i = first; i < parsers; ++i) {
      int others = 0;
      for (size_t k = 0; k < parsers; ++k) others += k == i ? 0 : steps[k];
      int chosen = steps[i];
      double least = best.loss;
      bool any = false;
      for (int step = 0; step + others <= kSteps; ++step) {
        steps[i] = step;
        const double loss = mixture_loss(lists, alpha_of());
        if (loss < least || (loss == least && !any)) least = loss, chosen = step, any = true;
      }
      steps[i] = chosen;
      best = {alpha_of(), least};
    }
    if (best.loss >= before || parsers == 1) break;
  }
  return best;
}

}  // namespace espalier

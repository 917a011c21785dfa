#include "espalier/learn/combine/mixture_fit.h"

#include <algorithm>
#include <numeric>

#include "espalier/learn/tuner.h"
#include "espalier/parser/combine/mixture.h"

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
  using Steps =
      std::vector<int>;  // of the grid. Where there is no ranker, the first parser gets what the others leave.
  const auto others = [&](const Steps& steps, size_t i) {
    return std::accumulate(steps.begin(), steps.end(), 0) - steps[i];
  };
  const auto alpha = [&](const Steps& steps) {
    std::vector<double> alpha;
    for (size_t i = 0; i < parsers; ++i)
      alpha.push_back(static_cast<double>(i == 0 && !ranked ? kSteps - others(steps, 0) : steps[i]) / kSteps);
    return alpha;
  };
  Steps start(parsers, parsers == 1 ? 0 : kSteps / static_cast<int>(parsers + 1));
  if (!ranked) start[0] = 0;
  Tuner tuner(start, [&](const Steps& steps) { return -mixture_loss(lists, alpha(steps)); });
  tuner.climb(parsers == 1 ? 1 : kRounds, [&] {
    for (size_t i = ranked ? 0 : 1; i < parsers; ++i) {
      Steps steps = tuner.best();
      const int most = kSteps - others(steps, i);
      tuner.reopen();
      for (steps[i] = 0; steps[i] <= most; ++steps[i]) tuner.offer(steps);
    }
  });
  return {alpha(tuner.best()), -tuner.score()};
}

}  // namespace espalier

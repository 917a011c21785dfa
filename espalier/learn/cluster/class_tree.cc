#include "espalier/learn/cluster/class_tree.h"

#include <cstdint>
#include <utility>

#include "espalier/base/parallel.h"

namespace espalier {
namespace {

/// Classes while they are joined; those that are part of another are not alive.
class Joining {
 public:
  Joining(const WordClasses& classes, int threads)
      : threads_(threads), classes_(static_cast<size_t>(classes.classes())), width_(classes_ + 2) {
    for (int left = 0; left < classes.classes() + 2; ++left) {
      totals_.push_back(classes.count(left));
      for (int right = 0; right < classes.classes() + 2; ++right) counts_.push_back(classes.count(left, right));
    }
    for (size_t c = 0; c < width_; ++c)
      if (c >= classes_ || totals_[c] > 0) alive_.push_back(c);
    losses_.assign(classes_ * classes_, 0);
    by_rows([&](size_t i, size_t j) { loss(i, j) = loss_from_scratch(i, j); });
  }

  int joins() const { return static_cast<int>(alive_.size()) - 3; }
  /// The pair that loses least; of equals the first.
  std::pair<size_t, size_t> best() const {
    std::pair<size_t, size_t> found{classes_, classes_};
    for (const size_t i : alive_) {
      for (const size_t j : alive_) {
        if (j >= i || i >= classes_) break;
        if (found.first == classes_ || losses_[j * classes_ + i] < losses_[found.first * classes_ + found.second])
          found = {j, i};
      }
    }
    return found;
  }

  /// `second` becomes a part of `first`.
  void join(size_t first, size_t second) {
    // What each pair loses beside these two, then beside both in one.
    by_rows([&](size_t i, size_t j) {
      if (i != first && i != second && j != first && j != second)
        loss(i, j) -= beside(i, j, first) + beside(i, j, second);
    });
    for (const size_t c : alive_)
      if (c != first && c != second) count(first, c) += count(second, c), count(c, first) += count(c, second);
    count(first, first) += count(first, second) + count(second, first) + count(second, second);
    totals_[first] += totals_[second];
    std::erase(alive_, second);
    by_rows([&](size_t i, size_t j) {
      if (i == first || j == first)
        loss(i, j) = loss_from_scratch(i, j);
      else
        loss(i, j) += beside(i, j, first);
    });
  }

 private:
  int64_t& count(size_t left, size_t right) { return counts_[left * width_ + right]; }
  int64_t count(size_t left, size_t right) const { return counts_[left * width_ + right]; }
  double& loss(size_t i, size_t j) { return losses_[i * classes_ + j]; }

  static double of(int64_t a, int64_t b) {
    return a == 0 || b == 0 ? 0 : count_log(a) + count_log(b) - count_log(a + b);
  }
  /// What joining i and j loses in the cells that they share with k.
  double beside(size_t i, size_t j, size_t k) const {
    return of(count(i, k), count(j, k)) + of(count(k, i), count(k, j));
  }
  double loss_from_scratch(size_t i, size_t j) const {
    const int64_t inside[] = {count(i, i), count(i, j), count(j, i), count(j, j)};
    double sum = 0;
    int64_t all = 0;
    for (const int64_t n : inside) sum += count_log(n), all += n;
    sum -= count_log(all);
    for (const size_t k : alive_)
      if (k != i && k != j) sum += beside(i, j, k);
    return sum - 2 * of(totals_[i], totals_[j]);
  }
  /// Calls body(i, j) for all pairs i < j of classes that are alive.
  template <class Body>
  void by_rows(Body body) {
    parallel_for(alive_.size(), threads_, [&](int, size_t at) {
      const size_t i = alive_[at];
      for (size_t next = at + 1; next < alive_.size() && alive_[next] < classes_; ++next) body(i, alive_[next]);
    });
  }

  int threads_;
  size_t classes_, width_;
  std::vector<size_t> alive_;  // in order; the last two are not joined
  std::vector<int64_t> counts_, totals_;
  std::vector<double> losses_;  // of pairs i < j
};

}  // namespace

std::vector<std::string> class_paths(const WordClasses& classes, int threads,
                                     const std::function<void(int done, int of)>& done) {
  Joining joining(classes, threads);
  const int joins = joining.joins();
  std::vector<std::vector<size_t>> parts(static_cast<size_t>(classes.classes()));
  for (size_t c = 0; c < parts.size(); ++c) parts[c] = {c};
  std::vector<std::string> reversed(parts.size());
  for (int i = 0; i < joins; ++i) {
    const auto [first, second] = joining.best();
    joining.join(first, second);
    for (const size_t c : parts[first]) reversed[c] += '0';
    for (const size_t c : parts[second]) reversed[c] += '1';
    parts[first].insert(parts[first].end(), parts[second].begin(), parts[second].end());
    done(i + 1, joins);
  }
  for (std::string& path : reversed) path = {path.rbegin(), path.rend()};
  if (joins == 0) reversed.assign(reversed.size(), "0");  // one class
  return reversed;
}

}  // namespace espalier

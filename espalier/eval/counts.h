// The two kinds of count every metric is made of. Counts of sentences add up to counts of the corpus (micro average).
#pragma once

#include <limits>

namespace espalier {

/// Hits among all: accuracies, exact match.
struct Share {
  long hits = 0, total = 0;

  void add(bool hit) {
    hits += hit;
    ++total;
  }
  /// Not a number if there was nothing to score.
  double percent() const {
    return total == 0 ? std::numeric_limits<double>::quiet_NaN()
                      : 100.0 * static_cast<double>(hits) / static_cast<double>(total);
  }
  Share& operator+=(const Share& other) {
    hits += other.hits;
    total += other.total;
    return *this;
  }
  friend bool operator==(const Share&, const Share&) = default;
};

/// Things found by the system against things in the gold standard. 0/0 is 0.
struct Overlap {
  long correct = 0, gold = 0, system = 0;

  double precision() const { return percent(correct, system); }
  double recall() const { return percent(correct, gold); }
  double f1() const { return percent(2 * correct, gold + system); }
  Overlap& operator+=(const Overlap& other) {
    correct += other.correct;
    gold += other.gold;
    system += other.system;
    return *this;
  }
  friend bool operator==(const Overlap&, const Overlap&) = default;

 private:
  static double percent(long part, long whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }
};

}  // namespace espalier

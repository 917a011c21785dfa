// Chooses a few numbers on held-out data by trying values: points are offered, and the best one is kept. Offering all
// values of one coordinate after the other, round after round, is coordinate ascent. Tested by tuner_test.cc.
//
//   Tuner tuner(Point(start), [&](const Point& point) { return ...; });      // more is better
//   tuner.climb(3, [&] { for (...) tuner.offer(tuner.best() with another value); });
#pragma once

#include <limits>
#include <utility>

namespace espalier {

template <class Point, class Score>
class Tuner {
 public:
  Tuner(Point start, Score score) : score_of_(std::move(score)), best_(std::move(start)), score_(score_of_(best_)) {}

  const Point& best() const { return best_; }
  double score() const { return score_; }

  /// Takes the point if it is better by at least `gain`.
  bool offer(Point point, double gain = 0) {
    const double score = score_of_(point);
    if (!(score > score_) || score < score_ + gain) return false;
    best_ = std::move(point);
    score_ = score;
    return true;
  }
  /// The next point that is offered is taken, whatever its score, so that a new point can replace one of
  /// equal score.
  void reopen() { score_ = -std::numeric_limits<double>::infinity(); }

  /// Calls `round`, which offers points, until it brings no improvement, at most `rounds` times.
  template <class Round>
  void climb(int rounds, Round&& round) {
    for (double before = score_; rounds > 0; --rounds, before = score_) {
      round();
      if (!(score_ > before)) return;
    }
  }

 private:
  Score score_of_;
  Point best_;
  double score_;
};

}  // namespace espalier

#include "espalier/learn/cluster/word_classes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "espalier/base/parallel.h"

namespace espalier {
namespace {

constexpr int64_t kTabled = 1 << 16;

/// n log n, by a table where n is small.
struct CountLog {
  CountLog() : values(kTabled), steps(kTabled) {
    for (int64_t n = 0; n < kTabled; ++n) values[static_cast<size_t>(n)] = exact(n);
    for (int64_t n = 0; n < kTabled; ++n) steps[static_cast<size_t>(n)] = exact(n + 1) - exact(n);
  }
  static double exact(int64_t n) { return n > 0 ? static_cast<double>(n) * std::log(static_cast<double>(n)) : 0; }
  double operator()(int64_t n) const { return n < kTabled ? values[static_cast<size_t>(n)] : exact(n); }
  /// By how much it grows from n to n + more.
  double growth(int64_t n, int64_t more) const { return (*this)(n + more) - (*this)(n); }
  double step(int64_t n) const { return n < kTabled ? steps[static_cast<size_t>(n)] : growth(n, 1); }

  std::vector<double> values, steps;
};
const CountLog& count_logs() {
  static const CountLog logs;
  return logs;
}

/// Adds to each class what the likelihood grows by when `more` is added to its cell of a row.
void add_growth(const int32_t* row, int64_t more, std::span<double> sums) {
  const CountLog& f = count_logs();
  if (more == 1) {
    for (size_t c = 0; c < sums.size(); ++c) sums[c] += f.step(row[c]);
  } else {
    for (size_t c = 0; c < sums.size(); ++c) sums[c] += f.growth(row[c], more);
  }
}

}  // namespace

double count_log(int64_t n) { return count_logs()(n); }

WordClasses::WordClasses(const Bigrams& bigrams, int classes)
    : bigrams_(bigrams), classes_(classes), width_(static_cast<size_t>(classes) + 2) {
  const int all = bigrams.size() + 2;
  after_begin_.assign(static_cast<size_t>(all) + 1, 0);
  before_begin_ = after_begin_;
  for (const Bigrams::Pair& pair : bigrams.pairs) {
    ++after_begin_[static_cast<size_t>(pair.left) + 1];
    ++before_begin_[static_cast<size_t>(pair.right) + 1];
  }
  for (size_t i = 1; i < after_begin_.size(); ++i) {
    after_begin_[i] += after_begin_[i - 1];
    before_begin_[i] += before_begin_[i - 1];
  }
  after_.resize(bigrams.pairs.size());
  before_.resize(bigrams.pairs.size());
  std::vector<size_t> after_end = after_begin_, before_end = before_begin_;
  for (const Bigrams::Pair& pair : bigrams.pairs) {
    after_[after_end[static_cast<size_t>(pair.left)]++] = {pair.right, pair.count};
    before_[before_end[static_cast<size_t>(pair.right)]++] = {pair.left, pair.count};
  }
  for (int word = 0; word < bigrams.size(); ++word) class_of_.push_back(word % classes);
  class_of_.push_back(classes);
  class_of_.push_back(classes + 1);

  by_left_.assign(width_ * width_, 0);
  by_right_ = by_left_;
  totals_.assign(width_, 0);
  for (const Bigrams::Pair& pair : bigrams.pairs) {
    by_left_[cell(class_of(pair.left), class_of(pair.right))] += static_cast<int32_t>(pair.count);
    by_right_[cell(class_of(pair.right), class_of(pair.left))] += static_cast<int32_t>(pair.count);
  }
  for (int word = 0; word < all; ++word)
    totals_[static_cast<size_t>(class_of(word))] += bigrams.counts[static_cast<size_t>(word)];
}

double WordClasses::likelihood() const {
  std::vector<int64_t> cells(width_ * width_), totals(width_);
  for (const Bigrams::Pair& pair : bigrams_.pairs) cells[cell(class_of(pair.left), class_of(pair.right))] += pair.count;
  for (size_t word = 0; word < class_of_.size(); ++word)
    totals[static_cast<size_t>(class_of_[word])] += bigrams_.counts[word];
  double sum = 0;
  for (const int64_t count : cells) sum += count_log(count);
  for (const int64_t count : totals) sum -= 2 * count_log(count);
  return sum;
}

WordClasses::Around WordClasses::around(int word) const {
  Around found;
  const auto collect = [&](std::span<const Neighbour> neighbours, std::vector<int64_t>& counts,
                           std::vector<int>& occurring) {
    counts.assign(width_, 0);
    for (const Neighbour& neighbour : neighbours) {
      if (neighbour.word == word) {
        found.itself = neighbour.count;
        continue;
      }
      int64_t& count = counts[static_cast<size_t>(class_of(neighbour.word))];
      if (count == 0) occurring.push_back(class_of(neighbour.word));
      count += neighbour.count;
    }
    std::ranges::sort(occurring);
  };
  collect(predecessors(word), found.left, found.left_classes);
  collect(followers(word), found.right, found.right_classes);
  return found;
}

double WordClasses::worth(int word, int in, const Around& around) const {
  const CountLog& f = count_logs();
  const int own = class_of(word);
  const auto left = [&](int c) { return around.left[static_cast<size_t>(c)]; };
  const auto right = [&](int c) { return around.right[static_cast<size_t>(c)]; };
  const auto without_word = [&](int x, int y) {
    return count(x, y) - (y == own ? left(x) : 0) - (x == own ? right(y) : 0) -
           (x == own && y == own ? around.itself : 0);
  };
  double sum = f.growth(without_word(in, in), left(in) + right(in) + around.itself);
  for (const int c : around.left_classes)
    if (c != in) sum += f.growth(without_word(c, in), left(c));
  for (const int c : around.right_classes)
    if (c != in) sum += f.growth(without_word(in, c), right(c));
  const int64_t own_count = bigrams_.counts[static_cast<size_t>(word)];
  return sum - 2 * f.growth(count(in) - (in == own ? own_count : 0), own_count);
}

double WordClasses::gain(int word, int to) const {
  const Around places = around(word);
  return worth(word, to, places) - worth(word, class_of(word), places);
}

int WordClasses::best_class(int word) const {
  const CountLog& f = count_logs();
  const int own = class_of(word);
  const Around places = around(word);
  std::vector<double> sums(static_cast<size_t>(classes_), 0.0);
  std::vector<int32_t> changed(sums.size());
  // Cells of the word's own class are without the word; the own class itself is done by `worth`.
  const auto add = [&](const std::vector<int32_t>& rows, const std::vector<int>& occurring,
                       const std::vector<int64_t>& counts, const std::vector<int64_t>& others) {
    for (const int c : occurring) {
      const int32_t* row = &rows[cell(c, 0)];
      if (c == own) {
        for (size_t b = 0; b < changed.size(); ++b) changed[b] = std::max(0, row[b] - static_cast<int32_t>(others[b]));
        row = changed.data();
      }
      add_growth(row, counts[static_cast<size_t>(c)], sums);
    }
  };
  add(by_left_, places.left_classes, places.left, places.right);
  add(by_right_, places.right_classes, places.right, places.left);
  const int64_t own_count = bigrams_.counts[static_cast<size_t>(word)];
  int best = own;
  double most = worth(word, own, places);
  for (int c = 0; c < classes_; ++c) {
    if (c == own) continue;
    const int64_t left = places.left[static_cast<size_t>(c)], right = places.right[static_cast<size_t>(c)];
    const int64_t inside = count(c, c);
    const double sum = sums[static_cast<size_t>(c)] - f.growth(inside, left) - f.growth(inside, right) +
                       f.growth(inside, left + right + places.itself) - 2 * f.growth(count(c), own_count);
    if (sum > most) most = sum, best = c;
  }
  return best;
}

void WordClasses::move(int word, int to) {
  const int from = std::exchange(class_of_[static_cast<size_t>(word)], to);
  const auto add = [&](int left, int right, int64_t count) {
    by_left_[cell(left, right)] += static_cast<int32_t>(count);
    by_right_[cell(right, left)] += static_cast<int32_t>(count);
  };
  for (const Neighbour& neighbour : predecessors(word)) {
    if (neighbour.word == word) continue;
    add(class_of(neighbour.word), from, -neighbour.count);
    add(class_of(neighbour.word), to, neighbour.count);
  }
  for (const Neighbour& neighbour : followers(word)) {
    const bool itself = neighbour.word == word;
    add(from, itself ? from : class_of(neighbour.word), -neighbour.count);
    add(to, class_of(neighbour.word), neighbour.count);
  }
  totals_[static_cast<size_t>(from)] -= bigrams_.counts[static_cast<size_t>(word)];
  totals_[static_cast<size_t>(to)] += bigrams_.counts[static_cast<size_t>(word)];
}

void WordClasses::exchange(int rounds, int threads, const std::function<void(const Round&)>& done) {
  constexpr int kBatch = 256, kFew = 1000;
  // Sums are rounded; a smaller gain could be none.
  constexpr double kLeastGain = 1e-3;
  const int words = bigrams_.size();
  for (Round round{.number = 1, .rounds = rounds, .moved = 0, .words = 0, .of = words}; round.number <= rounds;
       ++round.number) {
    round.moved = 0;
    for (int begin = 0; begin < words; begin += kBatch) {
      const int count = std::min(kBatch, words - begin);
      std::vector<int> best(static_cast<size_t>(count));
      parallel_for(best.size(), threads, [&](int, size_t i) { best[i] = best_class(begin + static_cast<int>(i)); });
      for (int i = 0; i < count; ++i) {
        const int word = begin + i, to = best[static_cast<size_t>(i)];
        if (to == class_of(word) || gain(word, to) < kLeastGain) continue;
        move(word, to);
        ++round.moved;
      }
      round.words = begin + count;
      done(round);
    }
    if (round.moved * kFew < words) break;
  }
}

}  // namespace espalier

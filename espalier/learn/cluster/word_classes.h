// Classes of words that make neighbouring classes as informative about each other as can be (Brown et al. 1992), found
// by the exchange algorithm (Kneser & Ney 1993; Martin, Liermann & Ney 1998): every word moves in turn into the class
// where the likelihood of a class bigram model is greatest, until few words move. Best classes are looked for by all
// threads in a batch of words against the same counts; then the words move one after another, each only if that still
// makes the likelihood greater, so that it never falls and the threads do not matter.
// Tested by word_classes_test.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "espalier/learn/cluster/bigrams.h"

namespace espalier {

/// n log n; 0 for 0.
double count_log(int64_t n);

/// Words in classes 0..classes-1 with the counts of neighbouring classes. Rare words and sentence boundaries are two
/// further classes, which do not change.
class WordClasses {
 public:
  /// Keeps a reference. Words are dealt to the classes in turn, by falling frequency.
  WordClasses(const Bigrams& bigrams, int classes);

  int classes() const { return classes_; }
  int class_of(int word) const { return class_of_[static_cast<size_t>(word)]; }
  int64_t count(int left, int right) const { return by_left_[cell(left, right)]; }
  int64_t count(int a_class) const { return totals_[static_cast<size_t>(a_class)]; }
  /// Log likelihood of the text, up to what no class changes. From scratch.
  double likelihood() const;

  /// By how much the likelihood grows if a word moves.
  double gain(int word, int to) const;
  void move(int word, int to);
  /// The class to which a word moves with the greatest gain; its own if none has one. The first of equals.
  int best_class(int word) const;

  /// Moves words until less than one in a thousand moves, or for `rounds`; `done` is told of each round and may throw.
  struct Round {
    int number, rounds, moved, words, of;  ///< `words` of `of` are done
  };
  void exchange(int rounds, int threads, const std::function<void(const Round&)>& done);

 private:
  struct Neighbour {
    int word;
    int64_t count;
  };
  size_t cell(int row, int column) const { return static_cast<size_t>(row) * width_ + static_cast<size_t>(column); }
  std::span<const Neighbour> followers(int word) const { return part(after_, after_begin_, word); }
  std::span<const Neighbour> predecessors(int word) const { return part(before_, before_begin_, word); }
  static std::span<const Neighbour> part(std::span<const Neighbour> all, std::span<const size_t> begin, int word) {
    const auto w = static_cast<size_t>(word);
    return all.subspan(begin[w], begin[w + 1] - begin[w]);
  }
  /// The classes around a word, without those of the word beside itself.
  struct Around {
    std::vector<int64_t> left, right;              // by class
    std::vector<int> left_classes, right_classes;  // that occur
    int64_t itself = 0;
  };
  Around around(int word) const;
  /// By how much the likelihood is greater with a word in a class than without the word.
  double worth(int word, int in, const Around& around) const;

  const Bigrams& bigrams_;
  int classes_;
  size_t width_;  // classes and the two others
  std::vector<Neighbour> after_, before_;
  std::vector<size_t> after_begin_, before_begin_;
  std::vector<int> class_of_;
  std::vector<int32_t> by_left_, by_right_;  // how often class follows class; transposed
  std::vector<int64_t> totals_;
};

}  // namespace espalier

// How often which word follows which in a text, read sentence by sentence: what word classes are learned from. Memory
// is bounded: when there are too many different pairs, the rarest words are no longer told apart.
// Tested by bigrams_test.cc.
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace espalier {

/// Words are numbered by falling frequency; after them come two that stand for others.
struct Bigrams {
  struct Pair {
    int left, right;
    int64_t count;
  };
  std::vector<std::string> words;
  std::vector<int64_t> counts;  ///< of words, of rare words, of sentence boundaries
  std::vector<Pair> pairs;      ///< sorted, different

  int size() const { return static_cast<int>(words.size()); }
  int rare() const { return size(); }
  int boundary() const { return size() + 1; }
};

class BigramCounter {
 public:
  static constexpr size_t kMostPairs = size_t{1} << 24;  // below a gigabyte

  explicit BigramCounter(size_t most_pairs = kMostPairs) : most_pairs_(most_pairs) {}

  void add(std::span<const std::string> sentence);
  int64_t tokens() const { return tokens_; }
  /// Words that occurred at least `least` times, the most frequent ones if there are more than `most_words`.
  Bigrams finish(int64_t least, int most_words) const;

 private:
  static constexpr uint32_t kRare = 0, kBoundary = 1;
  struct Mixed {
    size_t operator()(uint64_t pair) const;
  };
  using Pairs = tsl::robin_map<uint64_t, int64_t, Mixed>;

  uint32_t id_of(const std::string& word);
  /// Words that occurred at most so often are rare words from here on.
  void forget(int64_t most);

  size_t most_pairs_;
  int64_t tokens_ = 0;
  tsl::robin_map<std::string, uint32_t> ids_;
  std::vector<int64_t> counts_ = {0, 0};
  Pairs pairs_;
};

}  // namespace espalier

// The features of a tagger (after Collins 2002, Giménez & Màrquez 2004): the word and its neighbours, their affixes,
// shapes and ambiguity classes, and previous tags. Everything about words is hashed once per sentence; keys are mixed
// from those values, without strings. The keys of a word are of two kinds: those of the sentence alone, whose rows are
// summed once per word for all states, and a few that also look at tags. Tested by
// learn/tag/tagger_trainer_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/features/word_clusters.h"
#include "espalier/parser/tag/tag_dictionary.h"
#include "espalier/tree/sentence.h"

namespace espalier {

struct TagAtoms {
  enum Field : uint8_t {
    kForm,
    kLower,  // as it stands; in lower case; rare words, which the dictionary does not know, are all alike
    kPrefix1,
    kPrefix2,
    kPrefix3,
    kPrefix4,  // of the lower-cased form, in characters
    kSuffix1,
    kSuffix2,
    kSuffix3,
    kSuffix4,
    kSuffix5,
    kShape,           // capitals, small letters, digits; runs collapsed
    kFlags,           // a coarse shape with the place in the sentence
    kAmbiguity,       // of the form, or of the lower-cased form; else its shape and ending
    kLowerAmbiguity,  // of the lower-cased form, for words capitalised at the beginning of a sentence
    kFields
  };
  uint64_t field[kFields];
};

class TaggingFeatures {
 public:
  /// The first without those of word classes.
  static constexpr int kMostPlainKeys = 64, kMostClusterKeys = 24, kMostWordKeys = kMostPlainKeys + kMostClusterKeys;
  static constexpr int kMostTagKeys = 16, kMostReadingKeys = 32;

  /// `clusters` may be null, and must live as long as these features otherwise.
  void encode(const Sentence& sentence, const TagDictionary& dictionary, const WordClusters* clusters);
  int size() const { return static_cast<int>(words_.size()) - 2 * kMargin; }

  // Each writes the keys of word i (1..n) and returns their number.
  int word_keys(int i, uint64_t* keys) const;
  /// Given the tags of the two words before it (-1 = none).
  int tag_keys(int i, int previous, int before_it, uint64_t* keys) const;
  /// For the choice among a class's readings: all classes are known (classes[i] is word i's), and the readings
  /// (their numbers, -1 = none) of the two words before.
  int reading_keys(int i, std::span<const int> classes, int previous, int before_it, uint64_t* keys) const;

  /// The hashes under which the dictionary knows a word.
  static uint64_t form_key(std::string_view form);
  static uint64_t lower_key(std::string_view form);

 private:
  static constexpr int kMargin = 2;
  template <class Table>
  friend struct TagTemplates;
  int cluster_keys(int i, uint64_t* keys) const;
  const TagAtoms& word(int i) const { return words_[i + kMargin - 1]; }
  uint64_t cluster(int i, WordClusters::Atoms::Field field) const { return clusters_[i + kMargin - 1]->field[field]; }

  std::vector<TagAtoms> words_;                       // with kMargin "no such word" on either side
  std::vector<const WordClusters::Atoms*> clusters_;  // likewise; empty: the model has none
  std::vector<int32_t> characters_;
};

}  // namespace espalier

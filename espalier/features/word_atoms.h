// The fields of a word that templates read: 64-bit hashes, computed once per sentence, so that no string is touched
// while parsing. Treebanks differ in which columns they fill; this is determined from the training data and stored in
// the model.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "espalier/tree/direction.h"
#include "espalier/tree/sentence.h"

namespace espalier {

/// Fields of a word. One cache line; those of its class of words, if the model has classes, are in another one.
struct alignas(64) WordAtoms {
  enum Field : uint8_t {
    kForm,
    kTag,      ///< UPOS
    kFine,     ///< XPOS; where there is none, UPOS with its most informative features (case, verb form, mood, ...)
    kFormTag,  ///< form and UPOS together
    kMorph,    ///< UPOS with all FEATS; where there are none, XPOS
    kSuffix,   ///< the last three characters
    kShape,    ///< the last two characters, capitals, digits, punctuation
    kPrefix,   ///< the first three characters
    kFields,
    kCluster = kFields,  ///< the class of the word (word_clusters.h), and the beginnings of its path
    kClusterBits10,
    kClusterBits6,
    kClusterBits4
  };
  uint64_t field[kFields];
};

/// Which columns the training data fill.
struct AtomColumns {
  bool xpos = true, feats = true;

  static AtomColumns of(const std::vector<Sentence>& treebank);
  nlohmann::json to_json() const;
  static AtomColumns from_json(const nlohmann::json& json);
};

WordAtoms word_atoms(const Token& token, AtomColumns columns);

class WordClusters;

/// Atoms of a sentence: entry 0 the artificial root, 1..n the words as they are read, n+1 "no such word".
class SentenceAtoms {
 public:
  /// `clusters` may be null.
  void encode(const Sentence& sentence, AtomColumns columns, Direction direction = Direction::kLeftToRight,
              const WordClusters* clusters = nullptr);
  int size() const { return static_cast<int>(words_.size()) - 2 - static_cast<int>(clusters_); }
  /// Any number outside 0..n gives "no such word".
  const WordAtoms* word(int i) const {
    const int n = size();
    return &words_[i < 0 || i > n ? n + 1 : i];
  }
  /// From a word's atoms to those of its class.
  std::ptrdiff_t to_cluster() const { return clusters_; }

 protected:
  void start();
  void add(const WordAtoms& word) { words_.push_back(word); }
  void finish();

 private:
  std::vector<WordAtoms> words_;  // then, if there are classes, the same number of those
  std::ptrdiff_t clusters_ = 0;   // where they begin
};

}  // namespace espalier

// The binary atoms over which boosted trees decide (Turian 2007, Tables 6.1 and 6.2), as consecutive numbers.
//
// An atom "some item of group J has value X" is group * values + value: a direct address, no hash. Values are label,
// tag, tag class and word of an item's head, numbered in this order (words last, because they are many and rare). Then
// come the atoms of lengths, |J| = k and |J| > k, and, beyond the thesis, those of whole label sequences.
// Rare words share a value by their ending or shape. Tested by tests/classify_test.cc.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/vocabulary.h"

namespace espalier {

/// Groups of items and of terminals; "+ k" counts the groups of a family.
enum AtomGroup : int {
  kFirst = 0,          // the first k children, k = 1..4
  kLast = 4,           // the last k
  kLeftContext = 8,    // the k frontier items left of the children
  kRightContext = 12,  //
  kLeftOfHead = 16,    // the k children left of the head
  kRightOfHead = 20,   //
  kItemNear = 24,      // the k-th frontier item from an anchor child: anchor * 6 + side * 3 + k - 1
  kGrandchild = 42,    // anchor child * 3 + which of its children
  kSet = 51,           // one of ItemSet
  kHeadChild = 62,     // the head child itself (beyond the thesis)
  kTerminalNear = 63,  // as kItemNear, of terminals
  kTerminalSet = 81,   // the terminals that an ItemSet dominates
  kAtomGroups = 92,
};

enum Anchor : int { kLeftmostChild, kHead, kRightmostChild };

enum ItemSet : int {
  kFrontier,
  kChildren,
  kLeftItems,
  kRightItems,
  kNotLeftmost,
  kNotHead,
  kNotRightmost,
  kUpToHead,
  kBeforeHead,
  kFromHead,
  kBehindHead,
  kItemSets,
};

/// The values of a word's atoms; -1 for values that training has not seen.
struct WordValues {
  int word = -1, tag = -1, tag_class = -1;
};

class AtomSpace {
 public:
  static constexpr int kLongest = 15;  ///< all longer lengths share a value
  static constexpr int kLengthGroups = 2 * kItemSets;
  static constexpr int kLengthAtoms = 2 * (kLongest + 1);

  /// `labels` with TOP first. Words seen less than `min_count` times share values.
  AtomSpace(const std::vector<std::string>& labels, const std::vector<std::string>& tags,
            const std::vector<std::pair<std::string, int>>& word_counts, int min_count);

  int labels() const { return labels_; }
  /// Labels, then tags (written "/NN", since a tag may have a label's name), then one for all unknown tags.
  const std::vector<std::string>& symbols() const { return symbols_.texts(); }
  int tag_symbol(std::string_view tag) const;
  WordValues word_values(std::string_view form, std::string_view tag) const;

  /// A symbol is its own value.
  int values() const { return words_from_ + words_.size(); }
  /// Values below this are labels, tags and classes; the rest are words.
  int words_from() const { return words_from_; }

  int atom(int group, int value) const { return group * values() + value; }
  int length_equals(int group, int k) const { return lengths_from() + group * kLengthAtoms + k; }
  int length_exceeds(int group, int k) const { return length_equals(group, k + kLongest + 1); }
  int lengths_from() const { return kAtomGroups * values(); }
  int sequences_from() const { return lengths_from() + kLengthGroups * kLengthAtoms; }
  /// The atom of a hashed sequence of labels, -1 if training has not kept it.
  int sequence(uint64_t hash) const {
    const auto it = sequences_.find(hash);
    return it == sequences_.end() ? -1 : it->second;
  }
  void add_sequence(uint64_t hash) {
    if (sequences_.try_emplace(hash, size()).second) hashes_.push_back(hash);
  }
  const std::vector<uint64_t>& sequence_hashes() const { return hashes_; }  ///< in the order of their atoms
  int size() const { return sequences_from() + static_cast<int>(hashes_.size()); }

  nlohmann::json to_json() const;  ///< without the sequences
  static AtomSpace from_json(const nlohmann::json& json);

 private:
  AtomSpace() = default;
  int tags() const { return symbols_.size() - labels_; }

  int labels_ = 0, words_from_ = 0;
  Vocabulary symbols_, classes_, words_;
  tsl::robin_map<uint64_t, int> sequences_;
  std::vector<uint64_t> hashes_;
};

/// The class of a tag in Table 6.2; for other tagsets coarse_tag.
std::string_view tag_class(std::string_view tag);

}  // namespace espalier

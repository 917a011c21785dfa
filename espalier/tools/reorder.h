// Puts words into the order of another language, by rules over dependency trees (rules/*.rules, which explain their
// syntax; Xu et al. 2009), and scores orders (Talbot et al. 2011). Tested by reorder_test.cc.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/analysis.h"
#include "espalier/tree/sentence.h"

namespace espalier {

/// The text of a built-in set ("en-ja", ...), or else of the file of that name.
std::string reorder_rules_text(const std::string& name_or_file);

class ReorderRules {
 public:
  /// `origin` names the rules in error messages.
  ReorderRules(std::string_view text, const std::string& origin);

  /// The numbers of the words in their new order. Subtrees are moved as blocks; words whose heads form no tree keep
  /// their order. O(n) except for sorting children into slots.
  std::vector<int> order(const Sentence& sentence) const;
  /// The same with the tree of an analysis (or the sentence's own, if it has none) over the words of the sentence.
  std::vector<int> order(const Sentence& sentence, const Analysis& analysis) const;

 private:
  enum class Side { kAny, kLeft, kRight };
  /// The children that a slot takes: those with a label (or any, or any that no slot of the class names), on one side
  /// of the head, without the excluded labels and kinds.
  struct Item {
    enum class What { kLabel, kKind, kUnnamed, kAny } what;
    std::string label;
    Side side = Side::kAny;
    std::vector<std::string> excluded;
  };
  struct Slot {
    std::vector<Item> items;
    bool head = false, reversed = false;
  };
  /// Words with a label that also have one of the forms, lemmas or features.
  struct Kind {
    std::string label;
    std::vector<std::string> words, feats;
  };
  struct Class {
    std::vector<std::string> upos, children;  ///< any of them; a class without conditions takes all heads
    std::vector<Slot> slots;
    std::set<std::string, std::less<>> named;
  };
  class Tree;

  bool is_kind(const Token& word, std::string_view label, std::string_view kind) const;
  bool takes(const Item& item, const Class& of, const Token& word, std::string_view label, bool left) const;
  const Class& class_of(const Tree& tree, int head) const;

  std::vector<Class> classes_;
  std::map<std::string, Kind, std::less<>> kinds_;
};

/// The places in the other language: `Order=3` in MISC means the third. Index 0 is unused; 0 = no place.
std::vector<int> reference_order(const Sentence& sentence);
void set_reference_order(Sentence& sentence, std::span<const int> positions);

/// The score of an order: 1 - (chunks - 1) / (words - 1), where a chunk is a run of words that follow each other in the
/// reference too; words without a place in the reference do not count.
double reorder_score(std::span<const int> order, std::span<const int> reference);

}  // namespace espalier

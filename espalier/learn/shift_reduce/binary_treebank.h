// A treebank as the constituent parsers with linear weights learn from it: simplified trees without rare labels,
// binarised by head rules, with the actions that build them. Tested by shift_reduce_trainer_test.cc.
#pragma once

#include <string>
#include <vector>

#include "espalier/base/settings.h"
#include "espalier/parser/shift_reduce/shift_reduce_parser.h"
#include "espalier/space/shift_reduce.h"
#include "espalier/tree/sentence.h"

namespace espalier {

struct TreebankOptions {
  int max_length, min_labels, min_chains;
  std::string head_rules, head_rules_origin;

  static TreebankOptions from(SettingsReader& settings);
};

struct BinaryTreebank {
  std::vector<const Sentence*> sentences;  ///< those that have a tree and words to parse
  std::vector<BinaryTree> trees;           ///< of each
  std::string root;
  std::vector<std::string> labels;
  ActionTable actions;
};

/// Keeps pointers to the sentences. Labels and actions begin with those of `init`, if it is not null.
BinaryTreebank read_binary_treebank(const TreebankOptions& options, Direction direction,
                                    const std::vector<Sentence>& treebank, const ShiftReduceModel* init = nullptr);

}  // namespace espalier

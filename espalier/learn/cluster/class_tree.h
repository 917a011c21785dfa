// Joins classes into a binary tree, those first by which neighbouring classes stay most informative about each other
// (Brown et al. 1992): the path of a class from the root is a sequence of bits, and classes with a long common prefix
// are used alike. The loss of every pair is kept and only what a join changes is computed anew, so that the time grows
// with the cube of the number of classes.
// Tested by word_classes_test.cc.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "espalier/learn/cluster/word_classes.h"

namespace espalier {

/// The path of each class, of '0' and '1'; of classes without words "". The threads do not matter. `done` is told how
/// many joins are done.
std::vector<std::string> class_paths(const WordClasses& classes, int threads,
                                     const std::function<void(int done, int of)>& done);

}  // namespace espalier

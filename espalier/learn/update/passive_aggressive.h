// The step sizes of online learners: 1 (perceptrons), or that of passive-aggressive learners and of MIRA with one
// constraint (PA-I, Crammer et al. 2006). Tested through its users.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace espalier {

enum class StepRule { kPerceptron, kPassiveAggressive };
/// In the order of the enumeration; the setting `learner`.
/// A function, since other globals may be made with it before this file's are.
inline const std::vector<std::string>& step_rules() {
  static const std::vector<std::string> names = {"perceptron", "pa"};
  return names;
}

/// The step that makes up what is `missing` of the margin, for a difference of features of this norm; at most `most`. 0
/// if nothing is missing, or no feature differs.
template <class Number>
Number passive_aggressive_step(Number missing, Number squared_norm, Number most) {
  return missing > 0 && squared_norm > 0 ? std::min(most, missing / squared_norm) : Number{0};
}

}  // namespace espalier

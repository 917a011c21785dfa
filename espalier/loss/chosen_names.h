// "nsubj+obj": a set of labels, the argument of a loss. Tested by loss_test.cc.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace espalier {

using ChosenNames = std::set<std::string, std::less<>>;

inline ChosenNames chosen_names(std::string_view argument) {
  ChosenNames chosen;
  for (size_t from = 0, end; from < argument.size(); from = end + 1) {
    end = std::min(argument.find('+', from), argument.size());
    if (end > from) chosen.emplace(argument.substr(from, end - from));
  }
  return chosen;
}

}  // namespace espalier

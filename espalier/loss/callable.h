// "callable:NAME": a loss that is a function of the running program, for example in Python. The name is valid during
// the lifetime of its registration. Tested by callable_test.cc.
#pragma once

#include <functional>
#include <string>

#include "espalier/loss/loss.h"

namespace espalier {

/// May be called from any thread.
using LossFunction =
    std::function<std::vector<double>(const Sentence& gold, std::span<const Analysis* const> analyses)>;

class LossRegistration {
 public:
  /// Throws a usage Error if the name is taken.
  LossRegistration(std::string name, LossFunction function);
  ~LossRegistration();
  LossRegistration(const LossRegistration&) = delete;
  LossRegistration& operator=(const LossRegistration&) = delete;

 private:
  std::string name_;
};

std::unique_ptr<const Loss> make_callable_loss(std::string_view argument);

}  // namespace espalier

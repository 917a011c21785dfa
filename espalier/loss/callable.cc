#include "espalier/loss/callable.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "espalier/base/error.h"

namespace espalier {
namespace {

std::mutex mutex;
std::map<std::string, LossFunction, std::less<>>& functions() {
  static std::map<std::string, LossFunction, std::less<>> all;
  return all;
}

class CallableLoss final : public Loss {
 public:
  explicit CallableLoss(LossFunction function) : function_(std::move(function)) {}

  /// As for programs: a difference of one asks for a margin of one.
  LossScale scale() const override { return LossScale::kCount; }
  std::vector<double> costs(const Sentence& gold, std::span<const Analysis* const> analyses) const override {
    std::vector<double> costs = function_(gold, analyses);
    const bool sound = costs.size() == analyses.size() &&
                       std::ranges::all_of(costs, [](double cost) { return std::isfinite(cost) && cost >= 0; });
    if (!sound)
      throw run_error("the loss of the sentence at line {}: {} analyses need as many costs that are not negative",
                      gold.line, analyses.size());
    return costs;
  }

 private:
  LossFunction function_;
};

}  // namespace

LossRegistration::LossRegistration(std::string name, LossFunction function) : name_(std::move(name)) {
  const std::lock_guard lock(mutex);
  if (!functions().try_emplace(name_, std::move(function)).second)
    throw usage_error("a loss function '{}' is in use already", name_);
}
LossRegistration::~LossRegistration() {
  const std::lock_guard lock(mutex);
  functions().erase(name_);
}

std::unique_ptr<const Loss> make_callable_loss(std::string_view argument) {
  const std::lock_guard lock(mutex);
  const auto found = functions().find(argument);
  if (found == functions().end()) throw usage_error("this program has no loss function '{}'", argument);
  return std::make_unique<CallableLoss>(found->second);
}

}  // namespace espalier

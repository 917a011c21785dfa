// Makes the parser of a transition system, without including its template (system_parser.h).
#pragma once

#include <any>
#include <memory>
#include <utility>

#include "espalier/parser/inspect.h"
#include "espalier/parser/transition/transition_parser.h"

namespace espalier {

/// What does not depend on the transition system.
class TransitionParser : public Parser, public Inspectable {
 public:
  explicit TransitionParser(TransitionModel model) : model_(std::move(model)) {}

  AboutParser about() const override;
  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override;
  const Inspectable* inspect() const override { return this; }
  std::any inside() const override { return &model_; }

 protected:
  const TransitionModel& model() const { return model_; }
  Roots roots() const { return model_.single_root ? Roots::kOne : Roots::kAny; }

 private:
  TransitionModel model_;
};

/// For the systems of transition_systems.h.
template <class Space>
std::unique_ptr<Parser> make_system_parser(TransitionModel model);

}  // namespace espalier

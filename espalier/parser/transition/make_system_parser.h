// Makes the parser of a transition system, without including its template (system_parser.h).
#pragma once

#include <memory>

#include "espalier/parser/transition/transition_parser.h"

namespace espalier {

/// For the systems of transition_systems.h.
template <class Space>
std::unique_ptr<Parser> make_system_parser(TransitionModel model);

}  // namespace espalier

#include "espalier/parser/trace.h"

#include "espalier/parser/parser.h"

namespace espalier {

const Traceable* traceable(const Parser& parser) {
  const auto* can = dynamic_cast<const Traceable*>(&parser);
  return can && can->can_trace() ? can : nullptr;
}

}  // namespace espalier

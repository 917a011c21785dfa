#include "espalier/parser/transition/system_parser.h"

namespace espalier {

template std::unique_ptr<Parser> make_system_parser<ArcEager>(TransitionModel);

}  // namespace espalier

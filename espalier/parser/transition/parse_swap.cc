#include "espalier/parser/transition/system_parser.h"

namespace espalier {

template std::unique_ptr<Parser> make_system_parser<ArcStandardSwap, TemplateFeatures<RichStandard>>(TransitionModel);
template std::unique_ptr<Parser> make_system_parser<ArcStandardSwap, TemplateFeatures<FastStandard>>(TransitionModel);
template std::unique_ptr<Parser> make_system_parser<ArcStandardSwap, TemplateFeatures<ZhangNivreStandard>>(
    TransitionModel);

}  // namespace espalier

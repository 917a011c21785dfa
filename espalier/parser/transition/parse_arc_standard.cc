#include "espalier/parser/transition/system_parser.h"

namespace espalier {

template std::unique_ptr<Parser> make_system_parser<ArcStandard, TemplateFeatures<RichStandard>>(TransitionModel);
template std::unique_ptr<Parser> make_system_parser<ArcStandard, TemplateFeatures<FastStandard>>(TransitionModel);
template std::unique_ptr<Parser> make_system_parser<ArcStandard, TemplateFeatures<ZhangNivreStandard>>(TransitionModel);

}  // namespace espalier

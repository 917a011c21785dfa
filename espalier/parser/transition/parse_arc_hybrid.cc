#include "espalier/parser/transition/system_parser.h"

namespace espalier {

template std::unique_ptr<Parser> make_system_parser<ArcHybrid, TemplateFeatures<RichHybrid>>(TransitionModel);
template std::unique_ptr<Parser> make_system_parser<ArcHybrid, TemplateFeatures<FastHybrid>>(TransitionModel);
template std::unique_ptr<Parser> make_system_parser<ArcHybrid, TemplateFeatures<ZhangNivreHybrid>>(TransitionModel);

}  // namespace espalier

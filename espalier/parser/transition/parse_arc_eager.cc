#include "espalier/parser/transition/system_parser.h"

namespace espalier {

template std::unique_ptr<Parser> make_system_parser<ArcEager, TemplateFeatures<RichEager>>(TransitionModel);
template std::unique_ptr<Parser> make_system_parser<ArcEager, TemplateFeatures<FastEager>>(TransitionModel);
template std::unique_ptr<Parser> make_system_parser<ArcEager, TemplateFeatures<ZhangNivreEager>>(TransitionModel);
template std::unique_ptr<Parser> make_system_parser<ArcEager, TemplateFeatures<HallEager>>(TransitionModel);

}  // namespace espalier

// The tasks of learning to search that ship as parsers; the tasks themselves are the examples.
#pragma once

#include <memory>
#include <vector>

#include "espalier/parser/l2s/imperative_parser.h"
#include "espalier/parser/l2s/l2s_parser.h"
#include "espalier/parser/l2s/l2s_tagger.h"

namespace espalier {

std::unique_ptr<Parser> make_l2s_parser(const L2sParser& task, std::vector<HashedRegressor> regressors);
std::unique_ptr<Parser> load_l2s_parser(const ModelPart& part, SettingsReader& overrides);

std::unique_ptr<Parser> make_l2s_tagger(const L2sTagger& task, std::vector<HashedRegressor> regressors);
std::unique_ptr<Parser> load_l2s_tagger(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier

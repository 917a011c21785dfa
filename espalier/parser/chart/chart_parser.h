// The chart parser for constituents: a coarse model of spans, and a fine one of how constituents are joined, over the
// spans that the coarse one keeps. Trained by learn/chart/chart_trainer.cc; docs/constituents.md. Tested by
// chart_parser_test.cc.
#pragma once

#include <memory>

#include "espalier/parser/chart/chart_model.h"
#include "espalier/parser/parser.h"

namespace espalier {

std::unique_ptr<Parser> make_chart_parser(ChartModel model);
std::unique_ptr<Parser> load_chart_parser(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier

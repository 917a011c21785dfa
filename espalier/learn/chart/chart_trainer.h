// Trains the chart parser for constituents: recipe `chart`. Online learning, passive-aggressive or perceptron,
// averaged; the fine model by violation-fixing updates (learn/update/violation.h), the coarse one as an exact
// first-order parser. Tested by chart_trainer_test.cc.
#pragma once

#include "espalier/learn/trainer.h"

namespace espalier {

TrainFunction configure_chart(SettingsReader& settings);

}  // namespace espalier

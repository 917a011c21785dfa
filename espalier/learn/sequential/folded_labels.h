// Labels for which a table of actions has no column are learned as others (space/action_table.h): what that costs is
// said. Tested by folded_labels_test.cc.
#pragma once

#include <span>
#include <string_view>

#include "espalier/learn/trainer.h"
#include "espalier/space/action_table.h"

namespace espalier {

/// `counts` are those that the table was made of; `labels` what they are called ("relations", "tags").
void note_folded(const TrainContext& context, const ActionTable& table, std::span<const ActionTable::Count> counts,
                 std::string_view labels);

}  // namespace espalier

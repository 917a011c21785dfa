// Labels without a column in the table of actions are folded into others (space/action_table.h): notes how many words
// that affects. Tested by folded_labels_test.cc.
#pragma once

#include <span>
#include <string_view>

#include "espalier/learn/trainer.h"
#include "espalier/space/action_table.h"

namespace espalier {

/// `counts` are those from which the table was made; `labels` is the word for labels ("relations", "tags").
void note_folded(const TrainContext& context, const ActionTable& table, std::span<const ActionTable::Count> counts,
                 std::string_view labels);

}  // namespace espalier

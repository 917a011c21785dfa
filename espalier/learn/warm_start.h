// Warm start (setting `init`, train --init): finds the model in a file, checks what must agree with the recipe, and
// maps columns of weights. Features are mapped by weights/trained_rows.h. A warm-started learner keeps the model's
// label ids and numbers new labels after them, because features refer to labels by id. Tested by tests/init_test.cc.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/base/settings.h"
#include "espalier/parser/pipeline.h"
#include "espalier/space/action_factors.h"
#include "espalier/space/action_table.h"

namespace espalier {

/// The setting; "" = no warm start.
std::string init_file(SettingsReader& settings);

/// The result of `find`, which returns a pointer for a parser of its kind and null for others: in a pipeline, the first
/// stage that it accepts. Throws a usage Error if there is none; `recipes` names those whose models it accepts.
template <class Find>
auto warm_start_model(const std::string& file, std::string_view recipes, Find&& find) {
  using Found = std::remove_pointer_t<std::invoke_result_t<Find, const Parser&>>;
  for (Pipeline::Stage& stage : load_stages(file)) {
    const std::shared_ptr<const Parser> parser = std::move(stage.parser);  // keeps what is found alive
    if (Found* found = find(*parser)) return std::shared_ptr<Found>(parser, found);
  }
  throw usage_error("init={}: there is no model of recipe {} in it for a warm start", file, recipes);
}

/// Throws a usage Error unless a setting is what the model was trained with.
void check_same(const std::string& file, std::string_view setting, std::string_view own, std::string_view theirs);

/// result[c] is the column in `theirs` of what column c is in `own`; -1 = none. Labels are numbered alike.
std::vector<int> columns_of_actions(const ActionTable& own, const ActionFactors& own_factors, const ActionTable& theirs,
                                    const ActionFactors& their_factors);
/// Where every action has a column of its own.
std::vector<int> columns_of_actions(const ActionTable& own, const ActionTable& theirs);

}  // namespace espalier

// Linear weights in a model file: two sections, and their width and scale in the metadata. Tested by
// tests/contract/parser_test.cc and fuzz/model_fuzz.cc.
#pragma once

#include <string>

#include "espalier/parser/model_file.h"
#include "espalier/weights/linear.h"

namespace espalier {

/// Writes the sections NAMEindex and NAMErows; `about` gets the entries "row_columns" and "scale".
void save_linear(const Linear& weights, ModelWriter& writer, const std::string& name, nlohmann::json& about);

/// Throws a data Error if the sections do not fit together, or if rows are shorter than `columns`.
Linear load_linear(const ModelPart& part, const std::string& name, const nlohmann::json& about, int columns);

}  // namespace espalier

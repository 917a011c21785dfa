#include "espalier/parser/linear_part.h"

#include "espalier/base/error.h"
#include "espalier/parser/model_file.h"

namespace espalier {

void save_linear(const Linear& weights, ModelWriter& writer, const std::string& name, nlohmann::json& about) {
  writer.add_array(name + "index", weights.index());
  writer.add_array(name + "rows", weights.rows());
  about["row_columns"] = weights.columns();
  about["scale"] = weights.scale();
}

Linear load_linear(const ModelPart& part, const std::string& name, const nlohmann::json& about, int columns) {
  Linear weights(part.array<RowBucket>(name + "index"), part.array<int8_t>(name + "rows"), about.at("row_columns"),
                 about.at("scale"), part.file);
  std::string problem = weights.problem();
  if (problem.empty() && columns > weights.columns()) problem = "the rows are too short";
  if (!problem.empty()) throw data_error(part.file->name(), 0, "{}", problem);
  return weights;
}

}  // namespace espalier

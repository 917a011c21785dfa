#include "espalier/parser/l2s/imperative_parser.h"

#include "espalier/parser/model_file.h"

namespace espalier {

nlohmann::json save_regressors(std::span<const HashedRegressor> regressors, ModelWriter& writer,
                               const std::string& prefix) {
  nlohmann::json all = nlohmann::json::array();
  for (size_t i = 0; i < regressors.size(); ++i) {
    const HashedRegressor& r = regressors[i];
    const std::string name = prefix + "regressor" + std::to_string(i);
    writer.add_array(name + "/rows", r.cells());
    writer.add_array(name + "/output", r.output());
    all.push_back({{"actions", r.shape().actions},
                   {"bits", r.shape().bits},
                   {"hidden", r.shape().hidden},
                   {"shared", r.shape().shared},
                   {"direct", r.shape().direct},
                   {"scale", r.scale()}});
  }
  return all;
}

std::vector<HashedRegressor> load_regressors(const ModelPart& part, std::span<const int> actions) {
  const auto& all = part.metadata.at("regressors");
  const auto damaged = [&] { return data_error(part.file->name(), 0, "the model's regressors are damaged"); };
  if (all.size() != actions.size()) throw damaged();
  std::vector<HashedRegressor> regressors;
  for (size_t i = 0; i < actions.size(); ++i) {
    const RegressorShape shape{all[i].at("actions"), all[i].at("bits"), all[i].at("hidden"), all[i].at("shared"),
                               all[i].value("direct", false)};
    if (shape.actions != actions[i] || shape.bits < 1 || shape.bits > 28 || shape.hidden < 0 || shape.hidden > 4096) {
      throw damaged();
    }
    const std::string name = "regressor" + std::to_string(i);
    const auto cells = part.array<int16_t>(name + "/rows");
    const auto output = part.array<float>(name + "/output");
    if (cells.size() != HashedRegressor::cell_count(shape) || output.size() != shape.outputs()) throw damaged();
    regressors.emplace_back(shape, all[i].at("scale").get<float>(), cells,
                            std::vector<float>(output.begin(), output.end()), part.file);
  }
  return regressors;
}

}  // namespace espalier

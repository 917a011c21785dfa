// The models that a server offers, by name. They can be loaded again while requests use the old ones.
// Tested by models_test.cc.
#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/app/model.h"

namespace espalier::server {

struct NamedModel {
  std::string name, file;
  Model model;
  nlohmann::json about() const;  ///< what /v1/models says
  /// Text that the model's metadata hold under this key ("licence", "recipe"), or "".
  std::string note(const char* key) const;
  bool predicts(std::string_view column) const;
};

class ModelSet {
 public:
  explicit ModelSet(std::vector<NamedModel> models) : models_(std::move(models)) {}
  const std::vector<NamedModel>& all() const { return models_; }
  /// "" is the first. As UDPipe has it, the first whose name begins with these parts will do: "en" finds "en_ewt-2.14".
  /// Throws an HttpError (404) that names what there is.
  const NamedModel& find(std::string_view name) const;

 private:
  std::vector<NamedModel> models_;
};

class ModelStore {
 public:
  /// `specifications` are NAME=FILE or FILE. Loads them; throws an Error.
  ModelStore(const std::vector<std::string>& specifications, std::vector<std::string> settings);
  /// For tests: models in memory, which `reload` leaves as they are.
  explicit ModelStore(std::vector<NamedModel> models);

  std::shared_ptr<const ModelSet> current() const;
  /// Loads all files again. A model that cannot be loaded stays as it was; what happened is returned, a line each.
  std::vector<std::string> reload();

 private:
  std::vector<std::string> settings_;
  mutable std::mutex mutex_;
  std::shared_ptr<const ModelSet> current_;
};

}  // namespace espalier::server

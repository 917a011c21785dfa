// The models of a server, by name. They can be reloaded while requests use the old ones.
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
  nlohmann::json about() const;  ///< for /v1/models
  /// Text that the model's metadata hold under this key ("licence", "recipe"), or "".
  std::string note(const char* key) const;
  bool predicts(std::string_view column) const;
};

class ModelSet {
 public:
  explicit ModelSet(std::vector<NamedModel> models) : models_(std::move(models)) {}
  const std::vector<NamedModel>& all() const { return models_; }
  /// "" is the first. As in UDPipe, a name may be abbreviated to its first parts: "en" finds the first model such as
  /// "en_ewt-2.14". Throws an HttpError (404) that lists the models.
  const NamedModel& find(std::string_view name) const;

 private:
  std::vector<NamedModel> models_;
};

class ModelStore {
 public:
  /// `specifications` are NAME=FILE or FILE. Loads them; throws an Error.
  ModelStore(const std::vector<std::string>& specifications, std::vector<std::string> settings);
  /// For tests: models in memory, which `reload` does not change.
  explicit ModelStore(std::vector<NamedModel> models);

  std::shared_ptr<const ModelSet> current() const;
  /// Loads all files again. A model that cannot be loaded stays unchanged. Returns a line for each model.
  std::vector<std::string> reload();

 private:
  std::vector<std::string> settings_;
  mutable std::mutex mutex_;
  std::shared_ptr<const ModelSet> current_;
};

}  // namespace espalier::server

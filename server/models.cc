#include "server/models.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "espalier/base/error.h"
#include "server/http.h"

namespace espalier::server {
namespace {

/// "en_ewt-2.14" begins with the parts "en" and "en_ewt".
bool begins_with_parts(std::string_view name, std::string_view parts) {
  return name.starts_with(parts) &&
         (name.size() == parts.size() || name[parts.size()] == '-' || name[parts.size()] == '_');
}

NamedModel load(const std::string& specification, const std::vector<std::string>& settings) {
  const size_t equals = specification.find('=');
  const std::string file = equals == std::string::npos ? specification : specification.substr(equals + 1);
  const std::string name =
      equals == std::string::npos ? std::filesystem::path(file).stem().string() : specification.substr(0, equals);
  if (name.empty() || file.empty()) throw usage_error("--model {}: NAME=FILE is needed", specification);
  return {name, file, Model(file, settings)};
}

}  // namespace

std::string NamedModel::note(const char* key) const {
  const nlohmann::json info = model.info();
  const nlohmann::json& metadata = info.at("metadata");
  const auto entry = metadata.find(key);
  return entry != metadata.end() && entry->is_string() ? entry->get<std::string>() : "";
}

bool NamedModel::predicts(std::string_view column) const {
  const auto columns = model.predicts();
  return std::ranges::find(columns, column) != columns.end();
}

nlohmann::json NamedModel::about() const {
  return {{"name", name},
          {"kind", model.kind()},
          {"recipe", note("recipe")},
          {"language", model.language()},
          {"licence", note("licence")},
          {"predicts", model.predicts()},
          {"tokenizer", model.can_tokenize()},
          {"kbest", model.has_kbest()},
          {"trace", model.has_trace()},
          {"confidence", model.has_confidence()}};
}

const NamedModel& ModelSet::find(std::string_view name) const {
  for (const NamedModel& model : models_)
    if (name.empty() || model.name == name) return model;
  for (const NamedModel& model : models_)
    if (begins_with_parts(model.name, name)) return model;
  std::vector<std::string_view> names;
  for (const NamedModel& model : models_) names.push_back(model.name);
  throw HttpError(404, fmt::format("there is no model '{}'; there is: {}", name, fmt::join(names, ", ")));
}

ModelStore::ModelStore(const std::vector<std::string>& specifications, std::vector<std::string> settings)
    : settings_(std::move(settings)) {
  std::vector<NamedModel> models;
  for (const std::string& specification : specifications) {
    models.push_back(load(specification, settings_));
    const auto same = std::ranges::find(models, models.back().name, &NamedModel::name);
    if (same != models.end() - 1) throw usage_error("two models are called '{}'", same->name);
  }
  if (models.empty()) throw usage_error("a server needs a model");
  current_ = std::make_shared<ModelSet>(std::move(models));
}

ModelStore::ModelStore(std::vector<NamedModel> models) : current_(std::make_shared<ModelSet>(std::move(models))) {}

std::shared_ptr<const ModelSet> ModelStore::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

std::vector<std::string> ModelStore::reload() {
  std::vector<std::string> messages;
  std::vector<NamedModel> models = current()->all();
  for (NamedModel& model : models) {
    if (model.file.empty()) continue;
    try {
      model.model = Model(model.file, settings_);
      messages.push_back(fmt::format("model '{}' loaded again from {}", model.name, model.file));
    } catch (const Error& error) {
      messages.push_back(fmt::format("model '{}' stays as it was: {}", model.name, error.what()));
    }
  }
  auto renewed = std::make_shared<ModelSet>(std::move(models));
  const std::lock_guard lock(mutex_);
  current_ = std::move(renewed);
  return messages;
}

}  // namespace espalier::server

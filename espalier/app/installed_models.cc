#include "espalier/app/installed_models.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "espalier/base/error.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".esp";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// The folder of models of `cmake --install`, found from the program's own folder; and models/ of the source tree for a
/// program in build/PRESET.
std::vector<fs::path> folders_of_program() {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  if (unknown) return {};
  std::vector<fs::path> folders = {program.parent_path().parent_path() / "share/espalier/models"};
  const fs::path source = program.parent_path().parent_path().parent_path();
  if (fs::exists(source / "CMakePresets.json", unknown)) folders.push_back(source / "models");
  return folders;
}

}  // namespace

std::vector<std::string> model_folders() {
  std::vector<std::string> folders;
  const std::string listed = environment("ESPALIER_MODELS");
  for (size_t begin = 0; begin < listed.size();) {
    const size_t end = std::min(listed.find(':', begin), listed.size());
    if (end > begin) folders.push_back(listed.substr(begin, end - begin));
    begin = end + 1;
  }
  if (const std::string data = environment("XDG_DATA_HOME"); !data.empty())
    folders.push_back(fs::path(data) / "espalier/models");
  else if (const std::string home = environment("HOME"); !home.empty())
    folders.push_back(fs::path(home) / ".local/share/espalier/models");
  for (const fs::path& folder : folders_of_program()) folders.push_back(folder);
  return folders;
}

std::vector<InstalledModel> installed_models(const std::vector<std::string>& folders) {
  std::vector<InstalledModel> models;
  for (const std::string& folder : folders) {
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder, missing))
      if (entry.path().extension() == kEnding) models.push_back({entry.path().stem(), entry.path()});
  }
  // A stable sort keeps the order of folders within a name.
  std::ranges::stable_sort(models, {}, &InstalledModel::name);
  const auto later = std::ranges::unique(models, {}, &InstalledModel::name);
  models.erase(later.begin(), later.end());
  return models;
}

std::string model_file(const std::string& name, const std::vector<std::string>& folders) {
  std::error_code unknown;
  if (name.find('/') != std::string::npos || name.ends_with(kEnding) || fs::exists(name, unknown)) return name;
  const std::vector<InstalledModel> models = installed_models(folders);
  const InstalledModel* found = nullptr;
  for (const InstalledModel& model : models) {
    if (model.name == name) return model.file;
    if (model.name.starts_with(name + "_") && (!found || model.name.size() < found->name.size())) found = &model;
  }
  if (found) return found->file;
  std::vector<std::string> names;
  for (const InstalledModel& model : models) names.push_back(model.name);
  throw usage_error("there is no model '{}': {}", name,
                    names.empty()
                        ? fmt::format("none is installed in {}", fmt::join(folders, ", "))
                        : fmt::format("installed are {}; a file's name ends in .esp", fmt::join(names, ", ")));
}

}  // namespace espalier

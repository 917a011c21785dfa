// espalier models: the installed models, which --model takes by name.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "espalier/app/installed_models.h"
#include "espalier/app/model.h"
#include "espalier/base/error.h"
#include "espalier/base/json_text.h"

namespace espalier::cli {
namespace {

struct ModelsArguments {
  std::vector<std::string> folders;
  bool json = false;
};

/// The line of one model: language, size, what it predicts, its scores on its test set.
nlohmann::json line_about(const InstalledModel& model) {
  nlohmann::json line = {{"name", model.name}, {"file", model.file}};
  try {
    const nlohmann::json about = describe_model(model.file);
    const nlohmann::json& metadata = about["metadata"];
    line["bytes"] = about["bytes"];
    for (const char* key : {"language", "treebank", "licence", "predicts", "test"})
      if (metadata.contains(key)) line[key] = metadata[key];
  } catch (const Error& error) {  // list the others even if one file is damaged
    line["problem"] = error.what();
  }
  return line;
}

void run_models(const ModelsArguments& options) {
  const std::vector<std::string> folders = options.folders.empty() ? model_folders() : options.folders;
  nlohmann::json lines = nlohmann::json::array();
  for (const InstalledModel& model : installed_models(folders)) lines.push_back(line_about(model));
  if (options.json) {
    fmt::print("{}\n", json_text(lines, 2));
    return;
  }
  if (lines.empty()) {
    fmt::print("no models in {}\n", fmt::join(folders, ", "));
    return;
  }
  for (const auto& line : lines) {
    const double megabytes = line.value("bytes", 0.0) / 1e6;
    fmt::print("{:<20} {:>6.1f} MB  {}\n", line["name"].get<std::string>(), megabytes,
               line.contains("problem") ? line["problem"].get<std::string>() : line["file"].get<std::string>());
    if (line.contains("licence")) fmt::print("{:<20}            {}\n", "", line["licence"].get<std::string>());
  }
}

}  // namespace

void add_models_command(CLI::App& app) {
  auto options = std::make_shared<ModelsArguments>();
  Command command(app, "models", "List the installed models, which --model takes by name");
  command.option("--folder", options->folders, "List the models of this folder instead").one_by_one();
  command.flag("--json", options->json, "As JSON: name, file, bytes, language, licence");
  command.footer(
      "A model is looked for in $ESPALIER_MODELS (folders separated by colons), ~/.local/share/espalier/models, and\n"
      "the folder that was installed with the program. -m en is the shortest name that begins with en_.\n\n"
      "Examples:\n  espalier models\n  echo 'Dogs bark.' | espalier parse -m en --from text");
  command.action([options] { run_models(*options); });
}

}  // namespace espalier::cli

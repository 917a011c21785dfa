// espalier info: what a model file says about itself.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "espalier/app/model.h"

namespace espalier::cli {
namespace {

struct InfoArguments {
  std::string model;
  bool json = false;
};

/// Nested objects indented; long lists (labels, vocabularies) by their length only.
void print(const nlohmann::json& value, const std::string& indent) {
  constexpr size_t kShown = 20;
  for (const auto& [key, entry] : value.items()) {
    if (entry.is_object()) {
      fmt::print("{}{}:\n", indent, key);
      print(entry, indent + "  ");
    } else if (entry.is_array() && entry.size() <= kShown && !entry.empty() && entry[0].is_object()) {
      for (const auto& item : entry) print({{key, item}}, indent);
    } else if (entry.is_array() && entry.size() > kShown) {
      fmt::print("{}{}: {} entries\n", indent, key, entry.size());
    } else {
      fmt::print("{}{}: {}\n", indent, key, entry.is_string() ? entry.get<std::string>() : entry.dump());
    }
  }
}

void run_info(const InfoArguments& options) {
  const nlohmann::json model = describe_model(options.model);
  if (options.json) {
    fmt::print("{}\n", model.dump(2));
    return;
  }
  fmt::print("{}: {} bytes\n", options.model, model["bytes"].get<size_t>());
  print(model["metadata"], "  ");
  fmt::print("  sections:\n");
  for (const auto& section : model["sections"])
    fmt::print("    {:<32} {:>12} bytes\n", section["name"].get<std::string>(), section["bytes"].get<size_t>());
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto options = std::make_shared<InfoArguments>();
  Command command(app, "info", "Show what a model is: recipe, settings, training data, scores");
  command.option("-m,--model", options->model, "Model file (.esp)").required();
  command.flag("--json", options->json, "Everything, as JSON");
  command.footer("Example:\n  espalier info -m models/en_ewt.esp");
  command.action([options] { run_info(*options); });
}

}  // namespace espalier::cli

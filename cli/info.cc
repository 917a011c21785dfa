// espalier info: describes a model file.
#include <fmt/core.h>

#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "cli/command.h"
#include "cli/model_table.h"
#include "espalier/app/model.h"
#include "espalier/base/json_text.h"

namespace espalier::cli {
namespace {

struct InfoArguments {
  std::string model;
  bool json = false;
};

constexpr size_t kWidth = 110;

/// Prints a line with a heading, wrapped.
void print(std::string_view heading, const std::vector<std::string>& words, std::string_view between = " ") {
  constexpr size_t kIndent = 16;
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty() && kIndent + line.size() + between.size() + word.size() > kWidth) {
      fmt::print("  {:<{}}{}\n", std::exchange(heading, ""), kIndent - 2, std::exchange(line, ""));
    }
    line += (line.empty() ? "" : std::string(between)) + word;
  }
  if (!line.empty()) fmt::print("  {:<{}}{}\n", heading, kIndent - 2, line);
}
void print_text(std::string_view heading, const std::string& text) {
  std::istringstream stream(text);
  print(heading, {std::istream_iterator<std::string>(stream), {}});
}

std::string text_of(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : json_text(value);
}

/// "key=value" for numbers, texts and booleans, except internal numbers.
std::vector<std::string> pairs_of(const nlohmann::json& object) {
  static const std::set<std::string, std::less<>> kInternal = {"kind",     "scale",        "row_columns", "templates",
                                                               "arc_unit", "ranker_range", "tag-weight"};
  std::vector<std::string> pairs;
  for (const auto& [key, value] : object.items()) {
    if (!value.is_primitive() || kInternal.contains(key)) continue;
    pairs.push_back(value.is_number_float() ? fmt::format("{}={:.6g}", key, value.get<double>())
                                            : fmt::format("{}={}", key, text_of(value)));
  }
  return pairs;
}

void print_treebank(std::string_view heading, const nlohmann::json& file) {
  print_text(heading, fmt::format("{}: {} sentences, {} words", text_of(file.value("file", nlohmann::json("?"))),
                                  file.value("sentences", 0), file.value("tokens", 0)));
}

/// Prints kind and settings of a parser and of its stages.
void print_parser(const std::string& heading, const nlohmann::json& model) {
  std::vector<std::string> words = pairs_of(model);
  words.insert(words.begin(), model.value("kind", "?"));
  print(heading, words);
  for (const auto& stage : model.value("stages", nlohmann::json::array()))
    print_parser("  " + stage.value("name", ""), stage.value("part", nlohmann::json::object()));
}

void print_for_people(const nlohmann::json& model, const std::string& file) {
  const nlohmann::json& metadata = model.at("metadata");
  const auto has = [&](const char* key) { return metadata.contains(key); };
  const double bytes = model.at("bytes"), unpacked = model.value("unpacked_bytes", bytes);
  fmt::print("{}: {}", file, size_text(bytes));
  if (bytes < unpacked) fmt::print(", {} when loaded", size_text(unpacked));
  fmt::print("\n");
  if (has("recipe")) print_text("recipe", text_of(metadata["recipe"]));
  if (has("language")) print_text("language", text_of(metadata["language"]));
  if (has("predicts") && metadata["predicts"].is_array())
    print("predicts", metadata["predicts"].get<std::vector<std::string>>(), ", ");
  print_text("confidence", has("confidence") ? "yes: parse --confidence" : "");
  for (const auto& training : metadata.value("training", nlohmann::json::array()))
    print_treebank("learned from", training);
  if (has("dev") && metadata["dev"].is_object()) print_treebank("measured on", metadata["dev"]);
  if (has("test") && metadata["test"].is_object()) print("on test", pairs_of(metadata["test"]));
  if (has("licence")) print_text("licence", text_of(metadata["licence"]));
  if (has("program")) print_text("made by", text_of(metadata["program"]));
  if (const std::string table = part_table(model); !table.empty()) fmt::print("\n{}", table);
  if (has("model") && metadata["model"].is_object()) {
    fmt::print("\n");
    print_parser("model", metadata["model"]);
  }
  fmt::print("\n--json has everything: the settings of training, labels, sections\n");
}

void run_info(const InfoArguments& options) {
  const nlohmann::json model = describe_model(options.model);
  if (options.json) {
    fmt::print("{}\n", json_text(model, 2));
    return;
  }
  print_for_people(model, options.model);
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto options = std::make_shared<InfoArguments>();
  Command command(app, "info", "Show what a model is: recipe, settings, training data, scores");
  command.option("-m,--model,MODEL", options->model, "Model file (.esp)").required();
  command.flag("--json", options->json, "Everything that the file says, as JSON");
  command.footer("Example:\n  espalier info en\n  espalier info --json models/en_ewt.esp");
  command.action([options] { run_info(*options); });
}

}  // namespace espalier::cli

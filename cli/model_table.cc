#include "cli/model_table.h"
#include "espalier/base/json_text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace espalier::cli {
namespace {

struct Row {
  std::string part, scores, epoch, size;
};

/// For display: "las" → "LAS", "words_f1" → "words F1".
std::string score_name(std::string name) {
  static const std::map<std::string, std::string, std::less<>> kNames = {
      {"las", "LAS"}, {"uas", "UAS"}, {"upos", "UPOS"}, {"xpos", "XPOS"}, {"feats", "FEATS"}, {"f1", "F1"}};
  if (const auto known = kNames.find(name); known != kNames.end()) return known->second;
  if (name.ends_with("_f1")) name.replace(name.size() - 3, 3, " F1");
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string scores_text(const nlohmann::json& dev) {
  std::vector<std::string> scores;
  for (const auto& [name, value] : dev.items())
    if (value.is_number()) scores.push_back(fmt::format("{} {:.2f}", score_name(name), value.get<double>()));
  return fmt::format("{}", fmt::join(scores, "  "));
}

/// Every part of a report that was measured, by its path: "parser", "member.0", "" for the whole.
void collect(const nlohmann::json& report, const std::string& path, std::vector<Row>& rows) {
  const auto dev = report.find("dev");
  const bool measured = dev != report.end() && dev->is_object();
  const bool counted = report.contains("best_epoch") && report.contains("epochs");
  const bool taken_over = report.value("taken_over", false);
  if (measured || counted || taken_over) {
    Row row{path, measured ? scores_text(*dev) : "", "", ""};
    if (taken_over) row.epoch = "taken over";
    if (counted) row.epoch = fmt::format("{} of {}", json_text(report["best_epoch"]), json_text(report["epochs"]));
    rows.push_back(std::move(row));
  }
  for (const auto& [name, value] : report.items())
    if (value.is_object() && name != "dev") collect(value, path.empty() ? name : path + '.' + name, rows);
}

/// Sections are called PART/...
double bytes_of(const nlohmann::json& sections, const std::string& part) {
  double bytes = 0;
  for (const auto& section : sections)
    if (section["name"].get<std::string>().starts_with(part + '/')) bytes += section["bytes"].get<double>();
  return bytes;
}

}  // namespace

std::string size_text(double bytes) {
  return bytes < 1e6 ? fmt::format("{:.0f} kB", bytes / 1e3) : fmt::format("{:.1f} MB", bytes / 1e6);
}

std::string part_table(const nlohmann::json& model) {
  const nlohmann::json& metadata = model.at("metadata");
  const auto report = metadata.find("report");
  if (report == metadata.end() || !report->is_object()) return "";
  std::vector<Row> rows;
  collect(*report, "", rows);
  if (rows.empty()) return "";
  // Stages in their order, not in that of their names.
  std::vector<std::string> order;
  for (const auto& stage : metadata.value(nlohmann::json::json_pointer("/model/stages"), nlohmann::json::array()))
    order.push_back(stage.value("name", ""));
  std::ranges::stable_sort(rows, {},
                           [&](const Row& row) { return std::ranges::find(order, row.part) - order.begin(); });
  const bool epochs = std::ranges::any_of(rows, [](const Row& row) { return !row.epoch.empty(); });
  size_t widths[] = {4, 6};
  for (Row& row : rows) {
    const double bytes = row.part.empty() ? 0 : bytes_of(model.at("sections"), row.part);
    if (bytes > 0) row.size = size_text(bytes);
    if (row.part.empty()) row.part = metadata.value("recipe", "model");
    widths[0] = std::max(widths[0], row.part.size());
    widths[1] = std::max(widths[1], row.scores.size());
  }
  const bool sizes = std::ranges::any_of(rows, [](const Row& row) { return !row.size.empty(); });
  std::string text;
  const auto line = [&](const Row& row) {
    std::string one = fmt::format("  {:<{}}  {:<{}}", row.part, widths[0], row.scores, widths[1]);
    if (epochs) one += fmt::format("  {:<10}", row.epoch);
    if (sizes) one += fmt::format("  {:>9}", row.size);
    text += one.substr(0, one.find_last_not_of(' ') + 1) + '\n';
  };
  line({"part", "on dev", "epoch", "size"});
  for (const Row& row : rows) line(row);
  return text;
}

std::string smaller_hint(const nlohmann::json& model, const std::string& file) {
  constexpr double kSmall = 1e6;
  const double bytes = model.at("bytes"), unpacked = model.value("unpacked_bytes", bytes);
  if (bytes < kSmall || bytes < unpacked) return "";
  return fmt::format(
      "smaller: espalier prune -m {} -o SMALL.esp --drop 0 compresses the file; --drop 0.5, --size 5 also drop what\n"
      "matters least. train --set packed=true compresses it at once.\n",
      file);
}

}  // namespace espalier::cli

#include "espalier/app/prune.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "espalier/app/installed_models.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/parser/model_file.h"
#include "espalier/weights/prune.h"

namespace espalier {
namespace {

/// The share to drop of each section; the longest matching name decides.
std::map<std::string, double> shares_of(const std::vector<std::string>& texts) {
  std::map<std::string, double> shares;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    const std::string name = equals == std::string::npos ? "" : text.substr(0, equals);
    const char *begin = text.data() + (name.empty() ? 0 : equals + 1), *end = text.data() + text.size();
    double share = 0;
    const auto [read, problem] = std::from_chars(begin, end, share);
    if (problem != std::errc() || read != end || !(share >= 0 && share < 1))
      throw usage_error("--drop {}: must be a share from 0 to below 1, or PART=SHARE", text);
    shares[name] = share;
  }
  return shares;
}

struct Pruned {
  ModelWriter writer;
  size_t rows_before = 0, rows_after = 0;
};

/// A part's rows are a section NAMErows beside its index, the section NAMEindex; a table of cells by hash is a section
/// NAME/rows beside the numbers of its last layer, the section NAME/output.
Pruned prune_file(const ModelFile& file, const std::map<std::string, double>& shares) {
  const auto share_of = [&](const std::string& section) {
    double share = 0;
    for (const auto& [name, value] : shares)  // in order: longer names come later
      if (section.starts_with(name)) share = value;
    return share;
  };
  Pruned pruned;
  pruned.writer.metadata = file.metadata();
  pruned.writer.metadata.erase("confidence");
  for (const auto& [section, length] : file.sections()) {
    if (section == "metadata") continue;
    const auto base = [&](std::string_view ending) {
      return section.ends_with(ending) ? section.substr(0, section.size() - ending.size()) : std::string();
    };
    const bool is_index = section.ends_with("index") && file.has(base("index") + "rows");
    const bool is_rows = section.ends_with("rows") && file.has(base("rows") + "index");
    if (is_rows) continue;  // written with its index
    if (section.ends_with("/rows") && file.has(base("rows") + "output")) {
      pruned.writer.add_array<int16_t>(section, prune_cells(file.array<int16_t>(section), share_of(section)));
      continue;
    }
    if (!is_index) {
      const auto bytes = file.section(section);
      pruned.writer.add(section, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
      continue;
    }
    const auto index = file.array<RowBucket>(section);
    const auto rows = file.array<int8_t>(base("index") + "rows");
    const size_t count = rows_of(index);
    if (count == 0 || rows.size() % count != 0 || !index_fits(index, count))
      throw data_error(file.name(), 0, "section '{}' is damaged", section);
    const PrunedRows fewer = prune_rows(index, rows, share_of(section));
    pruned.rows_before += count;
    pruned.rows_after += rows_of(fewer.index);
    pruned.writer.add_array<RowBucket>(section, fewer.index);
    pruned.writer.add_array<int8_t>(base("index") + "rows", fewer.rows);
  }
  if (pruned.rows_before == 0) throw usage_error("{} has no linear weights: there is nothing to prune", file.name());
  return pruned;
}

}  // namespace

nlohmann::json prune_model(const PruneModel& request) {
  if (request.drop.empty() && request.bytes <= 0) throw usage_error("one of --drop and --size is needed");
  const auto file = ModelFile::open(model_file(request.model));
  check_writable(request.output);
  std::map<std::string, double> shares = shares_of(request.drop);
  if (request.bytes > 0 && shares.contains("")) throw usage_error("--size says what all parts drop: --drop PART=SHARE");
  Pruned pruned;
  std::string bytes;
  const auto make = [&] {
    pruned = prune_file(*file, shares);
    bytes = pruned.writer.to_bytes(true);
  };
  if (request.bytes > 0) {
    // Begins with a small share of the rows, since packing takes long; size is nearly proportional to the share.
    constexpr double kSmall = 0.01, kNearEnough = 0.99;
    double keeps = kSmall, fits = 0, too_many = 1;
    for (int step = 0; step < 8; ++step) {
      shares[""] = 1 - keeps;
      make();
      const double size = static_cast<double>(bytes.size()) / request.bytes;
      (size <= 1 ? fits : too_many) = keeps;
      if (size <= 1 && (size >= kNearEnough || keeps == 1)) break;
      const double proportional = keeps / size * (size < 1 ? 1 : kNearEnough);
      keeps = std::clamp(proportional, fits + (too_many - fits) / 16, too_many - (too_many - fits) / 16);
      if (too_many == 1 && proportional >= 1) keeps = 1;
    }
    if (fits == 0) throw usage_error("{} cannot be made that small", request.model);
    if (shares[""] != 1 - fits) shares[""] = 1 - fits, make();
  } else {
    make();
  }
  write_file(request.output, bytes);
  return {{"model", request.output},
          {"bytes", bytes.size()},
          {"drop", shares},
          {"rows_before", pruned.rows_before},
          {"rows", pruned.rows_after}};
}

}  // namespace espalier

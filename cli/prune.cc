// espalier prune: a smaller copy of a trained model.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/model_table.h"
#include "espalier/app/prune.h"
#include "espalier/base/json_text.h"

namespace espalier::cli {
namespace {

struct PruneArguments : PruneModel {
  double megabytes = 0;
  bool json = false;
};

void run_prune(PruneArguments options) {
  options.bytes = options.megabytes * 1e6;
  const nlohmann::json report = prune_model(options);
  if (options.json) {
    fmt::print("{}\n", json_text(report, 2));
    return;
  }
  fmt::print("{}: {}, {} of {} rows\n", options.output, size_text(report["bytes"]), report["rows"].get<size_t>(),
             report["rows_before"].get<size_t>());
}

}  // namespace

void add_prune_command(CLI::App& app) {
  auto options = std::make_shared<PruneArguments>();
  Command command(app, "prune",
                  "Make a trained model smaller: features with small weights are dropped, the others rounded");
  command.option("-m,--model", options->model, "Model file (.esp), or an installed model's name").required();
  command.option("-o,--output", options->output, "Model file to write").required();
  command.option("--drop", options->drop, "Share of the features to drop: 0.9, or parser=0.9 of one part").one_by_one();
  command.option("--size", options->megabytes,
                 "Drop features of the other parts until the file has at most so many megabytes");
  command.flag("--json", options->json, "The report as JSON");
  command.footer(
      "The file is packed. Calibrate it again if it is to say how sure it is (espalier calibrate).\n\n"
      "Examples:\n  espalier prune -m large.esp -o small.esp --size 12\n"
      "  espalier prune -m large.esp -o small.esp --size 12 --drop tagger=0.9\n"
      "  espalier prune -m large.esp -o small.esp --drop 0.9 --drop tagger=0.7");
  command.action([options] { run_prune(*options); });
}

}  // namespace espalier::cli

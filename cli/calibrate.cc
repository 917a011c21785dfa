// espalier calibrate: fits a model's confidence.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "espalier/app/calibrate.h"
#include "espalier/base/error.h"
#include "espalier/base/json_text.h"

namespace espalier::cli {
namespace {

struct CalibrateArguments : CalibrateModel {
  bool json = false;
};

void run_calibrate(const CalibrateArguments& options) {
  if (options.dev.empty() && options.test.empty()) throw usage_error("--dev or --test is required");
  const auto report = calibrate_model(options);
  fmt::print("{}", options.json ? json_text(report, 2) + "\n" : reliability_table(report));
}

}  // namespace

void add_calibrate_command(CLI::App& app) {
  auto options = std::make_shared<CalibrateArguments>();
  options->message = print_message;
  Command command(app, "calibrate", "Fit the confidence of a model, for `parse --confidence`");
  command.option("-m,--model", options->model, "Model file (.esp); gets the calibration").required();
  command.option("-d,--dev", options->dev, "Treebank that the model was not trained on");
  command.option("-t,--test", options->test,
                 "Treebank to measure on (default: --dev, cross-validated); alone: only measure");
  command.option("-o,--output", options->output, "Another model file to write");
  command.option("--from", options->format, "Format of the treebanks if their names do not tell");
  command.option("-k,--kbest", options->kbest, "Size of the lists that confidence is taken from")
      .between(2, 64)
      .show_default();
  command.option("--threads", options->threads, "Threads; 0 = one per core").non_negative().show_default();
  command
      .option("-s,--set", options->settings,
              "key=value: settings to change and to keep in the model, such as taggings=2")
      .many();
  command.flag("--json", options->json, "The report as JSON");
  command.footer(
      "Example:\n  espalier calibrate -m en.esp --dev en-dev.conllu --test en-test.conllu\n"
      "  espalier parse -m en.esp --confidence -i news.txt\n"
      "  espalier calibrate -m en.esp -o en-4.esp --dev en-dev.conllu --set taggings=4");
  command.action([options] { run_calibrate(*options); });
}

}  // namespace espalier::cli

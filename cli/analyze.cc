// espalier analyze: the oracle scores of a model's k-best lists, and the scores of the model's choices.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "espalier/app/evaluate.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/json_text.h"

namespace espalier::cli {
namespace {

struct AnalyzeArguments : AnalyzeOptions {
  std::string model, gold, svg;
  std::vector<std::string> set;
  bool json = false;
};

void run_analyze(const AnalyzeArguments& options) {
  const ListReport report = analyze_file(Model(options.model, options.set), options.gold, options);
  if (!options.svg.empty()) write_file(options.svg, report.svg());
  fmt::print("{}", options.json ? json_text(report.json(), 2) + "\n" : report.table());
  if (report.skipped())
    throw Error(ErrorKind::kData, fmt::format("{} skipped", counted(report.skipped(), "bad sentence")));
}

}  // namespace

void add_analyze_command(CLI::App& app) {
  auto options = std::make_shared<AnalyzeArguments>();
  options->message = print_message;
  Command command(app, "analyze", "Compare the best trees of a model's k-best lists with those that it chooses");
  command.option("-m,--model", options->model, "Model file (.esp) with k-best lists").required();
  command.option("-g,--gold", options->gold, "Gold standard").required();
  command.option("-k,--kbest", options->kbest, "Trees per list").between(1, 4096).show_default();
  command.option("--from", options->format, "Format of the gold standard if its name does not tell");
  command.option("--punct", options->punct, "Which words UAS and the errors leave out; docs/evaluation.md")
      .one_of(punctuation_choices())
      .show_default();
  command.option("--threads", options->threads, "Threads; 0 = one per core").non_negative().show_default();
  command.option("-s,--set", options->set, "key=value: settings of the model to change, such as width=64");
  command.flag("--json", options->json, "As JSON");
  command.option("--svg", options->svg, "Draw the scores by size of the list into this file");
  command.footer(
      "oracle: scores of the best tree of each list. gold_in_list: lists that hold the gold tree with its labels;\n"
      "gold_not_first: and it is not their first. eps_H: errors of the best trees, percent of scored words "
      "(brackets);\n"
      "E_HC: of the first trees; eps_C_diff: their difference; eps_C_dist: distance from the first to the best trees.\n"
      "LAS counts all words.\n\nExample:\n  espalier analyze -m en.esp -g dev.conllu --kbest 32 --svg lists.svg");
  command.action([options] { run_analyze(*options); });
}

}  // namespace espalier::cli

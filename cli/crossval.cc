// espalier crossval: scores of a recipe on a treebank without a test part; learning curves.
#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/progress.h"
#include "espalier/app/train_crossval.h"
#include "espalier/base/error.h"
#include "espalier/base/json_text.h"
#include "espalier/base/output_file.h"

namespace espalier::cli {
namespace {

struct CrossvalArguments : CrossvalFiles {
  std::string shares, svg;
  bool json = false, quiet = false;
};

/// "0.1,0.5,1"
std::vector<double> numbers_of(const std::string& list) {
  std::vector<double> numbers;
  for (const char *at = list.data(), *end = at + list.size();;) {
    double number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (next != end && *next != ','))
      throw usage_error("--curve takes shares such as 0.1,0.25,0.5,1, not '{}'", list);
    numbers.push_back(number);
    if (next == end) return numbers;
    at = next + 1;
  }
}

void run_crossval(CrossvalArguments& options) {
  if (!options.shares.empty()) options.curve = numbers_of(options.shares);
  if (!options.svg.empty() && options.curve.size() < 2)
    throw usage_error("--svg draws a curve: --curve 0.1,0.25,0.5,1");
  ProgressDisplay display({options.quiet, ::isatty(STDERR_FILENO) == 1, ""}, stderr);
  options.progress = [&](const Progress& progress) { display.show(progress); };
  options.message = print_message;
  const auto report = crossvalidate(options);
  fmt::print("{}", options.json ? json_text(report, 2) + "\n" : crossval_table(report));
  if (options.svg.empty()) return;
  OutputFile file(options.svg);
  file.stream() << learning_curve_svg(report);
  file.commit();
}

}  // namespace

void add_crossval_command(CLI::App& app) {
  auto options = std::make_shared<CrossvalArguments>();
  Command command(app, "crossval", "Measure a recipe by cross-validation; draw learning curves");
  command.option("-r,--recipe", options->recipe, "Name (see `espalier recipes`) or FILE.toml").required();
  command.option("-t,--train", options->train, "Treebanks; .gz is fine").required().many();
  command.option("-k,--folds", options->folds, "Parts: each is parsed by a model that was trained on the others")
      .between(2, 1000)
      .show_default();
  command.option("--curve", options->shares, "Also with less to learn from: shares such as 0.1,0.25,0.5,1");
  command.option("--svg", options->svg, "Draw the curve into this file");
  command.option("-o,--output", options->output, "Write all sentences as parsed, in their order, for eval and compare");
  command.option("-s,--set", options->settings, "key=value, over the recipe's").many();
  command.option("--from", options->format, "Format of the treebanks if their names do not tell");
  command.option("--threads", options->threads, "Threads; 0 = one per core. The result does not depend on it")
      .non_negative()
      .show_default();
  command.option("--seed", options->seed, "Seed of all randomness").show_default();
  command.flag("--json", options->json, "The report as JSON");
  command.flag("-q,--quiet", options->quiet, "No progress on standard error");
  command.footer(
      "Prints mean and standard deviation over the folds, then each fold. Parts are made of pieces from all over\n"
      "the treebank. There is no dev part: every model is that of its last epoch.\n\nExamples:\n"
      "  espalier crossval --recipe beam --train hu.conllu --folds 10 -o beam.conllu\n"
      "  espalier crossval --recipe greedy --train hu.conllu --folds 10 -o greedy.conllu\n"
      "  espalier compare --gold hu.conllu --system beam.conllu --system greedy.conllu      and p\n"
      "  espalier crossval --recipe greedy --train hu.conllu --curve 0.1,0.25,0.5,1 --svg curve.svg");
  command.action([options] { run_crossval(*options); });
}

}  // namespace espalier::cli

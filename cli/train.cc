// espalier train: a recipe and treebanks in, a model file out.
#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/command.h"
#include "cli/model_table.h"
#include "cli/progress.h"
#include "espalier/app/model.h"
#include "espalier/app/train.h"
#include "espalier/base/atomic_file.h"
#include "espalier/base/error.h"

namespace espalier::cli {
namespace {

struct TrainArguments : TrainFiles {
  std::string log;
  bool quiet = false;
};

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void request_stop(int signal) {
  if (stop_requested.exchange(true)) end_by_signal(signal);
  constexpr std::string_view kMessage = "\nstopping; what is done so far will be kept (once more: stop at once)\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
}

/// The first Ctrl-C asks training to stop; the second ends it at once.
void stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void print_summary(const std::string& file) {
  const nlohmann::json model = describe_model(file);
  fmt::print("{}: {}\n{}{}", file, size_text(model["bytes"]), part_table(model), smaller_hint(model, file));
}

void run_train(TrainArguments& options) {
  ProgressDisplay display({options.quiet, ::isatty(STDERR_FILENO) == 1, options.log}, stderr);
  options.progress = [&](const Progress& progress) { display.show(progress); };
  options.message = print_message;
  options.stop = &stop_requested;
  stop_on_signals();

  const nlohmann::json result = train_files(options);
  if (result.contains("bytes")) print_summary(options.model);
  display.check_log();
  if (result["stopped"]) throw run_error("stopped early; --resume continues");
}

}  // namespace

void add_train_command(CLI::App& app) {
  auto options = std::make_shared<TrainArguments>();
  Command command(app, "train", "Train a model on treebanks");
  command.option("-r,--recipe", options->recipe, "Name (see `espalier recipes`) or FILE.toml").required();
  command
      .option("-t,--train", options->train,
              "Treebanks to learn from; .gz is fine. FILE:0.3 takes three sentences in ten, FILE:2 each twice")
      .required()
      .many();
  command.option("-d,--dev", options->dev, "Treebank to measure on after each epoch; the best epoch is kept");
  command.option("-m,--model", options->model, "Model file to write (.esp)").required();
  command
      .option("-s,--set", options->settings,
              "key=value, over the recipe's; `espalier recipes NAME --settings` lists them")
      .many();
  command.option("--init", options->init,
                 "Warm start: begin with the weights of this model; labels and tags may be new (docs/treebank.md)");
  command.option("--from", options->format, "Format of the treebanks if their names do not tell");
  command.option("--threads", options->threads, "Threads; 0 = one per core. The model does not depend on it")
      .non_negative()
      .show_default();
  command.option("--seed", options->seed, "Seed of all randomness").show_default();
  command.flag("--resume", options->resume, "Go on after an interruption, as if there had been none");
  command.flag("-q,--quiet", options->quiet, "No progress on standard error");
  command.option("--log", options->log, "Write progress to this file as JSON lines");
  command.option("--licence", options->licence, "Licence note to keep in the model");
  command.footer(
      "Ctrl-C (or SIGTERM) saves the best of the finished epochs, if there is one, and keeps everything for --resume,\n"
      "which ends with the same bytes as a run that was not interrupted: beside the model, in\n"
      "MODEL.checkpoint and MODEL.checkpoint.parts.\n\nExamples:\n"
      "  espalier train --recipe greedy --train en-train.conllu --dev en-dev.conllu --model en.esp\n"
      "  espalier train --recipe beam --train a.conllu b.conllu.gz --model en.esp --set beam=16 --set epochs=10\n"
      "  espalier train --recipe beam --init en.esp --train flights.conllu --model flights.esp\n"
      "  espalier train --recipe pipeline --train gold.conllu:2 silver.conllu.gz:0.5 --dev dev.conllu --model en.esp");
  command.action([options] { run_train(*options); });
}

}  // namespace espalier::cli

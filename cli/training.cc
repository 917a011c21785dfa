#include "cli/training.h"

#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/model_table.h"
#include "cli/progress.h"
#include "espalier/app/model.h"
#include "espalier/base/atomic_file.h"
#include "espalier/base/error.h"

namespace espalier::cli {
namespace {

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

}  // namespace

void add_training_options(Command& command, TrainFiles& files, TrainingDisplay& display) {
  command.option("-d,--dev", files.dev, "Treebank to measure on after each epoch; the best epoch is kept");
  command.option("-m,--model", files.model, "Model file to write (.esp)").required();
  command
      .option("-s,--set", files.settings, "key=value, over the recipe's; `espalier recipes NAME --settings` lists them")
      .many();
  command.option("--threads", files.threads, "Threads; 0 = one per core. The model does not depend on it")
      .non_negative()
      .show_default();
  command.option("--seed", files.seed, "Seed of all randomness").show_default();
  command.flag("--resume", files.resume, "Go on after an interruption, as if there had been none");
  command.flag("-q,--quiet", display.quiet, "No progress on standard error");
  command.option("--log", display.log, "Write progress to this file as JSON lines");
  command.option("--licence", files.licence, "Licence note to keep in the model");
}

void run_training(TrainFiles& files, const TrainingDisplay& options, const std::function<nlohmann::json()>& train) {
  ProgressDisplay display({options.quiet, ::isatty(STDERR_FILENO) == 1, options.log}, stderr);
  files.progress = [&](const Progress& progress) { display.show(progress); };
  files.message = print_message;
  files.stop = &stop_requested;
  stop_on_signals();

  const nlohmann::json result = train();
  if (result.contains("bytes")) print_summary(files.model);
  display.check_log();
  if (result["stopped"]) throw run_error("stopped early; --resume continues");
}

}  // namespace espalier::cli

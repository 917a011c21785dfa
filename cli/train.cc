// espalier train: a recipe and treebanks in, a model file out.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/progress.h"
#include "espalier/base/atomic_file.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/hash.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/folds.h"
#include "espalier/learn/trainer.h"

namespace espalier::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string recipe, dev, model, from, log, licence;
  std::vector<std::string> train, set;
  int threads = 1;
  uint64_t seed = 1;
  bool resume = false, quiet = false;
};

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void request_stop(int signal) {
  if (stop_requested.exchange(true)) end_by_signal(signal);
  constexpr std::string_view kMessage = "\nstopping; the best model so far will be saved (once more: stop at once)\n";
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

/// The sentences of a file that can be learned from, and what the metadata keeps about the file.
std::vector<Sentence> read_data(const std::string& file, const std::string& from, nlohmann::json* about) {
  SkipLog log;
  std::vector<Sentence> sentences;
  size_t tokens = 0;
  for (Sentence& sentence : read_sentences({file}, from, &log)) {
    const bool annotated = std::ranges::any_of(sentence.tokens, [](auto& t) { return t.head != Token::kNoHead; });
    int token = 0;
    // Whether several roots are too many is for the trainer to say.
    const std::string problem = annotated ? tree_problem(sentence, &token, Roots::kAny) : "";
    if (!problem.empty()) {
      log.skip(file, sentence, token, problem);
      continue;
    }
    tokens += sentence.tokens.size();
    sentences.push_back(std::move(sentence));
  }
  if (sentences.empty()) throw data_error(file, 0, "there is no sentence to learn from");
  *about = {{"file", fs::path(file).filename()},
            {"xxh3", fmt::format("{:016x}", hash_string(read_file(file)))},
            {"sentences", sentences.size()},
            {"tokens", tokens}};
  if (log.count()) (*about)["skipped"] = log.count();
  return sentences;
}

nlohmann::json settings_in_force(const Settings& settings) {
  nlohmann::json values = nlohmann::json::object();
  for (const auto& [key, known] : settings.known()) values[key] = known.value;
  return values;
}

void run(const Options& options) {
  Settings settings = load_recipe(options.recipe);
  for (const std::string& pair : options.set) settings.set_pair(pair);
  std::string licence = settings.text("licence", "", "licence note to keep in the model");
  if (!options.licence.empty()) licence = options.licence;
  settings.erase("licence");
  const bool packed = settings.flag("packed", false, "a smaller model file, unpacked into memory when loaded");
  settings.erase("packed");

  check_writable(options.model);
  ProgressDisplay display({options.quiet, ::isatty(STDERR_FILENO) == 1, options.log}, stderr);

  TrainData data;
  nlohmann::json about = {{"recipe", settings.text("recipe", "", "")}, {"seed", options.seed}};
  for (const std::string& file : options.train) {
    auto sentences = read_data(file, options.from, &about["training"].emplace_back());
    std::ranges::move(sentences, std::back_inserter(data.train));
  }
  if (!options.dev.empty()) data.dev = read_data(options.dev, options.from, &about["dev"]);

  TrainContext context;
  context.threads = thread_count(options.threads);
  context.seed = options.seed;
  context.checkpoint = options.model + ".checkpoint";
  context.resume = options.resume && (fs::exists(context.checkpoint) || fs::exists(checkpoint_folder(context)));
  if (options.resume && !context.resume && !options.quiet) {
    fmt::print(stderr, "there is no {}: starting from the beginning\n", context.checkpoint);
  }
  context.progress = [&](const Progress& progress) { display.show(progress); };
  context.note = [&](const std::string& note) { fmt::print(stderr, "{}\n", note); };
  context.stop = &stop_requested;
  stop_on_signals();

  const Trained trained = train(settings, data, context);
  if (!trained.parser) throw run_error("stopped before there was a model to save");
  about["settings"] = settings_in_force(settings);
  about["report"] = trained.report;
  if (!licence.empty()) about["licence"] = licence;
  save_parser(*trained.parser, about, options.model, packed);

  std::error_code not_a_file;
  const auto size = fs::file_size(options.model, not_a_file);
  if (!not_a_file) fmt::print("{}: {:.1f} MB\n", options.model, static_cast<double>(size) / 1e6);
  if (const std::string scores = summary(trained.report); !scores.empty()) fmt::print("{}\n", scores);
  if (stop_requested) {
    const bool kept = fs::exists(context.checkpoint) || fs::exists(checkpoint_folder(context));
    throw run_error("stopped early{}", kept ? "; --resume goes on from where it was" : "");
  }
  fs::remove(context.checkpoint);
  fs::remove_all(checkpoint_folder(context));
  display.check_log();
}

}  // namespace

void add_train_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("train", "Train a model on treebanks");
  command->add_option("-r,--recipe", options->recipe, "Name (see `espalier recipes`) or FILE.toml")->required();
  command->add_option("-t,--train", options->train, "Treebanks to learn from; .gz is fine")->required()->expected(-1);
  command->add_option("-d,--dev", options->dev, "Treebank to measure on after each epoch; the best epoch is kept");
  command->add_option("-m,--model", options->model, "Model file to write (.esp)")->required();
  command
      ->add_option("-s,--set", options->set,
                   "key=value, over the recipe's; `espalier recipes NAME --settings` lists them")
      ->expected(-1);
  command->add_option("--from", options->from, "Format of the treebanks if their names do not tell");
  command->add_option("--threads", options->threads, "Threads; 0 = one per core. The model does not depend on it")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of all randomness")->capture_default_str();
  command->add_flag("--resume", options->resume, "Go on after an interruption, as if there had been none");
  command->add_flag("-q,--quiet", options->quiet, "No progress on standard error");
  command->add_option("--log", options->log, "Write progress to this file as JSON lines");
  command->add_option("--licence", options->licence, "Licence note to keep in the model");
  command->footer(
      "Ctrl-C saves the best model so far; finished epochs, folds and stages wait for --resume beside the model, in\n"
      "MODEL.checkpoint and MODEL.checkpoint.parts.\n\nExamples:\n"
      "  espalier train --recipe greedy --train en-train.conllu --dev en-dev.conllu --model en.esp\n"
      "  espalier train --recipe beam --train a.conllu b.conllu.gz --model en.esp --set beam=16 --set epochs=10");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli

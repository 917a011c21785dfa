// espalier train: a recipe and treebanks in, a model file out.
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/training.h"

namespace espalier::cli {
namespace {

struct TrainArguments : TrainFiles {
  TrainingDisplay display;
};

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
  add_training_options(command, *options, options->display);
  command.option("--init", options->init,
                 "Warm start: begin with the weights of this model; labels and tags may be new (docs/treebank.md)");
  command.option("--from", options->format, "Format of the treebanks if their names do not tell");
  command.footer(
      "Ctrl-C (or SIGTERM) saves the best of the finished epochs, if there is one, and keeps everything for --resume,\n"
      "which ends with the same bytes as a run that was not interrupted: beside the model, in\n"
      "MODEL.checkpoint and MODEL.checkpoint.parts.\n\nExamples:\n"
      "  espalier train --recipe greedy --train en-train.conllu --dev en-dev.conllu --model en.esp\n"
      "  espalier train --recipe beam --train a.conllu b.conllu.gz --model en.esp --set beam=16 --set epochs=10\n"
      "  espalier train --recipe beam --init en.esp --train flights.conllu --model flights.esp\n"
      "  espalier train --recipe pipeline --train gold.conllu:2 silver.conllu.gz:0.5 --dev dev.conllu --model en.esp");
  command.action([options] { run_training(*options, options->display, [&] { return train_files(*options); }); });
}

}  // namespace espalier::cli

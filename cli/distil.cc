// espalier distil: teachers and text in, a student's model file out.
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/training.h"
#include "espalier/app/distil.h"

namespace espalier::cli {
namespace {

struct DistilArguments : DistilFiles {
  TrainingDisplay display;
};

}  // namespace

void add_distil_command(CLI::App& app) {
  auto options = std::make_shared<DistilArguments>();
  options->recipe = "pipeline";
  Command command(app, "distil", "Teach a small model by large ones: they annotate text, it learns from that and gold");
  command.option("--teacher", options->teachers, "Models that annotate the text; several vote").many();
  command.option("--text", options->texts, "What they annotate: raw text, or sentences; .gz is fine").many();
  command.option("--silver", options->silver, "Instead of teacher and text: trees that somebody has annotated").many();
  command.option("-r,--student", options->recipe, "The student's recipe: name (see `espalier recipes`) or FILE.toml")
      .show_default();
  command.option("-t,--train", options->train, "Treebanks to learn from, too; FILE:2 counts each sentence twice")
      .required()
      .many();
  add_training_options(command, *options, options->display);
  command.option("--from", options->from, "Format of the texts if their names do not tell").one_of(format_names());
  command
      .option("--leave-out", options->leave_out,
              "Treebanks, such as test parts, whose sentences silver must not have; those of --dev are left out\n"
              "anyhow, whatever their spaces, capitals and punctuation")
      .many();
  command.option("--min-words", options->min_words, "Shorter sentences are left out of silver")
      .positive()
      .show_default();
  command.option("--max-words", options->max_words, "Longer ones, too")
      .between(1, ParseOptions().max_words)
      .show_default();
  command.option("--confident", options->confident,
                 "Share of the sentences to learn from: those with the surest trees (0.8)");
  command.option(
      "--doubt", options->doubt,
      "Arcs that are less sure than this probability are not learned from (0.5); needs a student that learns\n"
      "from partial trees: greedy, beam, mst, cube, or a pipeline with one of them");
  command.footer(
      "MODEL.silver.conllu.gz stays beside the model; MODEL.silver.json says what it was made of. --resume annotates\n"
      "again only what Ctrl-C has interrupted. Of a pipeline, parser.tags=jackknife:2: the parser learns from the\n"
      "student's own tags. --confident and --doubt need a calibrated teacher (`espalier calibrate`), or several, "
      "whose\n"
      "agreement is their confidence; or silver with Confidence= or Conf= in MISC and # confidence or # conf.\n\n"
      "Examples:\n"
      "  espalier distil --teacher large.esp --text news.txt.gz --train train.conllu --dev dev.conllu --model "
      "small.esp\n"
      "  espalier distil --teacher a.esp b.esp --text news.txt --train train.conllu --dev dev.conllu --model small.esp "
      "\\\n"
      "    --doubt 0.9 --set parser.recipe=greedy\n"
      "  espalier distil --silver silver.conllu.gz --confident 0.8 --train train.conllu:2 --dev dev.conllu --model "
      "small.esp");
  command.action([options] { run_training(*options, options->display, [&] { return distil_files(*options); }); });
}

}  // namespace espalier::cli

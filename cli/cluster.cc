// espalier cluster: classes of words from raw text, for the setting `clusters` of recipes.
#include <fmt/core.h>
#include <unistd.h>

#include <memory>

#include "cli/command.h"
#include "cli/progress.h"
#include "espalier/app/cluster.h"
#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier::cli {
namespace {

struct ClusterArguments : ClusterFiles {
  bool quiet = false;
};

void run_cluster(ClusterArguments& options) {
  ProgressDisplay display({options.quiet, ::isatty(STDERR_FILENO) == 1, ""}, stderr);
  options.progress = [&](const Progress& progress) { display.show(progress); };
  options.message = print_message;
  const ClusteredFiles done = cluster_files(options);
  if (!options.quiet)
    print_message(fmt::format("{} words of text; {} words in {} classes; a class tells {:.3f} bits of the next",
                              done.tokens, done.words, done.classes, done.information));
  if (done.skipped > 0) throw Error(ErrorKind::kData, fmt::format("{} skipped", counted(done.skipped, "bad sentence")));
}

}  // namespace

void add_cluster_command(CLI::App& app) {
  auto options = std::make_shared<ClusterArguments>();
  Command command(app, "cluster", "Learn classes of words from raw text, as features for taggers and parsers");
  command.option("-i,--input,FILE", options->inputs, "Texts or treebanks; - = standard input; .gz is fine")
      .many()
      .show_default();
  command.option("-o,--output", options->output, "File to write; - = standard output").show_default();
  command.option("-c,--classes", options->classes, "Number of classes")
      .between(2, ClusterFiles::kMostClasses)
      .show_default();
  command.option("--min-count", options->min_count, "Words that occur less often have no class")
      .positive()
      .show_default();
  command.option("--words", options->words, "Most words that have a class, the most frequent ones")
      .positive()
      .show_default();
  command.option("--rounds", options->rounds, "Most passes over the words").positive().show_default();
  command.option("-m,--model", options->model, "Model whose tokenizer finds the words of raw text (default: rules)");
  command.option("--from", options->from, "Input format, if the name does not tell it; standard input is text")
      .one_of(format_names());
  command.option("--encoding", options->encoding, "Encoding of the input, such as latin1 or utf-16 (default: utf-8)");
  command.option("--language", options->language,
                 "Language of raw text that is cut by rules, an ICU locale (default: the model's, else en)");
  command.option("--threads", options->threads, "Threads; 0 = one per core. The output does not depend on it")
      .non_negative()
      .show_default();
  command.flag("-q,--quiet", options->quiet, "No progress on standard error");
  command.footer(
      "Words with the same neighbours come into the same class, and the classes into a binary tree. A line for each\n"
      "word: the path of its class in that tree, a tab, the word in lower case with digits as 0, a tab, its count.\n"
      "Classes help most where the treebank is small.\n\nExamples:\n"
      "  espalier cluster --input news/*.txt.gz --classes 1000 --output clusters.txt\n"
      "  espalier train --recipe tagger --train gold.conllu --model tagger.esp --set clusters=clusters.txt\n"
      "  grep -P '\\tdog\\t' clusters.txt");
  command.action([options] { run_cluster(*options); });
}

}  // namespace espalier::cli

// espalier check: every problem of a treebank, with file, line and token.
#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "cli/input.h"
#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string from;
};

struct Totals {
  long files = 0, sentences = 0, words = 0, problems = 0, files_with_problems = 0;
  long unreadable = 0;  // files; not bad data, but no success either
};

/// What a file holds wrong goes to standard output, one line each; a file that cannot be read is a problem too.
void check(const std::string& file, const std::string& format, Totals& totals) {
  const long before = totals.problems;
  ReaderOptions options;
  options.name = file;
  options.bad = BadSentence::kKeep;
  options.warn = true;
  options.report = [&](const Problem& problem) {
    ++totals.problems;
    fmt::print("{}\n", problem.text());
  };
  ++totals.files;
  try {
    const auto input = open_input(file);
    const auto reader = make_reader(format, *input, options);
    for (Sentence sentence; reader->next(sentence);) {
      ++totals.sentences;
      totals.words += sentence.size();
    }
  } catch (const Error& error) {
    ++totals.problems;
    totals.unreadable += error.kind() == ErrorKind::kRun;
    fmt::print("{}\n", error.what());
  }
  totals.files_with_problems += totals.problems > before;
}

void run(const Options& options) {
  Totals totals;
  for (const std::string& file : options.files) check(file, input_format(options.from, file, ""), totals);
  const std::string summary = fmt::format("{} problems in {} of {} files ({} sentences, {} words)", totals.problems,
                                          totals.files_with_problems, totals.files, totals.sentences, totals.words);
  std::fflush(stdout);  // the summary, which goes to standard error then, comes last
  if (totals.problems > totals.unreadable) throw Error(ErrorKind::kData, summary);
  if (totals.unreadable) throw Error(ErrorKind::kRun, summary);
  fmt::print("{}\n", summary);
}

}  // namespace

void add_check_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Report every problem of a treebank, with file, line and token");
  command->add_option("FILE", options->files, "Files to check ('-' = standard input)")->required();
  command->add_option("--from", options->from, "Format of the files, if their names do not tell it")
      ->check(CLI::IsMember(format_names()));
  command->footer("Exit code 3 if there is any.\nExample:\n  espalier check train.conllu dev.conllu.gz");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli

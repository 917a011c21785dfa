// espalier check: every problem of a treebank, with file, line and token.
#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "espalier/app/files.h"
#include "espalier/base/error.h"

namespace espalier::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string from;
};

struct Totals {
  size_t sentences = 0, words = 0, problems = 0, files_with_problems = 0;
  size_t unreadable = 0;  // files; not bad data, but no success either
};

/// What a file holds wrong goes to standard output, one line each; a file that cannot be read is a problem too.
void run(const Options& options) {
  Totals totals;
  for (const std::string& file : options.files) {
    const CheckedFile checked = check_file(
        file, options.from, [](const Problem& problem) { fmt::print("{}\n", problem.text()); },
        [](const std::string& message) { fmt::print("{}\n", message); });
    totals.sentences += checked.sentences;
    totals.words += checked.words;
    totals.problems += checked.problems;
    totals.files_with_problems += checked.problems > 0;
    totals.unreadable += !checked.readable;
  }
  const std::string summary = fmt::format("{} in {} of {} ({}, {})", counted(totals.problems, "problem"),
                                          totals.files_with_problems, counted(options.files.size(), "file"),
                                          counted(totals.sentences, "sentence"), counted(totals.words, "word"));
  std::fflush(stdout);  // the summary, which goes to standard error then, comes last
  if (totals.problems > totals.unreadable) throw Error(ErrorKind::kData, summary);
  if (totals.unreadable) throw Error(ErrorKind::kRun, summary);
  fmt::print("{}\n", summary);
}

}  // namespace

void add_check_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  Command command(app, "check", "Report every problem of a treebank, with file, line and token");
  command.option("FILE", options->files, "Files to check ('-' = standard input)").required();
  command.option("--from", options->from, "Format of the files, if their names do not tell it").one_of(format_names());
  command.footer("Exit code 3 if there is any.\nExample:\n  espalier check train.conllu dev.conllu.gz");
  command.action([options] { run(*options); });
}

}  // namespace espalier::cli

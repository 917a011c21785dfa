// espalier check: every problem of a treebank, with file, line and token.
#include <fmt/core.h>

#include <cstdio>
#include <limits>
#include <map>
#include <memory>

#include "cli/command.h"
#include "espalier/app/files.h"
#include "espalier/base/error.h"

namespace espalier::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  std::string from;
  int level = 2;
  bool all = false;
};

struct Totals {
  size_t sentences = 0, words = 0, problems = 0, warnings = 0, files_with_problems = 0;
  size_t unreadable = 0;  // files that could not be read
};

/// Shows the first few messages of a kind and counts the others.
class Repeats {
 public:
  explicit Repeats(size_t most) : most_(most) {}
  bool shows(const std::string& message) {
    if (seen_[message]++ < most_) return true;
    ++hidden_;
    return false;
  }
  /// `text` with the number of those that were not shown.
  void summary(std::string_view text, std::string_view noun) const {
    if (hidden_ > 0)
      fmt::print("{}", fmt::format(fmt::runtime(text),
                                   noun == "more" ? fmt::format("{} more", hidden_) : counted(hidden_, noun)));
  }

 private:
  size_t most_, hidden_ = 0;
  std::map<std::string, size_t> seen_;
};

/// Problems go to standard output, one line each; a file that cannot be read counts as a problem.
void run_check(const CheckArguments& options) {
  Totals totals;
  for (const std::string& file : options.files) {
    constexpr auto kEvery = std::numeric_limits<size_t>::max();
    Repeats columns(options.all ? kEvery : 1), warnings(options.all ? kEvery : 10);
    const CheckedFile checked = check_file(
        file, options.from,
        [&](const Problem& problem) {
          if (problem.message.find(" instead of 10") == std::string::npos || columns.shows(problem.message))
            fmt::print("{}\n", problem.text());
        },
        [](const std::string& message) { fmt::print("{}\n", message); }, options.level,
        [&](const Problem& problem) {
          if (warnings.shows(problem.message)) fmt::print("warning: {}\n", problem.text());
        });
    columns.summary("the same on {} (spaces instead of tabs, or another format? --from says which)\n", "more line");
    warnings.summary("warning: and {} of these kinds, counted but not shown\n", "more");
    totals.warnings += checked.warnings;
    totals.sentences += checked.sentences;
    totals.words += checked.words;
    totals.problems += checked.problems;
    totals.files_with_problems += checked.problems > 0;
    totals.unreadable += !checked.readable;
  }
  std::string summary = counted(totals.problems, "problem");
  if (totals.warnings > 0) summary += " and " + counted(totals.warnings, "warning");
  if (totals.problems > 0 && options.files.size() > 1) summary += fmt::format(" in {} of", totals.files_with_problems);
  if (totals.problems == 0 || options.files.size() == 1) summary += " in";
  summary += fmt::format(" {} ({}, {})", counted(options.files.size(), "file"), counted(totals.sentences, "sentence"),
                         counted(totals.words, "word"));
  std::fflush(stdout);  // before the summary on standard error
  if (totals.problems > totals.unreadable) throw Error(ErrorKind::kData, summary);
  if (totals.unreadable) throw Error(ErrorKind::kRun, summary);
  fmt::print("{}\n", summary);
}

}  // namespace

void add_check_command(CLI::App& app) {
  auto options = std::make_shared<CheckArguments>();
  Command command(app, "check", "Report every problem of a treebank, with file, line and token");
  command.option("FILE", options->files, "Files to check ('-' = standard input)").required();
  command.option("--from", options->from, "Format of the files, if their names do not tell it").one_of(format_names());
  command
      .option("--level", options->level,
              "Also warn about what Universal Dependencies ask for: 1 = of the file (sent_id, text, spaces),\n"
              "2 = and of tags, features and relations; 0 = nothing")
      .between(0, 2)
      .show_default();
  command.flag("--all", options->all, "Show every line, however many are alike");
  command.footer(
      "Exit code 3 if there is any problem; warnings do not count.\n"
      "Example:\n  espalier check train.conllu dev.conllu.gz");
  command.action([options] { run_check(*options); });
}

}  // namespace espalier::cli

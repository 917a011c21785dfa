// espalier eval: scores of a system's analyses against a gold standard.
#include <fmt/core.h>

#include <memory>

#include "cli/command.h"
#include "espalier/base/error.h"
#include "espalier/eval/report.h"
#include "espalier/format/format.h"

namespace espalier::cli {
namespace {

struct Options {
  std::string gold, system, format, punct = "include";
  bool exclude_punct = false, json = false, details = false, strict = false, skip_failures = false;
};

void run(const Options& options) {
  const NamedTreebank gold{options.gold, read_treebank(options.gold, options.format)};
  const NamedTreebank system{options.system, read_treebank(options.system, options.format)};
  if ((options.format.empty() ? guess_format(options.gold) : options.format) == "ptb") {
    const BracketReport report = report_brackets(gold, system, {.skip_failures = options.skip_failures});
    for (const std::string& message : report.messages) fmt::print(stderr, "{}\n", message);
    fmt::print("{}", options.json ? to_json(report).dump(2) + "\n" : to_table(report, options.details));
    return;
  }
  const std::string& punct = options.exclude_punct && options.punct == "include" ? "upos" : options.punct;
  const DependencyReport report =
      report_dependencies(gold, system, {.punctuation = punctuation_named(punct), .strict = options.strict});
  fmt::print("{}", options.json ? to_json(report).dump(2) + "\n" : to_table(report, options.details));
}

}  // namespace

void add_eval_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("eval", "Score a system's trees against a gold standard");
  command->add_option("-g,--gold", options->gold, "Gold standard")->required();
  command->add_option("-s,--system", options->system, "The system's analysis of the same text")->required();
  command->add_option("--format", options->format, "Format of both files (default: by their names)");
  command->add_flag("--exclude-punct", options->exclude_punct, "Leave out words whose gold UPOS is PUNCT");
  command->add_option("--punct", options->punct, "Which words attachment scores leave out; docs/evaluation.md")
      ->check(CLI::IsMember(punctuation_names()))
      ->capture_default_str();
  command->add_flag("--details", options->details, "Also by relation or label, distance and sentence length");
  command->add_flag("--strict", options->strict, "Stop at a sentence that is no single-rooted tree");
  command->add_flag("--skip-failures", options->skip_failures,
                    "Leave constituent trees that are missing out, as evalb does");
  command->add_flag("--json", options->json, "Everything, as JSON");
  command->footer(
      "If gold and system split the text into other words or sentences, words are aligned as in the CoNLL 2018 shared\n"
      "task.\nExamples:\n  espalier eval -g test.conllu -s parsed.conllu --details\n"
      "  espalier eval -g test.ptb -s parsed.ptb --json");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli

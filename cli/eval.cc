// espalier eval: scores of a system's analyses against a gold standard.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "espalier/app/evaluate.h"
#include "espalier/base/json_text.h"

namespace espalier::cli {
namespace {

struct EvalArguments : EvaluateOptions {
  std::string gold, system;
  bool exclude_punct = false, json = false, details = false;
};

void run_eval(EvalArguments& options) {
  if (options.exclude_punct && options.punct == "include") options.punct = "upos";
  const Evaluation evaluation = evaluate_files(options.gold, options.system, options);
  for (const std::string& message : evaluation.messages()) print_message(message);
  fmt::print("{}", options.json ? json_text(evaluation.json(), 2) + "\n" : evaluation.table(options.details));
}

}  // namespace

void add_eval_command(CLI::App& app) {
  auto options = std::make_shared<EvalArguments>();
  Command command(app, "eval", "Score a system's trees against a gold standard");
  command.option("-g,--gold,GOLD", options->gold, "Gold standard").required();
  command.option("-s,--system,SYSTEM", options->system, "The system's analysis of the same text").required();
  command.option("--format", options->format, "Format of both files (default: by their names)");
  command.flag("--exclude-punct", options->exclude_punct, "Leave out words whose gold UPOS is PUNCT");
  command.option("--punct", options->punct, "Which words attachment scores leave out; docs/evaluation.md")
      .one_of(punctuation_choices())
      .show_default();
  command.flag("--details", options->details, "Also by relation or label, distance and sentence length");
  command.flag("--strict", options->strict, "Stop at a sentence that is no single-rooted tree");
  command.flag("--skip-failures", options->skip_failures,
               "Leave constituent trees that are missing out, as evalb does");
  command.flag("--json", options->json, "Everything, as JSON");
  command.footer(
      "If gold and system split the text into other words or sentences, words are aligned as in the CoNLL 2018 shared\n"
      "task.\nExamples:\n  espalier eval -g test.conllu -s parsed.conllu --details\n"
      "  espalier eval -g test.ptb -s parsed.ptb --json");
  command.action([options] { run_eval(*options); });
}

}  // namespace espalier::cli

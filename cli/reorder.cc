// espalier reorder: the words of parsed sentences in the order of another language.
#include <memory>

#include "cli/command.h"
#include "espalier/app/files.h"
#include "espalier/base/error.h"

namespace espalier::cli {
namespace {

void run_reorder(const ReorderFile& request) {
  const ReorderedFile reordered = reorder_file(request);
  if (reordered.skipped == 0) return;
  throw Error(ErrorKind::kData, fmt::format("{} skipped", counted(reordered.skipped, "bad sentence")));
}

}  // namespace

void add_reorder_command(CLI::App& app) {
  auto options = std::make_shared<ReorderFile>();
  options->message = print_message;
  Command command(app, "reorder", "Put words in the order of another language, by rules over trees");
  command.option("-r,--rules", options->rules, "Built-in rules (en-ja, en-es) or a rule file; docs/objectives.md")
      .required();
  command.option("-i,--input", options->input, "Parsed sentences; - = standard input").show_default();
  command.option("-o,--output", options->output, "File to write; - = standard output").show_default();
  command.option("--from", options->from, "Input format, if the name does not tell it").one_of(format_names());
  command
      .option("--to", options->to,
              "horizontal = the words in their new order, a sentence a line; conllu or json = the sentences as they\n"
              "were, with each word's new place as Order= in MISC, which `espalier eval` compares")
      .one_of({"horizontal", "conllu", "json"})
      .show_default();
  command.footer(
      "Examples:\n"
      "  espalier parse -m models/en_ewt.esp --from text -i a.txt | espalier reorder --rules en-ja\n"
      "  espalier reorder --rules en-ja -i parsed.conllu --to conllu -o ordered.conllu\n"
      "  espalier eval --gold reference.conllu --system ordered.conllu        # keys reorder and reorder_exact");
  command.action([options] { run_reorder(*options); });
}

}  // namespace espalier::cli

// espalier reorder: the words of parsed sentences in the order of another language.
#include <memory>

#include "cli/command.h"
#include "cli/input.h"
#include "espalier/base/error.h"
#include "espalier/base/output_file.h"
#include "espalier/tree/reorder.h"

namespace espalier::cli {
namespace {

struct Options {
  std::string rules, input = "-", output = "-", from, to = "horizontal";
};

void run(const Options& options) {
  const ReorderRules rules(reorder_rules_text(options.rules), options.rules);
  SkipLog log;
  const Input input = open_sentences(options.input, input_format(options.from, options.input, "conllu"), &log);
  OutputFile output(options.output);
  const auto writer = make_writer(options.to == "horizontal" ? "conllu" : options.to, output.stream());
  for (Sentence sentence; input.reader->next(sentence);) {
    const std::vector<int> order = rules.order(sentence);
    if (options.to == "horizontal") {
      std::string line;
      for (const int word : order) line.append(line.empty() ? "" : " ").append(sentence.word(word).form);
      output.stream() << line << '\n';
    } else {
      std::vector<int> positions(order.size() + 1, 0);
      for (size_t i = 0; i < order.size(); ++i) positions[static_cast<size_t>(order[i])] = static_cast<int>(i) + 1;
      set_reference_order(sentence, positions);
      writer->write(sentence);
    }
  }
  writer->finish();
  output.commit();
  if (log.count()) throw Error(ErrorKind::kData, fmt::format("bad sentences that were skipped: {}", log.count()));
}

}  // namespace

void add_reorder_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("reorder", "Put words in the order of another language, by rules over trees");
  command->add_option("-r,--rules", options->rules, "Built-in rules (en-ja, en-es) or a rule file; docs/reorder.md")
      ->required();
  command->add_option("-i,--input", options->input, "Parsed sentences; - = standard input")->capture_default_str();
  command->add_option("-o,--output", options->output, "File to write; - = standard output")->capture_default_str();
  command->add_option("--from", options->from, "Input format, if the name does not tell it")
      ->check(CLI::IsMember(format_names()));
  command
      ->add_option(
          "--to", options->to,
          "horizontal = the words in their new order, a sentence a line; conllu or json = the sentences as they\n"
          "were, with each word's new place as Order= in MISC, which `espalier eval` compares")
      ->check(CLI::IsMember({"horizontal", "conllu", "json"}))
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  espalier parse -m models/en_ewt.esp --from text -i a.txt | espalier reorder --rules en-ja\n"
      "  espalier reorder --rules en-ja -i parsed.conllu --to conllu -o ordered.conllu\n"
      "  espalier eval --gold reference.conllu --system ordered.conllu        # keys reorder and reorder_exact");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli

// espalier draw: trees to look at, in the terminal or as a picture.
#include <memory>

#include "cli/command.h"
#include "espalier/base/error.h"
#include "espalier/base/output_file.h"
#include "espalier/format/format.h"

namespace espalier::cli {
namespace {

struct Options {
  std::string input = "-", output = "-", from, to = "text";
  long first = 1, count = 0;
};

void run(const Options& options) {
  std::string from = options.from.empty() ? guess_format(options.input) : options.from;
  if (from.empty()) from = "conllu";
  const auto input = open_input(options.input);
  OutputFile output(options.output);
  ReaderOptions reading;
  reading.name = options.input;
  const auto reader = make_reader(from, *input, reading);
  const auto writer = make_writer(options.to == "text" ? "text-tree" : options.to, output.stream());
  Sentence sentence;
  for (long number = 1; reader->next(sentence); ++number) {
    if (number < options.first) continue;
    writer->write(sentence);
    if (options.count > 0 && number - options.first + 1 >= options.count) break;
  }
  writer->finish();
  output.commit();
}

}  // namespace

void add_draw_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("draw", "Draw dependency or constituent trees");
  command->add_option("-i,--input", options->input, "Treebank, - for standard input")->capture_default_str();
  command->add_option("-o,--output", options->output, "- for standard output")->capture_default_str();
  command->add_option("--from", options->from, "Format of the input (default: by its name, else conllu)");
  command->add_option("--to", options->to, "text: for the terminal; svg: a picture")
      ->check(CLI::IsMember({"text", "text-tree", "svg"}))
      ->capture_default_str();
  command->add_option("--first", options->first, "Number of the first sentence to draw")->capture_default_str();
  command->add_option("--count", options->count, "How many sentences, 0 for all")->capture_default_str();
  command->footer(
      "Examples:\n  echo 'Flying planes can be dangerous.' | espalier parse -m models/en_ewt.esp | espalier draw\n"
      "  espalier draw -i test.conllu --first 17 --count 1 --to svg -o tree.svg");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli

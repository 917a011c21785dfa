// espalier convert: from one format to another; also segments raw text into sentences and words.
#include <fmt/core.h>

#include <memory>

#include "cli/command.h"
#include "cli/input.h"
#include "espalier/base/error.h"
#include "espalier/base/output_file.h"
#include "espalier/format/format.h"
#include "espalier/tree/strip_annotation.h"

namespace espalier::cli {
namespace {

struct Options {
  std::string input = "-", output = "-", from, to, language = "en";
  bool strip = false;
};

void run(const Options& options) {
  const std::string from = input_format(options.from, options.input, "");
  const std::string to = options.to.empty() ? guess_format(options.output) : options.to;
  if (to.empty()) throw usage_error("{}: the name does not tell the format; say --to", options.output);
  ReaderOptions reading;
  reading.name = options.input;
  reading.language = options.language;
  const auto input = open_input(options.input);
  const auto reader = make_reader(from, *input, reading);
  OutputFile output(options.output);
  const auto writer = make_writer(to, output.stream());
  Stripped stripped;
  for (Sentence sentence; reader->next(sentence);) {
    if (options.strip) {
      stripped += strip_annotation(sentence.constituents);
      if (sentence.tokens.empty()) continue;  // nothing but traces
    }
    writer->write(sentence);
  }
  writer->finish();
  output.commit();
  if (options.strip) {
    fmt::print(stderr, "stripped {} function tags, {} coindices, {} traces and {} constituents that were left empty\n",
               stripped.function_tags, stripped.coindices, stripped.traces, stripped.constituents);
  }
}

}  // namespace

void add_convert_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("convert", "Convert between conllu, conllx, ptb, text and json");
  command->add_option("-i,--input", options->input, "Input file ('-' = standard input)");
  command->add_option("-o,--output", options->output, "Output file ('-' = standard output)");
  command->add_option("--from", options->from, "Input format, if the name does not tell it")
      ->check(CLI::IsMember(format_names()));
  command->add_option("--to", options->to, "Output format, if the name does not tell it")
      ->check(CLI::IsMember(output_format_names()));
  command->add_option("--language", options->language, "Language of raw text, an ICU locale")->capture_default_str();
  command->add_flag("--strip", options->strip,
                    "Take function tags, coindices and traces out of phrase-structure trees, and say how many");
  command->footer(
      "Examples:\n  espalier convert -i train.conll -o train.conllu\n"
      "  espalier convert --strip -i wsj.mrg -o plain.ptb\n"
      "  echo \"I can't sing.\" | espalier convert --from text --to conllu");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli

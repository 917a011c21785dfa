// espalier convert: from one format to another; also segments raw text into sentences and words.
#include <memory>

#include "cli/command.h"
#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier::cli {
namespace {

struct Options {
  std::string input = "-", output = "-", from, to, language = "en";
};

std::string format_of(const std::string& file, const std::string& given, const char* option) {
  const std::string format = given.empty() ? guess_format(file) : given;
  if (format.empty()) throw usage_error("cannot tell the format of '{}' from its name; give {}", file, option);
  return format;
}

void run(const Options& options) {
  const std::string from = format_of(options.input, options.from, "--from");
  const std::string to = format_of(options.output, options.to, "--to");
  ReaderOptions reading;
  reading.name = options.input;
  reading.language = options.language;
  const auto input = open_input(options.input);
  const auto reader = make_reader(from, *input, reading);
  Sentence sentence;
  bool more = reader->next(sentence);  // before the output is opened, so that a bad input destroys no file
  const auto output = open_output(options.output);
  const auto writer = make_writer(to, *output);
  for (; more; more = reader->next(sentence)) writer->write(sentence);
  writer->finish();
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
      ->check(CLI::IsMember(format_names()));
  command->add_option("--language", options->language, "Language of raw text, an ICU locale")->capture_default_str();
  command->footer(
      "Examples:\n  espalier convert -i train.conll -o train.conllu\n"
      "  echo \"I can't sing.\" | espalier convert --from text --to conllu");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli

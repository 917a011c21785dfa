// espalier convert: from one format to another; also segments raw text into sentences and words.
#include <memory>

#include "cli/command.h"
#include "espalier/app/files.h"

namespace espalier::cli {
namespace {

struct ConvertArguments : ConvertFile {
  std::string text_sentences;
};

}  // namespace

void add_convert_command(CLI::App& app) {
  auto options = std::make_shared<ConvertArguments>();
  options->message = print_message;
  Command command(app, "convert", "Convert between conllu, conllx, ptb, text and json");
  command.option("-i,--input,FILE", options->input, "Input file ('-' = standard input)");
  command.option("-o,--output", options->output, "Output file ('-' = standard output)");
  command.option("--from", options->from, "Input format, if the name does not tell it").one_of(format_names());
  command.option("--encoding", options->encoding, "Encoding of the input, such as latin1 or utf-16 (default: utf-8)");
  command.option("--to", options->to, "Output format, if the name does not tell it").one_of(output_format_names());
  command.option("--language", options->language, "Language of raw text, an ICU locale").show_default();
  command
      .option("--sentences", options->text_sentences,
              "Of raw text: where sentences end (default: where the rules find it)")
      .one_of({"line", "paragraph"});
  command.flag("--offsets", options->offsets,
               "Of raw text: TokenRange=BEGIN:END in MISC, characters of the file from 0 on");
  command.option("--heads", options->head_rules,
                 "Heads and relations of phrase-structure trees, by head rules: english, generic or a file");
  command.flag("--strip", options->strip,
               "Take function tags, coindices and traces out of phrase-structure trees, and say how many");
  command.footer(
      "Examples:\n  espalier convert -i train.conll -o train.conllu\n"
      "  espalier convert --strip -i wsj.mrg -o plain.ptb\n"
      "  espalier convert --heads english -i wsj.mrg -o wsj.conllu   dependencies, for the other parsers\n"
      "  echo \"I can't sing.\" | espalier convert --from text --to conllu\n"
      "  espalier convert -i parsed.conllu --to text-exact   the raw text that it came from");
  command.action([options] {
    options->sentences = text_sentences(options->text_sentences);
    convert_file(*options);
  });
}

}  // namespace espalier::cli

// espalier parse: sentences or raw text in, analyses out, as a stream.
#include <fmt/core.h>

#include <memory>
#include <sstream>

#include "cli/command.h"
#include "espalier/app/files.h"
#include "espalier/base/error.h"

namespace espalier::cli {
namespace {

struct ParseArguments : ParseFiles {
  std::string model, lexicon, text_sentences, keep_columns;
  std::vector<std::string> set;
};

Keep keep_named(const std::string& columns) {
  Keep keep;
  std::istringstream list(columns);
  for (std::string name; std::getline(list, name, ',');) {
    if (name != "tags" && name != "heads")
      throw usage_error("--keep {}: there are tags, heads and tags,heads", columns);
    (name == "tags" ? keep.tags : keep.heads) = true;
  }
  return keep;
}

void run_parse(ParseArguments& options) {
  options.parse.keep = keep_named(options.keep_columns);
  options.parse.sentences = text_sentences(options.text_sentences);
  if (!options.lexicon.empty()) options.set.push_back("lexicon=" + options.lexicon);
  const ParsedFiles parsed = parse_files(Model(options.model, options.set), options);
  if (parsed.failed > 0)
    throw run_error("{} could not be parsed: written without heads", counted(parsed.failed, "sentence"));
  if (parsed.skipped == 0) return;
  throw Error(ErrorKind::kData, fmt::format("{} skipped", counted(parsed.skipped, "bad sentence")));
}

}  // namespace

void add_parse_command(CLI::App& app) {
  auto options = std::make_shared<ParseArguments>();
  options->message = print_message;
  Command command(app, "parse", "Parse sentences or raw text with a model");
  command.option("-m,--model", options->model, "Model file (.esp)").required();
  command.option("-i,--input,FILE", options->inputs, "Files to parse; - = standard input; .gz is fine")
      .many()
      .show_default();
  command
      .option("-o,--output", options->output,
              "File to write; - = standard output; with {stem} in its name a file for each input")
      .show_default();
  command
      .option("--from", options->from,
              "Input format, if the name does not tell it; horizontal: a sentence a line, words by spaces;\n"
              "vertical: a word a line")
      .one_of(format_names());
  command.option("--encoding", options->encoding, "Encoding of the input, such as latin1 or utf-16 (default: utf-8)");
  command.option("--to", options->to, "Output format (default: as the output's name says, else as the input)")
      .one_of(output_format_names());
  command.option("--width", options->writing.width, "Pixels that a line of an svg may have; 0 = any number")
      .non_negative()
      .show_default();
  command.option(
      "--language", options->parse.language,
      "Language of raw text, an ICU locale (default: the model's, else en); a model with a tokenizer of its\n"
      "own does not need it");
  command
      .option("--sentences", options->text_sentences,
              "Of raw text: where sentences end (default: where the model or the rules find it)")
      .one_of({"line", "paragraph"});
  command.flag("--offsets", options->parse.offsets,
               "Of raw text: TokenRange=BEGIN:END in MISC, characters of the file from 0 on");
  command.option("-k,--kbest", options->parse.kbest, "Write the K best analyses of each sentence, with scores")
      .positive();
  command.flag("--confidence", options->parse.confidence,
               "Confidence: a comment for each tree, Confidence= in MISC for each arc (see `calibrate`)");
  command.option("--keep", options->keep_columns,
                 "tags, heads or tags,heads: what the input says there stays, and the model predicts what it leaves "
                 "open (_)");
  command
      .option("--max-words", options->parse.max_words,
              "Longer sentences are split, which bounds memory and time; 0 = no limit")
      .non_negative()
      .show_default();
  command.option("--threads", options->threads, "Threads; 0 = one per core. The output does not depend on it")
      .non_negative()
      .show_default();
  command.option("--lexicon", options->lexicon,
                 "Lemmas that win: lines of form, tab, lemma and perhaps a tab and tags (UPOS, XPOS or features)");
  command.option("-s,--set", options->set, "key=value: settings of the model to change, such as beam=64").one_by_one();
  command.footer(
      "Formats are guessed from file names; standard input is CoNLL-U unless --from says otherwise.\n"
      "Bad sentences are reported and skipped, with exit code 3 at the end.\n\nExamples:\n"
      "  echo 'Flying planes can be dangerous.' | espalier parse -m models/en_ewt.esp --from text --to text-tree\n"
      "  espalier parse -m en.esp test.conllu -o parsed.conllu --threads 0\n"
      "  espalier parse -m en.esp news/*.txt -o 'parsed/{stem}.conllu'\n"
      "  zcat big.conllu.gz | espalier parse -m en.esp | grep nsubj");
  command.action([options] { run_parse(*options); });
}

}  // namespace espalier::cli

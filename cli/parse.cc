// espalier parse: sentences or raw text in, analyses out, as a stream.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "cli/command.h"
#include "cli/input.h"
#include "espalier/base/error.h"
#include "espalier/base/output_file.h"
#include "espalier/parser/stream.h"

namespace espalier::cli {
namespace {

struct Options {
  std::string model, input = "-", output = "-", from, to, language = "en", lexicon;
  std::vector<std::string> set;
  int threads = 1, kbest = 0;
};

/// --to if given, else what the output's name says, else the input's own format, if it can hold what is predicted.
std::string output_format(const Options& options, const std::string& from, const Parser& parser) {
  if (!options.to.empty()) return options.to;
  if (const std::string guess = guess_format(options.output); !guess.empty()) return guess;
  const auto predicts = parser.predicts();
  if (std::ranges::find(predicts, "constituents") != predicts.end()) return "ptb";
  return from == "text" || from == "ptb" ? "conllu" : from;
}

void run(const Options& options) {
  Settings overrides;
  for (const std::string& pair : options.set) overrides.set_pair(pair);
  if (!options.lexicon.empty()) overrides.set("lexicon", options.lexicon);
  const auto parser = load_parser(options.model, overrides);
  const std::string from = input_format(options.from, options.input, "conllu");

  SkipLog log;
  OutputFile output(options.output);
  const auto writer = make_writer(output_format(options, from, *parser), output.stream());
  StreamOptions stream;
  stream.threads = thread_count(options.threads);
  stream.kbest = options.kbest;
  stream.written = [&] { output.stream().flush(); };
  if (from == "text" && parser->can_tokenize()) {
    const auto input = open_input(options.input);
    parse_text_stream(*parser, *input, options.input, *writer, stream);
  } else {
    const Input input = open_sentences(options.input, from, &log, options.language);
    parse_stream(*parser, *input.reader, *writer, stream);
  }
  output.commit();
  if (log.count()) throw Error(ErrorKind::kData, fmt::format("{} bad sentences were skipped", log.count()));
}

}  // namespace

void add_parse_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("parse", "Parse sentences or raw text with a model");
  command->add_option("-m,--model", options->model, "Model file (.esp)")->required();
  command->add_option("-i,--input", options->input, "File to parse; - = standard input; .gz is fine")
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "File to write; - = standard output")->capture_default_str();
  command->add_option("--from", options->from, "Input format: conllu, conllx, ptb, text or json");
  command->add_option("--to", options->to, "Output format: the same, or text-tree, svg");
  command
      ->add_option("--language", options->language,
                   "Language of raw text, an ICU locale; a model with a tokenizer of its own does not need it")
      ->capture_default_str();
  command->add_option("--lexicon", options->lexicon,
                      "Lemmas that win: lines of form, tab, lemma and perhaps a tab and tags (UPOS, XPOS or features)");
  command->add_option("-k,--kbest", options->kbest, "Write the K best analyses of each sentence, with scores")
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", options->threads, "Threads; 0 = one per core. The output does not depend on it")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("-s,--set", options->set, "key=value: settings of the model to change, such as beam=64");
  command->footer(
      "Formats are guessed from file names; standard input is CoNLL-U unless --from says otherwise.\n"
      "Bad sentences are reported and skipped, with exit code 3 at the end.\n\nExamples:\n"
      "  echo 'Flying planes can be dangerous.' | espalier parse -m models/en_ewt.esp --from text --to text-tree\n"
      "  espalier parse -m en.esp -i test.conllu -o parsed.conllu --threads 0\n"
      "  zcat big.conllu.gz | espalier parse -m en.esp | grep nsubj");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli

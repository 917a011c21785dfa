// espalier query: words of parsed trees that match a pattern.
#include <iostream>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "espalier/app/query.h"
#include "espalier/base/error.h"

namespace espalier::cli {
namespace {

struct QueryArguments : QueryFiles {
  std::string model;
  std::vector<std::string> set;
  bool count = false;
};

void run_query(const QueryArguments& options) {
  std::optional<Model> model;
  if (!options.model.empty()) model.emplace(options.model, options.set);
  std::ostream nowhere(nullptr);
  const QueriedFiles counts = query_files(model ? &*model : nullptr, options, options.count ? nowhere : std::cout);
  if (options.count)
    std::cout << counts.matches << (counts.matches == 1 ? " match" : " matches") << " in " << counts.matching << " of "
              << counted(counts.sentences, "sentence") << '\n';
  std::cout.flush();
  if (counts.skipped > 0) throw Error(ErrorKind::kData, counted(counts.skipped, "bad sentence") + " left out");
}

}  // namespace

void add_query_command(CLI::App& app) {
  auto options = std::make_shared<QueryArguments>();
  options->message = print_message;
  Command command(app, "query", "Search trees for a pattern, such as verbs with subject and object");
  command.option("pattern", options->pattern, "The pattern; see below").required();
  command.option("-i,--input,FILE", options->inputs, "Files with trees, or with text for --model; - = standard input")
      .many();
  command.option("-m,--model", options->model, "Parse the input with this model first");
  command.option("--from", options->from, "Format of the input, if names do not tell it").one_of(format_names());
  command.option("--encoding", options->encoding, "Encoding of the input, such as latin1 or utf-16 (default: utf-8)");
  command.option("--to", options->to, "tsv: a match a line; json: the same as JSON; conllu: the sentences that match")
      .one_of({"tsv", "json", "conllu"})
      .show_default();
  command
      .option("--show", options->show, "What to show of each named word: form lemma upos xpos feats deprel id phrase")
      .many();
  command.flag("-c,--count", options->count, "Only say how many there are");
  command.option("--threads", options->threads, "Threads for parsing; 0 = one per core").non_negative().show_default();
  command.option("-s,--set", options->set, "key=value: settings of the model to change, such as beam=64").one_by_one();
  command.footer(
      "A pattern names a word and what is related to it; every word with a name becomes a column:\n\n"
      "  'V:upos=VERB >nsubj S >obj O'         a verb V, its subject S, its object O\n"
      "  'V:lemma=give >nsubj S !>iobj'        ... that has no indirect object\n"
      "  'N:upos=NOUN >amod A ; A >advmod B'   after ; more about a word, or about others\n"
      "  'A:upos=ADJ . N:Number=Plur'          a plural right after an adjective\n\n"
      "  A >R B  B depends on A as R     A <R B  A depends on B as R     A . B   B is the next word\n"
      "  A >> B  B is below A            A << B  A is below B            A .. B  B stands after A\n\n"
      "R: nsubj (also nsubj:pass), nsubj|csubj, a regular expression /.*subj/, or nothing. ! = there is none.\n"
      "Conditions after a colon, joined by &: form lemma upos xpos feats deprel or a feature (Number), then\n"
      "= or !=, then a value, a|b, or /expression/ (of all of it; /.../i: in any case). A word without a name: _\n"
      "or :upos=VERB. The same name is the same word; different ones are different words.\n\nExamples:\n"
      "  espalier query 'V:upos=VERB >nsubj S >obj O' -m en.esp -i news.txt --show lemma\n"
      "  espalier query 'V:upos=VERB >nsubj S >obj O' -i en.conllu --show phrase | sort | uniq -c | sort -rn\n"
      "  espalier query ':Voice=Pass !>/nsubj.*/' -i en.conllu --to conllu");
  command.action([options] { run_query(*options); });
}

}  // namespace espalier::cli

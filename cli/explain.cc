// espalier explain: which features made an arc win against another.
#include <fmt/core.h>

#include <charconv>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "espalier/app/explain.h"
#include "espalier/app/files.h"
#include "espalier/app/input.h"
#include "espalier/base/error.h"
#include "espalier/base/json_text.h"

namespace espalier::cli {
namespace {

struct ExplainArguments {
  std::string model, input = "-", from, encoding, word, head, deprel;
  std::vector<std::string> set;
  long sentence = 1;
  int top = 10, kbest = 256;
  bool json = false;
};

Sentence sentence_of(const Model& model, const ExplainArguments& options) {
  const std::string from = input_format(options.from, options.input, "text");
  std::vector<Sentence> all;
  if (from == "text") {
    const Input input = Input::of(options.input, true, options.encoding);
    all = model.tokenize(std::string(std::istreambuf_iterator<char>(*input.stream), {}));
  } else {
    const std::string files[] = {options.input};
    all = read_sentences(files, from, print_message).sentences;
  }
  if (options.sentence > static_cast<long>(all.size()))
    throw usage_error("there is no sentence {}: the input has {}", options.sentence, all.size());
  return all[static_cast<size_t>(options.sentence - 1)];
}

/// The number of a word, given as number or as a form that occurs once; "root" is 0.
int word_number(const Sentence& sentence, const std::string& word) {
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size()) return number;
  if (word == "root") return 0;
  int found = 0;
  for (int i = 1; i <= sentence.size(); ++i) {
    if (sentence.word(i).form != word) continue;
    if (found) throw usage_error("'{}' occurs more than once: give its number, {} or {}", word, found, i);
    found = i;
  }
  if (!found) throw usage_error("the sentence has no word '{}'", word);
  return found;
}

void run_explain(const ExplainArguments& options) {
  const Model model(options.model, options.set);
  const Sentence sentence = sentence_of(model, options);
  ExplainOptions wanted;
  if (!options.word.empty()) wanted.word = word_number(sentence, options.word);
  if (!options.word.empty() && wanted.word == 0) throw usage_error("--word 0 is the root, which has no head");
  if ((!options.head.empty() || !options.deprel.empty()) && options.word.empty())
    throw usage_error("--head and --deprel need --word");
  if (!options.head.empty()) wanted.head = word_number(sentence, options.head);
  wanted.deprel = options.deprel;
  wanted.kbest = options.kbest;
  const Explanation explanation = explain(model, sentence, wanted);
  const auto top = static_cast<size_t>(options.top);
  fmt::print("{}", options.json ? json_text(explanation_json(explanation, wanted.word, top), 2) + "\n"
                                : explanation_text(explanation, wanted.word, top));
}

}  // namespace

void add_explain_command(CLI::App& app) {
  auto options = std::make_shared<ExplainArguments>();
  Command command(app, "explain", "Show which features made an arc win against another");
  command.option("-m,--model", options->model, "Model file (.esp)").required();
  command.option("-i,--input,FILE", options->input, "File with the sentence; - = standard input").show_default();
  command.option("--from", options->from, "Format of the input (default: by its name; raw text)")
      .one_of(format_names());
  command.option("--encoding", options->encoding, "Encoding of the input, such as latin1 or utf-16 (default: utf-8)");
  command.option("--sentence", options->sentence, "Which sentence of the input").positive().show_default();
  command.option("-w,--word", options->word,
                 "The word whose arc is asked about, by its number or form; without it the\n"
                 "best tree is compared with the second best");
  command.option("--head", options->head,
                 "The rival: the best tree that gives the word this head (number, form, root).\n"
                 "Without it: the best tree that gives it any other head or relation");
  command.option("--deprel", options->deprel, "The rival's relation");
  command.option("-n,--top", options->top, "How many features to show for each side").positive().show_default();
  command.option("-k,--kbest", options->kbest, "How many trees are looked through for a rival")
      .between(2, 4096)
      .show_default();
  command.option("-s,--set", options->set, "key=value: settings of the model to change, such as beam=64").one_by_one();
  command.flag("--json", options->json, "As JSON");
  command.footer(
      "A tree's score is the sum of its features' weights. Features that only one of two trees has make\n"
      "the difference: these are listed, the most important first, with what they bring.\n\n"
      "Names of transition parsers' features: S0, S1 = top of the stack and the word below, N0, N1 = next\n"
      "words, l/r = leftmost/rightmost dependent so far, h = head. Of graph parsers': h = head, m = modifier,\n"
      "s = sibling, g = grandparent, +1 = the word after.\n\nExamples:\n"
      "  echo 'She saw the man with the telescope.' | espalier explain -m en.esp --word telescope\n"
      "  echo 'She saw the man with the telescope.' | espalier explain -m en.esp --word telescope --head man");
  command.action([options] { run_explain(*options); });
}

}  // namespace espalier::cli

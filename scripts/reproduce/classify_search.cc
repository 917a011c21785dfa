// What the search of a classify model does on a treebank: accuracy, effort, how often the first (greedy) derivation was
// the best one, how often the best one is proved optimal, how often there was none before the limit and how often the
// gold tree would have been cheaper, as JSON.
//
//   classify_search model.esp test.ptb [max_length=15] [lambda=1] [search=best-first] [gamma=1000]
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>

#include "espalier/base/error.h"
#include "espalier/eval/bracket.h"
#include "espalier/format/format.h"
#include "espalier/parser/classify/classify_parser.h"
#include "espalier/tree/constituent_preprocess.h"

int main(int argc, char** argv) {
  using namespace espalier;
  if (argc < 3) {
    std::cerr << "usage: classify_search MODEL TREEBANK [key=value]...\n";
    return 2;
  }
  try {
    Settings settings;
    for (int i = 3; i < argc; ++i) settings.set_pair(argv[i]);
    SettingsReader reader(settings);
    const long longest = reader.integer("max_length", 0, 0, 1000000, "use only sentences of at most so many words");
    const long shortest = reader.integer("min_length", 0, 0, 1000000, "use only sentences of at least so many words");
    settings.erase("max_length");
    settings.erase("min_length");
    const auto model = load_parser(argv[1], settings);
    const auto* parser = model_of<ClassifyParser>(*model);
    if (!parser) throw usage_error("{}: is a model of kind '{}', not 'classify'", argv[1], model->about().kind);

    const auto workspace = parser->make_workspace();
    BracketScore score;
    long sentences = 0, optimal = 0, first_was_best = 0, failed = 0, missed = 0;
    double scored = 0, seconds = 0;
    nlohmann::json curve = nlohmann::json::array();  // paths scored and cost, sentence by sentence
    for (const Sentence& gold : read_treebank(argv[2])) {
      if ((longest && gold.size() > longest) || gold.size() < shortest) continue;
      Sentence parsed = gold;
      const std::clock_t start = std::clock();  // CPU time: fair on a busy machine
      const AgendaReport report = parser->analyse(gold, parsed.constituents, *workspace);
      seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      // A gold tree that is cheaper than what was found is the search's mistake, another wrong tree the model's.
      const auto words = words_to_parse(gold);
      missed += !words.empty() && parser->cost(simplified(gold, words), *workspace) < report.cost - 1e-6;
      score += score_brackets(gold, parsed);
      ++sentences;
      optimal += report.optimal;
      first_was_best += report.first_was_best;
      failed += !report.solved && gold.size() > 0;
      scored += static_cast<double>(report.scored);
      curve.push_back({gold.size(), report.scored, report.optimal, report.cost, report.solved});
    }
    const double n = static_cast<double>(std::max(1L, sentences));
    nlohmann::json out;
    out["sentences"] = sentences;
    out["f1"] = score.brackets.f1();
    out["recall"] = score.brackets.recall();
    out["precision"] = score.brackets.precision();
    out["exact"] = score.exact.percent();
    out["optimal"] = 100 * static_cast<double>(optimal) / n;
    out["first_was_best"] = 100 * static_cast<double>(first_was_best) / n;
    out["failed"] = 100 * static_cast<double>(failed) / n;
    out["missed"] = 100 * static_cast<double>(missed) / n;
    out["mean_scored"] = scored / n;
    out["sentences_per_second"] = n / seconds;
    out["conjunctions"] = parser->conjunctions();
    out["sentences_scored"] = std::move(curve);
    std::cout << out.dump() << '\n';
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.kind());
  }
}

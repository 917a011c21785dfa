// espalier analyze: what a model's k-best lists could give, and how much of it the model finds.
#include <fmt/core.h>

#include <memory>

#include "cli/command.h"
#include "cli/input.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/parallel.h"
#include "espalier/eval/list_analysis.h"
#include "espalier/parser/parser.h"

namespace espalier::cli {
namespace {

struct Options {
  std::string model, gold, from, svg, punct = "upos";
  std::vector<std::string> set;
  int kbest = 16, threads = 1;
  bool json = false;
};

ListAnalysis analyse(const Parser& parser, const std::vector<Sentence>& gold, const Options& options) {
  const int threads = thread_count(options.threads);
  std::vector<std::unique_ptr<Workspace>> workspaces;
  for (int i = 0; i < threads; ++i) workspaces.push_back(parser.make_workspace());
  std::vector<std::vector<Analysis>> lists(gold.size());
  parallel_for(gold.size(), threads, [&](int worker, size_t i) {
    if (gold[i].size() == 0) return;
    for (Candidate& candidate : parser.kbest(gold[i], options.kbest, *workspaces[static_cast<size_t>(worker)]))
      lists[i].push_back(std::move(candidate.analysis));
  });
  ListAnalysis analysis;
  for (size_t i = 0; i < gold.size(); ++i)
    if (!lists[i].empty()) analysis.add(gold[i], lists[i], punctuation_named(options.punct));
  return analysis;
}

void run(const Options& options) {
  Settings overrides;
  for (const std::string& pair : options.set) overrides.set_pair(pair);
  const auto parser = load_parser(options.model, overrides);
  if (!parser->has_kbest()) throw usage_error("{}: the model has no k-best lists", options.model);
  SkipLog log;
  const std::vector<Sentence> gold = read_sentences({options.gold}, options.from, &log);
  const ListAnalysis analysis = analyse(*parser, gold, options);
  if (analysis.all.sentences == 0) throw data_error(options.gold, 0, "there is no sentence to analyse");
  if (!options.svg.empty()) write_file(options.svg, to_svg(analysis));
  fmt::print("{}", options.json ? to_json(analysis).dump(2) + "\n" : to_table(analysis));
  if (log.count()) throw Error(ErrorKind::kData, fmt::format("{} bad sentences were skipped", log.count()));
}

}  // namespace

void add_analyze_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("analyze", "Tell what the k-best lists of a model hold, and what it finds there");
  command->add_option("-m,--model", options->model, "Model file (.esp) with k-best lists")->required();
  command->add_option("-g,--gold", options->gold, "Gold standard")->required();
  command->add_option("-k,--kbest", options->kbest, "Trees per list")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command->add_option("--from", options->from, "Format of the gold standard if its name does not tell");
  command->add_option("--punct", options->punct, "Which words UAS and the errors leave out; docs/evaluation.md")
      ->check(CLI::IsMember(punctuation_names()))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Threads; 0 = one per core")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("-s,--set", options->set, "key=value: settings of the model to change, such as width=64");
  command->add_flag("--json", options->json, "As JSON");
  command->add_option("--svg", options->svg, "Draw the scores by size of the list into this file");
  command->footer(
      "oracle: scores of the best tree of each list. gold_in_list: lists that hold the gold tree with its labels;\n"
      "gold_not_first: and it is not their first. eps_H: errors of the best trees, percent of scored words "
      "(brackets);\n"
      "E_HC: of the first trees; eps_C_diff: their difference; eps_C_dist: distance from the first to the best trees.\n"
      "LAS counts all words.\n\nExample:\n  espalier analyze -m en.esp -g dev.conllu --kbest 32 --svg lists.svg");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli

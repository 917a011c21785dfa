// espalier compare: significance tests of the difference between two systems.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "espalier/app/evaluate.h"
#include "espalier/base/error.h"
#include "espalier/base/json_text.h"

namespace espalier::cli {
namespace {

struct CompareArguments : CompareOptions {
  std::string gold;
  std::vector<std::string> systems;
  bool exclude_punct = false, json = false;
};

void print_table(const CompareArguments& options, const nlohmann::ordered_json& result) {
  const std::string a = "A " + options.systems[0], b = "B " + options.systems[1];
  const size_t width = std::max(a.size(), b.size());
  const auto line = [&](const std::string& name, const std::string& key) {
    const auto& interval = result[key + "_interval"];
    fmt::print("{:<{}} {:>8.2f}   [{:.2f}, {:.2f}]\n", name, width, result[key].get<double>(),
               interval[0].get<double>(), interval[1].get<double>());
  };
  fmt::print("{:<{}} {:>8}   95 % interval ({} resamples)\n", result["metric"].get<std::string>(), width, "",
             options.resamples);
  line(a, "a");
  line(b, "b");
  line("A - B", "difference");
  fmt::print("\np = {:.3g} (two-sided, {} shufflings; {} sentences differ)\n", result["p_value"].get<double>(),
             options.trials, result["differing_sentences"].get<long>());
}

void run_compare(CompareArguments& options) {
  if (options.systems.size() != 2)
    throw usage_error("compare needs --system twice, got it {}", counted(options.systems.size(), "time"));
  if (options.exclude_punct && options.punct == "include") options.punct = "upos";
  const auto result = compare_files(options.gold, options.systems[0], options.systems[1], options);
  if (options.json)
    fmt::print("{}\n", json_text(result, 2));
  else
    print_table(options, result);
}

}  // namespace

void add_compare_command(CLI::App& app) {
  auto options = std::make_shared<CompareArguments>();
  Command command(app, "compare", "Test whether two systems differ more than by chance");
  command.option("-g,--gold", options->gold, "Gold standard").required();
  command.option("-s,--system", options->systems, "A system's analysis; give it twice").required().one_by_one();
  command.option("--metric", options->metric,
                 fmt::format("For dependencies {}; for constituents {}", fmt::join(dependency_metric_names(), " "),
                             fmt::join(bracket_metric_names(), " ")));
  command.option("--trials", options->trials, "Shufflings of the permutation test")
      .between(1, 1000000000)
      .show_default();
  command.option("--resamples", options->resamples, "Samples of the bootstrap").between(0, 1000000000).show_default();
  command.option("--seed", options->seed, "Seed of both").show_default();
  command.option("--format", options->format, "Format of all files (default: by their names)");
  command.flag("--exclude-punct", options->exclude_punct, "Leave out words whose gold UPOS is PUNCT");
  command.option("--punct", options->punct, "Which words attachment scores leave out; docs/evaluation.md")
      .one_of(punctuation_choices())
      .show_default();
  command.flag("--json", options->json, "As JSON");
  command.footer("Example:\n  espalier compare -g test.conllu -s beam.conllu -s greedy.conllu --metric uas");
  command.action([options] { run_compare(*options); });
}

}  // namespace espalier::cli

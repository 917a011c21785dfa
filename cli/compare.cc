// espalier compare: is one system better than another, or lucky? Significance tests over sentences.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "espalier/base/error.h"
#include "espalier/eval/report.h"
#include "espalier/format/format.h"

namespace espalier::cli {
namespace {

struct Options {
  std::string gold, format, metric, punct = "include";
  std::vector<std::string> systems;
  ComparisonOptions comparison;
  bool exclude_punct = false, json = false;
};

void print_table(const Options& options, const std::string& metric, const Comparison& result) {
  const std::string a = "A " + options.systems[0], b = "B " + options.systems[1];
  const size_t width = std::max(a.size(), b.size());
  const auto line = [&](const std::string& name, double value, const Interval& interval) {
    fmt::print("{:<{}} {:>8.2f}   [{:.2f}, {:.2f}]\n", name, width, value, interval.low, interval.high);
  };
  fmt::print("{:<{}} {:>8}   95 % interval ({} resamples)\n", metric, width, "", options.comparison.resamples);
  line(a, result.a, result.a_interval);
  line(b, result.b, result.b_interval);
  line("A - B", result.difference, result.difference_interval);
  fmt::print("\np = {:.3g} (two-sided, {} shufflings; {} sentences differ)\n", result.p_value,
             options.comparison.trials, result.differing_sentences);
}

nlohmann::ordered_json json(const Options& options, const std::string& metric, const Comparison& result) {
  const auto pair = [](const Interval& interval) { return nlohmann::ordered_json{interval.low, interval.high}; };
  return {{"metric", metric},
          {"a", result.a},
          {"b", result.b},
          {"difference", result.difference},
          {"p_value", result.p_value},
          {"a_interval", pair(result.a_interval)},
          {"b_interval", pair(result.b_interval)},
          {"difference_interval", pair(result.difference_interval)},
          {"share_not_better", result.share_not_better},
          {"differing_sentences", result.differing_sentences},
          {"trials", options.comparison.trials},
          {"resamples", options.comparison.resamples},
          {"seed", options.comparison.seed}};
}

void run(const Options& options) {
  if (options.systems.size() != 2)
    throw usage_error("compare needs --system twice, got it {} times", options.systems.size());
  const bool brackets = (options.format.empty() ? guess_format(options.gold) : options.format) == "ptb";
  const std::string metric = !options.metric.empty() ? options.metric : brackets ? "f1" : "las";
  const auto punct = punctuation_named(options.exclude_punct && options.punct == "include" ? "upos" : options.punct);
  const NamedTreebank gold{options.gold, read_treebank(options.gold, options.format)};
  std::vector<SentenceCount> counts[2];
  for (size_t i = 0; i < 2; ++i)
    counts[i] =
        sentence_counts(gold, {options.systems[i], read_treebank(options.systems[i], options.format)}, metric, punct);
  const Comparison result = compare_systems(counts[0], counts[1], options.comparison);
  if (options.json)
    fmt::print("{}\n", json(options, metric, result).dump(2));
  else
    print_table(options, metric, result);
}

}  // namespace

void add_compare_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compare", "Test whether two systems differ more than by chance");
  command->add_option("-g,--gold", options->gold, "Gold standard")->required();
  command->add_option("-s,--system", options->systems, "A system's analysis; give it twice")
      ->required()
      ->allow_extra_args(false);
  command->add_option("--metric", options->metric,
                      fmt::format("For dependencies {}; for constituents {}", fmt::join(dependency_metrics(), " "),
                                  fmt::join(bracket_metrics(), " ")));
  command->add_option("--trials", options->comparison.trials, "Shufflings of the permutation test")
      ->check(CLI::Range(1L, 1000000000L))
      ->capture_default_str();
  command->add_option("--resamples", options->comparison.resamples, "Samples of the bootstrap")
      ->check(CLI::Range(0L, 1000000000L))
      ->capture_default_str();
  command->add_option("--seed", options->comparison.seed, "Seed of both")->capture_default_str();
  command->add_option("--format", options->format, "Format of all files (default: by their names)");
  command->add_flag("--exclude-punct", options->exclude_punct, "Leave out words whose gold UPOS is PUNCT");
  command->add_option("--punct", options->punct, "Which words attachment scores leave out; docs/evaluation.md")
      ->check(CLI::IsMember(punctuation_names()))
      ->capture_default_str();
  command->add_flag("--json", options->json, "As JSON");
  command->footer("Example:\n  espalier compare -g test.conllu -s beam.conllu -s greedy.conllu --metric uas");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli

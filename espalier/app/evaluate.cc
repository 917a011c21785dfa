#include "espalier/app/evaluate.h"

#include <nlohmann/json.hpp>
#include <type_traits>
#include <variant>

#include "espalier/eval/report.h"
#include "espalier/format/format.h"

namespace espalier {

struct Evaluation::Report {
  std::variant<DependencyReport, BracketReport> scores;
};

namespace {

bool scores_brackets(const std::string& format, const std::string& file) {
  return (format.empty() ? guess_format(file) : format) == "ptb";
}

NamedTreebank read_named(const std::string& file, const std::string& format) {
  return {file, read_treebank(file, format)};
}

Evaluation evaluate_treebanks(const NamedTreebank& gold, const NamedTreebank& system, bool brackets,
                              const EvaluateOptions& options) {
  auto report = std::make_shared<Evaluation::Report>();
  if (brackets) {
    report->scores = report_brackets(gold, system, {.skip_failures = options.skip_failures});
  } else {
    report->scores =
        report_dependencies(gold, system, {.punctuation = punctuation_named(options.punct), .strict = options.strict});
  }
  return Evaluation(std::move(report));
}

}  // namespace

nlohmann::ordered_json Evaluation::json() const {
  return std::visit([](const auto& scores) { return to_json(scores); }, report_->scores);
}

std::string Evaluation::table(bool details) const {
  return std::visit([details](const auto& scores) { return to_table(scores, details); }, report_->scores);
}

const std::vector<std::string>& Evaluation::messages() const {
  static const std::vector<std::string> none;
  const auto* brackets = std::get_if<BracketReport>(&report_->scores);
  return brackets ? brackets->messages : none;
}

Evaluation evaluate_files(const std::string& gold, const std::string& system, const EvaluateOptions& options) {
  return evaluate_treebanks(read_named(gold, options.format), read_named(system, options.format),
                            scores_brackets(options.format, gold), options);
}

Evaluation evaluate(std::vector<Sentence> gold, std::vector<Sentence> system, const EvaluateOptions& options) {
  return evaluate_treebanks({"gold", std::move(gold)}, {"system", std::move(system)}, options.format == "ptb", options);
}

nlohmann::ordered_json compare_files(const std::string& gold_file, const std::string& a, const std::string& b,
                                     const CompareOptions& options) {
  const bool brackets = scores_brackets(options.format, gold_file);
  const std::string metric = !options.metric.empty() ? options.metric : brackets ? "f1" : "las";
  const Punctuation punct = punctuation_named(options.punct);
  const NamedTreebank gold = read_named(gold_file, options.format);
  const auto counts = [&](const std::string& system) {
    return sentence_counts(gold, read_named(system, options.format), metric, punct);
  };
  const Comparison result = compare_systems(counts(a), counts(b), {options.trials, options.resamples, options.seed});
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
          {"trials", options.trials},
          {"resamples", options.resamples},
          {"seed", options.seed}};
}

const std::vector<std::string>& punctuation_choices() { return punctuation_names(); }
std::vector<std::string> dependency_metric_names() { return dependency_metrics(); }
std::vector<std::string> bracket_metric_names() { return bracket_metrics(); }

}  // namespace espalier

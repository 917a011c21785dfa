// Scores of a system, and comparison of two systems. Tested by tests/app_test.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "espalier/app/files.h"
#include "espalier/app/model.h"
#include "espalier/base/export.h"
#include "espalier/tree/sentence.h"

namespace espalier {

struct EvaluateOptions {
  std::string format;             ///< of both files, if their names do not tell; "ptb" scores brackets
  std::string punct = "include";  ///< which words attachment scores leave out: see punctuation_choices
  bool strict = false;            ///< a sentence that is no single-rooted tree is an error
  bool skip_failures = false;     ///< leave constituent trees that are missing out, as evalb does
};

/// The scores of one system.
class ESPALIER_API Evaluation {
 public:
  nlohmann::ordered_json json() const;    ///< everything, as `espalier eval --json` prints it
  std::string table(bool details) const;  ///< as text; `details`: also by relation or label, distance and length
  const std::vector<std::string>& messages() const;  ///< sentences that could not be scored as they are

  struct Report;
  explicit Evaluation(std::shared_ptr<const Report> report) : report_(std::move(report)) {}

 private:
  std::shared_ptr<const Report> report_;
};

/// Throws a data Error, naming file and line, if the texts differ or there is nothing to score. Other words or
/// sentences of the same text are aligned as in the CoNLL 2018 shared task.
ESPALIER_API Evaluation evaluate_files(const std::string& gold, const std::string& system,
                                       const EvaluateOptions& options = {});
ESPALIER_API Evaluation evaluate(std::vector<Sentence> gold, std::vector<Sentence> system,
                                 const EvaluateOptions& options = {});

struct CompareOptions {
  std::string format, punct = "include";  ///< as above
  std::string metric;                     ///< "" = las, or f1 for brackets; see the lists below
  long trials = 100000;                   ///< shufflings of the permutation test
  long resamples = 10000;                 ///< samples of the bootstrap
  uint64_t seed = 1;
};
/// What `espalier compare --json` prints: metric, a, b, difference, p_value, intervals, ...
ESPALIER_API nlohmann::ordered_json compare_files(const std::string& gold, const std::string& a, const std::string& b,
                                                  const CompareOptions& options = {});

struct AnalyzeOptions {
  int kbest = 16;              ///< analyses per list
  std::string format;          ///< of the gold standard, if its name does not tell
  std::string punct = "upos";  ///< which words UAS and the errors leave out
  int threads = 1;             ///< 0 = one per core
  Message message;
};
/// The oracle scores of a model's k-best lists, and the scores of the model's choices.
class ESPALIER_API ListReport {
 public:
  nlohmann::ordered_json json() const;  ///< as `espalier analyze --json` prints it
  std::string table() const;
  std::string svg() const;  ///< scores by size of the list
  size_t skipped() const;   ///< sentences of the gold standard that could not be read

  struct Lists;
  explicit ListReport(std::shared_ptr<const Lists> lists) : lists_(std::move(lists)) {}

 private:
  std::shared_ptr<const Lists> lists_;
};
ESPALIER_API ListReport analyze_file(const Model& model, const std::string& gold, const AnalyzeOptions& options = {});

ESPALIER_API const std::vector<std::string>& punctuation_choices();
ESPALIER_API std::vector<std::string> dependency_metric_names();
ESPALIER_API std::vector<std::string> bracket_metric_names();

}  // namespace espalier

// The report of `eval`: all scores of a system, as JSON for programs and as tables for users. Percentages everywhere.
// Tested by eval/report_test.cc and tests/eval_cli_test.cc.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/eval/attachment.h"
#include "espalier/eval/bracket.h"
#include "espalier/eval/significance.h"
#include "espalier/eval/ud_score.h"

namespace espalier {

/// A treebank with the name of its file, for messages.
struct NamedTreebank {
  std::string file;
  std::vector<Sentence> sentences;
};

struct DependencyReport {
  Punctuation punctuation = Punctuation::kInclude;
  long words = 0, sentences = 0;  ///< of gold
  UdScore ud;
  /// Only if both sides have the same sentences and words.
  struct SameWords {
    AttachmentScore score, without_punctuation;  ///< by `punctuation`; without UPOS PUNCT
    AttachmentBreakdown breakdown;
  };
  std::optional<SameWords> same_words;
  /// What gold lacks, so that it cannot be scored: any of "UPOS", "XPOS", "FEATS", "lemmas", "heads".
  std::vector<std::string> missing;
  long gold_not_trees = 0, system_not_trees = 0;  ///< sentences: cycles, several roots, missing heads
};

struct DependencyOptions {
  Punctuation punctuation = Punctuation::kInclude;
  bool strict = false;  ///< a sentence that is no single-rooted tree is an error
};

/// Throws a data Error, naming file and line, if the texts differ or there is nothing to score.
DependencyReport report_dependencies(const NamedTreebank& gold, const NamedTreebank& system,
                                     const DependencyOptions& options = {});

struct BracketReport {
  BracketScore all, short_sentences;  ///< all; those of at most `cutoff` words
  int cutoff = 40;
  BracketsByLabel labels;
  std::vector<std::string> messages;  ///< one per sentence with errors, naming file and line
};

/// Throws a data Error if the numbers of sentences differ or there are none.
BracketReport report_brackets(const NamedTreebank& gold, const NamedTreebank& system,
                              const BracketOptions& options = {}, int cutoff = 40);

nlohmann::ordered_json to_json(const DependencyReport& report);
nlohmann::ordered_json to_json(const BracketReport& report);
/// `details`: also by relation (label), distance and length.
std::string to_table(const DependencyReport& report, bool details);
std::string to_table(const BracketReport& report, bool details);

/// Per sentence, what a metric (las, uas, clas, upos, ...; f1, precision, ...) is summed from. Both treebanks must have
/// the same words; throws a data Error naming file and line if not, a usage Error for an unknown metric.
std::vector<SentenceCount> sentence_counts(const NamedTreebank& gold, const NamedTreebank& system,
                                           const std::string& metric, Punctuation punctuation);
/// Names for sentence_counts.
std::vector<std::string> dependency_metrics();
std::vector<std::string> bracket_metrics();

}  // namespace espalier

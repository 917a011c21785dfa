// Carries out a reader's policy for bad sentences; every reader has one.
#pragma once

#include <string>
#include <utility>

#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier {

class ProblemLog {
 public:
  explicit ProblemLog(ReaderOptions options) : options_(std::move(options)) {}

  /// The current sentence cannot be used as it is.
  void bad(long line, int token, std::string message) {
    Problem problem{options_.name, line, token, std::move(message)};
    if (options_.bad == BadSentence::kStop) throw Error(ErrorKind::kData, problem.text());
    const bool known = std::exchange(bad_, true);
    if (known && options_.bad == BadSentence::kSkip) return;  // it is skipped once
    if (options_.report) options_.report(problem);
  }
  /// Reports a minor problem; the sentence can be used.
  void warn(long line, int token, std::string message) const {
    if (options_.warn && options_.report) options_.report({options_.name, line, token, std::move(message)});
  }
  bool warns() const { return options_.warn; }

  /// Whether the current sentence is bad.
  bool is_bad() const { return bad_; }
  /// Ends the current sentence; true if it is to be delivered.
  bool deliver() { return !std::exchange(bad_, false) || options_.bad == BadSentence::kKeep; }

  const ReaderOptions& options() const { return options_; }

 private:
  ReaderOptions options_;
  bool bad_ = false;
};

}  // namespace espalier

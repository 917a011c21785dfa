// The one exception of the library: bad input, bad files, impossible requests. Broken invariants are asserts.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "espalier/base/export.h"

namespace espalier {

/// What went wrong, as far as a caller needs to tell apart; the command line maps it to its exit code.
enum class ErrorKind {
  kRun = 1,    ///< a run failed: no space left, unreadable file, interrupted
  kUsage = 2,  ///< the request makes no sense: unknown recipe, option or value
  kData = 3,   ///< the input data are wrong: treebank, model file
};

class ESPALIER_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string message) : std::runtime_error(std::move(message)), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

template <class... Args>
Error usage_error(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorKind::kUsage, fmt::format(format, std::forward<Args>(args)...)};
}
template <class... Args>
Error run_error(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorKind::kRun, fmt::format(format, std::forward<Args>(args)...)};
}
/// An error in a data file; `line` 0 means the file as a whole.
template <class... Args>
Error data_error(std::string_view file, long line, fmt::format_string<Args...> format, Args&&... args) {
  const std::string place = line > 0 ? fmt::format("{}:{}", file, line) : std::string(file);
  return {ErrorKind::kData, place + ": " + fmt::format(format, std::forward<Args>(args)...)};
}

}  // namespace espalier

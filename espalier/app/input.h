// Reads sentences from files: formats by name, bad sentences are reported and skipped.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "espalier/app/files.h"
#include "espalier/format/repaired_text.h"

namespace espalier {

/// Reports bad sentences and counts them; equal messages are shown once.
class SkipLog {
 public:
  explicit SkipLog(Message message) : message_(std::move(message)) {}
  void report(const Problem& problem);
  /// A sentence that the reader accepts and the caller leaves out.
  void skip(const std::string& file, const Sentence& sentence, int token, const std::string& message);
  size_t count() const { return count_; }

 private:
  Message message_;
  size_t count_ = 0;
  std::set<std::string> seen_;  // messages
  bool hides_ = false;
};

/// `format` if given, else that of the file's name, else `otherwise`; throws a usage Error if that is empty, too.
std::string input_format(const std::string& format, const std::string& file, const std::string& otherwise);

/// An open file. Invalid UTF-8 in raw text is replaced and counted.
struct Input {
  std::unique_ptr<std::istream> file;
  std::unique_ptr<RepairedText> repaired;
  std::unique_ptr<std::istream> stream;  ///< to be read
  std::unique_ptr<Reader> reader;

  /// `encoding` "" = UTF-8: a text in another one throws a data Error that names it.
  static Input of(const std::string& file, bool raw_text, const std::string& encoding = "");
  /// To be called at the end of the input.
  void warn_of_replaced(const std::string& name, const Message& message) const;
};
/// Bad sentences are skipped and reported to `log`, which must outlive the reader. `options` are for raw text.
Input open_sentences(const std::string& file, const std::string& format, SkipLog* log, ReaderOptions options = {},
                     const std::string& encoding = "");

}  // namespace espalier

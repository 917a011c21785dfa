// Sentences from files for the commands: formats by name, bad sentences reported and skipped.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "espalier/format/format.h"

namespace espalier::cli {

/// Reports bad sentences on standard error (the first ones in full) and counts them.
class SkipLog {
 public:
  void report(const Problem& problem);
  /// A sentence left out: what a reader does not object to, but the command does.
  void skip(const std::string& file, const Sentence& sentence, int token, const std::string& message);
  size_t count() const { return count_; }

 private:
  size_t count_ = 0;
};

/// --from if given, else what the file's name says, else `otherwise`; a usage Error if that is empty too.
std::string input_format(const std::string& from, const std::string& file, const std::string& otherwise);

/// A reader and the stream that it reads.
struct Input {
  std::unique_ptr<std::istream> stream;
  std::unique_ptr<Reader> reader;
};
/// Bad sentences are skipped and reported to `log`, which must outlive the reader. `language` is that of raw text.
Input open_sentences(const std::string& file, const std::string& format, SkipLog* log,
                     const std::string& language = "en");

/// Every usable sentence of the files, in order.
std::vector<Sentence> read_sentences(const std::vector<std::string>& files, const std::string& from, SkipLog* log);

/// What --threads means: 0 = one per core.
int thread_count(int option);

}  // namespace espalier::cli

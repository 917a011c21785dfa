// How sentences enter and leave: one Reader and one Writer per format, streaming, one sentence at a time.
// A format is added by writing one file and one line in format/registry.cc.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/sentence.h"

namespace espalier {

/// Something wrong at a place of a file. `token` 0 means the sentence (or line) as a whole.
struct Problem {
  std::string file;
  long line = 0;
  int token = 0;
  std::string message;

  /// "train.conllu:812: token 7: HEAD 19 is past the end of the sentence"
  std::string text() const;
};

/// What to do with a sentence that cannot be used: kStop throws a data Error, kSkip reports it and goes on with the
/// next, kKeep (for checking) reports it and delivers what could be read.
enum class BadSentence { kStop, kSkip, kKeep };

struct ReaderOptions {
  std::string name = "-";  ///< the file's name, for messages
  BadSentence bad = BadSentence::kStop;
  std::function<void(const Problem&)> report;  ///< receives every problem; may be empty
};

class Reader {
 public:
  virtual ~Reader() = default;
  /// Reads the next sentence into `sentence` (its memory is reused); false at the end of the input.
  virtual bool next(Sentence& sentence) = 0;
};

class Writer {
 public:
  virtual ~Writer() = default;
  virtual void write(const Sentence& sentence) = 0;
  /// Writes what a format needs after the last sentence.
  virtual void finish() {}
};

/// Format names: conllu, conllx, ptb, text, json. `guess_format` goes by the name (.gz ignored); "" if it cannot tell.
std::string guess_format(std::string_view file_name);
const std::vector<std::string>& format_names();

/// `input` must outlive the reader. Throws a usage Error for an unknown format name.
std::unique_ptr<Reader> make_reader(std::string_view format, std::istream& input, ReaderOptions options);
std::unique_ptr<Writer> make_writer(std::string_view format, std::ostream& output);

/// Opens a file ("-" = standard input), unpacks .gz transparently; throws if it cannot be read or is a directory.
std::unique_ptr<std::istream> open_input(const std::string& file);

/// A whole file, in memory; format guessed from the name unless given.
std::vector<Sentence> read_treebank(const std::string& file, std::string_view format = "", ReaderOptions options = {});

}  // namespace espalier

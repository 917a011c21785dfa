// Reading and writing sentences: one Reader and one Writer per format, streaming, one sentence at a time.
// A new format is one file and one line in format/registry.cc.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "espalier/base/export.h"
#include "espalier/tree/analysis.h"
#include "espalier/tree/sentence.h"

namespace espalier {

/// A problem at a place of a file. `token` 0 means the sentence (or line) as a whole.
struct ESPALIER_API Problem {
  std::string file;
  long line = 0;
  int token = 0;
  std::string message;

  /// "train.conllu:812: token 7: HEAD 19 is past the end of the sentence"
  std::string text() const;
};

/// What to do with a bad sentence: kStop throws a data Error, kSkip reports it and continues with the next, kKeep (for
/// checking) reports it and delivers what could be read. A sentence is bad if a reader cannot interpret it: wrong
/// columns or numbers, unbalanced brackets, bytes that are no UTF-8. Sentences whose heads form no tree are not bad;
/// callers that need a tree use tree_problem().
enum class BadSentence { kStop, kSkip, kKeep };

/// Where sentences of raw text end: where the tokenizer says, or only at ends of lines or of paragraphs.
enum class TextSentences { kFound, kLine, kParagraph };

struct ReaderOptions {
  std::string name = "-";  ///< the file's name, for messages
  BadSentence bad = BadSentence::kStop;
  std::function<void(const Problem&)> report;  ///< receives every problem that does not throw; may be empty
  bool warn = false;            ///< also report minor problems: several roots, cycles, spare empty lines, empty columns
  std::string language = "en";  ///< of raw text: an ICU locale; "en" also gets the splits of English treebanks
  TextSentences sentences = TextSentences::kFound;  ///< of raw text
  bool offsets = false;                             ///< of raw text: TokenRange in MISC (text_spaces.h)
};

class ESPALIER_API Reader {
 public:
  virtual ~Reader() = default;
  /// Reads the next sentence into `sentence` (its memory is reused); false at the end of the input. Heads are kNoHead
  /// or 0..n. Only bracketed sentences may be without words (all leaves are traces).
  virtual bool next(Sentence& sentence) = 0;
  /// False if `next` may have to wait for input; callers that serve a pipe then flush their output first.
  virtual bool ready() const { return true; }
};

/// One entry of a k-best list.
struct ScoredAnalysis {
  double score = 0;
  Analysis analysis;                                   ///< for `annotate`
  std::vector<std::pair<std::string, double>> scores;  ///< the parts of the score, if there are several
};

struct WriterOptions {
  int width = 0;  ///< of drawings in SVG, in pixels: longer sentences are wrapped; 0 = one line each
};

class ESPALIER_API Writer {
 public:
  virtual ~Writer() = default;
  virtual void write(const Sentence& sentence) = 0;
  /// Writes a sentence, which is annotated with the first entry, and its k-best list: a copy of the sentence for each
  /// entry, with rank and score in comments, unless the format can hold lists. With an empty list, the sentence alone.
  virtual void write_list(const Sentence& sentence, std::span<const ScoredAnalysis> list);
  /// To be called after the last sentence: writes the rest and throws a run Error if anything could not be written.
  virtual void finish() = 0;
};

/// Format names: conllu, conllx, ptb, text, json, aligned. `guess_format` goes by the ending of the file's name,
/// .gz left out; "" if that is none of them.
ESPALIER_API std::string guess_format(std::string_view file_name);
ESPALIER_API const std::vector<std::string>& format_names();
/// These and the formats that can only be written, such as the drawings text-tree and svg.
ESPALIER_API const std::vector<std::string>& output_format_names();

/// `input` must outlive the reader. Throws a usage Error for an unknown format name.
ESPALIER_API std::unique_ptr<Reader> make_reader(std::string_view format, std::istream& input, ReaderOptions options);
ESPALIER_API std::unique_ptr<Writer> make_writer(std::string_view format, std::ostream& output,
                                                 const WriterOptions& options = {});

/// Opens a file ("-" = standard input), unpacks .gz transparently; throws if it cannot be read or is a directory.
/// A damaged .gz throws a data Error out of the readers here (std::getline would only see a stream gone bad).
/// `encoding`, such as "latin1", is made UTF-8; without it, UTF-16 throws a data Error.
ESPALIER_API std::unique_ptr<std::istream> open_input(const std::string& file, const std::string& encoding = "");

/// The value of a comment "# KEY = VALUE".
ESPALIER_API std::optional<std::string_view> comment_value(const Sentence& sentence, std::string_view key);

/// Bytes begin..end-1 of a text.
struct TextSpan {
  size_t begin = 0, end = 0;
  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

/// The sentence as it was written: its "# text = " comment, or its words put together as SpaceAfter=No says.
ESPALIER_API std::string surface_text(const Sentence& sentence);

/// A whole file, in memory; format guessed from the name unless given.
ESPALIER_API std::vector<Sentence> read_treebank(const std::string& file, std::string_view format = "",
                                                 ReaderOptions options = {});

}  // namespace espalier

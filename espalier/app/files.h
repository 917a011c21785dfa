// Reads, parses, converts, checks and draws files of treebanks and raw text. Formats are told by names (.conllu,
// .conll, .ptb, .txt, .json; .gz is unpacked) or given; "-" is standard input or output. Nothing is printed: messages
// for users go to a `message` or `report` of the caller. Tested by tests/app_test.cc.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/app/model.h"
#include "espalier/app/stream.h"
#include "espalier/base/export.h"
#include "espalier/format/format.h"

namespace espalier {

/// Receives lines for the user, without their end; may be empty.
using Message = std::function<void(const std::string&)>;

/// Every usable sentence of the files, in order. Bad ones are left out: the first hundred are reported, all are
/// counted.
struct SentencesRead {
  std::vector<Sentence> sentences;
  size_t skipped = 0;
};
ESPALIER_API SentencesRead read_sentences(std::span<const std::string> files, const std::string& format = "",
                                          const Message& message = {});

/// Sentences as text in one of output_format_names(): "conllu", "json", ..., "text-tree" and "svg", which are drawings.
ESPALIER_API std::string write_text(std::span<const Sentence> sentences, const std::string& format,
                                    const WriterOptions& options = {});
/// The same into a file ("-" = standard output), in the format that its name tells unless it is given.
ESPALIER_API void write_file(std::span<const Sentence> sentences, const std::string& file,
                             const std::string& format = "", const WriterOptions& options = {});
/// A parsed document, with the alternatives that it has: in "json" as a list, elsewhere as copies with comments.
ESPALIER_API std::string write_document(const Document& document, const std::string& format,
                                        const WriterOptions& options = {});
/// Reads sentences from text in a format; throws a data Error at the first bad one.
ESPALIER_API std::vector<Sentence> read_text(std::string_view text, const std::string& format);

struct ParseFiles {
  std::vector<std::string> inputs = {"-"};
  /// One file, or with {stem} in its name one for each input: "out/{stem}.conllu". In one file of several inputs each
  /// begins a document (`# newdoc id = STEM`).
  std::string output = "-";
  std::string from, to;     ///< formats, if names do not tell; standard input is CoNLL-U
  std::string encoding;     ///< of the inputs, such as "latin1"; "" = UTF-8
  ParseOptions parse = {};  ///< options for each sentence
  WriterOptions writing;
  int threads = 1;
  Message message;
  std::function<void(const Sentence&)> written = {};  ///< called for each sentence, in order, when it is written
};
struct ParsedFiles {
  size_t sentences = 0, tokens = 0, skipped = 0;
  size_t failed = 0;    ///< sentences that could not be parsed and were written without heads
  size_t not_kept = 0;  ///< given heads that contradict others
};
ESPALIER_API ParsedFiles parse_files(const Model& model, const ParseFiles& request);

struct ConvertFile {
  std::string input = "-", output = "-";
  std::string from, to;
  std::string encoding;         ///< of the input, such as "latin1"; "" = UTF-8
  std::string language = "en";  ///< of raw text
  std::string head_rules;       ///< not "": dependencies of phrase-structure trees, by "english", "generic" or a file
  bool strip = false;           ///< take function tags, coindices and traces out of phrase-structure trees
  long first = 1, count = 0;    ///< which sentences; 0 = all from the first on
  TextSentences sentences = TextSentences::kFound;  ///< of raw text
  bool offsets = false;                             ///< of raw text: where tokens stand, as TokenRange in MISC
  WriterOptions writing;
  Message message;
};
/// How many sentences were written.
ESPALIER_API size_t convert_file(const ConvertFile& request);

/// The words of parsed sentences in the order of another language (tools/reorder.h).
struct ReorderFile {
  std::string rules;  ///< built-in rules ("en-ja") or a rule file
  std::string input = "-", output = "-", from;
  std::string to = "horizontal";  ///< the words, a sentence a line; else a format, with each word's new place in MISC
  Message message;
};
struct ReorderedFile {
  size_t sentences = 0, skipped = 0;
};
ESPALIER_API ReorderedFile reorder_file(const ReorderFile& request);

struct CheckedFile {
  size_t sentences = 0, words = 0, problems = 0;
  size_t warnings = 0;   ///< what only Universal Dependencies object to
  bool readable = true;  ///< false: the file could not be read to its end, which counts as one problem
};
/// Reports every problem of a file, and as warnings violations of the rules of Universal Dependencies up to a level, 0
/// to 2 (ud_rules.h). A file that cannot be read is reported through `message`.
ESPALIER_API CheckedFile check_file(const std::string& file, const std::string& format,
                                    const std::function<void(const Problem&)>& report, const Message& message = {},
                                    int level = 0, const std::function<void(const Problem&)>& warning = {});

}  // namespace espalier

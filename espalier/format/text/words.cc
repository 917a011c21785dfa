// Formats of words alone, as corpus tools write them. Horizontal: a sentence per line, words separated by spaces; a
// space within a word is written as a no-break space. Vertical: a word per line, an empty line after each sentence.
// Tested by words_test.cc and fuzz/words_fuzz.cc.
#include "espalier/format/formats.h"
#include "espalier/format/line_reader.h"
#include "espalier/format/problem_log.h"

namespace espalier {
namespace {

constexpr std::string_view kNoBreakSpace = "\xC2\xA0";

/// A carriage return is one, too: at the end of a line it would not be read as it was written.
constexpr std::string_view kBlanks = " \t\r";

/// The line without blanks and byte order marks (of concatenated files) before the first word.
std::string_view without_blanks(std::string_view line) {
  for (;;) {
    if (const size_t blanks = std::min(line.find_first_not_of(kBlanks), line.size())) {
      line.remove_prefix(blanks);
    } else if (line.starts_with(kByteOrderMark)) {
      line.remove_prefix(kByteOrderMark.size());
    } else {
      return line;
    }
  }
}

/// What both have in common: lines that must be text.
class WordReader : public Reader {
 public:
  WordReader(std::istream& input, ReaderOptions options) : lines_(input, options.name), log_(std::move(options)) {}

  bool next(Sentence& sentence) final {
    for (;;) {
      sentence.clear();
      if (!read(sentence)) return false;
      if (log_.deliver() && sentence.size() > 0) return true;
    }
  }
  bool ready() const final { return lines_.ready(); }

 protected:
  /// False at the end of the input.
  virtual bool read(Sentence& sentence) = 0;

  bool next_line(std::string_view& line) {
    if (!lines_.next(line)) return false;
    if (const std::string_view problem = text_problem(line); !problem.empty()) {
      log_.bad(lines_.number(), 0, std::string(problem));
      line = {};
    }
    return true;
  }
  void add_word(std::string_view form, Sentence& sentence) {
    if (sentence.line == 0) sentence.line = lines_.number();
    sentence.tokens.emplace_back().form = form;
  }

  LineReader lines_;
  ProblemLog log_;
};

class HorizontalReader final : public WordReader {
 public:
  using WordReader::WordReader;

 private:
  bool read(Sentence& sentence) override {
    std::string_view line;
    if (!next_line(line)) return false;
    while (!(line = without_blanks(line)).empty()) {
      const size_t end = std::min(line.find_first_of(kBlanks), line.size());
      add_word(line.substr(0, end), sentence);
      line.remove_prefix(end);
    }
    return true;
  }
};

class VerticalReader final : public WordReader {
 public:
  using WordReader::WordReader;

 private:
  bool read(Sentence& sentence) override {
    bool any = false;
    for (std::string_view line; next_line(line);) {
      any = true;
      line = without_blanks(line);
      if (line.empty()) {
        if (sentence.size() > 0 || log_.is_bad()) break;
        continue;
      }
      line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
      if (line.find('\t') != std::string_view::npos)
        log_.bad(lines_.number(), sentence.size() + 1, "a tab: lines of several columns are conllu or conllx");
      add_word(line, sentence);
    }
    return any;
  }
};

class HorizontalWriter final : public BufferedWriter {
 public:
  using BufferedWriter::BufferedWriter;

 private:
  void append(const Sentence& sentence, std::string& out) override {
    for (int i = 1; i <= sentence.size(); ++i) {
      if (i > 1) out += ' ';
      for (const char c : sentence.word(i).form) {
        if (c == ' ') {
          out += kNoBreakSpace;
        } else {
          out += c;
        }
      }
    }
    out += '\n';
  }
};

class VerticalWriter final : public BufferedWriter {
 public:
  using BufferedWriter::BufferedWriter;

 private:
  void append(const Sentence& sentence, std::string& out) override {
    for (const Token& token : sentence.tokens) out.append(token.form) += '\n';
    out += '\n';
  }
};

}  // namespace

std::unique_ptr<Reader> make_horizontal_reader(std::istream& input, ReaderOptions options) {
  return std::make_unique<HorizontalReader>(input, std::move(options));
}
std::unique_ptr<Writer> make_horizontal_writer(std::ostream& output) {
  return std::make_unique<HorizontalWriter>(output);
}
std::unique_ptr<Reader> make_vertical_reader(std::istream& input, ReaderOptions options) {
  return std::make_unique<VerticalReader>(input, std::move(options));
}
std::unique_ptr<Writer> make_vertical_writer(std::ostream& output) { return std::make_unique<VerticalWriter>(output); }

}  // namespace espalier

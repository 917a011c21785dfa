// Penn bracket files: one or several trees per line, or a tree over several lines, of which all but the first are
// indented (so that unbalanced brackets affect one tree only). Written one tree per line. Files with one tree per line
// are written back byte for byte, traces included; `tokens` are the words without traces.
// Tested by ptb_test.cc, tests/data_test.cc and fuzz/ptb_fuzz.cc.
#include "espalier/format/brackets.h"
#include "espalier/format/formats.h"
#include "espalier/format/line_reader.h"
#include "espalier/format/problem_log.h"

namespace espalier {
namespace {

class PtbReader final : public Reader {
 public:
  PtbReader(std::istream& input, ReaderOptions options) : lines_(input, options.name), log_(std::move(options)) {}

  bool next(Sentence& sentence) override {
    while (read_tree(sentence)) {
      if (log_.is_bad()) sentence.constituents.clear();
      const bool anything = !sentence.tokens.empty() || !sentence.constituents.empty();
      if (log_.deliver() && anything) return true;
    }
    return false;
  }
  bool ready() const override { return !rest_.empty() || lines_.ready(); }

 private:
  /// Reads to the end of a tree, good or bad; false at the end of the input.
  bool read_tree(Sentence& sentence) {
    sentence.clear();
    const auto report = [this](std::string message) { log_.bad(lines_.number(), 0, std::move(message)); };
    for (;;) {
      if (rest_.empty()) {
        if (!lines_.next(rest_)) {
          if (parser_.inside()) return unclosed(sentence);
          return false;
        }
        line_problem_ = text_problem(rest_);
        if (parser_.inside() && rest_.starts_with('(')) return unclosed(sentence);
      }
      if (sentence.line == 0) sentence.line = lines_.number();
      if (!line_problem_.empty()) report(std::string(line_problem_));
      if (parser_.feed(rest_, sentence, report)) return true;
      if (!parser_.inside()) {
        sentence.line = 0;
        if (log_.is_bad()) return true;  // no tree in this line
      }
    }
  }

  bool unclosed(Sentence& sentence) {
    log_.bad(sentence.line, 0, "the brackets of this tree do not close (further lines of a tree must be indented)");
    parser_.reset();
    return true;
  }

  LineReader lines_;
  ProblemLog log_;
  BracketParser parser_;
  std::string_view rest_;          // of the line, behind the trees that are read
  std::string_view line_problem_;  // what is wrong with its bytes, "" if nothing
};

class PtbWriter final : public BufferedWriter {
 public:
  using BufferedWriter::BufferedWriter;

 private:
  void append(const Sentence& sentence, std::string& out) override {
    if (sentence.constituents.empty()) {
      throw Error(
          ErrorKind::kData,
          fmt::format("the sentence of line {} has no phrase-structure tree to write as brackets", sentence.line));
    }
    append_brackets(sentence, out);
    out += '\n';
  }
};

}  // namespace

std::unique_ptr<Reader> make_ptb_reader(std::istream& input, ReaderOptions options) {
  return std::make_unique<PtbReader>(input, std::move(options));
}
std::unique_ptr<Writer> make_ptb_writer(std::ostream& output) { return std::make_unique<PtbWriter>(output); }

}  // namespace espalier

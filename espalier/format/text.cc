// Raw text. Read: paragraphs, separated by empty lines, are cut into sentences and words (segmenter.h). Written: one
// sentence per line, from its "# text = " comment or put together from the words.
// Tested by text_test.cc and fuzz/text_fuzz.cc.
#include "espalier/format/formats.h"
#include "espalier/format/line_reader.h"
#include "espalier/format/problem_log.h"
#include "espalier/format/segmenter.h"

namespace espalier {
namespace {

constexpr std::string_view kTextComment = "# text = ";
constexpr size_t kLongestParagraph = size_t{1} << 16;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

class TextReader final : public Reader {
 public:
  TextReader(std::istream& input, ReaderOptions options)
      : lines_(input, options.name), segmenter_(options.language), log_(std::move(options)) {}

  bool next(Sentence& sentence) override {
    while (next_ == sentences_.size()) {
      if (!read_paragraph()) return false;
    }
    sentence = std::move(sentences_[next_++]);
    return true;
  }
  bool ready() const override { return next_ < sentences_.size() || !rest_.empty() || lines_.ready(); }

 private:
  bool read_paragraph() {
    sentences_.clear();
    next_ = 0;
    std::string paragraph;
    long first_line = 0;
    // One paragraph, but not without end.
    while (paragraph.size() < kLongestParagraph && (!rest_.empty() || lines_.next(rest_))) {
      const std::string_view line = take_piece(rest_, kLongestParagraph);
      if (line.find_first_not_of(" \t") == std::string_view::npos) {
        if (first_line > 0) break;
        continue;
      }
      if (const std::string_view problem = text_problem(line); !problem.empty()) {
        log_.bad(lines_.number(), 0, std::string(problem));
        if (!log_.deliver()) continue;
        append_repaired(line, paragraph);
      } else {
        paragraph += line;
      }
      if (first_line == 0) first_line = lines_.number();
      paragraph += '\n';
    }
    if (first_line == 0) return false;
    segmenter_.segment(paragraph, sentences_);
    for (Sentence& sentence : sentences_) sentence.line = first_line;
    return true;
  }

  /// What cannot be text becomes U+FFFD.
  static void append_repaired(std::string_view line, std::string& out) {
    while (!line.empty()) {
      size_t length = 1;
      while (length < 4 && length < line.size() && (line[length] & 0xC0) == 0x80) ++length;
      const std::string_view character = line.substr(0, length);
      const bool good = text_problem(character).empty();
      out += good ? character : kReplacement;
      line.remove_prefix(good ? length : 1);
    }
  }

  LineReader lines_;
  std::string_view rest_;  // of a long line
  Segmenter segmenter_;
  ProblemLog log_;
  std::vector<Sentence> sentences_;  // of the paragraph
  size_t next_ = 0;
};

class TextWriter final : public BufferedWriter {
 public:
  using BufferedWriter::BufferedWriter;

 private:
  void append(const Sentence& sentence, std::string& out) override {
    out += surface_text(sentence);
    out += '\n';
  }
};

}  // namespace

std::string surface_text(const Sentence& sentence) {
  for (const std::string& comment : sentence.comments) {
    if (comment.starts_with(kTextComment)) return comment.substr(kTextComment.size());
  }
  std::string text;
  int covered = 0;  // the last word of the latest multiword token
  const auto add = [&text](std::string_view form, std::string_view misc) {
    text += form;
    if (misc.find("SpaceAfter=No") == std::string_view::npos) text += ' ';
  };
  auto extra = sentence.extra.begin();
  for (int i = 0; i < sentence.size(); ++i) {
    for (; extra != sentence.extra.end() && extra->before <= i; ++extra) {
      if (const auto multiword = as_multiword(*extra)) {
        covered = multiword->last;
        add(multiword->form, multiword->misc);
      }
    }
    if (i >= covered) add(sentence.word(i + 1).form, sentence.word(i + 1).misc);
  }
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::unique_ptr<Reader> make_text_reader(std::istream& input, ReaderOptions options) {
  return std::make_unique<TextReader>(input, std::move(options));
}
std::unique_ptr<Writer> make_text_writer(std::ostream& output) { return std::make_unique<TextWriter>(output); }

}  // namespace espalier

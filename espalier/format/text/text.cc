// Raw text. Read: paragraphs, separated by empty lines, are cut into sentences and words (segmenter.h). Written: one
// sentence per line, from its "# text = " comment or put together from the words; or exactly as it was read, from MISC
// (text_spaces.h). Tested by text_test.cc, text_spaces_test.cc and fuzz/text_fuzz.cc.
#include "espalier/format/formats.h"
#include "espalier/format/problem_log.h"
#include "espalier/format/text/paragraph_reader.h"
#include "espalier/format/text/segmenter.h"
#include "espalier/format/text/text_spaces.h"

namespace espalier {
namespace {

class TextReader final : public Reader {
 public:
  TextReader(std::istream& input, ReaderOptions options)
      : paragraphs_(input, options.name, options.sentences), segmenter_(options.language), log_(std::move(options)) {
    paragraphs_.leave_out = [this](long line, std::string_view problem) {
      log_.bad(line, 0, std::string(problem));
      return !log_.deliver();
    };
  }

  bool next(Sentence& sentence) override {
    while (next_ == sentences_.size()) {
      sentences_.clear();
      next_ = 0;
      if (!paragraphs_.next(paragraph_)) return false;
      segmenter_.segment(paragraph_.text, sentences_);
      finish_sentences(paragraph_, log_.options().sentences, log_.options().offsets, sentences_);
    }
    sentence = std::move(sentences_[next_++]);
    return true;
  }
  bool ready() const override { return next_ < sentences_.size() || paragraphs_.ready(); }

 private:
  ParagraphReader paragraphs_;
  Segmenter segmenter_;
  ProblemLog log_;
  TextParagraph paragraph_;
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

class ExactTextWriter final : public BufferedWriter {
 public:
  using BufferedWriter::BufferedWriter;

 private:
  void append(const Sentence& sentence, std::string& out) override { out += exact_text(sentence); }
};

}  // namespace

std::string surface_text(const Sentence& sentence) {
  if (const auto text = comment_value(sentence, "text")) return std::string(*text);
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
std::unique_ptr<Writer> make_exact_text_writer(std::ostream& output) {
  return std::make_unique<ExactTextWriter>(output);
}

}  // namespace espalier

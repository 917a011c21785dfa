// CoNLL-U, lossless: files are written back byte for byte, except line ends (always "\n"), spare empty lines and empty
// columns (written "_"). Tested by conllu_test.cc, tests/data_test.cc and fuzz/conllu_fuzz.cc.
#include <fmt/format.h>

#include "espalier/format/formats.h"
#include "espalier/format/treebank/conll_reader.h"

namespace espalier {
namespace {

class ConlluWriter final : public BufferedWriter {
 public:
  using BufferedWriter::BufferedWriter;

 private:
  void append(const Sentence& sentence, std::string& out) override {
    for (const std::string& comment : sentence.comments) {
      out += comment;
      out += '\n';
    }
    auto extra = sentence.extra.begin();
    for (int i = 0; i <= sentence.size(); ++i) {
      for (; extra != sentence.extra.end() && extra->before <= i; ++extra) {
        out += extra->text;
        out += '\n';
      }
      if (i < sentence.size()) append(i + 1, sentence.word(i + 1), out);
    }
    out += '\n';
  }

  static void append(int id, const Token& token, std::string& out) {
    const auto column = [&out](const std::string& text) {
      out += '\t';
      if (text.empty()) {
        out += '_';
      } else {
        out += text;
      }
    };
    const fmt::format_int number(id);
    out.append(number.data(), number.size());
    column(token.form);
    column(token.lemma);
    column(token.upos);
    column(token.xpos);
    column(token.feats);
    out += '\t';
    if (token.head == Token::kNoHead) {
      out += '_';
    } else {
      const fmt::format_int head(token.head);
      out.append(head.data(), head.size());
    }
    column(token.deprel);
    column(token.deps);
    column(token.misc);
    out += '\n';
  }
};

}  // namespace

std::unique_ptr<Reader> make_conllu_reader(std::istream& input, ReaderOptions options) {
  return std::make_unique<ConllReader>(ConllDialect::kU, input, std::move(options));
}
std::unique_ptr<Writer> make_conllu_writer(std::ostream& output) { return std::make_unique<ConlluWriter>(output); }

}  // namespace espalier

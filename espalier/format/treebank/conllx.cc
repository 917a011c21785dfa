// CoNLL-X (Buchholz and Marsi 2006): CPOSTAG and POSTAG are UPOS and XPOS here; PHEAD and PDEPREL are kept in MISC as
// "PHead=3|PDeprel=obj". Comments, multiword tokens, empty nodes, DEPS and the rest of MISC cannot be written in this
// format. Tested by conllx_test.cc and fuzz/conllx_fuzz.cc.
#include <fmt/format.h>

#include "espalier/format/formats.h"
#include "espalier/format/treebank/conll_reader.h"

namespace espalier {
namespace {

constexpr std::string_view kHeadKey = "PHead=", kLabelKey = "PDeprel=";

// MISC entries are separated by "|"; as in SpacesAfter of CoNLL-U, "\p" stands for it, here and "\\" for "\".
void append_escaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (c == '|')
      out += "\\p";
    else if (c == '\\')
      out += "\\\\";
    else
      out += c;
  }
}

void append_unescaped(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      out += text[i] == 'p' ? '|' : text[i];
    } else {
      out += text[i];
    }
  }
}

/// The value of an entry of MISC, "_" if there is none.
void append_entry(std::string_view misc, std::string_view key, std::string& out) {
  while (!misc.empty()) {
    const size_t length = std::min(misc.find('|'), misc.size());
    const std::string_view entry = misc.substr(0, length);
    if (entry.starts_with(key) && entry.size() > key.size()) return append_unescaped(entry.substr(key.size()), out);
    misc.remove_prefix(std::min(length + 1, misc.size()));
  }
  out += '_';
}

class ConllxWriter final : public BufferedWriter {
 public:
  using BufferedWriter::BufferedWriter;

 private:
  void append(const Sentence& sentence, std::string& out) override {
    const auto text = [](const std::string& column) { return column.empty() ? std::string_view("_") : column; };
    for (int i = 1; i <= sentence.size(); ++i) {
      const Token& t = sentence.word(i);
      const std::string head = t.head == Token::kNoHead ? "_" : std::to_string(t.head);
      fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t", i, text(t.form), text(t.lemma),
                     text(t.upos), text(t.xpos), text(t.feats), head, text(t.deprel));
      append_entry(t.misc, kHeadKey, out);
      out += '\t';
      append_entry(t.misc, kLabelKey, out);
      out += '\n';
    }
    out += '\n';
  }
};

}  // namespace

void misc_from_projective(std::string_view phead, std::string_view pdeprel, std::string& misc) {
  misc.clear();
  const auto add = [&misc](std::string_view key, std::string_view value) {
    if (value.empty() || value == "_") return;
    if (!misc.empty()) misc += '|';
    misc += key;
    append_escaped(value, misc);
  };
  add(kHeadKey, phead);
  add(kLabelKey, pdeprel);
  if (misc.empty()) misc += '_';
}

std::unique_ptr<Reader> make_conllx_reader(std::istream& input, ReaderOptions options) {
  return std::make_unique<ConllReader>(ConllDialect::kX, input, std::move(options));
}
std::unique_ptr<Writer> make_conllx_writer(std::ostream& output) { return std::make_unique<ConllxWriter>(output); }

}  // namespace espalier

// Batches of documents as buffers of Arrow columns, without a Python object per word.
#include <array>
#include <climits>
#include <string_view>

#include "bindings.h"

namespace espalier::python {
namespace {

nb::bytes bytes_of(const std::vector<int32_t>& numbers) {
  return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(int32_t));
}

/// Concatenated texts and their ends.
struct Texts {
  const char* name;
  std::string Token::*column;
  std::string bytes = {};
  std::vector<int32_t> ends = {0};

  void add(const Token& token) {
    bytes += token.*column;
    if (bytes.size() > INT_MAX) throw nb::value_error("more than 2 GB of text in a batch");
    ends.push_back(static_cast<int32_t>(bytes.size()));
  }
};

/// Of all documents: "sentences" and "words" say where a document's sentences and a sentence's words end; then a
/// column for each name, texts with their ends as NAME.ends. None has no sentences.
nb::dict arrow_columns(nb::list documents) {
  std::vector<int32_t> sentences{0}, words{0}, heads, starts, ends;
  std::array texts{Texts{"form", &Token::form}, Texts{"lemma", &Token::lemma}, Texts{"upos", &Token::upos},
                   Texts{"xpos", &Token::xpos}, Texts{"feats", &Token::feats}, Texts{"deprel", &Token::deprel}};
  for (const nb::handle item : documents) {
    if (!item.is_none()) {
      const Doc& doc = nb::cast<const Doc&>(item);
      for (size_t s = 0; s < doc.document.sentences.size(); ++s) {
        for (const Token& token : doc.document.sentences[s].tokens) {
          for (Texts& column : texts) column.add(token);
          heads.push_back(token.head);
        }
        for (const auto& [start, end] : doc.places[s]) {
          starts.push_back(static_cast<int32_t>(start));
          ends.push_back(static_cast<int32_t>(end));
        }
        words.push_back(static_cast<int32_t>(heads.size()));
      }
    }
    sentences.push_back(static_cast<int32_t>(words.size()) - 1);
  }
  nb::dict columns;
  columns["sentences"] = bytes_of(sentences);
  columns["words"] = bytes_of(words);
  for (const Texts& column : texts) {
    columns[column.name] = nb::bytes(column.bytes.data(), column.bytes.size());
    columns[(std::string(column.name) + ".ends").c_str()] = bytes_of(column.ends);
  }
  columns["head"] = bytes_of(heads);
  columns["start"] = bytes_of(starts);
  columns["end"] = bytes_of(ends);
  return columns;
}

}  // namespace

void bind_arrow(nb::module_& module) {
  module.def("arrow_columns", &arrow_columns, nb::arg("documents"),
             nb::sig("def arrow_columns(documents: list[Document | None]) -> dict[str, bytes]"));
}

}  // namespace espalier::python

// Documents: whole columns of a sentence as lists, whole columns of a document as numpy arrays.
#include <nanobind/ndarray.h>

#include <map>
#include <string_view>
#include <unordered_map>

#include "bindings.h"
#include "espalier/app/files.h"
#include "espalier/app/query.h"
#include "espalier/app/trace_json.h"

namespace espalier::python {
namespace {

using Column = std::string Token::*;
const std::map<std::string_view, Column> kColumns = {
    {"form", &Token::form},   {"lemma", &Token::lemma},   {"upos", &Token::upos}, {"xpos", &Token::xpos},
    {"feats", &Token::feats}, {"deprel", &Token::deprel}, {"deps", &Token::deps}, {"misc", &Token::misc}};

Column column_named(std::string_view name) {
  const auto found = kColumns.find(name);
  if (found == kColumns.end()) throw nb::key_error(std::string(name).c_str());
  return found->second;
}

std::string written(const Doc& doc, const std::string& format, std::optional<size_t> sentence) {
  const std::span<const Sentence> all = doc.document.sentences;
  if (!sentence) return write_text(all, format);
  return write_text({&sentence_at(doc, *sentence), 1}, format);
}

nb::list words_of(const Doc& doc, size_t i, std::string_view name) {
  const Column column = column_named(name);
  nb::list texts;
  for (const Token& token : sentence_at(doc, i).tokens)
    texts.append(nb::str((token.*column).data(), (token.*column).size()));
  return texts;
}

/// A file, by its format or the one that its name tells.
void save(const Doc& doc, const std::string& file, const std::string& format, std::optional<size_t> sentence) {
  const std::span<const Sentence> all = doc.document.sentences;
  write_file(sentence ? std::span(&sentence_at(doc, *sentence), 1) : all, file, format);
}

std::vector<int> heads_of(const Doc& doc, size_t i) {
  std::vector<int> heads;
  for (const Token& token : sentence_at(doc, i).tokens) heads.push_back(token.head);
  return heads;
}

/// A copy of the document with only the given columns (sentence, word, column, text).
Doc with_given(const Doc& doc, const std::vector<std::tuple<size_t, size_t, std::string, std::string>>& given) {
  Document copy;
  copy.text = doc.document.text;
  for (const Sentence& sentence : doc.document.sentences) {
    Sentence& bare = copy.sentences.emplace_back(sentence);
    bare.constituents = {};
    for (Token& token : bare.tokens) {
      token.head = Token::kNoHead;
      for (const Column column :
           {&Token::lemma, &Token::upos, &Token::xpos, &Token::feats, &Token::deprel, &Token::deps})
        token.*column = "_";
    }
  }
  for (const auto& [sentence, word, column, text] : given) {
    sentence_at(doc, sentence);
    Token& token = copy.sentences[sentence].tokens.at(word);
    if (column == "head")
      token.head = std::stoi(text);
    else
      token.*column_named(column) = text;
  }
  place_words(copy);
  return Doc(std::move(copy));
}

using Numbers = nb::ndarray<nb::numpy, int32_t, nb::ndim<1>>;
Numbers array_of(std::vector<int32_t> numbers) {
  auto* kept = new std::vector<int32_t>(std::move(numbers));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<int32_t>*>(p); });
  return Numbers(kept->data(), {kept->size()}, owner);
}

/// A column of all words: for each the number of its text, and the texts in the order in which they came.
std::pair<Numbers, nb::list> codes_of(const Doc& doc, std::string_view name) {
  const Column column = column_named(name);
  std::unordered_map<std::string_view, int32_t> codes(1024);
  std::vector<int32_t> numbers;
  nb::list texts;
  std::string_view last;  // equal texts, such as "_", often follow each other
  for (const Sentence& sentence : doc.document.sentences) {
    for (const Token& token : sentence.tokens) {
      const std::string_view text = token.*column;
      if (!numbers.empty() && text == last) {
        numbers.push_back(numbers.back());
        continue;
      }
      const auto [entry, is_new] = codes.try_emplace(text, static_cast<int32_t>(codes.size()));
      if (is_new) texts.append(nb::str(text.data(), text.size()));
      numbers.push_back(entry->second);
      last = text;
    }
  }
  return {array_of(std::move(numbers)), texts};
}

/// "sent", "id", "head", "start", "end" of all words.
nb::dict numbers_of(const Doc& doc) {
  std::vector<int32_t> sentences, ids, heads, starts, ends;
  for (size_t s = 0; s < doc.document.sentences.size(); ++s) {
    const auto& places = doc.places[s];
    const Sentence& sentence = doc.document.sentences[s];
    for (size_t i = 0; i < sentence.tokens.size(); ++i) {
      sentences.push_back(static_cast<int32_t>(s));
      ids.push_back(static_cast<int32_t>(i + 1));
      heads.push_back(sentence.tokens[i].head);
      starts.push_back(static_cast<int32_t>(places[i].first));
      ends.push_back(static_cast<int32_t>(places[i].second));
    }
  }
  nb::dict all;
  all["sent"] = array_of(std::move(sentences));
  all["id"] = array_of(std::move(ids));
  all["head"] = array_of(std::move(heads));
  all["start"] = array_of(std::move(starts));
  all["end"] = array_of(std::move(ends));
  return all;
}

using Node = std::tuple<std::string, int, std::vector<int>, std::string>;
std::vector<Node> constituents_of(const Doc& doc, size_t i) {
  std::vector<Node> nodes;
  for (const auto& node : sentence_at(doc, i).constituents.nodes)
    nodes.emplace_back(node.label, node.word, node.children, node.trace);
  return nodes;
}

using Multiword = std::tuple<int, int, std::string, std::string>;
std::vector<Multiword> multiwords_of(const Doc& doc, size_t i) {
  std::vector<Multiword> all;
  for (const ExtraLine& line : sentence_at(doc, i).extra)
    if (const auto token = as_multiword(line)) all.emplace_back(token->first, token->last, token->form, token->misc);
  return all;
}

using FeatureTuple = std::tuple<uint64_t, float, float>;
using CandidateTuple = std::tuple<double, std::vector<std::pair<std::string, double>>, std::vector<FeatureTuple>, Doc>;
std::vector<CandidateTuple> candidates_of(const Doc& doc, size_t i) {
  const Sentence& sentence = sentence_at(doc, i);
  std::vector<CandidateTuple> all;
  if (i >= doc.document.alternatives.size()) return all;
  for (const Alternative& alternative : doc.document.alternatives[i]) {
    Sentence analysed = sentence;
    annotate(analysed, alternative.analysis);
    std::vector<FeatureTuple> features;
    for (const Feature& feature : alternative.features)
      features.emplace_back(feature.key, feature.value, feature.weight);
    all.emplace_back(alternative.score, alternative.scores, std::move(features), document_of({std::move(analysed)}));
  }
  return all;
}

}  // namespace

const Sentence& sentence_at(const Doc& doc, size_t i) {
  if (i >= doc.document.sentences.size()) throw nb::index_error("there is no such sentence");
  return doc.document.sentences[i];
}

Doc::Doc(Document from) : document(std::move(from)) {
  size_t byte = 0, character = 0;
  const auto characters_until = [&](size_t end) {
    if (end < byte) byte = 0, character = 0;  // the words of a multiword token share its place
    for (; byte < end; ++byte) character += (static_cast<unsigned char>(document.text[byte]) & 0xC0) != 0x80;
    return character;
  };
  for (const auto& spans : document.places) {
    auto& converted = places.emplace_back();
    for (const TextSpan& span : spans) {
      const bool again = !converted.empty() && &span != spans.data() && *(&span - 1) == span;
      if (again) {
        converted.push_back(converted.back());
        continue;
      }
      const size_t begin = characters_until(span.begin);
      converted.emplace_back(begin, characters_until(span.end));
    }
  }
  places.resize(document.sentences.size());
}

Doc document_of(std::vector<Sentence> sentences) {
  Document document;
  document.sentences = std::move(sentences);
  place_words(document);
  return Doc(std::move(document));
}

std::string utf8(nb::handle text) {
  Py_ssize_t size = 0;
  if (const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) return {bytes, static_cast<size_t>(size)};
  PyErr_Clear();
  const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
  if (!bytes.is_valid()) throw nb::python_error();
  return {PyBytes_AsString(bytes.ptr()), static_cast<size_t>(PyBytes_Size(bytes.ptr()))};
}

void bind_document(nb::module_& module) {
  nb::class_<Doc>(module, "Document")
      .def_prop_ro("text", [](const Doc& doc) { return doc.document.text; })
      .def("sizes",
           [](const Doc& doc) {
             std::vector<size_t> sizes;
             for (const Sentence& sentence : doc.document.sentences) sizes.push_back(sentence.tokens.size());
             return sizes;
           })
      .def("column", &words_of, nb::arg("sentence"), nb::arg("name"),
           nb::sig("def column(self, sentence: int, name: str) -> list[str]"))
      .def("heads", &heads_of, nb::arg("sentence"))
      .def(
          "places",
          [](const Doc& doc, size_t i) {
            sentence_at(doc, i);
            return doc.places[i];
          },
          nb::arg("sentence"))
      .def(
          "comments", [](const Doc& doc, size_t i) { return sentence_at(doc, i).comments; }, nb::arg("sentence"))
      .def("constituents", &constituents_of, nb::arg("sentence"))
      .def(
          "noun_chunks",
          [](const Doc& doc, size_t i) {
            std::vector<std::pair<int, int>> chunks;
            for (const NounChunk& chunk : noun_chunks(sentence_at(doc, i)))
              chunks.emplace_back(chunk.first, chunk.last);
            return chunks;
          },
          nb::arg("sentence"))
      .def("multiwords", &multiwords_of, nb::arg("sentence"))
      .def("candidates", &candidates_of, nb::arg("sentence"))
      .def(
          "trace",
          [](const Doc& doc, size_t i) {
            sentence_at(doc, i);
            return i < doc.document.traces.size() ? trace_json(doc.document.traces[i]) : "";
          },
          nb::arg("sentence"))
      .def("codes", &codes_of, nb::arg("name"),
           nb::sig("def codes(self, name: str) -> tuple[numpy.typing.NDArray[numpy.int32], list[str]]"))
      .def("numbers", &numbers_of, nb::sig("def numbers(self) -> dict[str, numpy.typing.NDArray[numpy.int32]]"))
      .def("write", &written, nb::arg("format"), nb::arg("sentence") = nb::none(),
           nb::call_guard<nb::gil_scoped_release>())
      .def("save", &save, nb::arg("file"), nb::arg("format"), nb::arg("sentence") = nb::none(),
           nb::call_guard<nb::gil_scoped_release>())
      .def("given", &with_given, nb::arg("columns"))
      .def(
          "select",
          [](const Doc& doc, const std::vector<size_t>& sentences) {
            std::vector<Sentence> chosen;
            for (const size_t i : sentences) chosen.push_back(sentence_at(doc, i));
            return document_of(std::move(chosen));
          },
          nb::arg("sentences"));
}

}  // namespace espalier::python

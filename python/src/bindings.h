// Shared by the files of the extension module. They bind only espalier/app/; everything that can be written in Python
// is in python/espalier/.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "espalier/app/model.h"

namespace espalier::python {

namespace nb = nanobind;

/// A document of the library, and its places in characters, as Python counts. Immutable, so that threads may share it.
struct Doc {
  Document document;
  std::vector<std::vector<std::pair<size_t, size_t>>> places;

  explicit Doc(Document from);
};

const Sentence& sentence_at(const Doc& doc, size_t i);

/// Sentences that came without a text get one, put together from their words.
Doc document_of(std::vector<Sentence> sentences);

/// The text as UTF-8; lone surrogates become invalid bytes, which readers report.
std::string utf8(nb::handle text);

/// A number that Python code has brought, or a TypeError that names it.
template <class T>
T number_of(nb::handle value, const char* what) {
  T number;
  if (nb::try_cast(value, number)) return number;
  throw nb::type_error((std::string(what) + " is a number, not " + nb::cast<std::string>(nb::repr(value))).c_str());
}

void bind_document(nb::module_& module);
void bind_model(nb::module_& module);
void bind_files(nb::module_& module);
void bind_training(nb::module_& module);
void bind_search(nb::module_& module);
void bind_query(nb::module_& module);
void bind_arrow(nb::module_& module);

}  // namespace espalier::python

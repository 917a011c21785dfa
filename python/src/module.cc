// espalier._core: the application layer of the C++ library for Python.
#include "bindings.h"

namespace espalier::python {
namespace {

/// espalier::Error becomes espalier.EspalierError, which finds file and line in the message (errors.py).
void raise_in_python(const std::exception_ptr& thrown, void*) {
  const auto raise = [](const char* type, const Error& error) {
    const nb::object made =
        nb::module_::import_("espalier.errors").attr(type)(error.what(), static_cast<int>(error.kind()));
    PyErr_SetObject(made.type().ptr(), made.ptr());
  };
  try {
    std::rethrow_exception(thrown);
  } catch (const Stopped& error) {
    raise("Stopped", error);
  } catch (const Error& error) {
    raise("EspalierError", error);
  }
}

}  // namespace
}  // namespace espalier::python

NB_MODULE(_core, module) {
  using namespace espalier::python;
  nb::register_exception_translator(raise_in_python);
  module.def("version", &espalier::version);
  bind_document(module);
  bind_model(module);
  bind_files(module);
  bind_training(module);
  bind_search(module);
  bind_query(module);
  bind_arrow(module);
}

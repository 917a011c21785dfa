// Patterns over trees, explanations of trees, and models by name.
#include "espalier/app/query.h"

#include "bindings.h"
#include "espalier/app/explain.h"
#include "espalier/app/installed_models.h"

namespace espalier::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

std::vector<std::vector<int>> match(const Query& query, const Doc& doc, size_t sentence) {
  std::vector<std::vector<int>> all;
  query.match(sentence_at(doc, sentence),
              [&](std::span<const int> words) { all.emplace_back(words.begin(), words.end()); });
  return all;
}

using ReasonTuple = std::tuple<std::string, double, double>;
using Explained = std::tuple<Doc, double, Doc, double, std::vector<ReasonTuple>, std::string>;
/// Both trees as documents with their scores, the reasons, and all of it as a text with `top` reasons for either tree.
Explained explained(const Model& model, const Doc& doc, size_t sentence, int word, int head, std::string deprel,
                    int kbest, size_t top) {
  ExplainOptions options;
  options.word = word;
  options.head = head;
  options.deprel = std::move(deprel);
  options.kbest = kbest;
  const Explanation explanation = explain(model, sentence_at(doc, sentence), options);
  const auto annotated = [&](const Alternative& tree) {
    Sentence copy = explanation.sentence;
    annotate(copy, tree.analysis);
    return document_of({std::move(copy)});
  };
  std::vector<ReasonTuple> reasons;
  for (const Reason& reason : explanation.reasons) reasons.emplace_back(reason.name, reason.times, reason.weight);
  return {annotated(explanation.best), explanation.best.score, annotated(explanation.rival),
          explanation.rival.score,     std::move(reasons),     explanation_text(explanation, word, top)};
}

/// The package's own folder, then the folders of the library.
std::vector<std::string> folders_after(std::string own) {
  std::vector<std::string> folders = {std::move(own)};
  for (std::string& folder : model_folders()) folders.push_back(std::move(folder));
  return folders;
}

}  // namespace

void bind_query(nb::module_& module) {
  nb::class_<Query>(module, "Query")
      .def(nb::init<std::string_view>(), nb::arg("pattern"))
      .def("names", &Query::names)
      .def("match", &match, nb::arg("document"), nb::arg("sentence"), Unlocked());
  module.def("explain", &explained, nb::arg("model"), nb::arg("document"), nb::arg("sentence"), nb::arg("word"),
             nb::arg("head"), nb::arg("deprel"), nb::arg("kbest"), nb::arg("top"), Unlocked());
  module.def(
      "installed_models",
      [](std::string folder) {
        std::vector<std::pair<std::string, std::string>> models;
        for (InstalledModel& model : installed_models(folders_after(std::move(folder))))
          models.emplace_back(std::move(model.name), std::move(model.file));
        return models;
      },
      nb::arg("folder"));
  module.def(
      "model_file",
      [](const std::string& name, std::string folder) { return model_file(name, folders_after(std::move(folder))); },
      nb::arg("name"), nb::arg("folder"));
}

}  // namespace espalier::python

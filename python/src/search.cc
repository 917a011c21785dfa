// Learning to search: tasks that are Python objects. Their code runs under Python's lock, in the thread that called.
#include "bindings.h"
#include "espalier/app/train_search.h"

namespace espalier::python {
namespace {

/// Keys of features, made once and used in every pass.
struct Features {
  std::vector<uint64_t> keys;
};

/// A text, a number that is a key already, features made before, or a list or tuple of such.
void add_features(nb::handle what, std::vector<uint64_t>& keys) {
  if (nb::isinstance<nb::str>(what)) {
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(what.ptr(), &size);
    if (!bytes) throw nb::python_error();
    keys.push_back(feature_key({bytes, static_cast<size_t>(size)}));
  } else if (nb::isinstance<Features>(what)) {
    const auto& made = nb::cast<const Features&>(what).keys;
    keys.insert(keys.end(), made.begin(), made.end());
  } else if (nb::isinstance<nb::int_>(what)) {
    keys.push_back(number_of<uint64_t>(what, "a feature's key"));
  } else {
    for (const nb::handle item : nb::iter(what)) add_features(item, keys);
  }
}

/// A number, or any number of them.
void add_numbers(nb::handle what, std::vector<int>& numbers) {
  if (what.is_none()) return;
  if (nb::isinstance<nb::int_>(what)) return numbers.push_back(number_of<int>(what, "an action"));
  for (const nb::handle item : nb::iter(what)) numbers.push_back(number_of<int>(item, "an action"));
}

/// The object that `run` gets. It throws if it is used after the run.
class PySearch {
 public:
  int predict(nb::handle features, nb::handle allowed, nb::handle reference, nb::handle costs, int learner,
              nb::handle condition) {
    TaskSearch& search = running();
    keys_.clear(), allowed_.clear(), reference_.clear(), costs_.clear(), condition_.clear();
    if (search.needs_features()) add_features(features, keys_), add_numbers(condition, condition_);
    add_numbers(allowed, allowed_);
    if (!allowed.is_none() && allowed_.empty()) throw nb::value_error("no action is allowed");
    if (search.needs_reference()) {
      add_numbers(reference, reference_);
      if (!costs.is_none())
        for (const nb::handle cost : nb::iter(costs)) costs_.push_back(number_of<float>(cost, "a cost"));
    }
    return search.predict({keys_, allowed_, reference_, costs_, learner, condition_});
  }
  void loss(double amount) { running().loss(amount); }
  bool needs_features() { return running().needs_features(); }
  bool needs_reference() { return running().needs_reference(); }

  void run(TaskSearch& search, nb::handle self, nb::handle task, nb::handle example, nb::object& output) {
    search_ = &search;
    struct Over {
      PySearch& search;
      ~Over() { search.search_ = nullptr; }
    } over{*this};
    output = task(self, example);
  }

 private:
  TaskSearch& running() {
    if (!search_) throw nb::value_error("a search is over when run has returned");
    return *search_;
  }
  TaskSearch* search_ = nullptr;
  std::vector<uint64_t> keys_;
  std::vector<int> allowed_, reference_, condition_;
  std::vector<float> costs_;
};

/// Calls `task(search, example)`; keeps the last result.
template <class Do>
nb::object with_search(nb::handle task, nb::handle example, Do&& work) {
  const nb::object self = nb::cast(PySearch());
  PySearch& search = nb::cast<PySearch&>(self);
  nb::object output;
  work([&](TaskSearch& running) { search.run(running, self, task, example, output); });
  return output;
}

}  // namespace

void bind_search(nb::module_& module) {
  nb::class_<Features>(module, "Features")
      .def(
          "__init__",
          [](Features* self, nb::handle features) {
            new (self) Features();
            add_features(features, self->keys);
          },
          nb::arg("features"), nb::sig("def __init__(self, features: object) -> None"))
      .def("__len__", [](const Features& features) { return features.keys.size(); })
      .def_ro("keys", &Features::keys);

  nb::class_<PySearch>(module, "Search")
      .def("predict", &PySearch::predict, nb::arg("features"), nb::arg("allowed") = nb::none(),
           nb::arg("reference") = nb::none(), nb::arg("costs") = nb::none(), nb::arg("learner") = 0,
           nb::arg("condition") = nb::none(),
           nb::sig("def predict(self, features: object, allowed: collections.abc.Iterable[int] | None = None, "
                   "reference: int | collections.abc.Iterable[int] | None = None, "
                   "costs: collections.abc.Iterable[float] | None = None, learner: int = 0, "
                   "condition: int | collections.abc.Iterable[int] | None = None) -> int"))
      .def("loss", &PySearch::loss, nb::arg("amount"))
      .def_prop_ro("needs_features", &PySearch::needs_features)
      .def_prop_ro("needs_reference", &PySearch::needs_reference);

  nb::class_<SearchModel>(module, "SearchModel")
      .def(
          "decide",
          [](const SearchModel& model, nb::handle task, nb::handle example) {
            return with_search(task, example, [&](const TaskRun& run) { model.decide(run); });
          },
          nb::arg("task"), nb::arg("example").none(),
          nb::sig("def decide(self, task: object, example: object) -> object"))
      .def("to_bytes",
           [](const SearchModel& model) {
             const std::string bytes = model.to_bytes();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def_static(
          "from_bytes",
          [](nb::bytes bytes, const std::string& name) {
            return SearchModel::from_bytes({bytes.c_str(), bytes.size()}, name);
          },
          nb::arg("bytes"), nb::arg("name"));

  // Training changes its state, so without Python's global lock only one thread at a time may use it.
  nb::class_<SearchTrainer>(module, "SearchTrainer")
      .def(nb::init<std::vector<int>, const std::vector<std::string>&, uint64_t>(), nb::arg("actions"),
           nb::arg("settings"), nb::arg("seed"))
      .def("epochs", &SearchTrainer::epochs)
      .def("samples", &SearchTrainer::samples)
      .def("sample", &SearchTrainer::sample, nb::lock_self())
      .def(
          "learn",
          [](SearchTrainer& trainer, nb::handle task, nb::handle example) {
            double loss = 0;
            with_search(task, example, [&](const TaskRun& run) { loss = trainer.learn(run); });
            return loss;
          },
          nb::lock_self(), nb::arg("task"), nb::arg("example").none(),
          nb::sig("def learn(self, task: object, example: object) -> float"))
      .def("model", &SearchTrainer::model, nb::lock_self());
}

}  // namespace espalier::python

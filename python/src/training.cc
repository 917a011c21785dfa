// Training runs in a thread of its own; the calling thread waits, passes messages and progress on to Python's
// callbacks, and checks for Ctrl-C, which keeps the best model so far.
#include "espalier/app/train.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "bindings.h"
#include "espalier/app/calibrate.h"

namespace espalier::python {
namespace {

/// Messages and progress from any thread for the waiting thread. Within an epoch only the latest progress is kept.
class News {
 public:
  struct Item {
    std::string text;  // a message, or progress as JSON
    bool is_progress = false, replaceable = false;
  };
  void put(Item item) {
    {
      const std::lock_guard lock(mutex_);
      if (!items_.empty() && items_.back().replaceable && item.is_progress) items_.pop_back();
      items_.push_back(std::move(item));
    }
    changed_.notify_one();
  }
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_one();
  }
  /// Waits a while; false once it is closed and empty.
  bool wait(std::deque<Item>& into) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(100), [this] { return closed_ || !items_.empty(); });
    into.swap(items_);
    return !closed_ || !into.empty();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  bool closed_ = false;
};

std::string json_of(const Progress& progress) {
  return nlohmann::json{{"phase", progress.phase},  {"epoch", progress.epoch}, {"epochs", progress.epochs},
                        {"done", progress.done},    {"total", progress.total}, {"epoch_end", progress.epoch_end},
                        {"values", progress.values}}
      .dump();
}

/// Calls Python's function with sentence and candidates as documents; an exception in it ends the training.
LossFunction loss_of(nb::handle function) {
  return [function](const Sentence& gold, std::span<const Analysis* const> analyses) {
    std::vector<Sentence> candidates;
    for (const Analysis* analysis : analyses) annotate(candidates.emplace_back(gold), *analysis);
    const nb::gil_scoped_acquire locked;
    try {
      return nb::cast<std::vector<double>>(function(document_of({gold}), document_of(std::move(candidates))));
    } catch (const nb::cast_error&) {
      throw Error(ErrorKind::kUsage, "a loss function returns a list of numbers, a cost for each candidate");
    }
  };
}

/// Calls Python's function; an exception in it ends the training.
std::function<void(const std::vector<std::string>&)> part_maker(nb::handle function) {
  return [function](const std::vector<std::string>& parts) {
    const nb::gil_scoped_acquire locked;
    function(parts);
  };
}

std::string train(TrainFiles request, nb::object on_progress, nb::object on_message) {
  News news;
  std::atomic<bool> stop = false;
  request.stop = &stop;
  request.message = [&](const std::string& text) { news.put({text}); };
  if (!on_progress.is_none())
    request.progress = [&](const Progress& progress) { news.put({json_of(progress), true, !progress.epoch_end}); };

  nlohmann::json result;
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      result = train_files(request);
    } catch (...) {
      failure = std::current_exception();
    }
    news.close();
  });
  std::optional<nb::python_error> raised;  // by a callback; KeyboardInterrupt only stops
  std::deque<News::Item> items;
  for (bool more = true; more;) {
    items.clear();
    {
      const nb::gil_scoped_release unlocked;
      more = news.wait(items);
    }
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      for (const News::Item& item : items) {
        if (!raised) (item.is_progress ? on_progress : on_message)(item.text);
      }
    } catch (nb::python_error& error) {
      stop = true;
      if (!error.matches(PyExc_KeyboardInterrupt)) raised.emplace(std::move(error));
    }
  }
  {
    const nb::gil_scoped_release unlocked;
    worker.join();
  }
  if (raised) raised->restore(), throw nb::python_error();
  if (failure) std::rethrow_exception(failure);
  return result.dump();
}

}  // namespace

void bind_training(nb::module_& module) {
  module.def(
      "train",
      [](const std::string& recipe, const std::vector<std::string>& settings, const std::vector<std::string>& files,
         const std::string& dev, const std::string& model, const std::string& format, const std::string& licence,
         int threads, uint64_t seed, bool resume, nb::dict losses, nb::object progress, nb::object message,
         nb::object make_parts, const std::string& only_part) {
        TrainFiles request;
        request.recipe = recipe;
        request.settings = settings;
        request.train = files;
        request.dev = dev;
        request.model = model;
        request.format = format;
        request.licence = licence;
        request.threads = threads;
        request.seed = seed;
        request.resume = resume;
        for (const auto& [name, function] : losses) request.losses[nb::cast<std::string>(name)] = loss_of(function);
        if (!make_parts.is_none()) request.make_parts = part_maker(make_parts);
        request.only_part = only_part;
        return train(std::move(request), std::move(progress), std::move(message));
      },
      nb::arg("recipe"), nb::arg("settings"), nb::arg("files"), nb::arg("dev"), nb::arg("model"), nb::arg("format"),
      nb::arg("licence"), nb::arg("threads"), nb::arg("seed"), nb::arg("resume"), nb::arg("losses"),
      nb::arg("progress").none(), nb::arg("message"), nb::arg("make_parts").none(), nb::arg("only_part"),
      nb::sig("def train(recipe: str, settings: list[str], files: list[str], dev: str, model: str, format: str, "
              "licence: str, threads: int, seed: int, resume: bool, "
              "losses: dict[str, collections.abc.Callable[[Document, Document], list[float]]], "
              "progress: collections.abc.Callable[[str], object] | None, "
              "message: collections.abc.Callable[[str], object], "
              "make_parts: collections.abc.Callable[[list[str]], object] | None, only_part: str) -> str"));
  module.def(
      "calibrate",
      [](const std::string& model, const std::string& dev, const std::string& test, const std::string& output,
         const std::string& format, int kbest, std::vector<std::string> settings, int threads) {
        CalibrateModel request;
        request.model = model;
        request.dev = dev;
        request.test = test;
        request.output = output;
        request.format = format;
        request.kbest = kbest;
        request.settings = std::move(settings);
        request.threads = threads;
        return calibrate_model(request).dump();
      },
      nb::arg("model"), nb::arg("dev"), nb::arg("test"), nb::arg("output"), nb::arg("format"), nb::arg("kbest"),
      nb::arg("settings"), nb::arg("threads"), nb::call_guard<nb::gil_scoped_release>());
  module.def("recipes", [] { return recipes().dump(); });
  module.def("recipe_source", &recipe_source, nb::arg("recipe"));
  module.def(
      "recipe_settings",
      [](const std::string& recipe, const std::vector<std::string>& settings) {
        return recipe_settings(recipe, settings).dump();
      },
      nb::arg("recipe"), nb::arg("settings"));
}

}  // namespace espalier::python

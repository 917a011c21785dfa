// --resume on forged checkpoints: a run may refuse them, or go on and end; nothing else.
#include <unistd.h>

#include <filesystem>
#include <map>

#include "espalier/base/file.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/model_file.h"
#include "fuzz/forge.h"
#include "fuzz/toy_models.h"

namespace {

using namespace espalier;

/// Everything that learns in epochs has its state in one file; other shapes are made of such parts. Those with a filter
/// of arcs keep megabytes, too many for a fuzzer.
constexpr const char* kKinds[] = {"greedy",     "beam_swap", "tagger",       "l2s",  "l2s_tagger",
                                  "lemmatizer", "tokenizer", "shift_reduce", "chart"};

std::string checkpoint_file() {
  const char* folder = std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";
  return fmt::format("{}/espalier-fuzz-{}.checkpoint", folder, ::getpid());
}

struct Run {
  Settings settings;
  TrainData data;
  std::string seed;

  Trained go_on() const {
    TrainContext context;
    context.checkpoint = checkpoint_file();
    context.resume = true;
    return train(settings, data, context);
  }
};

/// By the identity that the checkpoint must have.
const std::map<std::string, Run>& runs() {
  static const std::map<std::string, Run> all = [] {
    std::map<std::string, Run> runs;
    for (const ParserKind& kind : fuzz::fuzzed_kinds()) {
      if (std::ranges::find(kKinds, std::string_view(kind.name)) == std::end(kKinds)) continue;
      for (const long patience : {2, 7}) {
        Run run{fuzz::small_settings(kind), fuzz::small_data(kind), ""};
        run.settings.set("epochs", patience == 2 ? "2" : "3");
        TrainContext context;
        context.checkpoint = checkpoint_file();
        long asked = 0;
        context.stop = [&] { return ++asked > patience; };
        try {
          train(run.settings, run.data, context);
        } catch (const Error&) {
        }
        if (!std::filesystem::exists(context.checkpoint)) continue;  // it was through before
        run.seed = read_file(context.checkpoint);
        const std::string identity = ModelFile::from_bytes(run.seed, "seed")->metadata().at("identity");
        runs.emplace(identity, std::move(run));
      }
    }
    return runs;
  }();
  return all;
}

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> files;
    for (const auto& [identity, run] : runs()) files.push_back(run.seed);
    return files;
  }();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto file = ModelFile::from_bytes(bytes, "fuzz.checkpoint");
    const auto run = runs().find(file->metadata().value("identity", ""));
    if (run == runs().end()) return 0;
    write_file(checkpoint_file(), bytes);
    run->second.go_on();
  } catch (const Error&) {
  } catch (const nlohmann::json::type_error&) {  // an identity that is no text, above
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return fuzz::forge(data, size, max_size, seed, seeds());
}

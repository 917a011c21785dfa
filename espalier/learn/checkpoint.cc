#include "espalier/learn/checkpoint.h"

#include <filesystem>

#include "espalier/base/error.h"
#include "espalier/parser/model_file.h"

namespace espalier {

namespace fs = std::filesystem;

namespace {

// Incremented when the states of learners change: checkpoints of older programs cannot be resumed.
constexpr int kFormat = 2;

std::string parts_folder(const TrainContext& context) { return context.checkpoint + ".parts"; }

}  // namespace

std::shared_ptr<const ModelFile> Checkpoint::open() const {
  if (!wanted() || !resume_ || !fs::exists(file_)) return nullptr;
  auto kept = ModelFile::open(file_);
  const bool own = read_kept(*kept, [&](const nlohmann::json& m) {
    // As JSON: what 1e300 becomes as an integer is undefined.
    return m.value("checkpoint_format", nlohmann::json()) == kFormat && m.value("identity", "") == identity_;
  });
  if (!own)
    throw data_error(file_, 0,
                     "this checkpoint belongs to another run (other recipe, settings, seed, data or program); "
                     "train without --resume to begin anew");
  return kept;
}

void Checkpoint::write(ModelWriter writer) const {
  if (!wanted()) return;
  writer.metadata["checkpoint_format"] = kFormat;
  writer.metadata["identity"] = identity_;
  writer.save(file_);
}

std::string part_file(const TrainContext& context, const std::string& name) {
  if (context.checkpoint.empty()) return "";
  fs::create_directories(parts_folder(context));
  return parts_folder(context) + "/" + name;
}

TrainContext part_context(const TrainContext& context, const std::string& name) {
  TrainContext own = context;
  own.checkpoint = part_file(context, name + ".checkpoint");
  return own;
}

bool has_checkpoint(const TrainContext& context) {
  return !context.checkpoint.empty() && (fs::exists(context.checkpoint) || fs::exists(parts_folder(context)));
}

void remove_checkpoint(const TrainContext& context) {
  if (context.checkpoint.empty()) return;
  fs::remove(context.checkpoint);
  fs::remove_all(parts_folder(context));
}

}  // namespace espalier

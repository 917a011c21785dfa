// The files that a run keeps beside the model for --resume: one per state that can be restored (of a learner, a
// finished stage, a finished fold), each with the identity of its run. All trainers save their state through it.
// Tested by checkpoint_test.cc and tests/contract/trainer_test.cc.
#pragma once

#include <memory>
#include <string>

#include "espalier/learn/trainer.h"
#include "espalier/parser/model_file.h"

namespace espalier {

class Checkpoint {
 public:
  /// The state of what `context` trains. `identity` names everything that it depends on: run_identity(...).
  Checkpoint(const TrainContext& context, std::string identity)
      : Checkpoint(context.checkpoint, std::move(identity), context.resume) {}
  /// `file` "" = keep nothing.
  Checkpoint(std::string file, std::string identity, bool resume)
      : file_(std::move(file)), identity_(std::move(identity)), resume_(resume) {}

  const std::string& file() const { return file_; }
  bool wanted() const { return !file_.empty(); }
  /// The saved state, if there is one and the run resumes. Throws a data Error if it belongs to another run.
  std::shared_ptr<const ModelFile> open() const;
  /// Replaces the saved state; the old file stays until the new one is complete.
  void write(ModelWriter writer) const;

 private:
  std::string file_, identity_;
  bool resume_;
};

/// Runs `read` on a checkpoint: missing entries and entries of a wrong type throw the Error of a damaged file.
template <class Read>
auto read_kept(const ModelFile& kept, Read&& read) {
  try {
    return read(kept.metadata());
  } catch (const nlohmann::json::exception& error) {
    throw data_error(kept.name(), 0, "the checkpoint is damaged ({})", error.what());
  }
}

/// A file for a part of the run (a stage, a fold) in a folder beside the checkpoint, which is created; "" without one.
std::string part_file(const TrainContext& context, const std::string& name);
/// The context in which a part is trained: its own checkpoint, and those of its parts.
TrainContext part_context(const TrainContext& context, const std::string& name);

bool has_checkpoint(const TrainContext& context);
/// Removes the checkpoint and all parts: when the model is saved, and when a new run begins.
void remove_checkpoint(const TrainContext& context);

}  // namespace espalier

// Warnings about input and output, each given once, with advice. Tested by tests/warnings_test.cc.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "espalier/app/files.h"

namespace espalier {

/// Passes the first message on, and no other.
Message once(const Message& message);

/// Passes sentences on; warns if words have no tags although the model was trained with tags.
class TagWatch final : public Reader {
 public:
  /// `message` may be empty; `file` is what it names.
  TagWatch(std::unique_ptr<Reader> input, std::string file, Message message)
      : input_(std::move(input)), file_(std::move(file)), message_(std::move(message)) {}

  bool next(Sentence& sentence) override;
  bool ready() const override { return input_->ready(); }

 private:
  std::unique_ptr<Reader> input_;
  std::string file_;
  Message message_;  // empty once it was said
};
/// Whether a model parses or lemmatizes with tags that it does not predict itself.
bool needs_tags(const Model& model);

/// Passes sentences on; warns if one is written in a script that the training data did not have.
class ScriptWatch final : public Writer {
 public:
  ScriptWatch(Writer& output, const Model& model, std::string file, Message message);

  void write(const Sentence& sentence) override;
  void write_list(const Sentence& sentence, std::span<const ScoredAnalysis> list) override;
  void finish() override { output_.finish(); }

 private:
  void look_at(const Sentence& sentence);

  Writer& output_;
  std::set<std::string, std::less<>> known_;  // empty = unknown
  std::string file_;
  Message message_;
};

/// Passes sentences on; warns if the output's format cannot hold what they have.
class DropWatch final : public Writer {
 public:
  DropWatch(std::unique_ptr<Writer> output, std::string format, Message message)
      : output_(std::move(output)), format_(std::move(format)), message_(std::move(message)) {}

  void write(const Sentence& sentence) override;
  void write_list(const Sentence& sentence, std::span<const ScoredAnalysis> list) override;
  void finish() override { output_->finish(); }

 private:
  void look_at(const Sentence& sentence);

  std::unique_ptr<Writer> output_;
  std::string format_;
  Message message_;
};

}  // namespace espalier

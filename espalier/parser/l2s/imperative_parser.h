// A learned task (parser/l2s/imperative.h) as a parser. A task that annotates sentences has
//
//   Example                                    the state of one sentence; its memory is reused
//   std::vector<int> actions() const           the number of actions of each of its learners
//   void read(const Sentence&, Example&, bool gold) const
//   void run(Search&, Example&) const
//   void write(const Example&, Sentence&) const
//   nlohmann::json save() const;  void load(const nlohmann::json&)
//
// and becomes a registered kind by one line in parser/registry.cc. Tested by tests/l2s_parser_test.cc.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "espalier/parser/given_heads.h"
#include "espalier/parser/l2s/imperative.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/parser.h"

namespace espalier {

/// The regressors' sections, and their shapes for the metadata.
nlohmann::json save_regressors(std::span<const HashedRegressor> regressors, ModelWriter& writer,
                               const std::string& prefix);
/// Throws a data Error if the file's regressors do not have these numbers of actions.
std::vector<HashedRegressor> load_regressors(const ModelPart& part, std::span<const int> actions);

template <class Task>
class ImperativeParser : public Parser {
 public:
  ImperativeParser(std::string kind, std::vector<std::string> predicts, Task task,
                   std::vector<HashedRegressor> regressors)
      : kind_(std::move(kind)),
        predicts_(std::move(predicts)),
        task_(std::move(task)),
        regressors_(std::move(regressors)) {}

  static std::unique_ptr<Parser> load(std::string kind, std::vector<std::string> predicts, const ModelPart& part) {
    Task task;
    task.load(part.metadata.at("task"));
    auto regressors = load_regressors(part, task.actions());
    return std::make_unique<ImperativeParser>(std::move(kind), std::move(predicts), std::move(task),
                                              std::move(regressors));
  }

  AboutParser about() const override { return {.kind = kind_, .predicts = predicts_}; }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Space>(*this); }
  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    Space& space = own<Space>(workspace);
    task_.read(sentence, space.example, false);
    task_.run(space.search, space.example);
    task_.write(space.example, sentence);
    if (!given.empty()) mend(given, about(), sentence);
  }
  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    return {{"task", task_.save()}, {"regressors", save_regressors(regressors_, writer, prefix)}};
  }

 protected:
  struct Space : Workspace {
    explicit Space(const ImperativeParser& parser) : Workspace(parser), search(parser.regressors_) {}
    typename Task::Example example;
    GreedySearch search;
  };

 private:
  std::string kind_;
  std::vector<std::string> predicts_;

 protected:
  Task task_;
  std::vector<HashedRegressor> regressors_;
};

}  // namespace espalier

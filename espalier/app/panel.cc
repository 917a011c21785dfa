#include "espalier/app/panel.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "espalier/base/error.h"
#include "espalier/parser/combine/committee.h"
#include "espalier/parser/parser.h"
#include "espalier/tree/misc.h"

namespace espalier {
namespace {

class Panel final : public Parser, public Tokenizing {
 public:
  explicit Panel(std::vector<Model> members) : members_(std::move(members)) {}

  AboutParser about() const override {
    AboutParser about = first().about();
    about.kind = "panel";
    about.can = {.tokenize = about.can.tokenize};
    return about;
  }

  std::unique_ptr<Workspace> make_workspace() const override {
    auto scratch = std::make_unique<Scratch>(*this);
    for (const Model& member : members_) scratch->members.push_back(member.parser().make_workspace());
    scratch->lists.resize(members_.size(), std::vector<Candidate>(1));
    scratch->votes.resize(members_.size());
    return scratch;
  }

  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    if (sentence.size() == 0) return;
    auto& scratch = own<Scratch>(workspace);
    const Sentence unparsed = sentence;
    for (size_t i = 0; i < members_.size(); ++i) {
      Sentence copy = i > 0 ? unparsed : Sentence();
      Sentence& mine = i > 0 ? copy : sentence;
      members_[i].parser().parse(mine, given, *scratch.members[i]);
      scratch.lists[i][0].analysis = dependencies_of(mine);
    }
    scratch.poll.count(sentence.size(), scratch.lists, scratch.votes);
    scratch.poll.winner({.single_root = about().roots == Roots::kOne}, scratch.analysis);
    annotate(sentence, scratch.analysis);
    write_agreement(sentence, scratch.lists);
  }

  const Tokenizing* tokenizer() const override { return first().tokenizer() ? this : nullptr; }
  std::vector<Sentence> tokenize(const std::string& text, Workspace& workspace) const override {
    return first().tokenizer()->tokenize(text, *own<Scratch>(workspace).members[0]);
  }

  nlohmann::json save(ModelWriter&, const std::string&) const override {
    throw usage_error("a panel of models is made when it is needed, and not saved");
  }

 private:
  struct Scratch final : Workspace {
    using Workspace::Workspace;
    std::vector<std::unique_ptr<Workspace>> members;
    std::vector<std::vector<Candidate>> lists;
    std::vector<VoteWeight> votes;
    Poll poll;
    Analysis analysis;
  };

  const Parser& first() const { return members_.front().parser(); }

  /// How many members agree with each arc of the sentence.
  static void write_agreement(Sentence& sentence, std::span<const std::vector<Candidate>> lists) {
    double sum = 0;
    for (int i = 1; i <= sentence.size(); ++i) {
      Token& word = sentence.word(i);
      size_t agree = 0;
      for (const auto& list : lists) {
        const Analysis& tree = list[0].analysis;
        agree += tree.heads.at(i) == word.head && tree.deprels.at(i) == word.deprel;
      }
      const double share = static_cast<double>(agree) / static_cast<double>(lists.size());
      set_misc(word.misc, "Confidence", fmt::format("{:.3f}", share));
      sum += share;
    }
    sentence.comments.push_back(fmt::format("# confidence = {:.3f}", sum / sentence.size()));
  }

  std::vector<Model> members_;
};

}  // namespace

Model panel_of(const std::vector<std::string>& model_files) {
  std::vector<Model> members;
  for (const std::string& file : model_files) {
    members.emplace_back(file);
    if (!members.back().parser().about().does_predict("heads"))
      throw usage_error("{}: a model of kind '{}' predicts no dependencies", file, members.back().kind());
  }
  return members.size() == 1 ? members.front() : Model(std::make_shared<const Panel>(std::move(members)));
}

}  // namespace espalier

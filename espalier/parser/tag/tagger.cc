#include "espalier/parser/tag/tagger.h"

#include <span>

#include "espalier/parser/clusters_part.h"
#include "espalier/parser/given_heads.h"
#include "espalier/parser/inspect.h"
#include "espalier/parser/linear_part.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/tag/tag_search.h"
#include "espalier/space/tagging.h"

namespace espalier {
namespace {

class Tagger final : public Parser, public Inspectable {
 public:
  explicit Tagger(TaggerModel model) : model_(std::move(model)) {}

  AboutParser about() const override {
    return {.kind = "tagger", .predicts = {"tags"}, .can = {.kbest = true, .constrain = true}};
  }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Scratch>(*this); }

  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    if (!given.on_tags()) return own<Scratch>(workspace).search.parse(sentence);
    annotate(sentence, list(sentence, given, workspace).best(1).front().analysis);
  }
  KBestList list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    KBestList found = own<Scratch>(workspace).search.list(sentence, given);
    return given.on_tags() ? mended(std::move(found), given, Roots::kOne) : found;
  }

  const Inspectable* inspect() const override { return this; }
  std::any inside() const override { return &model_; }

  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    nlohmann::json metadata = {{"xpos", model_.xpos},
                               {"feats", model_.feats},
                               {"classes", model_.classes},
                               {"actions", model_.actions.to_json()},
                               {"readings", model_.readings.to_json()}};
    const std::vector<TagDictionary::Entry> words = model_.dictionary->entries();
    writer.add_array(prefix + "dictionary", std::span(words));
    if (model_.clusters) save_clusters(*model_.clusters, writer, prefix);
    for (const auto& [name, weights] :
         {std::pair("class", &model_.class_weights), {"reading", &model_.reading_weights}}) {
      save_linear(*weights, writer, prefix + name + "_", metadata[name]);
    }
    return metadata;
  }

 private:
  struct Scratch final : Workspace {
    explicit Scratch(const Tagger& tagger)
        : Workspace(tagger), search(tagger.model_, tagger.model_.class_weights, tagger.model_.reading_weights) {}
    TagSearch<Linear> search;
  };

  TaggerModel model_;
};

}  // namespace

std::unique_ptr<Parser> make_tagger(TaggerModel model) { return std::make_unique<Tagger>(std::move(model)); }

std::unique_ptr<Parser> load_tagger(const ModelPart& part, SettingsReader&) {
  const nlohmann::json& m = part.metadata;
  TaggerModel model;
  model.xpos = m.at("xpos");
  model.feats = m.at("feats");
  model.classes = m.at("classes").get<std::vector<std::string>>();
  std::string problem;
  model.actions =
      ActionTable::from_json(m.at("actions"), Tagging::kMoves, static_cast<int>(model.classes.size()), problem);
  if (problem.empty()) model.readings = ReadingTable::from_json(m.at("readings"), model.actions.columns(), problem);
  if (!problem.empty()) throw data_error(part.file->name(), 0, "{}", problem);
  model.dictionary = std::make_shared<TagDictionary>(part.array<TagDictionary::Entry>("dictionary"));
  model.clusters = load_clusters(part);
  model.class_weights = load_linear(part, "class_", m.at("class"), model.actions.columns());
  model.reading_weights = load_linear(part, "reading_", m.at("reading"), model.readings.columns());
  return make_tagger(std::move(model));
}

}  // namespace espalier

#include "espalier/parser/parser.h"

#include <algorithm>
#include <atomic>

#include "espalier/base/error.h"
#include "espalier/parser/model_file.h"

namespace espalier {

Workspace::Workspace(const Parser& owner) : owner_(owner.number_) {}

static std::atomic<uint64_t> parsers_made = 0;

Parser::Parser() : number_(++parsers_made) {}

void Parser::refuse_workspace() const {
  throw usage_error("a model of kind '{}' was given the workspace of another", about().kind);
}

bool AboutParser::does_predict(std::string_view column) const {
  return std::ranges::find(predicts, column) != predicts.end();
}

KBestList Parser::list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const {
  return KBestList([this, &sentence, given, &workspace](int, std::vector<Candidate>& list) {
    Sentence copy = sentence;
    parse(copy, given, workspace);
    list.assign(1, {});
    list[0].analysis = predicted_analysis(copy, about());
  });
}

Analysis predicted_analysis(const Sentence& sentence, const AboutParser& about) {
  Analysis analysis = analysis_of(sentence);
  if (!about.does_predict("heads")) analysis.heads.clear(), analysis.deprels.clear();
  if (!about.does_predict("constituents")) analysis.constituents.clear();
  if (!about.does_predict("tags")) analysis.upos.clear(), analysis.xpos.clear(), analysis.feats.clear();
  if (!about.does_predict("lemmas")) analysis.lemmas.clear();
  return analysis;
}

std::unique_ptr<Parser> load_parser(const std::string& file, const Settings& overrides) {
  return load_parser(ModelFile::open(file), overrides);
}

std::unique_ptr<Parser> load_parser(std::shared_ptr<const ModelFile> file, const Settings& overrides) {
  if (!file->metadata().contains("model")) throw data_error(file->name(), 0, "the model's metadata is incomplete");
  SettingsReader reader(overrides);
  auto parser = load_part({file, file->metadata()["model"], ""}, reader);
  reader.check_all_known();
  return parser;
}

std::unique_ptr<Parser> load_part(const ModelPart& part) {
  SettingsReader as_saved{{}};
  return load_part(part, as_saved);
}

nlohmann::json save_part(const Parser& parser, ModelWriter& writer, const std::string& prefix) {
  nlohmann::json metadata = parser.save(writer, prefix);
  metadata["kind"] = parser.about().kind;
  return metadata;
}

void save_parser(const Parser& parser, const nlohmann::json& about, const std::string& file, bool packed) {
  ModelWriter writer;
  writer.metadata = about;
  writer.metadata["program"] = "espalier " ESPALIER_VERSION;
  writer.metadata["predicts"] = parser.about().predicts;
  writer.metadata["model"] = save_part(parser, writer, "");
  writer.save(file, packed);
}

}  // namespace espalier

#include "espalier/parser/parser.h"

#include <algorithm>
#include <atomic>

#include "espalier/base/error.h"
#include "espalier/parser/given_heads.h"

namespace espalier {

Workspace::Workspace(const Parser& owner) : owner_(owner.number_) {}

static std::atomic<uint64_t> parsers_made = 0;

Parser::Parser() : number_(++parsers_made) {}

void Parser::refuse_workspace() const {
  throw usage_error("a model of kind '{}' was given the workspace of another", kind());
}

std::vector<Candidate> Parser::kbest(const Sentence&, int, Workspace&) const {
  throw usage_error("a model of kind '{}' gives one analysis per sentence, no k-best list", kind());
}

KBestList Parser::list(const Sentence& sentence, Workspace& workspace) const {
  return KBestList(
      [this, &sentence, &workspace](int k, std::vector<Candidate>& list) { list = kbest(sentence, k, workspace); });
}

std::vector<FeatureVector> Parser::features(const Sentence&, std::span<const Candidate>, Workspace&, bool) const {
  throw usage_error("a model of kind '{}' has no features to rerank by", kind());
}

std::vector<Candidate> Parser::search_given(const Sentence&, const Constraints&, int, Workspace&) const { return {}; }

Constraints Parser::concerning(const Constraints& given) const {
  const auto columns = predicts();
  const auto has = [&](std::string_view name) { return std::ranges::find(columns, name) != columns.end(); };
  Constraints own;
  if (has("heads")) own.heads = given.heads, own.deprels = given.deprels;
  if (has("tags")) own.upos = given.upos, own.xpos = given.xpos, own.feats = given.feats;
  return own;
}

void Parser::parse_given(Sentence& sentence, const Constraints& given, Workspace& workspace) const {
  if (given.empty()) return parse(sentence, workspace);
  const Constraints own = concerning(given);
  if (own.empty()) return parse(sentence, workspace);
  std::vector<Candidate> found = search_given(sentence, own, 1, workspace);
  if (found.empty()) {
    parse(sentence, workspace);
    found.resize(1);
    found[0].analysis = analysis_of(sentence);
  }
  mend(own, roots(), found[0].analysis);
  annotate(sentence, found[0].analysis);
}

std::vector<Candidate> Parser::kbest_given(const Sentence& sentence, const Constraints& given, int k,
                                           Workspace& workspace) const {
  if (given.empty()) return kbest(sentence, k, workspace);
  const Constraints own = concerning(given);
  if (own.empty()) return kbest(sentence, k, workspace);
  std::vector<Candidate> found = search_given(sentence, own, k, workspace);
  if (found.empty()) found = kbest(sentence, k, workspace);
  std::vector<Candidate> list;
  for (Candidate& candidate : found) {
    mend(own, roots(), candidate.analysis);
    add_distinct(std::move(candidate), list);
  }
  return list;
}

std::vector<Sentence> Parser::tokenize(const std::string&, Workspace&) const {
  throw usage_error("a model of kind '{}' cannot tokenize", kind());
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
  metadata["kind"] = parser.kind();
  return metadata;
}

void save_parser(const Parser& parser, const nlohmann::json& about, const std::string& file, bool packed) {
  ModelWriter writer;
  writer.metadata = about;
  writer.metadata["program"] = "espalier " ESPALIER_VERSION;
  writer.metadata["predicts"] = parser.predicts();
  writer.metadata["model"] = save_part(parser, writer, "");
  writer.save(file, packed);
}

}  // namespace espalier

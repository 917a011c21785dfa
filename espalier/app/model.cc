#include "espalier/app/model.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>

#include "espalier/app/confidence.h"
#include "espalier/app/given.h"
#include "espalier/app/workspace_pool.h"
#include "espalier/base/error.h"
#include "espalier/base/parallel.h"
#include "espalier/base/stop_point.h"
#include "espalier/format/format.h"
#include "espalier/format/line_reader.h"
#include "espalier/format/paragraph_reader.h"
#include "espalier/format/text_spaces.h"
#include "espalier/format/word_places.h"
#include "espalier/parser/inspect.h"
#include "espalier/parser/long_sentence.h"

namespace espalier {
namespace {

nlohmann::json description(const ModelFile& file) {
  nlohmann::json sections = nlohmann::json::array();
  for (const auto& [name, size] : file.sections()) sections.push_back({{"name", name}, {"bytes", size}});
  nlohmann::json all = {{"bytes", file.size()}, {"metadata", file.metadata()}, {"sections", sections}};
  // A packed file is smaller than what it holds.
  std::error_code not_a_file;
  const auto bytes = std::filesystem::file_size(file.name(), not_a_file);
  if (!not_a_file) all["bytes"] = bytes, all["unpacked_bytes"] = file.size();
  return all;
}

std::vector<Sentence> tokenize_by_rules(std::string_view text, const std::string& language,
                                        const ParseOptions& wanted) {
  std::istringstream input{std::string(text)};
  ReaderOptions options;
  options.name = "text";
  options.language = language;
  options.sentences = wanted.sentences;
  options.offsets = wanted.offsets;
  const auto reader = make_reader("text", input, options);
  std::vector<Sentence> sentences;
  for (Sentence sentence; reader->next(sentence);) sentences.push_back(std::move(sentence));
  return sentences;
}

std::vector<Alternative> alternatives_of(const Parser& parser, const Sentence& sentence, int k, bool features,
                                         Workspace& workspace, const Constraints& given) {
  std::vector<Candidate> candidates = kbest_within(parser, sentence, k, workspace, kMaxWords, given);
  std::vector<FeatureVector> vectors(candidates.size());
  if (features && sentence.size() <= kMaxWords)
    vectors = parser.inspect()->features(sentence, candidates, workspace, true);
  std::vector<Alternative> alternatives;
  for (size_t i = 0; i < candidates.size(); ++i) {
    Candidate& candidate = candidates[i];
    alternatives.push_back(
        {{candidate.score, std::move(candidate.analysis), std::move(candidate.scores)}, std::move(vectors[i])});
  }
  return alternatives;
}

void check_lists(const Model& model, bool features) {
  if (!model.has_kbest())
    throw usage_error("a model of kind '{}' gives one analysis per sentence, no k-best list", model.kind());
  if (features && !model.has_features())
    throw usage_error("a model of kind '{}' has no features to rerank by", model.kind());
}

/// Of a sentence that has been parsed.
Trace trace_of(const Parser& parser, const Sentence& sentence, const Constraints& given, Workspace& workspace) {
  if (sentence.size() > kMaxWords) return {};
  const std::vector<Candidate> best = kbest(parser, sentence, given, 1, workspace);
  return best.empty() ? Trace() : parser.inspect()->trace(sentence, best[0], workspace);
}

}  // namespace

struct Model::Shared {
  std::shared_ptr<const ModelFile> file;  // null: the parser was made in memory
  std::shared_ptr<const Parser> parser;
  std::unique_ptr<WorkspacePool> workspaces;
  std::optional<Calibration> calibration;
};

Model::Model(const std::string& file, const std::vector<std::string>& settings) : shared_(std::make_shared<Shared>()) {
  shared_->file = ModelFile::open(file);
  load(settings);
}

Model Model::from_bytes(std::string_view bytes, const std::string& name, const std::vector<std::string>& settings) {
  Model model;
  model.shared_ = std::make_shared<Shared>();
  model.shared_->file = ModelFile::from_bytes(bytes, name);
  model.load(settings);
  return model;
}

Model::Model(std::shared_ptr<const Parser> parser) : shared_(std::make_shared<Shared>()) {
  shared_->parser = std::move(parser);
  shared_->workspaces = std::make_unique<WorkspacePool>(*shared_->parser);
}

void Model::load(const std::vector<std::string>& settings) {
  Settings overrides;
  for (const std::string& pair : settings) overrides.set_pair(pair);
  shared_->parser = load_parser(shared_->file, overrides);
  shared_->workspaces = std::make_unique<WorkspacePool>(*shared_->parser);
  const nlohmann::json& metadata = shared_->file->metadata();
  if (const auto entry = metadata.find("confidence"); entry != metadata.end())
    shared_->calibration = Calibration::from_json(*entry, shared_->file->name());
}

const Parser& Model::parser() const { return *shared_->parser; }
WorkspacePool& Model::workspaces() const { return *shared_->workspaces; }
const Calibration& Model::calibration() const {
  if (!has_confidence())
    throw usage_error(
        "the model does not know how sure it is: `espalier calibrate -m MODEL --dev TREEBANK` teaches it");
  return *shared_->calibration;
}

nlohmann::json Model::info() const {
  return shared_->file ? description(*shared_->file) : nlohmann::json{{"metadata", nlohmann::json::object()}};
}
std::string Model::kind() const { return parser().about().kind; }
std::string Model::language() const {
  if (!shared_->file) return "";
  const auto entry = shared_->file->metadata().find("language");
  return entry != shared_->file->metadata().end() && entry->is_string() ? entry->get<std::string>() : "";
}
std::vector<std::string> Model::predicts() const { return parser().about().predicts; }
bool Model::has_kbest() const { return parser().about().can.kbest; }
bool Model::has_features() const { return parser().about().can.features; }
bool Model::has_trace() const { return parser().about().can.trace; }
bool Model::has_confidence() const { return shared_->calibration.has_value(); }
bool Model::can_tokenize() const { return parser().tokenizer() != nullptr; }
bool Model::can_constrain() const { return parser().about().can.constrain; }

std::vector<Sentence> Model::tokenize(std::string_view text, const ParseOptions& options) const {
  options.stop.check();
  const StopScope scope(options.stop);
  if (options.rules || !can_tokenize()) {
    const std::string own = language();
    return tokenize_by_rules(text, !options.language.empty() ? options.language : !own.empty() ? own : "en", options);
  }
  if (const std::string_view problem = text_problem(text); !problem.empty()) throw data_error("text", 0, "{}", problem);
  const auto workspace = workspaces().take();
  std::istringstream input{std::string(text)};
  ParagraphReader paragraphs(input, "text", options.sentences);
  std::vector<Sentence> all;
  for (TextParagraph paragraph; paragraphs.next(paragraph);) {
    options.stop.check();
    std::vector<Sentence> sentences = parser().tokenizer()->tokenize(paragraph.text, *workspace);
    finish_sentences(paragraph, options.sentences, options.offsets, sentences);
    std::ranges::move(sentences, std::back_inserter(all));
  }
  return all;
}

void Model::parse(Sentence& sentence, const Stop& stop, Keep keep) const {
  stop.check();
  const StopScope scope(stop);
  const auto workspace = workspaces().take();
  parse_within(parser(), sentence, *workspace, kMaxWords, given_in(sentence, keep, parser()));
}

void Model::parse_all(std::span<Sentence> sentences, int threads, const Stop& stop, Keep keep) const {
  parallel_for(sentences.size(), threads > 0 ? threads : hardware_threads(),
               [&](int, size_t i) { parse(sentences[i], stop, keep); });
}

void Model::parse(Document& document, const ParseOptions& options) const {
  const Calibration* sure = options.confidence ? &calibration() : nullptr;
  if (options.kbest > 0) check_lists(*this, options.features);
  if (options.trace && !has_trace()) throw usage_error("a model of kind '{}' cannot show how it parses", kind());
  if (document.sentences.empty()) document.sentences = tokenize(document.text, options);
  document.places.clear();
  if (!document.text.empty()) document.places = word_places(document.text, document.sentences);
  document.alternatives.clear();
  document.traces.clear();
  const StopScope scope(options.stop);
  const auto workspace = workspaces().take();
  for (Sentence& sentence : document.sentences) {
    options.stop.check();
    const Constraints given = given_in(sentence, options.keep, parser());
    parse_within(parser(), sentence, *workspace, kMaxWords, given);
    if (sure && sentence.size() <= kMaxWords) sure->annotate(sentence, parser(), given, *workspace);
    if (options.trace) document.traces.push_back(trace_of(parser(), sentence, given, *workspace));
    if (options.kbest <= 0) continue;
    document.alternatives.push_back(
        alternatives_of(parser(), sentence, options.kbest, options.features, *workspace, given));
  }
}

Document Model::parse_text(std::string text, const ParseOptions& options) const {
  Document document;
  document.text = std::move(text);
  parse(document, options);
  return document;
}

std::vector<Alternative> Model::kbest(const Sentence& sentence, int k, bool features, const Stop& stop,
                                      Keep keep) const {
  stop.check();
  const StopScope scope(stop);
  check_lists(*this, features);
  const auto workspace = workspaces().take();
  Sentence copy = sentence;
  const Constraints given = given_in(copy, keep, parser());
  return alternatives_of(parser(), sentence, k, features, *workspace, given);
}

nlohmann::json describe_model(const std::string& file) { return description(*ModelFile::open(file)); }

void place_words(Document& document) {
  if (document.text.empty()) {
    for (const Sentence& sentence : document.sentences) {
      if (!document.text.empty()) document.text += ' ';
      document.text += surface_text(sentence);
    }
  }
  document.places = word_places(document.text, document.sentences);
}

Sentence sentence_of(std::span<const std::string> words) {
  Sentence sentence;
  for (const std::string& word : words) sentence.tokens.emplace_back().form = word;
  return sentence;
}

std::string version() { return ESPALIER_VERSION; }

}  // namespace espalier

#include "espalier/app/model.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>

#include "espalier/app/analyse.h"
#include "espalier/app/confidence.h"
#include "espalier/app/installed_models.h"
#include "espalier/app/workspace_pool.h"
#include "espalier/base/error.h"
#include "espalier/base/parallel.h"
#include "espalier/format/format.h"
#include "espalier/format/line_reader.h"
#include "espalier/format/text/paragraph_reader.h"
#include "espalier/format/text/word_places.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/parser.h"

namespace espalier {
namespace {

nlohmann::json description(const ModelFile& file) {
  nlohmann::json sections = nlohmann::json::array();
  for (const auto& [name, size] : file.sections()) sections.push_back({{"name", name}, {"bytes", size}});
  nlohmann::json all = {{"bytes", file.size()}, {"metadata", file.metadata()}, {"sections", sections}};
  // A packed file is smaller than its content.
  std::error_code not_a_file;
  const auto bytes = std::filesystem::file_size(file.name(), not_a_file);
  if (!not_a_file) all["bytes"] = bytes, all["unpacked_bytes"] = file.size();
  return all;
}

}  // namespace

struct Model::Shared {
  std::shared_ptr<const ModelFile> file;  // null: the parser was made in memory
  std::shared_ptr<const Parser> parser;
  std::unique_ptr<WorkspacePool> workspaces;
  std::optional<Calibration> calibration;
};

Model::Model(const std::string& file, const std::vector<std::string>& settings) : shared_(std::make_shared<Shared>()) {
  shared_->file = ModelFile::open(model_file(file));
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
    throw usage_error("the model is not calibrated: run `espalier calibrate -m MODEL --dev TREEBANK`");
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
  std::vector<Sentence> all;
  std::istringstream input{std::string(text)};
  if (options.rules || !can_tokenize()) {
    options.stop.check();
    ReaderOptions reading = text_reading(*this, options);
    reading.name = "text";
    const auto reader = make_reader("text", input, std::move(reading));
    for (Sentence sentence; reader->next(sentence);) all.push_back(std::move(sentence));
    return all;
  }
  if (const std::string_view problem = text_problem(text); !problem.empty()) throw data_error("text", 0, "{}", problem);
  ParagraphReader paragraphs(input, "text", options.sentences);
  for (TextParagraph paragraph; paragraphs.next(paragraph);)
    std::ranges::move(tokenized(*this, paragraph, options), std::back_inserter(all));
  return all;
}

void Model::parse(Sentence& sentence, const ParseOptions& options) const {
  check_options(*this, options);
  analyse(*this, sentence, options);
}

void Model::parse_all(std::span<Sentence> sentences, int threads, const ParseOptions& options) const {
  check_options(*this, options);
  parallel_for(sentences.size(), threads > 0 ? threads : hardware_threads(),
               [&](int, size_t i) { analyse(*this, sentences[i], options); });
}

void Model::parse(Document& document, const ParseOptions& options) const {
  check_options(*this, options);
  if (document.sentences.empty()) document.sentences = tokenize(document.text, options);
  document.places.clear();
  if (!document.text.empty()) document.places = word_places(document.text, document.sentences);
  document.alternatives.clear();
  document.traces.clear();
  for (Sentence& sentence : document.sentences) {
    Analysed analysed = analyse(*this, sentence, options);
    if (options.trace) document.traces.push_back(std::move(analysed.trace));
    if (options.kbest > 0) document.alternatives.push_back(std::move(analysed.alternatives));
  }
}

Document Model::parse_text(std::string text, const ParseOptions& options) const {
  Document document;
  document.text = std::move(text);
  parse(document, options);
  return document;
}

std::vector<Alternative> Model::kbest(const Sentence& sentence, int k, const ParseOptions& options) const {
  ParseOptions with_list = options;
  with_list.kbest = k;
  check_options(*this, with_list);
  Sentence copy = sentence;
  return analyse(*this, copy, with_list).alternatives;
}

nlohmann::json describe_model(const std::string& file) { return description(*ModelFile::open(model_file(file))); }

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

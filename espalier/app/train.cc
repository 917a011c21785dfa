#include "espalier/app/train.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>

#include "espalier/app/configured_trainer.h"
#include "espalier/app/input.h"
#include "espalier/app/train_warnings.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/file_lock.h"
#include "espalier/base/hash.h"
#include "espalier/base/parallel.h"
#include "espalier/base/recipe.h"
#include "espalier/format/text/language.h"
#include "espalier/learn/checkpoint.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "espalier/loss/callable.h"
#include "espalier/tree/constraints.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

/// The problem of a sentence's heads; "" = none. `partial`: some words may lack heads.
std::string problem_of(const Sentence& sentence, bool partial, int* word) {
  // The trainer decides whether a sentence may have several roots.
  if (!partial || !is_partial(sentence)) return tree_problem(sentence, word, Roots::kAny);
  Constraints given = constraints_of(sentence, {.tags = false, .heads = true});
  const std::vector<TreeProblem> problems = drop_impossible(given, Roots::kAny);
  if (problems.empty()) return "";
  *word = problems.front().word;
  return problems.front().message;
}

/// A treebank and how much its sentences count.
struct WeightedFile {
  std::string file;
  double weight = 1;
};

/// FILE or FILE:WEIGHT. If a file with the whole text as its name exists, it is that file.
WeightedFile weighted_file(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || fs::exists(text)) return {text};
  const char *begin = text.data() + colon + 1, *end = text.data() + text.size();
  WeightedFile weighted{text.substr(0, colon)};
  const auto [read, problem] = std::from_chars(begin, end, weighted.weight);
  if (read != end || begin == end) return {text};
  if (problem != std::errc() || !(weighted.weight > 0 && weighted.weight <= 1000))
    throw usage_error("--train {}: the weight must be above 0 and at most 1000", text);
  return weighted;
}

/// Weight 0.3: three sentences in ten; weight 2: each sentence twice, spread evenly. This works for any learner, and
/// less weight is less work.
std::vector<Sentence> by_weight(std::vector<Sentence> sentences, double weight) {
  if (weight == 1) return sentences;
  std::vector<Sentence> weighted;
  for (size_t i = 0; i < sentences.size(); ++i) {
    const auto times_up_to = [&](size_t n) { return static_cast<size_t>(std::floor(static_cast<double>(n) * weight)); };
    weighted.insert(weighted.end(), times_up_to(i + 1) - times_up_to(i), sentences[i]);
  }
  return weighted;
}

/// The sentences of a file that can be learned from; adds an entry about the file to the metadata. `partial`: also
/// sentences in which only some words have heads.
std::vector<Sentence> read_data(const std::string& file, bool partial, const TrainFiles& request,
                                nlohmann::json* about) {
  SkipLog log(request.message);
  std::vector<Sentence> sentences;
  size_t tokens = 0, tagged = 0;
  const Input input = open_sentences(file, input_format(request.format, file, ""), &log);
  for (Sentence sentence; input.reader->next(sentence);) {
    const bool annotated = std::ranges::any_of(sentence.tokens, [](auto& t) { return t.head != Token::kNoHead; });
    int token = 0;
    const std::string problem = annotated ? problem_of(sentence, partial, &token) : "";
    if (!problem.empty()) {
      log.skip(file, sentence, token, problem);
      continue;
    }
    tokens += sentence.tokens.size();
    for (const Token& token : sentence.tokens) tagged += is_given(token.upos) || is_given(token.xpos);
    sentences.push_back(sentence);
  }
  if (sentences.empty()) throw data_error(file, 0, "there is no sentence to learn from");
  *about = {{"file", fs::path(file).filename()},
            {"xxh3", fmt::format("{:016x}", hash_string(read_file(file)))},
            {"sentences", sentences.size()},
            {"tokens", tokens}};
  if (log.count()) (*about)["skipped"] = log.count();
  if (tagged == 0) (*about)["untagged"] = tokens;
  return sentences;
}

/// The scripts of at least one letter in a thousand.
nlohmann::json scripts_of(const std::vector<Sentence>& sentences) {
  ScriptCounts letters;
  for (const Sentence& sentence : sentences)
    for (const Token& token : sentence.tokens) count_letters(token.form, letters);
  long all = 0;
  for (const auto& [script, count] : letters) all += count;
  nlohmann::json scripts = nlohmann::json::array();
  for (const auto& [script, count] : letters)
    if (1000 * count >= all) scripts.push_back(script);
  return scripts;
}

nlohmann::json settings_in_force(const Trainer& trainer) {
  nlohmann::json values = nlohmann::json::object();
  for (const auto& [key, known] : trainer.known) values[key] = known.value;
  return values;
}

Settings recipe_with(const std::string& name_or_file, const std::vector<std::string>& pairs) {
  Settings settings = load_recipe(name_or_file);
  Settings changes;
  for (const std::string& pair : pairs) changes.set_pair(pair);
  change(settings, changes);
  return settings;
}

/// Settings of the file rather than of the parser.
struct FileSettings {
  std::string licence, language;
  bool packed;

  explicit FileSettings(SettingsReader& s) {
    licence = s.text("licence", "", "licence note to keep in the model");
    language = s.text("language", "", "ICU locale of the treebank, to keep in the model");
    packed = s.flag("packed", false, "a smaller model file, unpacked into memory when loaded");
  }
};

/// The trainer of all settings except those of the file, which `of_file` has read.
Trainer configure_rest(const SettingsReader& of_file) {
  Settings rest = of_file.values();
  for (const auto& [key, known] : of_file.known()) rest.erase(key);
  return configure(rest);
}

/// The losses that settings may name while the result lives.
std::vector<std::unique_ptr<const LossRegistration>> registered_losses(const TrainFiles& request) {
  std::vector<std::unique_ptr<const LossRegistration>> losses;
  for (const auto& [name, function] : request.losses)
    losses.push_back(std::make_unique<const LossRegistration>(name, function));
  return losses;
}

std::string parts_folder(const TrainFiles& request) { return request.model + ".checkpoint.parts"; }

TrainContext context_of(const TrainFiles& request) {
  TrainContext context;
  context.threads = request.threads > 0 ? request.threads : hardware_threads();
  context.seed = request.seed;
  context.checkpoint = request.model + ".checkpoint";
  context.resume = request.resume;
  if (request.progress) context.progress = request.progress;
  if (request.message) context.note = request.message;
  if (request.stop) context.stop = [stop = request.stop] { return stop->load(); };
  if (request.make_parts)
    context.make_parts = [&](const std::vector<std::string>& files) {
      std::vector<std::string> names;
      for (const std::string& file : files) names.push_back(fs::path(file).lexically_relative(parts_folder(request)));
      request.make_parts(names);
    };
  if (!request.only_part.empty()) context.only_part = parts_folder(request) + "/" + request.only_part;
  return context;
}

/// The settings with the model of a warm start, if the recipe has warm starts.
Settings with_init(Settings settings, const std::string& file) {
  const auto has_warm_start = [](const Settings& recipe) {
    SettingsReader reader(recipe);
    const FileSettings of_file(reader);
    return configure_rest(reader).known.contains("init");
  };
  if (!has_warm_start(settings)) {
    std::vector<std::string> others = trainer_names();
    std::erase_if(others, [&](const std::string& name) { return !has_warm_start(load_recipe(name)); });
    throw usage_error("recipe {} has no warm start (--init); these have: {}", settings.get("recipe"),
                      fmt::join(others, ", "));
  }
  settings.set("init", file);
  return settings;
}

}  // namespace

Trainer configured_trainer(const std::string& recipe, const std::vector<std::string>& settings) {
  SettingsReader reader(recipe_with(recipe, settings));
  const FileSettings of_file(reader);
  return configure_rest(reader);
}

void check_training(const TrainFiles& request) {
  const auto losses = registered_losses(request);
  configured_trainer(request.recipe, request.settings);
  check_writable(request.model);
  std::vector<std::string> files;
  for (const std::string& text : request.train) files.push_back(weighted_file(text).file);
  if (!request.dev.empty()) files.push_back(request.dev);
  for (const std::string& file : files) input_format(request.format, file, ""), open_input(file);
}

nlohmann::json train_files(const TrainFiles& request) {
  const auto losses = registered_losses(request);
  Settings settings = recipe_with(request.recipe, request.settings);
  if (!request.init.empty()) settings = with_init(std::move(settings), request.init);
  SettingsReader reader(settings);
  FileSettings own(reader);
  const Trainer trainer = configure_rest(reader);
  if (!request.licence.empty()) own.licence = request.licence;
  check_writable(request.model);
  std::optional<FileLock> lock;
  if (!fs::exists(request.model) || fs::is_regular_file(request.model))
    lock.emplace(request.model + ".lock",
                 fmt::format("another training writes {0} at this moment ({0}.lock is locked)", request.model));

  TrainData data;
  nlohmann::json about = {{"recipe", trainer.settings.get("recipe")}, {"seed", request.seed}};
  for (const std::string& text : request.train) {
    const auto [file, weight] = weighted_file(text);
    nlohmann::json& about_file = about["training"].emplace_back();
    auto sentences = by_weight(read_data(file, true, request, &about_file), weight);
    if (weight != 1) about_file["weight"] = weight;
    if (sentences.empty()) throw data_error(file, 0, "with weight {} no sentence is left to learn from", weight);
    std::ranges::move(sentences, std::back_inserter(data.train));
  }
  if (!request.dev.empty()) data.dev = read_data(request.dev, false, request, &about["dev"]);

  warn_of_data(data, trainer.settings.get("recipe"), about, request.message);
  if (const std::string warning = own.language.empty() ? "" : language_warning(own.language);
      request.message && !warning.empty())
    request.message(warning);
  const TrainContext context = context_of(request);
  if (const bool kept = has_checkpoint(context); kept != request.resume)
    context.note(kept ? "starting from zero; an interrupted run is discarded (--resume would continue it)"
                      : fmt::format("there is no {}: starting from the beginning", context.checkpoint));
  Trained trained;
  try {
    trained = trainer.train(data, context);
  } catch (const OnlyPartDone&) {
    return {{"part", context.only_part}};
  }
  if (!request.only_part.empty()) throw usage_error("this training has no part '{}'", request.only_part);
  if (!trained.parser) throw stopped_without_model();
  about["settings"] = settings_in_force(trainer);
  about["report"] = trained.report;
  if (nlohmann::json scripts = scripts_of(data.train); !scripts.empty()) about["scripts"] = std::move(scripts);
  if (!own.licence.empty()) about["licence"] = own.licence;
  if (!own.language.empty()) about["language"] = own.language;
  save_parser(*trained.parser, about, request.model, own.packed);

  nlohmann::json result = {{"model", request.model}, {"report", trained.report}, {"stopped", trained.stopped}};
  std::error_code not_a_file;
  const auto bytes = fs::file_size(request.model, not_a_file);
  if (!not_a_file) result["bytes"] = bytes;
  if (!trained.stopped) remove_checkpoint(context);
  return result;
}

nlohmann::json recipes() {
  nlohmann::json all = nlohmann::json::array();
  for (const RecipeSummary& recipe : list_recipes())
    all.push_back({{"name", recipe.name}, {"description", recipe.description}});
  return all;
}

std::string recipe_source(const std::string& name_or_file) { return recipe_text(name_or_file); }

nlohmann::json recipe_settings(const std::string& name_or_file, const std::vector<std::string>& pairs) {
  SettingsReader reader(recipe_with(name_or_file, pairs));
  const FileSettings of_file(reader);
  reader.adopt(configure_rest(reader).known);
  nlohmann::json all = nlohmann::json::array();
  for (const auto& [key, known] : reader.known())
    all.push_back({{"key", key},
                   {"value", known.value},
                   {"default", known.fallback},
                   {"help", known.help},
                   {"choices", known.choices}});
  return all;
}

}  // namespace espalier

#include "espalier/learn/objective/objectives.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "espalier/base/error.h"
#include "espalier/format/format.h"
#include "espalier/learn/trained.h"
#include "espalier/loss/loss.h"

namespace espalier {
namespace {

std::vector<Sentence> read(const std::string& file, const TrainContext& context) {
  size_t skipped = 0;
  ReaderOptions options;
  options.bad = BadSentence::kSkip;
  options.report = [&](const Problem& problem) {
    if (skipped++ == 0) context.note(problem.text());
  };
  std::vector<Sentence> sentences = read_treebank(file, "", options);
  std::erase_if(sentences, [](const Sentence& sentence) { return sentence.tokens.empty(); });
  if (sentences.empty()) throw data_error(file, 0, "there is no sentence to learn from");
  if (skipped) context.note(fmt::format("{}: sentences with errors, left out: {}", file, skipped));
  return sentences;
}

bool fills(const std::vector<Sentence>& sentences, std::string Token::*column) {
  return std::ranges::any_of(sentences, [&](const Sentence& sentence) {
    return std::ranges::any_of(sentence.tokens, [&](const Token& token) { return token.*column != "_"; });
  });
}

/// Whether the loss can be positive for these sentences, tested on trees that are chains of arcs; it cannot if the
/// sentences lack the annotation that it needs. A program of the user is not called.
bool tells_anything(const Objective& objective, const std::vector<Sentence>& sentences) {
  constexpr size_t kTried = 1000;
  for (const Sentence& sentence : std::span(sentences).first(std::min(sentences.size(), kTried))) {
    Analysis forward = analysis_of(sentence);
    for (auto* column : {&forward.deprels, &forward.upos, &forward.xpos, &forward.feats, &forward.lemmas})
      for (std::string& text : *column) text = "\x01";
    forward.constituents.clear();
    Analysis backward = forward;
    for (int i = 1; i <= sentence.size(); ++i) {
      forward.heads[i] = i - 1;
      backward.heads[i] = i == sentence.size() ? 0 : i + 1;
    }
    const Analysis* const both[] = {&forward, &backward};
    if (std::ranges::any_of(objective.loss->costs(sentence, both), [](double cost) { return cost > 0; })) return true;
  }
  return false;
}

constexpr std::string_view kSelectHelp = "what chooses the epoch on dev: a score of the parser, or objective.0, ...";

}  // namespace

std::string Objectives::own_select(SettingsReader& settings, const std::vector<std::string>& ways) {
  if (settings.text("select", ways.front(), kSelectHelp).starts_with("objective.")) return ways.front();
  return settings.choice("select", ways.front(), ways, kSelectHelp);
}

Objectives Objectives::from(SettingsReader& settings, Teaching teaching) {
  Objectives objectives;
  for (int i = 0;; ++i) {
    const auto key = [&](const char* name) { return fmt::format("objective.{}.{}", i, name); };
    const std::string data =
        settings.text(key("data"), "", "of a further objective: sentences with what its loss needs to know of them");
    if (!settings.has(key("data"))) break;
    Objective& added = objectives.all.emplace_back();
    added.data = data;
    if (added.data.empty()) throw usage_error("{0}: which file? --set {0}=FILE", key("data"));
    added.dev = settings.text(key("dev"), "", "the same, to measure on after each epoch");
    const std::string loss = settings.text(key("loss"), "", "what counts as wrong; docs/objectives.md");
    added.loss = make_loss(loss);
    added.weight = settings.real(key("weight"), 1, 0, 1000, "sentences ranked per sentence of the treebank");
    const LooksAtLabels looks = added.loss->looks_at_labels();
    if (teaching == Teaching::kRollOuts) {
      for (const char* of_lists : {"grow", "step", "target"})
        if (settings.has(key(of_lists)))
          throw usage_error(
              "{}: objectives of this recipe try other actions instead of ranking lists; "
              "there are data, dev, loss, weight, k, explored and labels",
              key(of_lists));
      added.k = settings.integer(key("k"), 8, 2, 1024, "actions tried, those with the least predicted cost");
      added.explored = settings.real(key("explored"), 0.1, 1e-6, 1, "share of the decisions at which they are tried");
      added.labels = settings.flag(key("labels"), looks != LooksAtLabels::kNo,
                                   "other labels are tried, too; default: if the loss may look at them");
      continue;
    }
    if (teaching == Teaching::kExamples) {
      for (const char* of_updates : {"dev", "grow", "step", "target", "labels"})
        if (settings.has(key(of_updates)))
          throw usage_error("{}: objectives of this recipe make examples of lists; there are data, loss, weight and k",
                            key(of_updates));
      added.k = settings.integer(key("k"), 8, 2, 1024, "length of the lists, and width of the beam that makes them");
      continue;
    }
    added.k = settings.integer(key("k"), 8, 2, 1024, "length of the lists that are ranked");
    added.grow = settings.flag(key("grow"), false, "lists of 2, 4, 8 ... up to k; false: k at once");
    added.own_step = settings.choice(key("step"), "pa", {"pa", "own"},
                                     "own: as large as the learner's own; pa: no larger than is needed") == "own";
    added.forced =
        settings.choice(key("target"), "kbest", {"kbest", "forced"},
                        "towards what: the best of the list, or the best tree with what is annotated") == "forced";
    if (added.forced && !added.loss->over_arcs())
      throw usage_error("{}=forced: loss '{}' is not a sum over words, so that no arcs can be forced", key("target"),
                        loss);
    const bool compare =
        looks == LooksAtLabels::kYes || (looks == LooksAtLabels::kPerhaps && teaching == Teaching::kListsWithLabels);
    added.labels = settings.flag(key("labels"), compare,
                                 "lists in which all labels compete; default: if the loss is one of labels, and for "
                                 "mst and cube if it may look at them");
  }
  const std::string select = settings.values().get("select");
  if (!select.starts_with("objective.")) return objectives;  // the learner's own setting, which it checks
  for (size_t i = 0; i < objectives.all.size(); ++i)
    if (select == fmt::format("objective.{}", i)) objectives.select = static_cast<int>(i);
  if (objectives.select < 0) throw usage_error("select={}: there is no such objective", select);
  if (objectives.all[objectives.select].dev.empty())
    throw usage_error("select={0}: needs {0}.dev to measure on", select);
  return objectives;
}

std::vector<ObjectiveData> load_objectives(const Settings& settings, const TrainData& data,
                                           const TrainContext& context) {
  std::vector<ObjectiveData> loaded;
  SettingsReader reader(settings);
  for (const Objective& objective : Objectives::from(reader).all) {
    ObjectiveData& added = loaded.emplace_back();
    added.train = read(objective.data, context);
    if (!objective.dev.empty()) added.dev = read(objective.dev, context);
    if (!objective.loss->is_program() && !tells_anything(objective, added.train))
      context.note(
          fmt::format("{}: the loss is zero for all trees, since the sentences lack the annotation that it needs, "
                      "and nothing is learned from them (docs/objectives.md)",
                      objective.data));
    std::vector<std::string_view> missing;
    for (const auto& [name, column] :
         {std::pair("UPOS", &Token::upos), {"XPOS", &Token::xpos}, {"FEATS", &Token::feats}})
      if (fills(data.train, column) && !fills(added.train, column)) missing.push_back(name);
    const bool makes_them = settings.get("recipe") == "tagger";
    if (!missing.empty() && !makes_them)
      context.note(
          fmt::format("{}: no {}, which the treebank has and the parser will look at; tag it alike, or train "
                      "with predicted tags (tags=jackknife:10, or a pipeline)",
                      objective.data, fmt::join(missing, ", ")));
  }
  return loaded;
}

}  // namespace espalier

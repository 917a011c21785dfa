#include "espalier/app/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "espalier/app/workspace_pool.h"
#include "espalier/base/error.h"
#include "espalier/parser/inspect.h"
#include "espalier/parser/long_sentence.h"

namespace espalier {
namespace {

bool is_rival(const Analysis& best, const Analysis& other, const ExplainOptions& wanted) {
  if (wanted.word == 0) return true;
  const auto w = static_cast<size_t>(wanted.word);
  if (wanted.head >= 0 && other.heads.at(w) != wanted.head) return false;
  if (!wanted.deprel.empty() && other.deprels.at(w) != wanted.deprel) return false;
  return other.heads[w] != best.heads.at(w) || other.deprels[w] != best.deprels.at(w);
}

std::string arc_text(const Sentence& sentence, const Analysis& analysis, int word) {
  const auto w = static_cast<size_t>(word);
  const int head = analysis.heads.at(w);
  return fmt::format("{} ({}) <- {} ({}) as {}", sentence.word(word).form, word,
                     head == 0 ? "root" : sentence.word(head).form, head, analysis.deprels.at(w));
}

/// The best candidate with the requested arc: from the k-best list, else from a constrained search.
Candidate find_rival(const Parser& parser, const Sentence& sentence, const Candidate& best,
                     std::span<const Candidate> list, const ExplainOptions& options, Workspace& workspace) {
  for (const Candidate& candidate : list.subspan(1))
    if (is_rival(best.analysis, candidate.analysis, options)) return candidate;
  if (options.word > 0 && options.head >= 0 && parser.about().can.constrain) {
    Constraints given;
    given.heads.assign(sentence.size() + 1, Token::kNoHead);
    given.heads[options.word] = options.head;
    for (const Candidate& candidate : kbest(parser, sentence, given, options.kbest, workspace)) {
      if (!is_rival(best.analysis, candidate.analysis, options)) continue;
      // A tree that was repaired after the search has no features.
      const auto features = parser.inspect()->features(sentence, std::span(&candidate, 1), workspace, true);
      const double sum = weighted_sum(features[0]);
      if (std::abs(sum - candidate.score) <= 1e-3 * (1 + std::abs(sum))) return candidate;
    }
  }
  throw usage_error("no other tree {}is among the {} best", options.word > 0 ? "that has such an arc " : "",
                    list.size());
}

std::vector<Reason> reasons_of(const FeatureVector& best, const FeatureVector& rival,
                               const std::unordered_map<uint64_t, std::string>& names) {
  std::vector<Reason> reasons;
  const auto add = [&](const Feature& feature, double times) {
    if (times == 0 || feature.weight == 0) return;
    const auto name = names.find(feature.key);
    reasons.push_back(
        {name == names.end() ? fmt::format("#{:016x}", feature.key) : name->second, times, feature.weight});
  };
  size_t a = 0, b = 0;
  while (a < best.size() || b < rival.size()) {
    if (b == rival.size() || (a < best.size() && best[a].key < rival[b].key)) {
      add(best[a], best[a].value);
      ++a;
    } else if (a == best.size() || rival[b].key < best[a].key) {
      add(rival[b], -rival[b].value);
      ++b;
    } else {
      add(best[a], static_cast<double>(best[a].value) - rival[b].value);
      ++a, ++b;
    }
  }
  std::ranges::stable_sort(reasons, [](const Reason& x, const Reason& y) {
    const double more = std::abs(x.times * x.weight), less = std::abs(y.times * y.weight);
    return more != less ? more > less : x.name < y.name;
  });
  return reasons;
}

Alternative alternative(const Candidate& candidate) {
  return {{candidate.score, candidate.analysis, candidate.scores}, {}};
}

/// The words whose arcs differ.
std::vector<int> differing(const Explanation& explanation) {
  std::vector<int> words;
  const Analysis &best = explanation.best.analysis, &rival = explanation.rival.analysis;
  for (size_t w = 1; w < best.heads.size(); ++w)
    if (best.heads[w] != rival.heads.at(w) || best.deprels.at(w) != rival.deprels.at(w))
      words.push_back(static_cast<int>(w));
  return words;
}

/// 'attaches "telescope" to "man" as nmod', 'makes "saw" the root'.
std::string decision(const Sentence& sentence, const Analysis& analysis, int word, const std::string& name) {
  const auto w = static_cast<size_t>(word);
  const int head = analysis.heads.at(w);
  if (head == 0) return fmt::format("makes {} the root", name);
  return fmt::format("attaches {} to \"{}\" as {}", name, sentence.word(head).form, analysis.deprels.at(w));
}

}  // namespace

bool can_explain(const Model& model) { return model.parser().about().can.explain; }

Explanation explain(const Model& model, const Sentence& sentence, const ExplainOptions& options) {
  const Parser& parser = model.parser();
  if (!can_explain(model))
    throw usage_error(
        "a model of kind '{}' cannot be explained: parsers of recipes greedy, beam, mst, "
        "cube, shift-reduce and chart can, and pipelines that end in one",
        model.kind());
  if (sentence.size() == 0 || sentence.size() > kMaxWords)
    throw usage_error("a sentence of {} words cannot be explained", sentence.size());
  if (options.word < 0 || options.word > sentence.size() || options.head > sentence.size())
    throw usage_error("the sentence has words 1 to {}", sentence.size());
  if (options.word > 0 && options.word == options.head) throw usage_error("a word is not its own head");
  const auto workspace = model.workspaces().take();
  Explanation result;
  result.sentence = sentence;
  parser.parse(result.sentence, *workspace);
  const std::vector<Candidate> list = kbest(parser, result.sentence, options.kbest, *workspace);
  if (list.empty() || (options.word > 0 && list[0].analysis.heads.size() <= 1))
    throw usage_error("the model builds no arcs: explain its tree without --word");
  const Candidate pair[] = {list[0], find_rival(parser, result.sentence, list[0], list, options, *workspace)};
  annotate(result.sentence, list[0].analysis);
  result.best = alternative(pair[0]);
  result.rival = alternative(pair[1]);
  const auto vectors = parser.inspect()->features(result.sentence, pair, *workspace, true);
  std::unordered_map<uint64_t, std::string> names;
  for (const Candidate& candidate : pair)
    for (auto& [key, name] : parser.inspect()->feature_names(result.sentence, candidate, *workspace))
      names.emplace(key, std::move(name));
  result.reasons = reasons_of(vectors[0], vectors[1], names);
  return result;
}

std::string explanation_summary(const Explanation& explanation, int word) {
  const auto& [sentence, best, rival, reasons] = explanation;
  const double lead = best.score - rival.score;
  const size_t more = differing(explanation).size() - (word > 0 ? 1 : 0);
  std::string text;
  if (word > 0) {
    const std::string name = fmt::format("\"{}\"", sentence.word(word).form);
    text = fmt::format("The model {}; the best tree that {} scores {:.1f} less",
                       decision(sentence, best.analysis, word, name), decision(sentence, rival.analysis, word, "it"),
                       lead);
  } else {
    text = fmt::format("The model's second best tree scores {:.1f} less than its best", lead);
  }
  if (more > 0)
    text += fmt::format(" ({} {}{} differ{})", more, word > 0 ? "other " : "", more == 1 ? "arc" : "arcs",
                        more == 1 ? "s" : "");
  return text + ".";
}

std::string explanation_text(const Explanation& explanation, int word, size_t top) {
  const auto& [sentence, best, rival, reasons] = explanation;
  std::string text;
  std::string words;
  for (const Token& token : sentence.tokens) words += token.form + " ";
  text += explanation_summary(explanation, word) + "\n\n" + words + "\n\n";
  const std::vector<int> others = differing(explanation);
  text += fmt::format("won   {:12.3f}", best.score);
  if (word > 0) text += "  " + arc_text(sentence, best.analysis, word);
  text += fmt::format("\nlost  {:12.3f}", rival.score);
  if (word > 0) text += "  " + arc_text(sentence, rival.analysis, word);
  text += fmt::format("\nby    {:12.3f}\n", best.score - rival.score);
  for (const int other : others)
    if (other != word)
      text += fmt::format("other arcs also: {}, instead of {}\n", arc_text(sentence, best.analysis, other),
                          arc_text(sentence, rival.analysis, other));
  for (const bool won : {true, false}) {
    double rest = 0;
    size_t shown = 0, left = 0;
    std::string lines;
    for (const Reason& reason : reasons) {
      const double brings = reason.times * reason.weight;
      if ((brings > 0) != won) continue;
      if (shown < top)
        ++shown,
            lines += fmt::format("  {:+10.3f}  {}{}\n", brings, reason.times > 0 ? "has   " : "lacks ", reason.name);
      else
        ++left, rest += brings;
    }
    text += fmt::format("\n{}\n{}", won ? "For the tree that won:" : "Against it:", lines);
    if (left > 0) text += fmt::format("  {:+10.3f}  {} more\n", rest, left);
  }
  return text;
}

nlohmann::ordered_json explanation_json(const Explanation& explanation, int word, size_t top) {
  const auto& [sentence, best, rival, reasons] = explanation;
  const auto tree = [&](const Alternative& one) {
    nlohmann::ordered_json json = {{"score", one.score}};
    if (one.analysis.heads.size() > 1) {
      json["heads"] = std::vector(one.analysis.heads.begin() + 1, one.analysis.heads.end());
      json["deprels"] = std::vector(one.analysis.deprels.begin() + 1, one.analysis.deprels.end());
    }
    return json;
  };
  nlohmann::ordered_json json = {{"word", word},
                                 {"summary", explanation_summary(explanation, word)},
                                 {"won", tree(best)},
                                 {"lost", tree(rival)},
                                 {"difference", best.score - rival.score},
                                 {"features", nlohmann::ordered_json::array()}};
  double rest = 0;
  for (size_t i = 0; i < reasons.size(); ++i) {
    const double brings = reasons[i].times * reasons[i].weight;
    if (i >= top) {
      rest += brings;
      continue;
    }
    json["features"].push_back(
        {{"name", reasons[i].name}, {"times", reasons[i].times}, {"weight", reasons[i].weight}, {"brings", brings}});
  }
  json["rest"] = rest;
  return json;
}

}  // namespace espalier

#include "espalier/eval/ud_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/contains.h"
#include "espalier/eval/punctuation.h"

namespace espalier {
namespace {

constexpr std::string_view kContentLabels[] = {
    "acl",       "advcl",      "advmod", "amod",   "appos",     "ccomp",      "compound", "conj",     "csubj", "dep",
    "discourse", "dislocated", "expl",   "fixed",  "flat",      "goeswith",   "iobj",     "list",     "nmod",  "nsubj",
    "nummod",    "obj",        "obl",    "orphan", "parataxis", "reparandum", "root",     "vocative", "xcomp"};
constexpr std::string_view kFunctionalLabels[] = {"aux", "case", "cc", "clf", "cop", "det", "mark"};
constexpr std::string_view kUniversalFeatures[] = {"Abbr",    "Animacy",  "Aspect", "Case", "Definite", "Degree",
                                                   "Evident", "Foreign",  "Gender", "Mood", "NumType",  "Number",
                                                   "Person",  "Polarity", "Polite", "Poss", "PronType", "Reflex",
                                                   "Tense",   "VerbForm", "Voice"};

/// The values of a word that the metrics compare, prepared once.
struct Facts {
  std::string_view label;  ///< universal
  bool content, punctuation;
  std::string features;  ///< universal, sorted
  std::vector<int> function_words;
};

std::string universal_features(std::string_view feats) {
  std::vector<std::string_view> kept;
  for (size_t begin = 0; begin <= feats.size();) {
    const size_t end = std::min(feats.find('|', begin), feats.size());
    const std::string_view feature = feats.substr(begin, end - begin);
    if (contains(kUniversalFeatures, feature.substr(0, feature.find('=')))) kept.push_back(feature);
    begin = end + 1;
  }
  std::ranges::sort(kept);
  return fmt::format("{}", fmt::join(kept, "|"));
}

std::vector<Facts> collect_facts(const FlatTreebank& bank) {
  std::vector<Facts> facts;
  facts.reserve(bank.words.size());
  for (const auto& word : bank.words) {
    const std::string_view label = universal_label(word.token->deprel);
    facts.push_back(
        {label, is_content_label(label), word.token->upos == "PUNCT", universal_features(word.token->feats), {}});
  }
  for (size_t i = 0; i < bank.words.size(); ++i)
    if (const int head = bank.words[i].head; head >= 0 && is_functional_label(facts[i].label))
      facts[head].function_words.push_back(static_cast<int>(i));
  return facts;
}

Overlap overlap_of_spans(const std::vector<FlatTreebank::Span>& gold, const std::vector<FlatTreebank::Span>& system) {
  Overlap result{0, static_cast<long>(gold.size()), static_cast<long>(system.size())};
  for (size_t g = 0, s = 0; g < gold.size() && s < system.size();) {
    if (gold[g].begin == system[s].begin) {
      result.correct += gold[g++].end == system[s++].end;
    } else if (gold[g].begin < system[s].begin) {
      ++g;
    } else {
      ++s;
    }
  }
  return result;
}

}  // namespace

bool is_content_label(std::string_view label) { return contains(kContentLabels, label); }
bool is_functional_label(std::string_view label) { return contains(kFunctionalLabels, label); }

UdScore score_ud(const FlatTreebank& gold, const FlatTreebank& system) {
  UdScore score;
  score.tokens = overlap_of_spans(gold.tokens, system.tokens);
  score.sentences = overlap_of_spans(gold.sentences, system.sentences);

  const std::vector<int> gold_of = align_words(gold, system);
  const std::vector<Facts> gold_facts = collect_facts(gold), system_facts = collect_facts(system);
  const auto count = [](const std::vector<Facts>& facts, auto wanted) {
    return static_cast<long>(std::ranges::count_if(facts, wanted));
  };
  const auto all = [](const Facts&) { return true; };
  const auto content = [](const Facts& f) { return f.content; };
  const auto totals = [&](auto wanted) { return Overlap{0, count(gold_facts, wanted), count(system_facts, wanted)}; };
  for (Overlap* overlap : {&score.words, &score.upos, &score.xpos, &score.ufeats, &score.alltags, &score.lemmas,
                           &score.uas, &score.las, &score.las_full})
    *overlap = totals(all);
  for (Overlap* overlap : {&score.clas, &score.mlas, &score.blex}) *overlap = totals(content);
  long system_words = 0;  // aligned words are punctuation or not as gold says
  for (size_t s = 0; s < gold_of.size(); ++s)
    system_words += !(gold_of[s] < 0 ? system_facts[s] : gold_facts[gold_of[s]]).punctuation;
  score.uas_nopunct = {0, count(gold_facts, [](const Facts& f) { return !f.punctuation; }), system_words};
  score.las_nopunct = score.uas_nopunct;

  const auto same_head = [&](int gold_head, int system_head) {  // a head that is not aligned equals none
    if (gold_head < 0 || system_head < 0) return gold_head == FlatTreebank::kRoot && system_head == gold_head;
    return gold_of[system_head] == gold_head;
  };
  const auto same_function_words = [&](const Facts& g, const Facts& s) {
    return std::ranges::equal(g.function_words, s.function_words, [&](int gi, int si) {
      const auto i = static_cast<size_t>(gi), j = static_cast<size_t>(si);
      return gold_of[j] == gi && gold_facts[i].label == system_facts[j].label &&
             gold.words[i].token->upos == system.words[j].token->upos &&
             gold_facts[i].features == system_facts[j].features;
    });
  };
  for (size_t s = 0; s < gold_of.size(); ++s) {
    if (gold_of[s] < 0) continue;
    const auto g = static_cast<size_t>(gold_of[s]);
    const Token& gold_token = *gold.words[g].token;
    const Token& system_token = *system.words[s].token;
    const Facts& gold_word = gold_facts[g];
    const Facts& system_word = system_facts[s];

    const bool upos = gold_token.upos == system_token.upos;
    const bool xpos = gold_token.xpos == system_token.xpos;
    const bool features = gold_word.features == system_word.features;
    const bool lemma = gold_token.lemma == "_" || gold_token.lemma == system_token.lemma;
    const bool head = same_head(gold.words[g].head, system.words[s].head);
    const bool arc = head && gold_word.label == system_word.label;
    const bool arc_full = head && gold_token.deprel == system_token.deprel;

    ++score.words.correct;
    score.upos.correct += upos;
    score.xpos.correct += xpos;
    score.ufeats.correct += features;
    score.alltags.correct += upos && xpos && features;
    score.lemmas.correct += lemma;
    score.uas.correct += head;
    score.las.correct += arc;
    score.las_full.correct += arc_full;
    if (gold_word.content && arc) {
      ++score.clas.correct;
      score.blex.correct += lemma;
      score.mlas.correct += upos && features && same_function_words(gold_word, system_word);
    }
    if (!gold_word.punctuation) {
      score.uas_nopunct.correct += head;
      score.las_nopunct.correct += arc_full;
    }
  }
  return score;
}

UdScore score_ud(std::span<const Sentence> gold, std::span<const Sentence> system) {
  return score_ud(flatten(gold), flatten(system));
}

}  // namespace espalier

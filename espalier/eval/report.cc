#include "espalier/eval/report.h"

#include <algorithm>

#include "espalier/base/error.h"

namespace espalier {
namespace {

/// The first word that is not the same on both sides.
struct Difference {
  size_t sentence = 0;
  int word = 0;  ///< 1..n; n + 1 if one side is only longer
};

std::optional<Difference> first_difference(const std::vector<Sentence>& gold, const std::vector<Sentence>& system) {
  for (size_t k = 0; k < std::max(gold.size(), system.size()); ++k) {
    if (k >= gold.size() || k >= system.size()) return Difference{k, 1};
    const int common = std::min(gold[k].size(), system[k].size());
    for (int i = 1; i <= common; ++i)
      if (gold[k].word(i).form != system[k].word(i).form) return Difference{k, i};
    if (gold[k].size() != system[k].size()) return Difference{k, common + 1};
  }
  return std::nullopt;
}

/// "gold.conllu:17 has 'word'", or that the file or sentence ends there.
struct Place {
  long line = 0;
  std::string what;
};

Place place_of(const NamedTreebank& bank, size_t sentence, int word) {
  if (sentence >= bank.sentences.size()) return {0, "the end of the file"};
  const Sentence& s = bank.sentences[sentence];
  if (word > s.size()) return {line_of_word(s, s.size()), "the end of the sentence"};
  return {line_of_word(s, word), fmt::format("'{}'", s.word(word).form)};
}

Error words_differ(const NamedTreebank& gold, size_t gold_sentence, int gold_word, const NamedTreebank& system,
                   size_t system_sentence, int system_word) {
  const Place expected = place_of(gold, gold_sentence, gold_word),
              found = place_of(system, system_sentence, system_word);
  const std::string where = expected.line > 0 ? fmt::format("{}:{}", gold.file, expected.line) : gold.file;
  return data_error(system.file, found.line, "the words differ: {} here, {} in {}", found.what, expected.what, where);
}

/// The sentence and the word (1..n) that hold a character of the flat text.
std::pair<size_t, int> locate(const std::vector<Sentence>& sentences, const FlatTreebank& flat, int character) {
  const auto word = std::ranges::find_if(flat.words, [&](const auto& w) { return w.span.end > character; });
  auto index = static_cast<int>(word - flat.words.begin());
  size_t sentence = 0;
  for (; sentence < sentences.size() && index >= sentences[sentence].size(); ++sentence)
    index -= sentences[sentence].size();
  return {sentence, index + 1};
}

void require_same_text(const NamedTreebank& gold, const FlatTreebank& flat_gold, const NamedTreebank& system,
                       const FlatTreebank& flat_system) {
  if (flat_gold.characters == flat_system.characters) return;
  const auto [at, unused] = std::ranges::mismatch(flat_gold.characters, flat_system.characters);
  const auto character = static_cast<int>(at - flat_gold.characters.begin());
  const auto [gold_sentence, gold_word] = locate(gold.sentences, flat_gold, character);
  const auto [system_sentence, system_word] = locate(system.sentences, flat_system, character);
  throw words_differ(gold, gold_sentence, gold_word, system, system_sentence, system_word);
}

long count_not_trees(const NamedTreebank& bank, bool strict) {
  long count = 0;
  for (const Sentence& sentence : bank.sentences) {
    int word = 0;
    const std::string problem = tree_problem(sentence, &word);
    if (problem.empty()) continue;
    if (strict) throw data_error(bank.file, line_of_word(sentence, word), "token {}: {}", word, problem);
    ++count;
  }
  return count;
}

/// The columns that no word fills.
std::vector<std::string> missing_in(const std::vector<Sentence>& sentences) {
  const auto nowhere = [&](auto is_there) {
    return std::ranges::none_of(sentences, [&](const Sentence& s) { return std::ranges::any_of(s.tokens, is_there); });
  };
  std::vector<std::string> missing;
  if (nowhere([](const Token& t) { return is_given(t.upos); })) missing.emplace_back("UPOS");
  if (nowhere([](const Token& t) { return is_given(t.xpos); })) missing.emplace_back("XPOS");
  if (nowhere([](const Token& t) { return is_given(t.feats); })) missing.emplace_back("FEATS");
  if (nowhere([](const Token& t) { return is_given(t.lemma); })) missing.emplace_back("lemmas");
  if (nowhere([](const Token& t) { return t.head != Token::kNoHead; })) missing.emplace_back("heads");
  return missing;
}

void require_sentences(const NamedTreebank& bank) {
  if (std::ranges::all_of(bank.sentences, [](const Sentence& s) { return s.tokens.empty(); }))
    throw data_error(bank.file, 0, "no sentences to score");
}

void require_same_words(const NamedTreebank& gold, const NamedTreebank& system) {
  if (const auto where = first_difference(gold.sentences, system.sentences))
    throw words_differ(gold, where->sentence, where->word, system, where->sentence, where->word);
}

}  // namespace

DependencyReport report_dependencies(const NamedTreebank& gold, const NamedTreebank& system,
                                     const DependencyOptions& options) {
  require_sentences(gold);
  DependencyReport report;
  report.punctuation = options.punctuation;
  report.missing = missing_in(gold.sentences);
  report.gold_not_trees = count_not_trees(gold, options.strict);
  report.system_not_trees = count_not_trees(system, options.strict);

  const FlatTreebank flat_gold = flatten(gold.sentences), flat_system = flatten(system.sentences);
  const bool same_words = !first_difference(gold.sentences, system.sentences);
  if (!same_words) require_same_text(gold, flat_gold, system, flat_system);
  report.ud = score_ud(flat_gold, flat_system);
  report.words = report.ud.words.gold;
  report.sentences = report.ud.sentences.gold;
  if (same_words) {
    auto& same = report.same_words.emplace();
    same.score = score_attachment(gold.sentences, system.sentences, options.punctuation);
    same.without_punctuation = score_attachment(gold.sentences, system.sentences, Punctuation::kUpos);
    for (size_t k = 0; k < gold.sentences.size(); ++k)
      same.breakdown.add(gold.sentences[k], system.sentences[k], options.punctuation);
  }
  return report;
}

BracketReport report_brackets(const NamedTreebank& gold, const NamedTreebank& system, const BracketOptions& options,
                              int cutoff) {
  require_sentences(gold);
  if (gold.sentences.size() != system.sentences.size())
    throw data_error(system.file, 0, "{} sentences, but {} has {}", system.sentences.size(), gold.file,
                     gold.sentences.size());
  BracketReport report;
  report.cutoff = cutoff;
  for (size_t k = 0; k < gold.sentences.size(); ++k) {
    const Sentence &expected = gold.sentences[k], &found = system.sentences[k];
    const BracketScore score = score_brackets(expected, found, options, &report.labels);
    report.all += score;
    if (length_without_traces(expected) <= cutoff) report.short_sentences += score;
    const auto message = [&](std::string_view what) {
      report.messages.push_back(fmt::format("{}:{}: {} (sentence {}, {}:{})", system.file, found.line, what, k + 1,
                                            gold.file, expected.line));
    };
    if (score.errors) message("the words differ from gold's: not scored");
    if (score.failures) message(options.skip_failures ? "no tree: not scored" : "no tree: all brackets missed");
  }
  return report;
}

namespace {

using AttachmentMetric = SentenceCount (*)(const AttachmentScore&);
using UdMetric = Overlap UdScore::*;
using BracketMetric = SentenceCount (*)(const BracketScore&);

const std::vector<std::pair<std::string, AttachmentMetric>> kAttachmentMetrics = {
    {"las", [](const AttachmentScore& s) { return SentenceCount(s.las); }},
    {"uas", [](const AttachmentScore& s) { return SentenceCount(s.uas); }},
    {"las_universal", [](const AttachmentScore& s) { return SentenceCount(s.las_universal); }},
    {"label_accuracy", [](const AttachmentScore& s) { return SentenceCount(s.label); }},
    {"uem", [](const AttachmentScore& s) { return SentenceCount(s.uem); }},
    {"lem", [](const AttachmentScore& s) { return SentenceCount(s.lem); }},
    {"als", [](const AttachmentScore& s) { return SentenceCount(s.arc_length); }},
    {"als_labelled", [](const AttachmentScore& s) { return SentenceCount(s.arc_length_labelled); }},
    {"root_f1", [](const AttachmentScore& s) { return SentenceCount(s.root); }},
    {"reorder", [](const AttachmentScore& s) { return SentenceCount(s.reorder); }},
    {"reorder_exact", [](const AttachmentScore& s) { return SentenceCount(s.reorder_exact); }},
    {"upos", [](const AttachmentScore& s) { return SentenceCount(s.upos); }},
    {"xpos", [](const AttachmentScore& s) { return SentenceCount(s.xpos); }},
    {"feats", [](const AttachmentScore& s) { return SentenceCount(s.feats); }},
    {"lemma", [](const AttachmentScore& s) { return SentenceCount(s.lemma); }},
};
const std::vector<std::pair<std::string, UdMetric>> kUdMetrics = {
    {"clas", &UdScore::clas},       {"mlas", &UdScore::mlas},     {"blex", &UdScore::blex},
    {"alltags", &UdScore::alltags}, {"ufeats", &UdScore::ufeats},
};
const std::vector<std::pair<std::string, BracketMetric>> kBracketMetrics = {
    {"f1", [](const BracketScore& s) { return SentenceCount(s.brackets); }},
    {"precision", [](const BracketScore& s) { return SentenceCount(s.brackets.correct, s.brackets.system); }},
    {"recall", [](const BracketScore& s) { return SentenceCount(s.brackets.correct, s.brackets.gold); }},
    {"exact", [](const BracketScore& s) { return SentenceCount(s.exact); }},
    {"tags", [](const BracketScore& s) { return SentenceCount(s.tags); }},
};

template <class List>
auto find_metric(const List& list, const std::string& name) {
  const auto it = std::ranges::find(list, name, &List::value_type::first);
  return it == list.end() ? typename List::value_type::second_type{} : it->second;
}

template <class List>
void append_names(std::vector<std::string>& names, const List& list) {
  for (const auto& [name, unused] : list) names.push_back(name);
}

}  // namespace

std::vector<std::string> dependency_metrics() {
  std::vector<std::string> names;
  append_names(names, kAttachmentMetrics);
  append_names(names, kUdMetrics);
  return names;
}

std::vector<std::string> bracket_metrics() {
  std::vector<std::string> names;
  append_names(names, kBracketMetrics);
  return names;
}

std::vector<SentenceCount> sentence_counts(const NamedTreebank& gold, const NamedTreebank& system,
                                           const std::string& metric, Punctuation punctuation) {
  require_sentences(gold);
  std::vector<SentenceCount> counts;
  if (const auto bracket_metric = find_metric(kBracketMetrics, metric)) {
    const BracketReport report = report_brackets(gold, system);  // checks that the sentences go together
    if (report.all.errors) throw Error(ErrorKind::kData, report.messages.front());
    for (size_t k = 0; k < gold.sentences.size(); ++k)
      counts.push_back(bracket_metric(score_brackets(gold.sentences[k], system.sentences[k])));
    return counts;
  }
  const auto attachment_metric = find_metric(kAttachmentMetrics, metric);
  const auto ud_metric = find_metric(kUdMetrics, metric);
  if (!attachment_metric && !ud_metric) {
    throw usage_error("unknown metric '{}'; known: {}; for constituents: {}", metric,
                      fmt::join(dependency_metrics(), ", "), fmt::join(bracket_metrics(), ", "));
  }
  require_same_words(gold, system);
  for (size_t k = 0; k < gold.sentences.size(); ++k) {
    const Sentence &expected = gold.sentences[k], &found = system.sentences[k];
    if (attachment_metric)
      counts.push_back(attachment_metric(score_attachment(expected, found, punctuation)));
    else
      counts.emplace_back(score_ud({&expected, 1}, {&found, 1}).*ud_metric);
  }
  return counts;
}

}  // namespace espalier

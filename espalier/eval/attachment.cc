#include "espalier/eval/attachment.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "espalier/tools/reorder.h"

namespace espalier {
namespace {

const Token& no_word() {
  static const Token none;
  return none;
}

const Token& word_or_none(const Sentence& sentence, int i) {
  return i <= sentence.size() ? sentence.word(i) : no_word();
}

bool says_nothing(const std::string& column) { return column.empty() || column == "_"; }

void compare_column(Share& share, const std::string& gold, const std::string& system) {
  if (!says_nothing(gold)) share.add(gold == system);
}

/// "_" is a value here: the word has no features.
void compare_features(Share& share, const std::string& gold, const std::string& system) {
  share.add(gold == system || (says_nothing(gold) && says_nothing(system)));
}

int distance_bucket(int word, int head) {
  if (head == 0) return 0;
  const long distance = std::labs(long{word} - head);
  return distance <= 2 ? static_cast<int>(distance) : distance <= 6 ? 3 : 4;
}

/// Compares the system's order of words with gold's, if gold has one. Words without a place come first, in text order.
void compare_order(AttachmentScore& score, const Sentence& gold, const Sentence& system) {
  if (std::ranges::none_of(gold.tokens, [](const Token& t) { return t.misc.find("Order=") != t.misc.npos; })) return;
  const std::vector<int> reference = reference_order(gold);
  std::vector<int> positions = reference_order(system);
  positions.resize(reference.size());
  std::vector<int> order(reference.size() - 1);
  std::iota(order.begin(), order.end(), 1);
  std::ranges::stable_sort(order, {}, [&](int word) { return positions[word]; });
  constexpr long kUnit = 1000000;
  const double right = reorder_score(order, reference);
  score.reorder += {std::lround(right * kUnit), kUnit};
  score.reorder_exact.add(right == 1);
}

}  // namespace

AttachmentScore& AttachmentScore::operator+=(const AttachmentScore& other) {
  sentences += other.sentences;
  words += other.words;
  for (const auto member :
       {&AttachmentScore::uas, &AttachmentScore::las, &AttachmentScore::las_universal, &AttachmentScore::label,
        &AttachmentScore::uem, &AttachmentScore::lem, &AttachmentScore::upos, &AttachmentScore::xpos,
        &AttachmentScore::feats, &AttachmentScore::lemma, &AttachmentScore::arc_length,
        &AttachmentScore::arc_length_labelled, &AttachmentScore::root_length, &AttachmentScore::root_length_labelled,
        &AttachmentScore::reorder, &AttachmentScore::reorder_exact})
    this->*member += other.*member;
  arc_length_sum += other.arc_length_sum;
  root += other.root;
  return *this;
}

AttachmentScore score_attachment(const Sentence& gold, const Sentence& system, Punctuation punctuation) {
  AttachmentScore score;
  score.sentences = 1;
  score.words = gold.size();
  for (int i = 1; i <= gold.size(); ++i) {
    const Token& g = gold.word(i);
    const Token& s = word_or_none(system, i);
    compare_column(score.upos, g.upos, s.upos);
    compare_column(score.xpos, g.xpos, s.xpos);
    compare_column(score.lemma, g.lemma, s.lemma);
    compare_features(score.feats, g.feats, s.feats);
    if (g.head == Token::kNoHead || !is_scored(g, punctuation)) continue;
    const bool head = g.head == s.head;
    const bool label = g.deprel == s.deprel;
    score.uas.add(head);
    score.las.add(head && label);
    score.las_universal.add(head && universal_label(g.deprel) == universal_label(s.deprel));
    score.label.add(label);
    const long length = std::labs(long{i} - g.head);
    const Share unlabelled{head ? length : 0, length}, labelled{head && label ? length : 0, length};
    score.arc_length += unlabelled;
    score.arc_length_labelled += labelled;
    if (g.head == 0) {
      score.root_length += unlabelled;
      score.root_length_labelled += labelled;
    }
    score.root.gold += g.head == 0;
    score.root.system += s.head == 0;
    score.root.correct += g.head == 0 && s.head == 0;
  }
  compare_order(score, gold, system);
  score.uem.add(score.uas.hits == score.uas.total);
  score.lem.add(score.las.hits == score.las.total);
  score.arc_length_sum = score.arc_length.total == 0 ? 1 : score.arc_length.percent() / 100;
  return score;
}

AttachmentScore score_attachment(std::span<const Sentence> gold, std::span<const Sentence> system,
                                 Punctuation punctuation) {
  static const Sentence none;
  AttachmentScore total;
  for (size_t i = 0; i < gold.size(); ++i)
    total += score_attachment(gold[i], i < system.size() ? system[i] : none, punctuation);
  return total;
}

const char* const AttachmentBreakdown::kDistanceNames[] = {"root", "1", "2", "3-6", "7+"};
const char* const AttachmentBreakdown::kLengthNames[] = {"1-10", "11-20", "21-30", "31-40", "41-50", "51+"};

void AttachmentBreakdown::add(const Sentence& gold, const Sentence& system, Punctuation punctuation) {
  const int length_bucket = std::min(std::max(gold.size() - 1, 0) / 10, kLengths - 1);
  const auto relation = [&](const std::string& label) -> Group& { return relations[label]; };
  for (int i = 1; i <= gold.size(); ++i) {
    const Token& g = gold.word(i);
    const Token& s = word_or_none(system, i);
    if (g.head == Token::kNoHead || !is_scored(g, punctuation)) continue;
    const bool head = g.head == s.head;
    const bool label = g.deprel == s.deprel;

    Group& expected = relation(g.deprel);
    ++expected.label.gold;
    ++expected.arc.gold;
    expected.label.correct += label;
    expected.arc.correct += head && label;

    const int gold_distance = distance_bucket(i, g.head);
    ++head_by_distance[gold_distance].gold;
    ++arc_by_distance[gold_distance].gold;
    head_by_distance[gold_distance].correct += head;
    arc_by_distance[gold_distance].correct += head && label;

    uas_by_length[length_bucket].add(head);
    las_by_length[length_bucket].add(head && label);

    if (s.head == Token::kNoHead) continue;
    Group& found = relation(s.deprel);
    ++found.label.system;
    ++found.arc.system;
    const int system_distance = distance_bucket(i, s.head);
    ++head_by_distance[system_distance].system;
    ++arc_by_distance[system_distance].system;
  }
}

}  // namespace espalier

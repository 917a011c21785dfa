#include "espalier/eval/word_alignment.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <string_view>

namespace espalier {
namespace {

using Word = FlatTreebank::Word;

/// The code points of a form but for spaces, which some treebanks have inside words. Broken UTF-8 becomes U+FFFD.
void append_characters(std::u32string& out, std::string_view form) {
  const auto length = static_cast<int32_t>(form.size());
  for (int32_t i = 0; i < length;) {
    UChar32 c;
    U8_NEXT_OR_FFFD(form.data(), i, length, c);
    if (u_charType(c) != U_SPACE_SEPARATOR) out.push_back(static_cast<char32_t>(c));
  }
}

std::string lower(const std::string& form) {
  std::string result;
  icu::UnicodeString::fromUTF8(form).toLower(icu::Locale::getRoot()).toUTF8String(result);
  return result;
}

/// One side of the alignment, with the place that has been reached.
struct Side {
  const std::vector<Word>& words;
  size_t at = 0;

  bool done() const { return at >= words.size(); }
  const Word& word() const { return words[at]; }
  /// True if the next word is not wholly inside a stretch that ends at `end`.
  bool beyond(int end) const {
    return done() || (word().inside_multiword ? word().span.begin >= end : word().span.end > end);
  }
  /// Takes the next word; a multiword token that it is part of extends the stretch.
  void take(int& end) {
    if (word().inside_multiword) end = std::max(end, word().span.end);
    ++at;
  }
};

/// Moves both sides past the smallest stretch of text around the multiword token that one of them stands at.
/// A single word that begins before the stretch does not belong to it.
void pass_multiword_stretch(Side& gold, Side& system, size_t& gold_begin, size_t& system_begin) {
  Side& lead = gold.word().inside_multiword ? gold : system;
  Side& other = &lead == &gold ? system : gold;
  if (!other.word().inside_multiword && other.word().span.begin < lead.word().span.begin) ++other.at;
  gold_begin = gold.at;
  system_begin = system.at;
  int end = lead.word().span.end;
  while (!gold.beyond(end) || !system.beyond(end)) {
    const bool gold_first = !gold.done() && (system.done() || gold.word().span.begin <= system.word().span.begin);
    (gold_first ? gold : system).take(end);
  }
}

/// Matches gold words [g0, g1) with system words [s0, s1) along a longest common subsequence of their forms.
void match_by_form(const FlatTreebank& gold, size_t g0, size_t g1, const FlatTreebank& system, size_t s0, size_t s1,
                   std::vector<int>& gold_of) {
  const size_t rows = g1 - g0, columns = s1 - s0;
  std::vector<std::string> gold_forms, system_forms;
  for (size_t g = g0; g < g1; ++g) gold_forms.push_back(lower(gold.words[g].token->form));
  for (size_t s = s0; s < s1; ++s) system_forms.push_back(lower(system.words[s].token->form));

  std::vector<int> table((rows + 1) * (columns + 1), 0);  // table[g][s]: longest for the suffixes from g and s
  const auto longest = [&](size_t g, size_t s) -> int& { return table[g * (columns + 1) + s]; };
  for (size_t g = rows; g-- > 0;) {
    for (size_t s = columns; s-- > 0;) {
      const int both = gold_forms[g] == system_forms[s] ? 1 + longest(g + 1, s + 1) : 0;
      longest(g, s) = std::max({both, longest(g + 1, s), longest(g, s + 1)});
    }
  }
  for (size_t g = 0, s = 0; g < rows && s < columns;) {
    if (gold_forms[g] == system_forms[s]) {
      gold_of[s0 + s++] = static_cast<int>(g0 + g++);
    } else if (longest(g, s) == longest(g + 1, s)) {
      ++g;
    } else {
      ++s;
    }
  }
}

}  // namespace

long line_of_word(const Sentence& sentence, int i) {
  const auto before = std::ranges::count_if(sentence.extra, [&](const ExtraLine& extra) { return extra.before < i; });
  return sentence.line + static_cast<long>(sentence.comments.size()) + before + i - 1;
}

FlatTreebank flatten(std::span<const Sentence> sentences) {
  FlatTreebank flat;
  const auto place = [&] { return static_cast<int>(flat.characters.size()); };
  for (const Sentence& sentence : sentences) {
    const int sentence_begin = place();
    const int first_word = static_cast<int>(flat.words.size());
    auto extra = sentence.extra.begin();
    int multiword_last = 0;  // the last word of the multiword token that we are in
    for (int i = 1; i <= sentence.size(); ++i) {
      const Token& token = sentence.word(i);
      for (; extra != sentence.extra.end() && extra->before < i; ++extra) {
        const auto multiword = as_multiword(*extra);
        if (!multiword || multiword->first != i || multiword->last < i) continue;
        multiword_last = multiword->last;
        const int begin = place();
        append_characters(flat.characters, multiword->form);
        flat.tokens.push_back({begin, place()});
      }
      if (i > multiword_last) {
        const int begin = place();
        append_characters(flat.characters, token.form);
        flat.tokens.push_back({begin, place()});
      }
      const bool in_range = token.head >= 0 && token.head <= sentence.size();
      const int head = !in_range         ? FlatTreebank::kNone
                       : token.head == 0 ? FlatTreebank::kRoot
                                         : first_word + token.head - 1;
      flat.words.push_back({&token, flat.tokens.back(), i <= multiword_last, head});
    }
    flat.sentences.push_back({sentence_begin, place()});
  }
  return flat;
}

std::vector<int> align_words(const FlatTreebank& gold, const FlatTreebank& system) {
  std::vector<int> gold_of(system.words.size(), -1);
  Side g{gold.words}, s{system.words};
  while (!g.done() && !s.done()) {
    if (g.word().inside_multiword || s.word().inside_multiword) {
      size_t gold_begin, system_begin;
      pass_multiword_stretch(g, s, gold_begin, system_begin);
      match_by_form(gold, gold_begin, g.at, system, system_begin, s.at, gold_of);
    } else if (g.word().span == s.word().span) {
      gold_of[s.at++] = static_cast<int>(g.at++);
    } else if (g.word().span.begin <= s.word().span.begin) {
      ++g.at;
    } else {
      ++s.at;
    }
  }
  return gold_of;
}

}  // namespace espalier

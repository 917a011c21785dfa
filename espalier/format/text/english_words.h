// The words of English text as the Universal Dependencies treebanks (English-EWT) cut them: punctuation, clitics ("do
// n't", "John 's", "can not"), hyphenated compounds, brackets and slashes apart; numbers, dates, telephone numbers,
// addresses, abbreviations and smileys whole. Written from the regularities of EWT's training part.
// Tested by segmenter_test.cc.
#pragma once

#include <string_view>
#include <vector>

#include "espalier/format/text/segmenter.h"

namespace espalier {

/// Corrections of ICU's sentence rules for English: "Dr. No" is one sentence, "so it goes. i left" two.
enum class SentenceBreak { kAsItIs, kNo, kYes };
/// `before` and `after` are the runs of text without white space on both sides of a space.
SentenceBreak english_sentence_break(std::string_view before, std::string_view after);

/// Appends the words of a sentence in which single spaces are the only white space.
void split_english_words(std::string_view sentence, std::vector<WordSpan>& words);

}  // namespace espalier

// The exact text of sentences that were cut from raw text, in MISC as UDPipe writes it: SpaceAfter=No; SpacesBefore and
// SpacesAfter, where what stands before or after a token is not nothing or one space; SpacesInToken, where the token is
// not written as its FORM. \s \t \r \n \p and \\ stand for a space, a tab, a carriage return, a line feed, | and a
// backslash. TokenRange=3:8 are characters of the file. Tested by text_spaces_test.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/format/format.h"

namespace espalier {

/// Sentences fresh from a tokenizer, and the text that they were cut from, white space around it included. `first` is
/// the number of its first character in the file, if tokens are to get a TokenRange.
void mark_spaces(std::string_view text, std::optional<size_t> first, std::span<Sentence> sentences);

/// The text that the sentence came from, as far as MISC tells; one space where it does not.
std::string exact_text(const Sentence& sentence);

/// One sentence of all of them, if the text is to be cut elsewhere; `mark_spaces` comes first.
void join_sentences(std::vector<Sentence>& sentences);

struct TextParagraph;
/// Both, for the sentences of a paragraph.
void finish_sentences(const TextParagraph& paragraph, TextSentences ends, bool offsets,
                      std::vector<Sentence>& sentences);

size_t count_characters(std::string_view text);

}  // namespace espalier

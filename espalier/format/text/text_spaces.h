// Keeps the exact text of segmented sentences in MISC, as UDPipe does: SpaceAfter=No; SpacesBefore and SpacesAfter for
// anything but nothing or one space; SpacesInToken where a token is not written as its FORM. \s \t \r \n \p and
// \\ stand for a space, a tab, a carriage return, a line feed, | and a backslash. TokenRange=3:8 are characters of the
// file. Tested by text_spaces_test.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/format/format.h"

namespace espalier {

/// Marks the sentences that a tokenizer made of `text`, which includes the white space around it. `first` is the number
/// of its first character in the file, if tokens are to get a TokenRange.
void mark_spaces(std::string_view text, std::optional<size_t> first, std::span<Sentence> sentences);

/// The sentence's original text, by MISC; one space where MISC says nothing.
std::string exact_text(const Sentence& sentence);

/// Joins all sentences into one, for --sentences line and paragraph; to be called after `mark_spaces`.
void join_sentences(std::vector<Sentence>& sentences);

struct TextParagraph;
/// mark_spaces and join_sentences for the sentences of a paragraph.
void finish_sentences(const TextParagraph& paragraph, TextSentences ends, bool offsets,
                      std::vector<Sentence>& sentences);

size_t count_characters(std::string_view text);

}  // namespace espalier

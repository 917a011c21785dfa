// K-best lists as text: the result of a fold, kept in a file for --resume. Scores are written exactly.
// Tested by parser/combine/rank_test.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "espalier/parser/parser.h"

namespace espalier {

using CandidateList = std::vector<Candidate>;

/// Appends one sentence's list: a line per candidate and an empty line.
void append_list(const Sentence& sentence, const CandidateList& list, std::string& text);

/// Reads the lists of `sentences`, at most `size` candidates each, from the front of `text`. Throws a run Error if
/// the text has other sentences.
std::vector<CandidateList> read_lists(std::span<const Sentence> sentences, size_t size, std::string_view text);

}  // namespace espalier

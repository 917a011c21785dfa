// K-best lists as text: what a fold gives back, kept in a file for --resume. Scores are written exactly.
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

/// The lists of `sentences`, at most `size` candidates each; what follows in `text` stays there. Throws a run Error if
/// the text is not theirs.
std::vector<CandidateList> read_lists(std::span<const Sentence> sentences, size_t size, std::string_view text);

}  // namespace espalier

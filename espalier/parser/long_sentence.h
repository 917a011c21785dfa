// Limits memory and time for long sentences: a sentence with more words than the limit is split, after punctuation if
// possible, parsed piece by piece and joined: the roots of later pieces depend on that of the first (relation "dep"),
// constituents get a common root. The same for every parser, tagger and
// pipeline. Tested by long_sentence_test.cc.
#pragma once

#include "espalier/parser/max_words.h"
#include "espalier/parser/parser.h"

namespace espalier {

/// As parser.parse, within the limit (0 = none) and within what the parser says itself: given arcs between pieces are
/// inserted when the pieces are joined. A sentence that was split gets a comment, "# parser = fallback:
/// ...", and true is returned.
bool parse_within(const Parser& parser, Sentence& sentence, Workspace& workspace, int max_words = kMaxWords,
                  const Constraints& given = {});

/// The ends of the pieces, ascending; the last is the number of words. For tests.
std::vector<int> piece_ends(const Sentence& sentence, int max_words);

}  // namespace espalier

// The trace (parser/trace.h) of rerankers and committees: how one of their parsers builds the tree that they chose.
// Tested by tests/trace_test.cc.
#pragma once

#include <optional>
#include <string>

#include "espalier/parser/inspect.h"

namespace espalier {

/// The parser's candidate for a tree, if it is among its `k` best.
std::optional<Candidate> listed(const Parser& parser, const Sentence& sentence, const Analysis& tree, int k,
                                Workspace& workspace);
/// The parser's candidate for a tree that it is led to; what it can constrain itself to, where that is not all.
Candidate led_to(const Parser& parser, const Sentence& sentence, const Analysis& tree, Workspace& workspace);

/// The trace of a parser that can tell, with a word about who that is; what it says of itself comes after.
Trace trace_of(const Parser& parser, const std::string& whose, const Sentence& sentence, const Candidate& candidate,
               Workspace& workspace);

}  // namespace espalier

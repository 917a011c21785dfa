// The trace (parser/trace.h) of rerankers and committees: how one of their parsers builds the chosen tree.
// Tested by tests/trace_test.cc.
#pragma once

#include <optional>
#include <string>

#include "espalier/parser/inspect.h"

namespace espalier {

/// The parser's candidate for a tree, if it is among its `k` best.
std::optional<Candidate> listed(const Parser& parser, const Sentence& sentence, const Analysis& tree, int k,
                                Workspace& workspace);
/// The parser's candidate for a tree, found by a search constrained to it as far as the parser can be constrained.
Candidate led_to(const Parser& parser, const Sentence& sentence, const Analysis& tree, Workspace& workspace);

/// The trace of a parser, with `whose` put before its own description.
Trace trace_of(const Parser& parser, const std::string& whose, const Sentence& sentence, const Candidate& candidate,
               Workspace& workspace);

}  // namespace espalier

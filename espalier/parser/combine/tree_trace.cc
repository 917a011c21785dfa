#include "espalier/parser/combine/tree_trace.h"

#include "espalier/parser/combine/pooled_list.h"

namespace espalier {

std::optional<Candidate> listed(const Parser& parser, const Sentence& sentence, const Analysis& tree, int k,
                                Workspace& workspace) {
  const uint64_t hash = tree_hash(tree);
  for (Candidate& candidate : kbest(parser, sentence, k, workspace))
    if (tree_hash(candidate.analysis) == hash) return std::move(candidate);
  return std::nullopt;
}

Candidate led_to(const Parser& parser, const Sentence& sentence, const Analysis& tree, Workspace& workspace) {
  Constraints given;
  given.heads = tree.heads;
  given.deprels = tree.deprels;
  std::vector<Candidate> list = kbest(parser, sentence, given, 1, workspace);
  return list.empty() ? Candidate() : std::move(list.front());
}

Trace trace_of(const Parser& parser, const std::string& whose, const Sentence& sentence, const Candidate& candidate,
               Workspace& workspace) {
  Trace trace = parser.inspect()->trace(sentence, candidate, workspace);
  trace.whose = trace.whose.empty() ? whose : whose + "; " + trace.whose;
  return trace;
}

}  // namespace espalier

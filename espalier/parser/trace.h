// How a parser came to an analysis, for people to look at: step by step for transition systems, the best arcs of each
// word for graph parsers. Tested by tests/trace_test.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "espalier/parser/candidate.h"
#include "espalier/tree/sentence.h"

namespace espalier {

class Workspace;

/// One thing that a transition system could do next.
struct TraceAction {
  std::string move;             ///< "shift", "left", "right", "root", "reduce", "swap"
  std::string label;            ///< of the arc that it builds; "" if it builds none
  double score = 0;             ///< of this step alone; 0 where nothing else was possible
  int head = 0, dependent = 0;  ///< the arc; `dependent` 0 = none
};

struct TraceStep {
  std::vector<int> stack;            ///< words, the bottom first; 0 = the artificial root
  std::vector<int> buffer;           ///< words, the next one first
  std::vector<TraceAction> actions;  ///< each possible move with its best label, best first; and what was done
  size_t taken = 0;                  ///< among them; not the first where a beam, or what was given, knew better
  bool forced = false;               ///< nothing else was possible, nothing was scored
};

/// An arc that a graph parser weighed.
struct TraceArc {
  int head = 0, dependent = 0;
  std::string label;             ///< the best one, or the analysis's own
  double score = 0;              ///< of the arc alone
  std::optional<double> behind;  ///< the best tree with it, by arcs alone, scores so much less than the best of all
  bool chosen = false;           ///< it is in the analysis
};

struct Trace {
  std::string system;            ///< "arc-standard", "spanning trees", ...
  std::vector<TraceStep> steps;  ///< of a transition system
  std::vector<TraceArc> arcs;    ///< of a graph parser: by word, best first
};

/// What a parser is that can tell.
class Traceable {
 public:
  virtual ~Traceable() = default;
  virtual bool can_trace() const { return true; }
  /// `candidate` is one of this parser's for the sentence, which has what earlier stages predict.
  virtual Trace trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const = 0;
};

}  // namespace espalier

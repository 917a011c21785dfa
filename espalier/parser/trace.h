// How a parser came to an analysis, for people to look at: step by step for whatever builds a tree piece by piece, the
// best arcs of each word for graph parsers (Inspectable::trace). Tested by tests/trace_test.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace espalier {

/// One thing that a parser could do next.
struct TraceAction {
  std::string move = {};        ///< "shift", "left", "right", "root", "reduce", "swap", "unary", ...
  std::string label = {};       ///< of the arc or phrase that it builds; "" if it builds none
  double score = 0;             ///< of this step alone; 0 where nothing else was possible
  int head = 0, dependent = 0;  ///< the arc; `dependent` 0 = none
  int first = 0, last = 0;      ///< the phrase's words; 0 = none
};

/// What lies on a stack: a word (0 = the artificial root), or a phrase over several.
struct TraceItem {
  int first = 0, last = 0;
  std::string label = {};  ///< "" for a word

  friend bool operator==(const TraceItem&, const TraceItem&) = default;
};

struct TraceStep {
  std::vector<TraceItem> stack;      ///< the bottom first
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
  std::string whose;             ///< which of the model's parsers, if it consists of several; else ""
  std::vector<TraceStep> steps;  ///< of a parser that builds its tree step by step
  std::vector<TraceArc> arcs;    ///< of a graph parser: by word, best first
};

}  // namespace espalier

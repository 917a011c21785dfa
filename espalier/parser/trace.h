// Traces show how a parser built an analysis: step by step if it builds trees that way, the best arcs of each word for
// graph parsers (Inspectable::trace). Tested by tests/trace_test.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace espalier {

/// A legal action of a step.
struct TraceAction {
  std::string move = {};        ///< "shift", "left", "right", "root", "reduce", "swap", "unary", ...
  std::string label = {};       ///< of the arc or phrase that it builds; "" if it builds none
  double score = 0;             ///< of this step alone; 0 if the step was forced
  int head = 0, dependent = 0;  ///< the arc; `dependent` 0 = none
  int first = 0, last = 0;      ///< the phrase's words; 0 = none
};

/// An item of the stack: a word (0 = the artificial root), or a phrase over several.
struct TraceItem {
  int first = 0, last = 0;
  std::string label = {};  ///< "" for a word

  friend bool operator==(const TraceItem&, const TraceItem&) = default;
};

struct TraceStep {
  std::vector<TraceItem> stack;      ///< the bottom first
  std::vector<int> buffer;           ///< words, the next one first
  std::vector<TraceAction> actions;  ///< each legal move with its best label, best first; and the action taken
  size_t taken = 0;                  ///< its index; not 0 if a beam or given heads led to another action
  bool forced = false;               ///< the only legal action, which is not scored
};

/// An arc that a graph parser scored.
struct TraceArc {
  int head = 0, dependent = 0;
  std::string label;             ///< the best one, or the analysis's own
  double score = 0;              ///< of the arc alone
  std::optional<double> behind;  ///< the gap between the best tree with it and the best of all, by arc scores alone
  bool chosen = false;           ///< it is in the analysis
};

struct Trace {
  std::string system;            ///< "arc-standard", "spanning trees", ...
  std::string whose;             ///< which of the model's parsers, if it consists of several; else ""
  std::vector<TraceStep> steps;  ///< of a parser that builds its tree step by step
  std::vector<TraceArc> arcs;    ///< of a graph parser: by word, best first
};

}  // namespace espalier

#include "espalier/app/trace_json.h"
#include "espalier/base/json_text.h"

#include <map>
#include <nlohmann/json.hpp>

namespace espalier {
namespace {

using nlohmann::ordered_json;

/// A word's number, or a phrase.
ordered_json json_of(const TraceItem& item) {
  if (item.label.empty()) return item.first;
  return {{"label", item.label}, {"first", item.first}, {"last", item.last}};
}

ordered_json json_of(const TraceStep& step) {
  ordered_json stack = ordered_json::array(), actions = ordered_json::array();
  for (const TraceItem& item : step.stack) stack.push_back(json_of(item));
  for (const TraceAction& action : step.actions) {
    ordered_json& entry = actions.emplace_back(ordered_json{{"move", action.move}});
    if (!action.label.empty()) entry["label"] = action.label;
    if (action.dependent > 0) {
      entry["head"] = action.head;
      entry["dependent"] = action.dependent;
    }
    if (action.first > 0) {
      entry["first"] = action.first;
      entry["last"] = action.last;
    }
    entry["score"] = action.score;
  }
  return {
      {"stack", stack}, {"buffer", step.buffer}, {"actions", actions}, {"taken", step.taken}, {"forced", step.forced}};
}

/// Scores are those of an arc's best tree less that of the best tree, if known, else relative to the word's best arc.
ordered_json json_of(const std::vector<TraceArc>& arcs) {
  std::map<int, double> best;
  for (const TraceArc& arc : arcs) {
    const auto [entry, fresh] = best.emplace(arc.dependent, arc.score);
    if (!fresh) entry->second = std::max(entry->second, arc.score);
  }
  ordered_json all = ordered_json::array();
  for (const TraceArc& arc : arcs) {
    all.push_back({{"head", arc.head},
                   {"dependent", arc.dependent},
                   {"label", arc.label},
                   {"score", arc.behind ? -*arc.behind : arc.score - best[arc.dependent]},
                   {"arc_score", arc.score},
                   {"chosen", arc.chosen}});
  }
  return all;
}

}  // namespace

std::string trace_json(const Trace& trace) {
  ordered_json json;
  json["kind"] = trace.arcs.empty() ? "transition" : "graph";
  json["system"] = trace.system;
  if (!trace.whose.empty()) json["whose"] = trace.whose;
  if (trace.arcs.empty()) {
    ordered_json& steps = json["steps"] = ordered_json::array();
    for (const TraceStep& step : trace.steps) steps.push_back(json_of(step));
  } else {
    json["arcs"] = json_of(trace.arcs);
  }
  return json_text(json);
}

}  // namespace espalier

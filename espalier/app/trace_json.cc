#include "espalier/app/trace_json.h"

#include <map>
#include <nlohmann/json.hpp>

namespace espalier {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const TraceStep& step) {
  ordered_json actions = ordered_json::array();
  for (const TraceAction& action : step.actions) {
    ordered_json& entry = actions.emplace_back(ordered_json{{"move", action.move}});
    if (action.dependent > 0) {
      entry["label"] = action.label;
      entry["head"] = action.head;
      entry["dependent"] = action.dependent;
    }
    entry["score"] = action.score;
  }
  return {{"stack", step.stack},
          {"buffer", step.buffer},
          {"actions", actions},
          {"taken", step.taken},
          {"forced", step.forced}};
}

/// Scores say how far an arc is behind: by trees where they are known, else by the word's best arc.
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
  if (trace.arcs.empty()) {
    ordered_json& steps = json["steps"] = ordered_json::array();
    for (const TraceStep& step : trace.steps) steps.push_back(json_of(step));
  } else {
    json["arcs"] = json_of(trace.arcs);
  }
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace espalier

// The only list of the losses' names.
#include <fmt/ranges.h>

#include "espalier/base/error.h"
#include "espalier/base/suggest.h"
#include "espalier/loss/arc_length.h"
#include "espalier/loss/attachment.h"
#include "espalier/loss/callable.h"
#include "espalier/loss/command.h"
#include "espalier/loss/labels.h"
#include "espalier/loss/parseval.h"
#include "espalier/loss/reorder.h"
#include "espalier/loss/root.h"
#include "espalier/loss/sum.h"
#include "espalier/loss/tags.h"

namespace espalier {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<const Loss> (*make)(std::string_view argument);
  std::string_view argument = {};  ///< what stands after "name:", for help; empty if nothing may
};

constexpr Entry kLosses[] = {
    {"hamming", make_attachment_loss<1, 0>},
    {"labelled", make_attachment_loss<1, 1>},
    {"labelled-210", make_attachment_loss<2, 1>},
    {"arc-length", make_arc_length_loss<false>},
    {"arc-length-labelled", make_arc_length_loss<true>},
    {"labels", make_label_loss, "nsubj+obj"},
    {"root", make_root_loss},
    {"sum", make_sum_loss, "labelled,2*arc-length"},
    {"parseval", make_bracket_loss<LossScale::kShare>, "NP"},
    {"brackets", make_bracket_loss<LossScale::kCount>, "NP+PP"},
    {"tags", make_tag_loss, "upos"},
    {"reorder", make_reorder_loss, "en-ja"},
    {"command", make_command_loss, " ./my_cost"},
    {"callable", make_callable_loss, "name"},
};

}  // namespace

std::vector<std::string> loss_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kLosses)
    names.push_back(entry.argument.empty() ? std::string(entry.name)
                                           : fmt::format("{}:{}", entry.name, entry.argument));
  return names;
}

std::unique_ptr<const Loss> make_loss(std::string_view name) {
  const size_t colon = std::min(name.find(':'), name.size());
  for (const Entry& entry : kLosses)
    if (entry.name == name.substr(0, colon) && (colon == name.size() || !entry.argument.empty()))
      return entry.make(name.substr(std::min(colon + 1, name.size())));
  const auto names = loss_names();
  throw usage_error("unknown loss '{}'{}; known are {}", name, suggestion(name, names), fmt::join(names, ", "));
}

std::unique_ptr<const ArcLoss> make_arc_loss(std::string_view name) {
  std::unique_ptr<const Loss> loss = make_loss(name);
  const auto* arcs = loss->over_arcs();
  if (!arcs)
    throw usage_error("loss '{}' is not a sum over words: it can rank whole trees, but not guide a search", name);
  loss.release();
  return std::unique_ptr<const ArcLoss>(arcs);
}

}  // namespace espalier

#include "espalier/learn/sequential/folded_labels.h"

#include <fmt/format.h>

namespace espalier {

void note_folded(const TrainContext& context, const ActionTable& table, std::span<const ActionTable::Count> counts,
                 std::string_view labels) {
  size_t folded = 0;
  long words = 0, all = 0;
  for (const ActionTable::Count& count : counts) {
    all += count.count;
    if (table.action(table.column(count.move, count.label)).label == count.label) continue;
    ++folded;
    words += count.count;
  }
  if (folded == 0) return;
  context.note(
      fmt::format("{} rare {} are folded into more frequent ones, which affects {} of {} training words; "
                  "a larger `columns` keeps more",
                  folded, labels, words, all));
}

}  // namespace espalier

#include "espalier/tree/phrases.h"

#include <algorithm>
#include <limits>

namespace espalier {

std::vector<Phrase> phrases_of(const ConstituentTree& tree) {
  std::vector<Phrase> phrases;
  // By node; children stand behind their parents. (No recursion: trees may be deep.)
  std::vector<std::pair<int, int>> spans(tree.nodes.size(), {std::numeric_limits<int>::max(), 0});
  for (size_t i = tree.nodes.size(); i-- > 0;) {
    const auto& node = tree.nodes[i];
    auto& [first, last] = spans[i];
    if (node.word > 0) first = last = node.word;
    for (const int child : node.children) {
      first = std::min(first, spans[child].first);
      last = std::max(last, spans[child].second);
    }
    if (!node.is_leaf() && last > 0) phrases.push_back({static_cast<int>(i), first, last, node.label});
  }
  std::ranges::reverse(phrases);
  return phrases;
}

}  // namespace espalier

#include "espalier/parser/parse_all.h"

#include <algorithm>

#include "espalier/base/parallel.h"

namespace espalier {

void parse_all(const Parser& parser, std::vector<Sentence>& sentences, int threads) {
  std::vector<std::unique_ptr<Workspace>> workspaces(static_cast<size_t>(std::max(threads, 1)));
  parallel_for(sentences.size(), threads, [&](int worker, size_t i) {
    auto& workspace = workspaces[static_cast<size_t>(worker)];
    if (!workspace) workspace = parser.make_workspace();
    parser.parse(sentences[i], *workspace);
  });
}

}  // namespace espalier

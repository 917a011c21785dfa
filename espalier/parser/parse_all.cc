#include "espalier/parser/parse_all.h"

#include <algorithm>

#include "espalier/base/parallel.h"
#include "espalier/parser/long_sentence.h"

namespace espalier {

void for_each_with_workspaces(std::span<const Parser* const> parsers, size_t items, int threads,
                              const std::function<void(size_t, const Workspaces&)>& use) {
  std::vector<Workspaces> of_worker(std::max(threads, 1));
  parallel_for(items, threads, [&](int worker, size_t item) {
    Workspaces& workspaces = of_worker[worker];
    if (workspaces.empty())
      for (const Parser* parser : parsers) workspaces.push_back(parser->make_workspace());
    use(item, workspaces);
  });
}

void for_each_with_workspace(const Parser& parser, size_t items, int threads,
                             const std::function<void(size_t, Workspace&)>& use) {
  const Parser* const one = &parser;
  for_each_with_workspaces({&one, 1}, items, threads,
                           [&](size_t item, const Workspaces& workspaces) { use(item, *workspaces[0]); });
}

void parse_all(const Parser& parser, std::vector<Sentence>& sentences, int threads) {
  for_each_with_workspace(parser, sentences.size(), threads,
                          [&](size_t i, Workspace& workspace) { parse_within(parser, sentences[i], workspace); });
}

}  // namespace espalier

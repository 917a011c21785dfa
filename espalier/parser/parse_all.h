// Parses many sentences in parallel. Tested by learn/pipeline/jackknife_test.cc.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "espalier/parser/parser.h"

namespace espalier {

/// Parses every sentence in place, on several threads; long ones are split (long_sentence.h).
void parse_all(const Parser& parser, std::vector<Sentence>& sentences, int threads);

/// A workspace of each of several parsers.
using Workspaces = std::vector<std::unique_ptr<Workspace>>;
/// Calls use(i, workspaces) for 0..items-1, on several threads with workspaces of their own.
void for_each_with_workspaces(std::span<const Parser* const> parsers, size_t items, int threads,
                              const std::function<void(size_t item, const Workspaces& workspaces)>& use);
/// The same for one parser.
void for_each_with_workspace(const Parser& parser, size_t items, int threads,
                             const std::function<void(size_t item, Workspace& workspace)>& use);

}  // namespace espalier

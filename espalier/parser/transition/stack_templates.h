// A table of templates over stack states as a value: one call through a pointer fills a group of keys, so that searches
// and learners are compiled once for each transition system, not for each of its tables.
#pragma once

#include <cstdint>
#include <vector>

#include "espalier/features/templates.h"

namespace espalier {

class StackTemplates {
 public:
  using View = StateView;

  /// As TemplateFeatures<Table> has them.
  template <class Table>
  static StackTemplates of() {
    using Features = TemplateFeatures<Table>;
    StackTemplates made;
    made.count_ = Features::kCount;
    made.all_ = Features::all_keys;
    made.groups_[kNear] = Features::template keys<kNear>;
    made.groups_[kStructure] = Features::template keys<kStructure>;
    made.groups_[kDeep] = Features::template keys<kDeep>;
    made.in_order_ = [] {
      const auto sorted = Features::in_order();
      return std::vector<Template>(sorted.begin(), sorted.end());
    };
    return made;
  }

  int count() const { return count_; }
  template <Group kGroup>
  int keys(const View& view, uint64_t* out) const {
    return groups_[kGroup](view, out);
  }
  int all_keys(const View& view, uint64_t* out) const { return all_(view, out); }
  std::vector<Template> in_order() const { return in_order_(); }

 private:
  using Fill = int (*)(const View& view, uint64_t* out);

  StackTemplates() = default;

  int count_ = 0;
  Fill all_ = nullptr, groups_[kGroups] = {};
  std::vector<Template> (*in_order_)() = nullptr;
};

}  // namespace espalier

#include "espalier/features/feature_bag.h"

namespace espalier {

void AtomGroups::expand(std::span<const GroupTemplate> templates, FeatureBag& bag) const {
  for (const GroupTemplate& t : templates) {
    check(t.a);
    if (t.b >= 0) check(t.b);
    const Group& a = groups_[t.a];
    if (t.b < 0) {
      uint64_t* out = bag.extend(static_cast<size_t>(a.count));
      for (int i = 0; i < a.count; ++i) *out++ = a.atoms[i] * kOdd;
      continue;
    }
    const Group& b = groups_[t.b];
    if (t.c < 0) {
      const bool same = t.a == t.b;
      uint64_t* out = bag.extend(static_cast<size_t>(same ? a.count * (a.count - 1) / 2 : a.count * b.count));
      for (int i = 0; i < a.count; ++i) {
        for (int j = same ? i + 1 : 0; j < b.count; ++j) *out++ = (a.atoms[i] ^ std::rotl(b.atoms[j], 23)) * kOdd;
      }
      continue;
    }
    check(t.c);
    if (t.a == t.b) throw usage_error("template {} {} {}: the first two groups must differ", t.a, t.b, t.c);
    const Group& c = groups_[t.c];
    const bool same = t.b == t.c;
    uint64_t* out = bag.extend(static_cast<size_t>(a.count * (same ? b.count * (b.count - 1) / 2 : b.count * c.count)));
    for (int i = 0; i < a.count; ++i) {
      for (int j = 0; j < b.count; ++j) {
        const uint64_t pair = a.atoms[i] ^ std::rotl(b.atoms[j], 23);
        for (int k = same ? j + 1 : 0; k < c.count; ++k) *out++ = (pair ^ std::rotl(c.atoms[k], 46)) * kOdd;
      }
    }
  }
}

}  // namespace espalier

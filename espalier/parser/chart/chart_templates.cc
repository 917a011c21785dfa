#include "espalier/parser/chart/chart_templates.h"

namespace espalier {

template <class Table>
int ChartFeatures::keys(const ChartView& view, Role role, uint64_t* out) {
  const int count = TemplateFeatures<Table, ChartView>::template keys<kNear>(view, out);
  const uint64_t own = mix(1000 + Table::kTable * 8 + static_cast<uint64_t>(role));
  for (int t = 0; t < count; ++t) out[t] ^= own;
  return count;
}

template int ChartFeatures::keys<SpanTemplates>(const ChartView&, Role, uint64_t*);
template int ChartFeatures::keys<SplitTemplates>(const ChartView&, Role, uint64_t*);
template int ChartFeatures::keys<ItemTemplates>(const ChartView&, Role, uint64_t*);
template int ChartFeatures::keys<PairTemplates>(const ChartView&, Role, uint64_t*);

}  // namespace espalier

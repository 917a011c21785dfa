#include "espalier/parser/graph/graph_model.h"

#include "espalier/parser/graph/graph_part.h"

namespace espalier {

void GraphModel::finish() {
  templates = GraphTemplates(columns, hall, part_morphology, part_kinds(parts));
  const int count = labels.size();
  label_hashes.clear();
  frame_bits.clear();
  all_labels_.clear();
  pair_hashes_.clear();
  int bit = 0;
  for (int l = 0; l < count; ++l) {
    label_hashes.push_back(label_hash(l));
    // Punctuation is not part of a frame. If there are more than 64 labels, some share a bit.
    frame_bits.push_back(labels.text(l) == "punct" ? 0 : uint64_t{1} << (bit++ % 64));
    all_labels_.push_back(static_cast<uint16_t>(l));
    for (int m = 0; m < count; ++m) pair_hashes_.push_back(label_pair_hash(l, m));
  }
}

}  // namespace espalier

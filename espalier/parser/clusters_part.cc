#include "espalier/parser/clusters_part.h"

namespace espalier {

void save_clusters(const WordClusters& clusters, ModelWriter& writer, const std::string& prefix) {
  writer.add_array(prefix + "cluster_words", clusters.words());
  writer.add_array(prefix + "cluster_sizes", clusters.sizes());
  writer.add(prefix + "cluster_paths", clusters.paths());
}

std::shared_ptr<const WordClusters> load_clusters(const ModelPart& part) {
  if (!part.has("cluster_words")) return nullptr;
  const auto words = part.array<uint32_t>("cluster_words"), sizes = part.array<uint32_t>("cluster_sizes");
  const auto letters = part.array<char>("cluster_paths");
  const std::string_view paths(letters.data(), letters.size());
  if (const std::string problem = WordClusters::check(words, sizes, paths); !problem.empty())
    throw data_error(part.file->name(), 0, "{}", problem);
  return std::make_shared<WordClusters>(words, sizes, paths);
}

}  // namespace espalier

#include "espalier/learn/clusters_setting.h"

#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier {

std::shared_ptr<const WordClusters> clusters_of(SettingsReader& settings, std::shared_ptr<const WordClusters> init) {
  const std::string file = settings.text("clusters", "", "word classes for features, a file of `espalier cluster`");
  if (file.empty()) return init;
  std::shared_ptr<const WordClusters> clusters = WordClusters::read(*open_input(file), file);
  if (init && !(*init == *clusters))
    throw usage_error("clusters={}: the model of init has other classes, which its weights belong to", file);
  return clusters;
}

}  // namespace espalier

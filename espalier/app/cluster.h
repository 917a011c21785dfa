// Learns classes of words from texts and writes them into a file for the setting `clusters` of recipes
// (learn/cluster/, features/word_clusters.h). Tested by tests/cluster_test.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "espalier/app/files.h"
#include "espalier/base/export.h"
#include "espalier/learn/progress.h"

namespace espalier {

struct ClusterFiles {
  static constexpr int kMostClasses = 4096;

  std::vector<std::string> inputs = {"-"};
  std::string output = "-";
  std::string model = {};     ///< cuts raw text into words; "" = rules do
  std::string from = {};      ///< format, if names do not tell; standard input is raw text
  std::string encoding = {};  ///< of the inputs, such as "latin1"; "" = UTF-8
  std::string language = {};  ///< of raw text that is cut by rules; "" = the model's, else English
  int classes = 1000;         ///< 2..kMostClasses
  int min_count = 5, words = 50000;
  int rounds = 20;
  int threads = 1;  ///< 0 = one per core
  Message message = {};
  std::function<void(const Progress&)> progress = [](const Progress&) {};
};
struct ClusteredFiles {
  int64_t tokens = 0;
  size_t words = 0, classes = 0, skipped = 0;
  double information = 0;  ///< mutual information of neighbouring classes, bits
};
ESPALIER_API ClusteredFiles cluster_files(const ClusterFiles& request);

}  // namespace espalier

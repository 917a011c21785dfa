#include "espalier/app/evaluate.h"

#include <nlohmann/json.hpp>
#include "espalier/base/error.h"
#include "espalier/base/parallel.h"
#include "espalier/eval/list_analysis.h"

namespace espalier {

struct ListReport::Lists {
  ListAnalysis analysis;
  size_t skipped = 0;
};

nlohmann::ordered_json ListReport::json() const { return to_json(lists_->analysis); }
std::string ListReport::table() const { return to_table(lists_->analysis); }
std::string ListReport::svg() const { return to_svg(lists_->analysis); }
size_t ListReport::skipped() const { return lists_->skipped; }

ListReport analyze_file(const Model& model, const std::string& gold_file, const AnalyzeOptions& options) {
  if (!model.has_kbest()) throw usage_error("a model of kind '{}' has no k-best lists", model.kind());
  const Punctuation punct = punctuation_named(options.punct);
  const SentencesRead read = read_sentences(std::span(&gold_file, 1), options.format, options.message);
  const std::vector<Sentence>& gold = read.sentences;
  std::vector<std::vector<Analysis>> lists(gold.size());
  parallel_for(gold.size(), options.threads > 0 ? options.threads : hardware_threads(), [&](int, size_t i) {
    if (gold[i].size() == 0) return;
    for (Alternative& alternative : model.kbest(gold[i], options.kbest))
      lists[i].push_back(std::move(alternative.analysis));
  });
  auto report = std::make_shared<ListReport::Lists>();
  report->skipped = read.skipped;
  for (size_t i = 0; i < gold.size(); ++i)
    if (!lists[i].empty()) report->analysis.add(gold[i], lists[i], punct);
  if (report->analysis.all.sentences == 0) throw data_error(gold_file, 0, "there is no sentence to analyse");
  return ListReport(std::move(report));
}

}  // namespace espalier

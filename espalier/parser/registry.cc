// The kinds of model that can be loaded: one line per kind.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/parser/chart/chart_parser.h"
#include "espalier/parser/classify/classify_parser.h"
#include "espalier/parser/classify/two_way_classifier.h"
#include "espalier/parser/combine/committee.h"
#include "espalier/parser/combine/reranker.h"
#include "espalier/parser/graph/graph_parser.h"
#include "espalier/parser/l2s/l2s.h"
#include "espalier/parser/l2s/l2s_constituents.h"
#include "espalier/parser/l2s/tokenizer.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/parser.h"
#include "espalier/parser/pipeline.h"
#include "espalier/parser/shift_reduce/shift_reduce_parser.h"
#include "espalier/parser/tag/lemmatizer.h"
#include "espalier/parser/tag/tagger.h"
#include "espalier/parser/transition/transition_parser.h"

namespace espalier {
namespace {

struct Kind {
  std::string_view name;
  PartLoader load;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"pipeline", load_pipeline},
      {"committee", load_committee},
      {"classify", load_classify_parser},
      {"classify-two-way", load_two_way_classifier},
      {"tagger", load_tagger},
      {"lemmatizer", load_lemmatizer},
      {"transition", load_transition_parser},
      {"l2s", load_l2s_parser},
      {"l2s-constituents", load_l2s_constituent_parser},
      {"l2s-tagger", load_l2s_tagger},
      {"tokenizer", load_tokenizer},
      {"graph", load_graph_parser},
      {"shift-reduce", load_shift_reduce_parser},
      {"chart", load_chart_parser},
      {"rerank", load_reranker},
  };
  return all;
}

/// False if some number would not fit an int: nlohmann-json casts it without a look when a loader asks for one.
bool numbers_fit(const nlohmann::json& json) {
  if (json.is_number()) return std::abs(json.get<double>()) <= std::numeric_limits<int>::max();
  return !json.is_structured() || std::ranges::all_of(json, numbers_fit);
}

}  // namespace

std::unique_ptr<Parser> load_part(const ModelPart& part, SettingsReader& overrides) {
  const std::string& name = part.file->name();
  // Checksums detect accidents, not forged files: loaders check sizes and ids, and missing or mistyped entries of the
  // metadata are caught here.
  try {
    if (!numbers_fit(part.metadata))
      throw data_error(name, 0, "the model's metadata is damaged (a number is too large)");
    const std::string kind = part.metadata.at("kind");
    for (const Kind& known : kinds()) {
      if (known.name == kind) return known.load(part, overrides);
    }
    throw data_error(name, 0, "this program cannot load models of kind '{}'", kind);
  } catch (const nlohmann::json::exception& error) {
    throw data_error(name, 0, "the model's metadata is damaged ({})", error.what());
  }
}

}  // namespace espalier

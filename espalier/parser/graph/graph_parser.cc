#include "espalier/parser/graph/graph_parser.h"

#include <algorithm>

#include "espalier/parser/graph/graph_search.h"
#include "espalier/parser/model_file.h"

namespace espalier {
namespace {

struct GraphWorkspace : Workspace {
  GraphWorkspace(const GraphParser& parser, const Linear& arcs, const Linear& parts)
      : Workspace(parser), search(parser.model(), arcs, parts, parser.options()) {}
  GraphSearch<Linear> search;
};

}  // namespace

GraphParser::GraphParser(GraphModel model, Linear arcs, Linear parts, CubeOptions options,
                         std::shared_ptr<const ModelFile> file)
    : model_(std::move(model)),
      arcs_(std::move(arcs)),
      parts_(std::move(parts)),
      options_(options),
      file_(std::move(file)) {}

AboutParser GraphParser::about() const {
  return {.kind = "graph",
          .predicts = {"heads"},
          .roots = model_.roots(),
          .can = {.kbest = true, .features = true, .constrain = true, .trace = true, .explain = true},
          .most_words = GraphSearch<Linear>::kMostWords};
}

std::unique_ptr<Workspace> GraphParser::make_workspace() const {
  return std::make_unique<GraphWorkspace>(*this, arcs_, parts_);
}

void GraphParser::parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const {
  if (!given.on_trees()) return own<GraphWorkspace>(workspace).search.parse(sentence);
  annotate(sentence, list(sentence, given, workspace).best(1).front().analysis);
}

KBestList GraphParser::list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const {
  auto& search = own<GraphWorkspace>(workspace).search;
  if (!given.on_trees()) return search.list(sentence);
  return mended(search.list(sentence, given), given, model_.roots());
}

std::vector<FeatureVector> GraphParser::features(const Sentence& sentence, std::span<const Candidate> candidates,
                                                 Workspace& workspace, bool with_weights) const {
  return own<GraphWorkspace>(workspace).search.features(sentence, candidates, with_weights);
}

std::vector<NamedFeature> GraphParser::feature_names(const Sentence& sentence, const Candidate& candidate,
                                                     Workspace& workspace) const {
  return own<GraphWorkspace>(workspace).search.feature_names(sentence, candidate);
}

Trace GraphParser::trace(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const {
  return own<GraphWorkspace>(workspace).search.trace(sentence, candidate);
}

nlohmann::json GraphParser::save(ModelWriter& writer, const std::string& prefix) const {
  writer.add_array<float>(prefix + "filter", model_.filter.weights());
  writer.add_array<RowBucket>(prefix + "arc_index", arcs_.index());
  writer.add_array<int8_t>(prefix + "arc_rows", arcs_.rows());
  writer.add_array<RowBucket>(prefix + "part_index", parts_.index());
  writer.add_array<int8_t>(prefix + "part_rows", parts_.rows());
  writer.add_array<uint16_t>(prefix + "allowed", model_.allowed);
  writer.add_array<uint32_t>(prefix + "allowed_begin", model_.allowed_begin);
  nlohmann::json about = {{"columns", model_.columns},
                          {"filled", model_.filled.to_json()},
                          {"order", model_.order},
                          {"candidates", model_.candidates},
                          {"coarse", model_.coarse},
                          {"part_morphology", model_.part_morphology},
                          {"projective", model_.projective},
                          {"single_root", model_.single_root},
                          {"parts", model_.parts},
                          {"pseudo_projective", model_.pseudo_projective},
                          {"labels", model_.labels.texts()},
                          {"tags", model_.tags.texts()},
                          {"filter", model_.filter.rule == ArcFilter::Rule::kPosterior ? "posterior" : "max-marginal"},
                          {"filter_threshold", model_.filter.threshold},
                          {"arc_gap", model_.arc_gap},
                          {"label_gap", model_.label_gap},
                          {"arc_unit", arcs_.unit()},
                          {"part_unit", parts_.unit()},
                          {"beam", options_.beam},
                          {"slack", options_.slack},
                          {"seed_gap", options_.seed_gap},
                          {"beam_gap", options_.beam_gap}};
  if (options_.full_signature) about["sig"] = "full";
  if (options_.labelings > 0) about["labelings"] = options_.labelings;
  if (model_.hall) about["features"] = "hall";
  if (model_.filter.bits() != ArcFilter::kUsualBits) about["filter_bits"] = model_.filter.bits();
  return about;
}

std::unique_ptr<Parser> load_graph_parser(const ModelPart& part, SettingsReader& overrides) {
  const auto& about = part.metadata;
  const auto damaged = [&](std::string_view what) {
    return data_error(part.file->name(), 0, "the model is damaged ({})", what);
  };
  GraphModel model;
  model.columns = about.at("columns");
  if (!about.contains("filled"))
    throw data_error(part.file->name(), 0,
                     "this model was trained by an earlier version with other features; please train it again");
  model.filled = AtomColumns::from_json(about["filled"]);
  model.order = about.at("order");
  model.hall = about.value("features", "rich") == "hall";
  model.candidates = about.at("candidates");
  model.coarse = about.value("coarse", false);
  model.part_morphology = about.value("part_morphology", false);
  model.projective = about.at("projective");
  model.single_root = about.value("single_root", true);
  model.parts = about.value("parts", "all");
  model.pseudo_projective = about.at("pseudo_projective");
  for (const std::string label : about.at("labels")) model.labels.add(label);
  for (const std::string tag : about.at("tags")) model.tags.add(tag);
  if (model.order < 1 || model.order > 3 || model.candidates < 1 || model.candidates > GraphModel::kMaxCandidates ||
      model.labels.size() == 0 || model.labels.size() > 4000)
    throw damaged("order, candidates or labels");
  model.finish();
  const auto allowed = part.array<uint16_t>("allowed");
  const auto begin = part.array<uint32_t>("allowed_begin");
  model.allowed.assign(allowed.begin(), allowed.end());
  model.allowed_begin.assign(begin.begin(), begin.end());
  if (begin.size() != size_t{2} * GraphModel::kTags * GraphModel::kTags + 1 || begin.back() != allowed.size() ||
      !std::is_sorted(begin.begin(), begin.end()) ||
      !std::ranges::all_of(allowed, [&](uint16_t label) { return label < model.labels.size(); }))
    throw damaged("labels by tags");

  const int bits = about.value("filter_bits", ArcFilter::kUsualBits);
  if (bits < ArcFilter::kLeastBits || bits > ArcFilter::kMostBits) throw damaged("the filter's size");
  model.filter = ArcFilter(model.columns, GraphModel::kTags, bits);
  model.filter.single_root = model.single_root;
  const auto weights = part.array<float>("filter");
  if (weights.size() != model.filter.weight_count()) throw damaged("the filter's size");
  model.filter.use(weights);
  model.filter.rule = about.at("filter") == "posterior" ? ArcFilter::Rule::kPosterior : ArcFilter::Rule::kMaxMarginal;
  // Alpha of max-marginals: at 1 the best tree alone is left.
  const double most = model.filter.rule == ArcFilter::Rule::kPosterior ? 100 : 1;
  model.filter.threshold = overrides.real<float>("filter_threshold", about.at("filter_threshold"), 0, most,
                                                 "which arcs survive; larger keeps more (posterior)");

  model.arc_gap = overrides.real<float>(
      "arc_gap", about.value("arc_gap", 0.), 0, GraphModel::kLargestGap,
      "arcs whose best tree is this far below the best are dropped before parts are scored; 0 = none");
  model.label_gap = overrides.real<float>("label_gap", about.value("label_gap", 0.), 0, GraphModel::kLargestGap,
                                          "labels this far below their arc's best are not tried; 0 = no gap");

  const auto weights_of = [&](const std::string& name, int columns) {
    const Linear weights(part.array<RowBucket>(name + "_index"), part.array<int8_t>(name + "_rows"), columns,
                         1 / about.at(name + "_unit").get<float>(), part.file);
    if (const std::string problem = weights.problem(); !problem.empty()) throw damaged(problem);
    return weights;
  };
  Linear arcs = weights_of("arc", model.arc_columns()), parts = weights_of("part", kHashedColumns);
  CubeOptions options;
  options.single_root = model.single_root;
  options.beam =
      static_cast<int>(overrides.integer("beam", about.at("beam").get<long>(), 1, 30000, "hypotheses per item"));
  options.slack = static_cast<int>(overrides.integer("slack", about.at("slack").get<long>(), 0, 30000,
                                                     "combinations tried per item beyond the beam"));
  options.seed_gap = overrides.real<float>("seed_gap", about.at("seed_gap"), 0, CubeOptions::kNoGap,
                                           "pairs of items this far below the best are not tried");
  options.beam_gap = overrides.real<float>("beam_gap", about.at("beam_gap"), 0, CubeOptions::kNoGap,
                                           "hypotheses this far below the best are dropped");
  options.full_signature = overrides.choice("sig", about.value("sig", "short"), {"short", "full"},
                                            "which hypotheses of an item count as equal") == "full";
  options.labelings = static_cast<int>(overrides.integer("labelings", about.value("labelings", 0L), 0, 30000,
                                                         "hypotheses that differ in labels alone, at most; 0 = any"));
  return std::make_unique<GraphParser>(std::move(model), std::move(arcs), std::move(parts), options, part.file);
}

}  // namespace espalier

#include "espalier/learn/graph/graph_examples.h"

#include <algorithm>

#include "espalier/base/error.h"
#include "espalier/learn/root_rule.h"
#include "espalier/tree/constraints.h"
#include "espalier/tree/projectivity.h"

namespace espalier {
namespace {

/// Adds the labels that occur with (direction, tag of head, tag of modifier) to those of the model.
void collect_allowed_labels(std::initializer_list<std::span<const GraphExample>> all, GraphModel& model) {
  std::vector<std::vector<uint16_t>> seen(size_t{2} * GraphModel::kTags * GraphModel::kTags);
  for (size_t cell = 0; cell + 1 < model.allowed_begin.size(); ++cell)
    seen[cell].assign(model.allowed.begin() + model.allowed_begin[cell],
                      model.allowed.begin() + model.allowed_begin[cell + 1]);
  GraphSentence words;
  for (const auto& examples : all)
    for (const GraphExample& example : examples) {
      words.encode(*example.sentence, model.tags, model.filled);
      for (int m = 1; m <= words.words(); ++m) {
        const int h = example.heads[m];
        if (h == Token::kNoHead || example.labels[m] < 0) continue;
        auto& cell =
            seen[(static_cast<size_t>(h < m) * GraphModel::kTags + words.tag(h)) * GraphModel::kTags + words.tag(m)];
        const auto label = static_cast<uint16_t>(example.labels[m]);
        if (std::ranges::find(cell, label) == cell.end()) cell.push_back(label);
      }
    }
  model.allowed.clear();
  model.allowed_begin.assign(1, 0);
  for (auto& cell : seen) {
    std::ranges::sort(cell);
    model.allowed.insert(model.allowed.end(), cell.begin(), cell.end());
    model.allowed_begin.push_back(static_cast<uint32_t>(model.allowed.size()));
  }
}

}  // namespace

std::vector<GraphExample> collect_examples(std::span<const Sentence> sentences, bool lemma, const ArcLoss& loss,
                                           const TrainContext& context, GraphModel& model) {
  std::vector<GraphExample> examples, partial;
  AtomColumns filled{false, false};
  size_t not_trees = 0;
  for (const Sentence& sentence : sentences) {
    if (sentence.size() == 0 || sentence.size() > 65000) continue;
    const bool whole = !is_partial(sentence);
    if (whole && !tree_problem(sentence, nullptr, model.roots()).empty()) {
      ++not_trees;
      continue;
    }
    GraphExample example{
        &sentence, std::vector<int>(sentence.size() + 1, 0), std::vector<int>(sentence.size() + 1, 0), {}};
    for (int i = 1; i <= sentence.size(); ++i) {
      const Token& token = sentence.word(i);
      example.heads[i] = token.head;
      example.labels[i] = whole || token.deprel != "_" ? model.labels.add(token.deprel) : -1;
      model.tags.add(GraphSentence::main_tag(token));
      filled.xpos |= token.xpos != "_" && token.xpos != token.upos;
      filled.feats |= token.feats != "_";
    }
    if (!whole) {
      partial.push_back(std::move(example));
      continue;
    }
    if (model.projective) projectivise(example.heads);
    example.prices = loss.prices_in_words(sentence, example.heads);
    examples.push_back(std::move(example));
  }
  note_left_out(context, not_trees, why_no_tree(model.single_root));
  if (examples.empty()) throw data_error("training data", 0, "no sentence has a complete tree");
  if (model.columns.empty()) {
    model.filled = filled;
    model.columns = "wps";
    if (filled.xpos || filled.feats) model.columns += 'x';
    if (filled.feats) model.columns += 'f';
    if (lemma) model.columns += 'l';
  }
  model.finish();
  collect_allowed_labels({examples, partial}, model);
  return examples;
}

float high_price(std::span<const GraphExample> examples) {
  std::vector<float> prices;
  for (const GraphExample& example : examples)
    for (const ArcPrice& price : example.prices)
      if (price.head > 0) prices.push_back(price.head);
  if (prices.empty()) return 1;
  const auto dear = prices.begin() + static_cast<std::ptrdiff_t>(prices.size() * 99 / 100);
  std::ranges::nth_element(prices, dear);
  return *dear;
}

std::vector<FilterExample> filter_examples(std::span<const Sentence> sentences, const GraphModel& model,
                                           std::vector<std::vector<int>>& heads) {
  std::vector<FilterExample> made;
  heads.clear();
  heads.reserve(sentences.size());
  for (const Sentence& sentence : sentences) {
    if (sentence.size() == 0 || !tree_problem(sentence, nullptr, model.roots()).empty()) continue;
    std::vector<int>& head = heads.emplace_back(sentence.size() + 1, 0);
    for (int i = 1; i <= sentence.size(); ++i) head[i] = sentence.word(i).head;
    if (model.projective) projectivise(head);
    made.push_back({&sentence, head});
  }
  return made;
}

}  // namespace espalier

#include "espalier/learn/tag/tokenizer_trainer.h"

#include <algorithm>

#include "espalier/base/rng.h"
#include "espalier/eval/ud_score.h"
#include "espalier/learn/l2s/train_task.h"
#include "espalier/parser/tag/tokenizer.h"

namespace espalier {
namespace {

/// Long paragraphs (some treebanks mark none) are cut between sentences: one of them is one training example.
std::vector<Paragraph> cut(const std::vector<Paragraph>& paragraphs, size_t longest) {
  std::vector<Paragraph> pieces;
  for (const Paragraph& paragraph : paragraphs) {
    for (size_t begin = 0, end; begin < paragraph.text.size(); begin = end) {
      for (end = begin; end < paragraph.text.size();) {
        if (L2sTokenizer::ends_sentence(paragraph.labels[end++]) && end - begin >= longest) break;
      }
      while (begin < end && char_kind(paragraph.text[begin]) == CharKind::kSpace) ++begin;
      pieces.push_back({paragraph.text.substr(begin, end - begin),
                        {paragraph.labels.begin() + static_cast<ptrdiff_t>(begin),
                         paragraph.labels.begin() + static_cast<ptrdiff_t>(end)}});
    }
  }
  return pieces;
}

}  // namespace

Trained train_tokenizer(const Settings& settings, const TrainData& data, const TrainContext& context) {
  const TaskTraining options(settings, context, 8, "sgd");
  settings.check_all_known();
  if (context.check_only) return {};

  std::vector<WordSplitter::Seen> tokens;
  std::vector<Paragraph> paragraphs = cut(surface_of(data.train, &tokens), 2000);
  const std::vector<Paragraph> dev = surface_of(data.dev);
  const WordSplitter splitter = WordSplitter::learn(tokens);
  L2sTokenizer task;
  task.spaces_inside = std::ranges::any_of(tokens, [](const WordSplitter::Seen& seen) {
    return std::ranges::any_of(seen.token, [](char32_t c) { return char_kind(c) == CharKind::kSpace; });
  });
  task.multiword_tokens =
      std::ranges::any_of(tokens, [](const WordSplitter::Seen& seen) { return seen.words.size() > 1; });

  task.learn_rests(paragraphs);

  Reduction reduction(options.learner, options.reduction, task.actions(), options.margin);
  Imitation imitation(options.imitation, reduction, context.seed);
  Rng shuffler(context.seed, "shuffle");
  L2sTokenizer::Example example;
  Trained best;
  double best_score = -1;
  for (int epoch = 1; epoch <= options.epochs && !context.stopping(); ++epoch) {
    if (options.shuffle) shuffler.shuffle(paragraphs);
    double loss = 0;
    for (size_t i = 0; i < paragraphs.size() && !context.stopping(); ++i) {
      example.text = paragraphs[i].text;
      example.gold = paragraphs[i].labels;
      imitation.train([&](Search& search) { task.run(search, example); });
      loss += imitation.last_loss();
      options.sample_average(reduction, i, paragraphs.size());
      if (i % 64 == 0) context.progress({"train", epoch, options.epochs, i, paragraphs.size(), false, {}});
    }
    auto tokenizer = std::make_unique<Tokenizer>(task, splitter, reduction.freeze());
    nlohmann::json values = {{"loss", loss}};
    double reached = epoch;  // without dev the last epoch is the best
    if (!dev.empty()) {
      const auto workspace = tokenizer->make_workspace();
      const UdScore score = score_ud(data.dev, tokenizer->tokenize(raw_text(dev), *workspace));
      values["dev_tokens_f1"] = score.tokens.f1();
      values["dev_words_f1"] = score.words.f1();
      values["dev_sentences_f1"] = score.sentences.f1();
      reached = score.words.f1() + score.sentences.f1();
    }
    if (reached > best_score) {
      best_score = reached;
      best = {std::move(tokenizer), values};
      best.report["epoch"] = epoch;
    }
    context.progress({"train", epoch, options.epochs, paragraphs.size(), paragraphs.size(), true, values});
  }
  return best;
}

}  // namespace espalier

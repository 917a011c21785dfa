#include "espalier/learn/l2s/tokenizer_trainer.h"

#include <algorithm>

#include "espalier/eval/ud_score.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/l2s/train_task.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/l2s/tokenizer.h"

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

class TokenizerLearner final : public TaskLearner {
 public:
  TokenizerLearner(const TaskTraining& options, L2sTokenizer task, WordSplitter splitter,
                   std::vector<Paragraph> paragraphs, const TrainContext& context)
      : TaskLearner(options, task.actions(), context),
        task_(std::move(task)),
        splitter_(std::move(splitter)),
        paragraphs_(std::move(paragraphs)) {}

  size_t size() const override { return paragraphs_.size(); }
  std::unique_ptr<Parser> freeze() const override {
    return std::make_unique<Tokenizer>(task_, splitter_, regressors());
  }
  /// Scores on dev as raw text.
  DevScore score(const Parser& tokenizer, const std::vector<Sentence>& dev, int) override {
    const auto workspace = tokenizer.make_workspace();
    const UdScore score = score_ud(dev, tokenizer.tokenizer()->tokenize(raw_text(surface_of(dev)), *workspace));
    return {score.words.f1() + score.sentences.f1(),
            {{"tokens_f1", score.tokens.f1()}, {"words_f1", score.words.f1()}, {"sentences_f1", score.sentences.f1()}}};
  }

 private:
  void prepare(size_t instance) override {
    example_.text = paragraphs_[instance].text;
    example_.gold = paragraphs_[instance].labels;
  }
  void run(Search& search) override { task_.run(search, example_); }

  L2sTokenizer task_;
  WordSplitter splitter_;
  std::vector<Paragraph> paragraphs_;
  L2sTokenizer::Example example_;
};

Trained train_tokenizer(const TaskTraining& options, const std::string& identity, const TrainData& data,
                        const TrainContext& context) {
  std::vector<WordSplitter::Seen> tokens;
  std::vector<Paragraph> paragraphs = cut(surface_of(data.train, &tokens), 2000);
  L2sTokenizer task;
  task.learn_tokens(tokens, paragraphs);
  task.learn_rests(paragraphs);
  TokenizerLearner learner(options, task, WordSplitter::learn(tokens), std::move(paragraphs), context);
  return train_online(learner, options.epochs, identity, data, context);
}

}  // namespace

TrainFunction configure_tokenizer(SettingsReader& reader) {
  const TaskTraining options(reader, {.epochs = 8, .learner = "sgd"});
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    return train_tokenizer(options, run_identity(settings, data, context.seed), data, context);
  };
}

}  // namespace espalier

#include "espalier/app/cluster.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "espalier/app/analyse.h"
#include "espalier/app/input.h"
#include "espalier/base/error.h"
#include "espalier/base/output_file.h"
#include "espalier/base/parallel.h"
#include "espalier/features/normalise.h"
#include "espalier/format/text/paragraph_reader.h"
#include "espalier/learn/cluster/bigrams.h"
#include "espalier/learn/cluster/class_tree.h"
#include "espalier/learn/cluster/word_classes.h"

namespace espalier {
namespace {

/// Counts of neighbouring classes are 32 bits.
constexpr int64_t kMostTokens = std::numeric_limits<int32_t>::max() / 2;

class TextCounter {
 public:
  TextCounter(const ClusterFiles& request, SkipLog& log) : request_(request), log_(log) {
    if (!request.model.empty()) model_.emplace(request.model);
    options_.language = request.language;
  }

  void read(const std::string& file) {
    const std::string from = input_format(request_.from, file, "text");
    if (from == "text" && model_ && model_->can_tokenize()) {
      const Input input = Input::of(file, true, request_.encoding);
      ParagraphReader paragraphs(*input.stream, file, options_.sentences);
      for (TextParagraph paragraph; !full() && paragraphs.next(paragraph);)
        for (const Sentence& sentence : tokenized(*model_, paragraph, options_)) add(sentence);
      return input.warn_of_replaced(file, request_.message);
    }
    ReaderOptions reading;
    if (model_) reading = text_reading(*model_, options_);
    if (!request_.language.empty()) reading.language = request_.language;
    const Input input = open_sentences(file, from, &log_, std::move(reading), request_.encoding);
    for (Sentence sentence; !full() && input.reader->next(sentence);) add(sentence);
    input.warn_of_replaced(file, request_.message);
  }
  bool full() const { return counter_.tokens() >= kMostTokens; }
  const BigramCounter& counts() const { return counter_; }

 private:
  void add(const Sentence& sentence) {
    constexpr int64_t kBetweenReports = 1 << 16;
    forms_.resize(sentence.tokens.size());
    for (size_t i = 0; i < forms_.size(); ++i) normalise(sentence.tokens[i].form, forms_[i]);
    const int64_t before = counter_.tokens();
    counter_.add(forms_);
    if (before / kBetweenReports != counter_.tokens() / kBetweenReports)
      request_.progress({.phase = "read", .values = {{"words", counter_.tokens()}}});
  }

  const ClusterFiles& request_;
  SkipLog& log_;
  std::optional<Model> model_;
  ParseOptions options_;
  BigramCounter counter_;
  std::vector<std::string> forms_;
};

/// In bits: how much a word's class tells of the next one's.
double information(const WordClasses& classes, const Bigrams& bigrams) {
  int64_t pairs = 0;
  for (const Bigrams::Pair& pair : bigrams.pairs) pairs += pair.count;
  return (classes.likelihood() + count_log(pairs)) / static_cast<double>(pairs) / std::log(2.0);
}

}  // namespace

ClusteredFiles cluster_files(const ClusterFiles& request) {
  const int threads = request.threads > 0 ? request.threads : hardware_threads();
  OutputFile output(request.output);  // before minutes of work
  SkipLog log(request.message);
  TextCounter text(request, log);
  for (const std::string& file : request.inputs) text.read(file);
  if (text.full() && request.message)
    request.message(fmt::format("the first {} words are used, which is enough", text.counts().tokens()));
  const Bigrams bigrams = text.counts().finish(request.min_count, request.words);
  if (bigrams.size() == 0)
    throw Error(ErrorKind::kData, fmt::format("there are no classes to learn: of {} words none occurs {} times",
                                              text.counts().tokens(), request.min_count));

  WordClasses classes(bigrams, std::min(request.classes, std::max(2, bigrams.size())));
  classes.exchange(request.rounds, threads, [&](const WordClasses::Round& round) {
    Progress progress{.phase = "exchange",
                      .epoch = round.number,
                      .epochs = round.rounds,
                      .done = static_cast<size_t>(round.words),
                      .total = static_cast<size_t>(round.of),
                      .epoch_end = round.words == round.of,
                      .values = {}};
    if (progress.epoch_end) progress.values = {{"moved", round.moved}, {"bits", information(classes, bigrams)}};
    request.progress(progress);
  });
  const std::vector<std::string> paths = class_paths(classes, threads, [&](int done, int of) {
    request.progress({.phase = "tree",
                      .done = static_cast<size_t>(done),
                      .total = static_cast<size_t>(of),
                      .epoch_end = done == of,
                      .values = {}});
  });

  // Words are numbered by falling frequency.
  std::vector<std::pair<std::string_view, int>> lines;
  for (int word = 0; word < bigrams.size(); ++word)
    lines.emplace_back(paths[static_cast<size_t>(classes.class_of(word))], word);
  std::ranges::sort(lines);
  ClusteredFiles result{.tokens = text.counts().tokens(), .words = lines.size(), .skipped = log.count()};
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto& [path, word] = lines[i];
    result.classes += i == 0 || path != lines[i - 1].first;
    output.stream() << path << '\t' << bigrams.words[static_cast<size_t>(word)] << '\t'
                    << bigrams.counts[static_cast<size_t>(word)] << '\n';
  }
  output.commit();
  result.information = information(classes, bigrams);
  return result;
}

}  // namespace espalier

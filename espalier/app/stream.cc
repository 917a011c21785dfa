#include "espalier/app/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "espalier/app/analyse.h"
#include "espalier/base/ordered.h"
#include "espalier/base/parallel.h"
#include "espalier/format/text/paragraph_reader.h"

namespace espalier {
namespace {

// Large enough that passing a batch on costs little, small enough that all threads end at about the same time.
constexpr size_t kWordsPerBatch = size_t{1} << 13, kBytesPerBatch = size_t{1} << 13;
constexpr size_t kAsidePerThread = 2;  // finished batches that wait for an earlier one

struct Batch {
  std::vector<TextParagraph> paragraphs;  // raw text, not yet tokenized; the first `texts` are in use
  std::vector<Sentence> sentences;        // the first `size` are in use; memory of the others waits for the next batch
  size_t texts = 0, size = 0;
  std::vector<Analysed> analysed;  // of each sentence
};

/// Counts and reports a sentence that was split, failed or lost given heads.
void tell(const Sentence& sentence, const Analysed& analysed, const StreamOptions& options, StreamCounts& counts) {
  ++counts.sentences;
  counts.tokens += sentence.tokens.size();
  counts.not_kept += analysed.not_kept.size();
  for (const std::string& why : analysed.not_kept) options.note(StreamNote::kNotKept, sentence.line, why);
  if (analysed.pieces) {
    ++counts.pieced;
    options.note(StreamNote::kPieces, sentence.line,
                 fmt::format("{} words: split into pieces of at most {} (--max-words)", sentence.size(),
                             options.parse.max_words));
  }
  if (!analysed.failure.empty()) {
    ++counts.failed;
    options.note(StreamNote::kFailed, sentence.line, "cannot be parsed: " + analysed.failure);
  }
}

template <class Read>
StreamCounts run(const Model& model, Read read, Writer& output, const StreamOptions& options) {
  check_options(model, options.parse);
  StreamCounts counts;
  const auto work = [&](int, Batch& batch) {
    for (const TextParagraph& paragraph : std::span(batch.paragraphs).first(batch.texts)) {
      std::vector<Sentence> found = tokenized(model, paragraph, options.parse);
      batch.sentences.resize(batch.size);
      std::ranges::move(found, std::back_inserter(batch.sentences));
      batch.size = batch.sentences.size();
    }
    batch.analysed.clear();
    for (size_t i = 0; i < batch.size; ++i) batch.analysed.push_back(analyse(model, batch.sentences[i], options.parse));
  };
  const auto write = [&](Batch& batch) {
    for (size_t i = 0; i < batch.size; ++i) {
      const auto& list = batch.analysed[i].alternatives;
      if (options.parse.kbest > 0)
        output.write_list(batch.sentences[i], std::vector<ScoredAnalysis>(list.begin(), list.end()));
      else
        output.write(batch.sentences[i]);
    }
    for (size_t i = 0; i < batch.size; ++i) tell(batch.sentences[i], batch.analysed[i], options, counts);
    options.written();
  };
  const int threads = options.threads > 0 ? options.threads : hardware_threads();
  ordered_stream<Batch>(threads, read, work, write, kAsidePerThread * static_cast<size_t>(threads));
  output.finish();
  options.written();
  return counts;
}

}  // namespace

StreamCounts parse_stream(const Model& model, Reader& input, Writer& output, const StreamOptions& options) {
  const auto read = [&](Batch& batch) {
    batch.size = 0;
    size_t words = 0;
    do {
      if (batch.sentences.size() == batch.size) batch.sentences.emplace_back();
      if (!input.next(batch.sentences[batch.size])) break;
      words += batch.sentences[batch.size++].tokens.size();
    } while (batch.size < options.batch && words < kWordsPerBatch && input.ready());
    return batch.size > 0;
  };
  return run(model, read, output, options);
}

StreamCounts parse_text_stream(const Model& model, std::istream& input, const std::string& name, Writer& output,
                               const StreamOptions& options) {
  ParagraphReader paragraphs(input, name, options.parse.sentences);
  const auto read = [&](Batch& batch) {
    batch.texts = batch.size = 0;
    size_t bytes = 0;
    do {
      if (batch.paragraphs.size() == batch.texts) batch.paragraphs.emplace_back();
      if (!paragraphs.next(batch.paragraphs[batch.texts])) break;
      bytes += batch.paragraphs[batch.texts++].text.size();
    } while (bytes < kBytesPerBatch && paragraphs.has_whole());
    return batch.texts > 0;
  };
  return run(model, read, output, options);
}

}  // namespace espalier

#include "espalier/app/stream.h"

#include <fmt/format.h>

#include <vector>

#include "espalier/app/workspace_pool.h"
#include "espalier/base/ordered.h"
#include "espalier/base/parallel.h"
#include "espalier/format/line_reader.h"

namespace espalier {
namespace {

constexpr size_t kSentencesPerBatch = 64;
constexpr size_t kBytesPerBatch = size_t{1} << 16;

struct Batch {
  std::string text;                 // raw text, not yet tokenized
  std::vector<Sentence> sentences;  // the first `size` are in use; memory of the others waits for the next batch
  size_t size = 0;
  std::vector<Sentence> alternatives;  // with kbest: what is written instead of the sentences
};

/// All of k-best, each as a copy of the sentence that says so in its comments.
void append_kbest(const Parser& parser, Sentence& sentence, int k, Workspace& workspace, std::vector<Sentence>* all) {
  parser.parse(sentence, workspace);  // the columns that do not differ between the analyses
  int rank = 0;
  for (const Candidate& candidate : parser.kbest(sentence, k, workspace)) {
    Sentence& copy = all->emplace_back(sentence);
    annotate(copy, candidate.analysis);
    copy.comments.push_back(fmt::format("# kbest = {}", ++rank));
    copy.comments.push_back(fmt::format("# score = {:.6g}", candidate.score));
    for (const auto& [name, score] : candidate.scores)
      copy.comments.push_back(fmt::format("# score_{} = {:.6g}", name, score));
  }
}

template <class Read>
StreamCounts run(const Model& model, Read read, Writer& output, const StreamOptions& options) {
  const Parser& parser = model.parser();
  StreamCounts counts;

  const auto work = [&](int, Batch& batch) {
    const auto workspace = model.workspaces().take();
    if (!batch.text.empty()) {
      batch.sentences = parser.tokenize(batch.text, *workspace);
      batch.size = batch.sentences.size();
    }
    batch.alternatives.clear();
    for (size_t i = 0; i < batch.size; ++i) {
      options.stop.check();
      if (options.kbest > 0) {
        append_kbest(parser, batch.sentences[i], options.kbest, *workspace, &batch.alternatives);
      } else {
        parser.parse(batch.sentences[i], *workspace);
      }
    }
  };
  const auto write = [&](Batch& batch) {
    for (size_t i = 0; i < batch.size; ++i) {
      ++counts.sentences;
      counts.tokens += batch.sentences[i].tokens.size();
      if (options.kbest <= 0) output.write(batch.sentences[i]);
    }
    for (const Sentence& sentence : batch.alternatives) output.write(sentence);
    options.written();
  };
  ordered_stream<Batch>(options.threads > 0 ? options.threads : hardware_threads(), read, work, write);
  output.finish();
  options.written();
  return counts;
}

}  // namespace

StreamCounts parse_stream(const Model& model, Reader& input, Writer& output, const StreamOptions& options) {
  const auto read = [&](Batch& batch) {
    batch.size = 0;
    do {
      if (batch.sentences.size() == batch.size) batch.sentences.emplace_back();
      if (!input.next(batch.sentences[batch.size])) break;
      ++batch.size;
    } while (batch.size < kSentencesPerBatch && input.ready());
    return batch.size > 0;
  };
  return run(model, read, output, options);
}

StreamCounts parse_text_stream(const Model& model, std::istream& input, const std::string& name, Writer& output,
                               const StreamOptions& options) {
  LineReader lines(input, name);
  const auto read = [&](Batch& batch) {
    batch.text.clear();
    // One paragraph, but not without end: a file without empty lines is cut at a line's end.
    for (std::string_view line; batch.text.size() < kBytesPerBatch && lines.next(line);) {
      const bool blank = line.find_first_not_of(" \t") == std::string_view::npos;
      if (blank && !batch.text.empty()) break;
      if (!blank) batch.text.append(line) += '\n';
    }
    return !batch.text.empty();
  };
  return run(model, read, output, options);
}

}  // namespace espalier

#include "espalier/app/stream.h"

#include <fmt/format.h>

#include <new>
#include <vector>

#include "espalier/app/workspace_pool.h"
#include "espalier/base/error.h"
#include "espalier/base/ordered.h"
#include "espalier/base/parallel.h"
#include "espalier/format/line_reader.h"

namespace espalier {
namespace {

constexpr size_t kSentencesPerBatch = 64;
constexpr size_t kWordsPerBatch = size_t{1} << 13;
constexpr size_t kBytesPerBatch = size_t{1} << 16;

struct Batch {
  std::string text;                 // raw text, not yet tokenized
  std::vector<Sentence> sentences;  // the first `size` are in use; memory of the others waits for the next batch
  size_t size = 0;
  std::vector<Sentence> alternatives;  // with kbest: what is written instead of the sentences
  struct Note {
    long line;
    std::string message;
    bool failed;
  };
  std::vector<Note> notes;
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

void parse_one(const Parser& parser, const StreamOptions& options, Sentence& sentence, Workspace& workspace,
               Batch& batch) {
  if (options.max_words > 0 && sentence.size() > options.max_words) {
    parse_within(parser, sentence, workspace, options.max_words);
    if (options.kbest > 0) batch.alternatives.push_back(sentence);
    batch.notes.push_back(
        {sentence.line,
         fmt::format("{} words: read in pieces of at most {} (--max-words)", sentence.size(), options.max_words),
         false});
  } else if (options.kbest > 0) {
    append_kbest(parser, sentence, options.kbest, workspace, &batch.alternatives);
  } else {
    parser.parse(sentence, workspace);
  }
}

/// Why a sentence could not be parsed; to be called where an exception is caught. What would befall every other
/// sentence too goes on.
std::string reason_of_failure() {
  try {
    throw;
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kUsage) throw;
    return error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// It goes on as it came, without an analysis that may be half done.
void leave_unparsed(Sentence& sentence, const std::string& reason) {
  for (Token& token : sentence.tokens) token.head = Token::kNoHead, token.deprel = "_";
  sentence.constituents.clear();
  sentence.comments.push_back("# parser = failed: " + reason);
}

template <class Read>
StreamCounts run(const Model& model, Read read, Writer& output, const StreamOptions& options) {
  const Parser& parser = model.parser();
  StreamCounts counts;

  const auto work = [&](int, Batch& batch) {
    if (!batch.text.empty()) {
      const auto workspace = model.workspaces().take();
      batch.sentences = parser.tokenize(batch.text, *workspace);
      batch.size = batch.sentences.size();
    }
    batch.alternatives.clear();
    batch.notes.clear();
    for (size_t i = 0; i < batch.size; ++i) {
      options.stop.check();
      Sentence& sentence = batch.sentences[i];
      const size_t alternatives = batch.alternatives.size();
      try {
        const auto workspace = model.workspaces().take();
        parse_one(parser, options, sentence, *workspace, batch);
      } catch (...) {
        const std::string reason = reason_of_failure();
        leave_unparsed(sentence, reason);
        batch.alternatives.resize(alternatives);
        if (options.kbest > 0) batch.alternatives.push_back(sentence);
        batch.notes.push_back({sentence.line, "cannot be parsed: " + reason, true});
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
    for (const Batch::Note& note : batch.notes) {
      ++(note.failed ? counts.failed : counts.pieced);
      options.note(note.line, note.message);
    }
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
    size_t words = 0;
    do {
      if (batch.sentences.size() == batch.size) batch.sentences.emplace_back();
      if (!input.next(batch.sentences[batch.size])) break;
      words += batch.sentences[batch.size++].tokens.size();
    } while (batch.size < kSentencesPerBatch && words < kWordsPerBatch && input.ready());
    return batch.size > 0;
  };
  return run(model, read, output, options);
}

StreamCounts parse_text_stream(const Model& model, std::istream& input, const std::string& name, Writer& output,
                               const StreamOptions& options) {
  LineReader lines(input, name);
  std::string_view rest;  // of a long line
  const auto read = [&](Batch& batch) {
    batch.text.clear();
    // One paragraph, but not without end: a file without empty lines is cut at a line's end, a long line at a space.
    while (batch.text.size() < kBytesPerBatch && (!rest.empty() || lines.next(rest))) {
      const std::string_view line = take_piece(rest, kBytesPerBatch);
      const bool blank = line.find_first_not_of(" \t") == std::string_view::npos;
      if (blank && !batch.text.empty()) break;
      if (!blank) batch.text.append(line) += '\n';
    }
    return !batch.text.empty();
  };
  return run(model, read, output, options);
}

}  // namespace espalier

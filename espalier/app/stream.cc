#include "espalier/app/stream.h"

#include <fmt/format.h>

#include <new>
#include <vector>

#include "espalier/app/confidence.h"
#include "espalier/app/given.h"
#include "espalier/app/workspace_pool.h"
#include "espalier/base/error.h"
#include "espalier/base/ordered.h"
#include "espalier/base/parallel.h"
#include "espalier/base/stop_point.h"
#include "espalier/format/paragraph_reader.h"
#include "espalier/format/text_spaces.h"

namespace espalier {
namespace {

constexpr size_t kWordsPerBatch = size_t{1} << 13;

struct Batch {
  TextParagraph paragraph;          // raw text, not yet tokenized; empty: there are sentences
  std::vector<Sentence> sentences;  // the first `size` are in use; memory of the others waits for the next batch
  size_t size = 0;
  std::vector<std::vector<ScoredAnalysis>> lists;  // of each sentence, with kbest; empty: it has none
  enum Event { kPieced, kNotKept, kFailed, kEvents };
  struct Note {
    long line;
    std::string message;
    Event event;
  };
  std::vector<Note> notes;
};

/// The k best analyses; the sentence gets the first, and the columns that do not differ between them.
std::vector<ScoredAnalysis> parse_list(const Parser& parser, Sentence& sentence, int k, const Constraints& given,
                                       Workspace& workspace) {
  parser.parse(sentence, given, workspace);
  std::vector<ScoredAnalysis> list;
  for (Candidate& candidate : kbest(parser, sentence, given, k, workspace))
    list.push_back({candidate.score, std::move(candidate.analysis), std::move(candidate.scores)});
  if (!list.empty()) annotate(sentence, list[0].analysis);
  return list;
}

void parse_one(const Model& model, const StreamOptions& options, size_t index, Workspace& workspace, Batch& batch) {
  const Parser& parser = model.parser();
  Sentence& sentence = batch.sentences[index];
  const Constraints given = given_in(sentence, options.keep, parser, [&](const std::string& note) {
    batch.notes.push_back({sentence.line, note, Batch::kNotKept});
  });
  const bool pieces = options.max_words > 0 && sentence.size() > options.max_words;
  if (pieces) {
    parse_within(parser, sentence, workspace, options.max_words, given);
    batch.notes.push_back(
        {sentence.line,
         fmt::format("{} words: read in pieces of at most {} (--max-words)", sentence.size(), options.max_words),
         Batch::kPieced});
  } else if (options.kbest > 0) {
    batch.lists[index] = parse_list(parser, sentence, options.kbest, given, workspace);
  } else {
    parser.parse(sentence, given, workspace);
  }
  if (options.confidence && !pieces) model.calibration().annotate(sentence, parser, given, workspace);
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
  if (options.confidence) model.calibration();  // there is one
  if (options.kbest > 0 && !model.has_kbest())
    throw usage_error("a model of kind '{}' gives one analysis per sentence, no k-best list", model.kind());

  const auto work = [&](int, Batch& batch) {
    const StopScope scope(options.stop);
    if (!batch.paragraph.text.empty()) {
      const auto workspace = model.workspaces().take();
      batch.sentences = parser.tokenizer()->tokenize(batch.paragraph.text, *workspace);
      finish_sentences(batch.paragraph, options.sentences, options.offsets, batch.sentences);
      batch.size = batch.sentences.size();
    }
    batch.lists.assign(options.kbest > 0 ? batch.size : 0, {});
    batch.notes.clear();
    for (size_t i = 0; i < batch.size; ++i) {
      options.stop.check();
      try {
        const auto workspace = model.workspaces().take();
        parse_one(model, options, i, *workspace, batch);
      } catch (...) {
        const std::string reason = reason_of_failure();
        Sentence& sentence = batch.sentences[i];
        leave_unparsed(sentence, reason);
        batch.notes.push_back({sentence.line, "cannot be parsed: " + reason, Batch::kFailed});
      }
    }
  };
  const auto write = [&](Batch& batch) {
    for (size_t i = 0; i < batch.size; ++i) {
      const Sentence& sentence = batch.sentences[i];
      ++counts.sentences;
      counts.tokens += sentence.tokens.size();
      batch.lists.empty() ? output.write(sentence) : output.write_list(sentence, batch.lists[i]);
    }
    for (const Batch::Note& note : batch.notes) {
      size_t* const counters[Batch::kEvents] = {&counts.pieced, &counts.not_kept, &counts.failed};
      ++*counters[note.event];
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
    } while (batch.size < options.batch && words < kWordsPerBatch && input.ready());
    return batch.size > 0;
  };
  return run(model, read, output, options);
}

StreamCounts parse_text_stream(const Model& model, std::istream& input, const std::string& name, Writer& output,
                               const StreamOptions& options) {
  ParagraphReader paragraphs(input, name, options.sentences);
  const auto read = [&](Batch& batch) { return paragraphs.next(batch.paragraph); };
  return run(model, read, output, options);
}

}  // namespace espalier

// Parses a stream: sentences (or raw text) in, analysed sentences out in the same order, on any number of threads, in
// constant memory. A batch ends where the input would make it wait, so that pipes can be interactive.
// Tested by stream_test.cc.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "espalier/app/model.h"
#include "espalier/base/export.h"
#include "espalier/format/format.h"

namespace espalier {

/// Reports on sentences that were not simply parsed.
enum class StreamNote { kPieces, kNotKept, kFailed };

struct StreamOptions {
  ParseOptions parse = {};                ///< options for each sentence
  int threads = 1;                        ///< 0 = one per core
  size_t batch = 64;                      ///< sentences that a thread takes at a time, at most
  std::function<void()> written = [] {};  ///< called after each batch, for flushing
  /// Called for each sentence that was split, for each given head that cannot be kept, and for each sentence that
  /// failed and is written without an analysis; in order, by one thread at a time.
  std::function<void(StreamNote what, long line, const std::string& message)> note = [](StreamNote, long,
                                                                                        const std::string&) {};
};

struct StreamCounts {
  size_t sentences = 0, tokens = 0;  ///< of the input
  size_t pieced = 0, failed = 0;     ///< sentences: split, written without heads
  size_t not_kept = 0;               ///< given heads that contradict others
};

ESPALIER_API StreamCounts parse_stream(const Model& model, Reader& input, Writer& output, const StreamOptions& options);
/// For a model that can tokenize. Paragraphs end at empty lines; `name` is the file's, for messages.
ESPALIER_API StreamCounts parse_text_stream(const Model& model, std::istream& input, const std::string& name,
                                            Writer& output, const StreamOptions& options);

/// The same for callers that have texts or sentences of their own and pull the results: documents that are put in are
/// parsed by the pipe's own threads and taken out in the same order.
///
///   while (!pipe.empty() || more()) {
///     while (!pipe.full() && more()) pipe.put(next());
///     use(pipe.take());
///   }
class ESPALIER_API DocumentPipe {
 public:
  /// `threads` 0 = one per core.
  DocumentPipe(const Model& model, int threads, const ParseOptions& options = {});
  /// Cancels what has not been taken.
  ~DocumentPipe();
  DocumentPipe(const DocumentPipe&) = delete;
  DocumentPipe& operator=(const DocumentPipe&) = delete;

  bool empty() const;
  /// Whether there are enough documents to keep the threads busy. `put` works nevertheless.
  bool full() const;
  void put(Document document);
  /// Waits for the oldest document. Throws what parsing it threw; the next call returns the next one.
  Document take();

 private:
  struct Crew;
  std::unique_ptr<Crew> crew_;
};

}  // namespace espalier

// A parser at work on a stream: sentences (or raw text) in, analysed sentences out in the same order, on any number of
// threads, in constant memory. A batch ends where the input would make it wait, so that a pipe is served at once.
// Tested by stream_test.cc.
#pragma once

#include <cstddef>
#include <functional>
#include <istream>

#include "espalier/format/format.h"
#include "espalier/parser/parser.h"

namespace espalier {

struct StreamOptions {
  int threads = 1;
  int kbest = 0;                          ///< > 0: so many analyses of each sentence, as copies with comments
  std::function<void()> written = [] {};  ///< called after each batch, for flushing
};

struct StreamCounts {
  size_t sentences = 0, tokens = 0;  ///< of the input
};

StreamCounts parse_stream(const Parser& parser, Reader& input, Writer& output, const StreamOptions& options);
/// For a parser that can tokenize. Paragraphs end at empty lines; `name` is the file's, for messages.
StreamCounts parse_text_stream(const Parser& parser, std::istream& input, const std::string& name, Writer& output,
                               const StreamOptions& options);

}  // namespace espalier

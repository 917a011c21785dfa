// Parses the sentences of a request one after the other and sends the answer in pieces: a request of any length is
// served in constant memory, and no step of it occupies a thread for long. Tested by service_test.cc.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "espalier/app/model.h"
#include "server/http.h"
#include "server/metrics.h"
#include "server/models.h"
#include "server/options.h"

namespace espalier::server {

/// Delivers the next sentence; false at the end.
using SentenceSource = std::function<bool(Sentence&)>;
/// Sentences of a file's text in a format; bad ones throw a data Error.
SentenceSource read_format(std::string text, const std::string& format);
/// Raw text, tokenized piece by piece, each at most some 64 KB and cut where a paragraph or a line ends.
SentenceSource read_raw_text(const Model& model, std::string text, const ParseOptions& options);

/// The state of a request, shared by its steps.
struct Work {
  NamedModel model;
  ParseOptions options;
  SentenceSource source;
  Limits limits;
  Metrics* metrics;
  bool parses = true;                                                        ///< false: sentences are returned unparsed
  std::function<void(const Sentence& given, Sentence& parsed)> adjust = {};  ///< may be empty
};

/// The form of an answer: its beginning, each sentence, separators, its end.
struct Form {
  std::string open, between, close;
  std::function<void(const Document& one, std::string& out)> write;  ///< a document of a single sentence
  /// The end of an answer that fails after its status has been sent, so that the body must say why.
  std::function<std::string(int status, const std::string& message)> fail;
};

/// The first piece of the answer, and a function for the others. Throws if the first piece cannot be made.
Response answer_with(std::shared_ptr<Work> work, Form form);

/// The answer to what a handler threw; to be called where it is caught.
Response response_to_exception();
/// The same as plain text, which is what UDPipe's clients show.
Response plain_response_to_exception();

}  // namespace espalier::server

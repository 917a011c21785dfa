#include "server/answer.h"

#include <fmt/format.h>

#include <deque>
#include <new>
#include <sstream>

#include "espalier/base/error.h"
#include "espalier/base/stop.h"
#include "espalier/format/format.h"

namespace espalier::server {
namespace {

constexpr size_t kPieceBytes = size_t{64} << 10;  // of an answer
constexpr size_t kPieceWords = 4096;              // parsed for one piece
constexpr size_t kTextBytes = size_t{64} << 10;   // tokenized at once

/// The text's next piece: up to the last paragraph's, line's or word's end that fits.
std::string_view take_text(std::string_view& rest) {
  size_t size = rest.size();
  if (size > kTextBytes) {
    const std::string_view window = rest.substr(0, kTextBytes);
    size = window.rfind("\n\n");
    for (const char* end : {"\n", " "})
      if (size == std::string_view::npos || size == 0) size = window.rfind(end);
    if (size == std::string_view::npos || size == 0) {  // one word: cut between characters
      size = kTextBytes;
      while (size > kTextBytes - 4 && (static_cast<unsigned char>(rest[size]) & 0xC0) == 0x80) --size;
    }
  }
  const std::string_view piece = rest.substr(0, size);
  rest.remove_prefix(size);
  return piece;
}

struct Failure {
  int status;
  std::string message;
};
/// What was thrown; to be called where it is caught.
Failure current_failure() {
  try {
    throw;
  } catch (const HttpError& error) {
    return {error.status(), error.what()};
  } catch (const Error& error) {
    return {error.kind() == ErrorKind::kRun ? 500 : 400, error.what()};
  } catch (const std::bad_alloc&) {
    return {503, "out of memory"};
  } catch (const std::exception& error) {
    return {500, error.what()};
  }
}

class GrowingAnswer {
 public:
  GrowingAnswer(std::shared_ptr<Work> work, Form form) : work_(std::move(work)), form_(std::move(form)) {}

  /// Appends a piece; false if it was the last.
  bool grow(std::string& out) {
    try {
      return grow_unless_stopped(out);
    } catch (const Stopped&) {
      const std::atomic<bool>* aborted = work_->options.stop.flag;
      if (aborted && *aborted) throw HttpError(503, "the server is stopping");
      throw HttpError(503, fmt::format("the request took more than {} seconds, the most that are allowed",
                                       std::chrono::duration<double>(work_->limits.request_time).count()));
    }
  }
  /// The same after the status has been sent: errors are reported in the body.
  bool grow_or_fail(std::string& out) {
    const size_t begin = out.size();
    try {
      return grow(out);
    } catch (...) {
      const Failure failure = current_failure();
      out.resize(begin);  // drop a sentence that may be incomplete
      out += form_.fail(failure.status, failure.message);
      return false;
    }
  }

 private:
  bool grow_unless_stopped(std::string& out) {
    if (sentences_ == 0) out += form_.open;
    const size_t begin = out.size();
    for (size_t words = 0; out.size() - begin < kPieceBytes && words < kPieceWords;) {
      Document one;
      if (!work_->source(one.sentences.emplace_back())) {
        out += form_.close;
        return false;
      }
      check(one.sentences[0]);
      work_->options.stop.check();
      if (work_->parses) parse(one);
      if (sentences_++ > 0) out += form_.between;
      form_.write(one, out);
      words += one.sentences[0].tokens.size();
      work_->metrics->count_words(1, one.sentences[0].tokens.size());
    }
    return true;
  }
  void parse(Document& one) const {
    Sentence given;
    if (work_->adjust) given = one.sentences[0];
    work_->model.model.parse(one, work_->options);
    if (work_->adjust) work_->adjust(given, one.sentences[0]);
  }
  void check(const Sentence& sentence) const {
    const Limits& limits = work_->limits;
    if (sentences_ >= limits.sentences)
      throw HttpError(413, fmt::format("more than {} sentences in a request", limits.sentences));
    if (sentence.tokens.size() > limits.sentence_words)
      throw HttpError(413, fmt::format("sentence {} has {} words; at most {} are allowed", sentences_ + 1,
                                       sentence.tokens.size(), limits.sentence_words));
  }

  std::shared_ptr<Work> work_;
  Form form_;
  size_t sentences_ = 0;
};

}  // namespace

SentenceSource read_format(std::string text, const std::string& format) {
  struct State {
    std::istringstream stream;
    std::unique_ptr<Reader> reader;
  };
  auto state = std::make_shared<State>();
  state->stream.str(std::move(text));
  ReaderOptions options;
  options.name = "input";
  state->reader = make_reader(format, state->stream, options);
  return [state](Sentence& sentence) { return state->reader->next(sentence); };
}

SentenceSource read_raw_text(const Model& model, std::string text, const ParseOptions& options) {
  struct State {
    std::string text;
    std::string_view rest;
    std::deque<Sentence> sentences;
  };
  auto state = std::make_shared<State>();
  state->text = std::move(text);
  state->rest = state->text;
  return [state, model, options](Sentence& sentence) {
    while (state->sentences.empty()) {
      if (state->rest.empty()) return false;
      for (Sentence& next : model.tokenize(take_text(state->rest), options))
        state->sentences.push_back(std::move(next));
    }
    sentence = std::move(state->sentences.front());
    state->sentences.pop_front();
    return true;
  };
}

Response answer_with(std::shared_ptr<Work> work, Form form) {
  auto answer = std::make_shared<GrowingAnswer>(std::move(work), std::move(form));
  Response response;
  if (answer->grow(response.body)) response.more = [answer](std::string& piece) { return answer->grow_or_fail(piece); };
  return response;
}

Response response_to_exception() {
  const Failure failure = current_failure();
  Response response = error_response(failure.status, failure.message);
  if (failure.status == 503) response.headers.emplace_back("Retry-After", "5");
  return response;
}

Response plain_response_to_exception() {
  Response response = response_to_exception();
  response.content_type = "text/plain; charset=utf-8";
  response.body = current_failure().message + "\n";
  return response;
}

}  // namespace espalier::server

// One thread moves bytes, others parse (work_queue.h); a connection serves one request after the other, so that
// pipelined requests are answered in order. Everything here runs on the network's thread, except the bodies of jobs.
#include <fmt/format.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <optional>

#include "server/network.h"

namespace espalier::server {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using beast::error_code;
using Clock = std::chrono::steady_clock;

namespace {

constexpr size_t kBodiesAtOnce = 64;          // of the largest size, received or waiting
constexpr size_t kDrained = size_t{1} << 20;  // bytes read from a client that has been answered, before closing
constexpr std::chrono::seconds kDrainTime{2};
constexpr int kClientGone = 499;  // a status for metrics alone, as in nginx

class HttpConnection final : public Connection, public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(Network& network, tcp::socket socket) : network_(network), stream_(std::move(socket)) {}

  void start() override {
    header_deadline_ = Clock::now() + limits().header_time;
    await_request();
  }
  void refuse_all() override {
    refuse(503, fmt::format("{} connections are open, the most that are allowed", limits().connections));
  }
  bool idle() override {
    error_code ignored;
    return idle_ && stream_.socket().available(ignored) == 0;
  }
  void close() override {
    error_code ignored;
    stream_.socket().close(ignored);
    release_buffer();
    network_.forget(shared_from_this());
  }
  void give_up() override { given_up_ = true; }

 private:
  const Limits& limits() const { return network_.options.limits; }

  void await_request() {
    idle_ = true;
    if (network_.stopping && buffer_.size() == 0 && idle()) return close();
    if (buffer_.size() > 0) return read_header();
    stream_.expires_at(header_deadline_ ? *header_deadline_ : Clock::now() + limits().idle_time);
    stream_.async_read_some(buffer_.prepare(4096), [self = shared_from_this()](error_code error, size_t size) {
      if (error) return self->close();
      self->buffer_.commit(size);
      self->read_header();
    });
  }

  void read_header() {
    idle_ = false;
    parser_.emplace();
    parser_->header_limit(static_cast<uint32_t>(limits().header));
    parser_->body_limit(limits().body);
    stream_.expires_at(header_deadline_ ? *header_deadline_ : Clock::now() + limits().header_time);
    header_deadline_.reset();
    http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, size_t) {
      error ? self->fail(error) : self->check_header();
    });
  }

  void check_header() {
    const auto& message = parser_->get();
    version_ = message.version();
    keep_alive_ = message.keep_alive();
    if (version_ >= 11 && message.count(http::field::host) != 1) return refuse(400, "HTTP/1.1 needs one Host header");
    const auto coding = message[http::field::transfer_encoding];
    if (!coding.empty() && !same_name(std::string_view(coding.data(), coding.size()), "chunked"))
      return refuse(501, "the only Transfer-Encoding understood is 'chunked'");
    const size_t expected = parser_->content_length() ? *parser_->content_length() : coding.empty() ? 0 : limits().body;
    if (network_.buffered + expected > kBodiesAtOnce * limits().body)
      return refuse_for_now("the server is receiving as much as it can hold");
    network_.buffered += reserved_ = expected;
    const auto expect = message[http::field::expect];
    if (!expect.empty() && expected > 0 && !parser_->is_done()) {
      out_ = "HTTP/1.1 100 Continue\r\n\r\n";
      return write([self = shared_from_this()] { self->read_body(); });
    }
    read_body();
  }

  void read_body() {
    stream_.expires_after(limits().body_time);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, size_t) {
      error ? self->fail(error) : self->dispatch();
    });
  }

  /// A request could not be read: answers if the client may still listen, else closes.
  void fail(error_code error) {
    if (error == http::error::header_limit)
      return refuse(431, fmt::format("the header has more than {} bytes", limits().header));
    if (error == http::error::body_limit)
      return refuse(413, fmt::format("the body has more than {} bytes", limits().body));
    const bool malformed = error.category() == http::make_error_code(http::error::bad_method).category() &&
                           error != http::error::end_of_stream && error != http::error::partial_message;
    if (malformed) return refuse(400, "the request is not HTTP: " + error.message());
    close();
  }

  void take_request() {
    auto message = parser_->release();
    request_.method = std::string(message.method_string());
    request_.target = std::string(message.target());
    request_.headers.clear();
    for (const auto& field : message) request_.headers.emplace_back(field.name_string(), field.value());
    request_.body = std::move(message.body());
    parser_.reset();
  }

  void dispatch() {
    take_request();
    arrived_ = Clock::now();
    stream_.expires_never();
    if (!network_.service.takes_work(request_)) {
      response_ = network_.service.answer(request_);
      return respond();
    }
    const Stop stop{*arrived_ + limits().request_time, &given_up_};
    const bool admitted = network_.queue.try_push([self = shared_from_this(), stop] {
      self->response_ = stop.flagged() ? error_response(503, "the server is stopping")  // or the client is gone
                                       : self->network_.service.answer(self->request_, stop);
      std::string().swap(self->request_.body);  // long answers need it no more
      asio::post(self->network_.io, [self] { self->respond(); });
    });
    if (!admitted)
      return refuse_for_now(fmt::format("{} requests are waiting, the most that are allowed", limits().queue),
                            keep_alive_);
    watch_client();
  }

  /// Cancels the request of a client that hangs up before it is answered. A client that only closes its own side of the
  /// connection looks the same. Not noticed if another request of the client has arrived already.
  void watch_client() {
    watching_ = true;
    stream_.socket().async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code error) {
      if (error || !std::exchange(self->watching_, false)) return;
      self->gone_ = self->stream_.socket().available(error) == 0;
      if (self->gone_) self->give_up();
    });
  }

  void refuse(int status, const std::string& message) {
    keep_alive_ = false;
    response_ = network_.service.finished(error_response(status, message), request_);
    respond();
  }
  void refuse_for_now(const std::string& message, bool keep_alive = false) {
    keep_alive_ = keep_alive;
    response_ = network_.service.finished(error_response(503, message), request_);
    response_.headers.emplace_back("Retry-After", "1");
    respond();
  }

  void respond() {
    release_buffer();
    if (std::exchange(watching_, false)) stream_.socket().cancel();
    if (gone_) {
      count(kClientGone);
      return close();
    }
    framing_ = !response_.more ? Framing::kLength : version_ >= 11 ? Framing::kChunks : Framing::kClose;
    if (network_.stopping || framing_ == Framing::kClose) keep_alive_ = false;
    if (request_.method == "HEAD") response_.more = nullptr;
    out_ = response_head(response_, framing_, keep_alive_);
    if (request_.method != "HEAD") append(response_.body);
    write([self = shared_from_this()] { self->go_on(); });
  }
  /// A piece of the body, as the answer's framing has it.
  void append(std::string_view piece) {
    if (framing_ != Framing::kChunks) {
      out_ += piece;
    } else if (!piece.empty()) {
      out_ += chunk(piece);
    }
  }

  /// After a piece has been sent: continues with the next piece or the next request.
  void go_on() {
    if (!response_.more) return finish();
    network_.queue.push_step([self = shared_from_this()] {
      self->out_.clear();
      std::string piece;
      bool more = false;
      try {
        more = self->response_.more(piece);
      } catch (...) {  // closes the connection: the client sees that the end is missing
        asio::post(self->network_.io, [self] { self->close(); });
        return;
      }
      self->append(piece);
      if (!more) {
        self->response_.more = nullptr;
        if (self->framing_ == Framing::kChunks) self->out_ += chunk("");
      }
      asio::post(self->network_.io, [self] { self->write([self] { self->go_on(); }); });
    });
  }

  void count(int status) {
    const std::chrono::duration<double> time = Clock::now() - (arrived_ ? *arrived_ : Clock::now());
    const std::string route = arrived_ ? network_.service.route_name(request_) : "other";
    network_.metrics.count_request(route, status, time);
  }

  void finish() {
    count(response_.status);
    request_ = {};
    response_ = {};
    arrived_.reset();
    keep_alive_ ? await_request() : drain();
  }

  /// Reads remaining bytes before closing, since otherwise a client that is still sending would lose the answer.
  void drain() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(kDrainTime);
    drain_some(0);
  }
  void drain_some(size_t drained) {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(4096), [self = shared_from_this(), drained](error_code error, size_t size) {
      error || drained + size > kDrained ? self->close() : self->drain_some(drained + size);
    });
  }

  template <class Then>
  void write(Then then) {
    stream_.expires_after(limits().body_time);
    asio::async_write(stream_, asio::buffer(out_), [self = shared_from_this(), then](error_code error, size_t) {
      if (!error) return then();
      if (self->arrived_) self->count(kClientGone);  // in the middle of its answer
      self->close();
    });
  }
  void release_buffer() { network_.buffered -= std::exchange(reserved_, 0); }

  Network& network_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<Clock::time_point> header_deadline_;  // of the connection's first request
  std::optional<Clock::time_point> arrived_;
  Request request_;
  Response response_;
  std::string out_;
  Framing framing_ = Framing::kLength;
  unsigned version_ = 11;
  size_t reserved_ = 0;
  bool keep_alive_ = true, idle_ = true;
  bool watching_ = false, gone_ = false;  // of watch_client
  std::atomic<bool> given_up_ = false;
};

}  // namespace

std::shared_ptr<Connection> make_connection(Network& network, tcp::socket socket) {
  return std::make_shared<HttpConnection>(network, std::move(socket));
}

}  // namespace espalier::server

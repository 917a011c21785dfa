// Shared by network.cc and connection.cc: the state of all connections, and the interface of one. All of it belongs to
// the network's thread, except the bodies of jobs.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <memory>
#include <thread>
#include <unordered_set>

#include "server/server.h"
#include "server/service.h"
#include "server/work_queue.h"

namespace espalier::server {

namespace asio = boost::asio;
using asio::ip::tcp;

/// One client. Pending operations keep it alive until it is closed.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual void start() = 0;
  /// One connection too many.
  virtual void refuse_all() = 0;
  /// Whether no request is being served or received.
  virtual bool idle() = 0;
  virtual void close() = 0;
  /// Cancels the current request, which is answered with 503.
  virtual void give_up() = 0;
};

struct Network {
  explicit Network(ServerOptions options_in);

  void listen();
  void accept();
  void admit(tcp::socket socket);
  void watch_signals();
  void begin_stop();
  void forget(const std::shared_ptr<Connection>& connection);
  void give_up_all();
  void reload();

  const ServerOptions options;
  ModelStore models;
  Metrics metrics;
  Service service;
  bool stopping = false, reloading = false, reload_again = false;
  size_t buffered = 0;  // bytes of bodies announced or received

  asio::io_context io{1};
  tcp::acceptor acceptor;
  asio::signal_set signals;
  asio::steady_timer stop_timer, accept_timer;
  std::unordered_set<std::shared_ptr<Connection>> connections;
  std::jthread reloader;
  WorkQueue queue;  // after everything that jobs use
};

/// A client that speaks HTTP (connection.cc).
std::shared_ptr<Connection> make_connection(Network& network, tcp::socket socket);

}  // namespace espalier::server

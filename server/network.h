// What the server's two files of network share: the state of all connections, and what one is to the others. All of
// it belongs to the network's thread but for the bodies of jobs.
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

/// One client. It lives until it is closed, and whatever is under way holds it.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual void start() = 0;
  /// One connection too many.
  virtual void refuse_all() = 0;
  /// Nothing is under way and nothing has come.
  virtual bool idle() = 0;
  virtual void close() = 0;
  /// Ends the work that is under way: it is answered with 503.
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
  size_t buffered = 0;  // bytes of bodies that were promised or are here

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

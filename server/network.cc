// Listening, admitting, signals, reloading and stopping; connection.cc talks to the clients.
#include "server/network.h"

#include <boost/asio/post.hpp>
#include <utility>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/base/parallel.h"

namespace espalier::server {

using boost::system::error_code;

constexpr size_t kRefusedAtOnce = 64;  // connections above the limit that get an answer saying so

Network::Network(ServerOptions options_in)
    : options(std::move(options_in)),
      models(options.models, options.settings),
      service(options, models, metrics),
      acceptor(io),
      signals(io),
      stop_timer(io),
      accept_timer(io),
      queue(options.threads > 0 ? options.threads : hardware_threads(), static_cast<size_t>(options.limits.queue)) {
  listen();
  service.gauges = [this] {
    return Metrics::Gauges{queue.waiting(), queue.running(), queue.capacity(), connections.size()};
  };
}

void Network::listen() {
  error_code error;
  const auto port = std::to_string(options.port);
  const auto found = tcp::resolver(io).resolve(options.host, port, tcp::resolver::passive, error);
  if (error || found.empty()) throw run_error("cannot listen on {}: {}", options.host, error.message());
  const tcp::endpoint endpoint = found.begin()->endpoint();
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) throw run_error("cannot listen on {}:{}: {}", options.host, options.port, error.message());
}

void Network::accept() {
  acceptor.async_accept([this](error_code error, tcp::socket socket) {
    if (stopping) {
      if (!error) admit(std::move(socket));
      return;
    }
    if (!error) {
      admit(std::move(socket));
      return accept();
    }
    // Out of file descriptors, most likely: they come back when connections end.
    accept_timer.expires_after(std::chrono::milliseconds(100));
    accept_timer.async_wait([this](error_code) {
      if (!stopping) accept();
    });
  });
}

void Network::admit(tcp::socket socket) {
  const auto limit = static_cast<size_t>(options.limits.connections);
  if (connections.size() >= limit + kRefusedAtOnce) return;  // closed
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  const auto connection = make_connection(*this, std::move(socket));
  connections.insert(connection);
  connections.size() > limit ? connection->refuse_all() : connection->start();
}

void Network::forget(const std::shared_ptr<Connection>& connection) {
  connections.erase(connection);
  if (!stopping || !connections.empty()) return;
  stop_timer.cancel();
  error_code ignored;
  signals.cancel(ignored);
}

void Network::give_up_all() {
  for (const auto& connection : connections) connection->give_up();
}

void Network::watch_signals() {
  signals.async_wait([this](error_code error, int signal) {
    if (error) return;
    if (signal == SIGHUP) {
      reload();
    } else if (stopping) {
      return io.stop();  // asked twice
    } else {
      begin_stop();
    }
    if (!stopping || !connections.empty()) watch_signals();
  });
}

void Network::begin_stop() {
  if (std::exchange(stopping, true)) return;
  service.ready = false;
  options.message("stopping");
  // Connections that the system has accepted are served.
  error_code error;
  acceptor.non_blocking(true, error);
  for (;;) {
    tcp::socket socket(io);
    acceptor.accept(socket, error);
    if (error) break;
    admit(std::move(socket));
  }
  acceptor.close(error);
  accept_timer.cancel();
  std::vector<std::shared_ptr<Connection>> all(connections.begin(), connections.end());
  for (const auto& connection : all)
    if (connection->idle()) connection->close();
  if (connections.empty()) return;
  stop_timer.expires_after(options.limits.stop_time);
  stop_timer.async_wait([this](error_code cancelled) {
    if (cancelled) return;
    give_up_all();  // clients that do not read the answer are dropped
    stop_timer.expires_after(std::chrono::seconds(1));
    stop_timer.async_wait([this](error_code done) {
      if (!done) io.stop();
    });
  });
}

void Network::reload() {
  if (reloading) {
    reload_again = true;
    return;
  }
  reloading = true;
  reloader = std::jthread([this] {
    for (const std::string& message : models.reload()) options.message(message);
    asio::post(io, [this] {
      reloading = false;
      if (std::exchange(reload_again, false)) reload();
    });
  });
}

Server::Server(ServerOptions options) : network_(std::make_unique<Network>(std::move(options))) {}
Server::~Server() = default;

int Server::port() const { return network_->acceptor.local_endpoint().port(); }
void Server::stop() {
  asio::post(network_->io, [network = network_.get()] { network->begin_stop(); });
}
void Server::reload() {
  asio::post(network_->io, [network = network_.get()] { network->reload(); });
}

void Server::run(bool signals) {
  Network& network = *network_;
  if (signals) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) network.signals.add(signal);
    network.watch_signals();
  }
  network.accept();
  for (;;) {
    try {
      network.io.run();
      break;
    } catch (const std::exception& error) {  // most likely out of memory: one connection is lost, others continue
      network.options.message(error.what());
    }
  }
  network.give_up_all();
}

}  // namespace espalier::server

// The server: connections, time limits, the queue, signals. Only network.cc and connection.cc use
// Boost; service.h makes the answers. Tested by tests/server_test.cc and
// scripts/check/server_load.
#pragma once

#include <memory>

#include "server/options.h"

namespace espalier::server {

struct Network;

class Server {
 public:
  /// Loads the models and opens the port; throws an Error. Connections wait until `run`.
  explicit Server(ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  /// Serves until it is stopped. `signals`: SIGTERM and SIGINT stop it, SIGHUP loads the models again.
  void run(bool signals);
  /// From any thread: takes no more connections, finishes running requests within Limits::stop_time, and ends `run`.
  void stop();
  /// From any thread: reloads the models while requests run.
  void reload();

 private:
  std::unique_ptr<Network> network_;
};

}  // namespace espalier::server

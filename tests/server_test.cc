// The server as its clients meet it: real connections to 127.0.0.1, the shipped model, the built program for signals.
#ifdef ESPALIER_HAS_SERVER
#include "server/server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/temporary_folder.h"

namespace espalier::server {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

const std::string kModel = "en=" ESPALIER_SOURCE_DIR "/models/en_ewt.esp";

/// A connection that says and hears bytes.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{20, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) throw_errno("connect");
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void say(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // the server has hung up: what it said is still to be read
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
  }
  /// All until the server hangs up.
  std::string hear_all() {
    while (hear_some()) {
    }
    return std::exchange(heard_, {});
  }
  void hear_head() { wait_for("\r\n\r\n", 0); }
  /// One answer: its head and body. Bodies come with a length or in chunks, whose frames are taken off.
  struct Answer {
    int status = 0;
    std::string head, body;
  };
  Answer hear() {
    Answer answer;
    const size_t end = wait_for("\r\n\r\n", 0);
    answer.head = heard_.substr(0, end + 4);
    heard_.erase(0, end + 4);
    answer.status = std::stoi(answer.head.substr(9, 3));
    if (answer.head.find("chunked") != std::string::npos) {
      for (size_t size = 1; size > 0;) {
        const size_t line = wait_for("\r\n", 0);
        size = std::stoul(heard_.substr(0, line), nullptr, 16);
        while (heard_.size() < line + 2 + size + 2 && hear_some()) {
        }
        answer.body += heard_.substr(line + 2, size);
        heard_.erase(0, line + 2 + size + 2);
      }
    } else if (const size_t at = answer.head.find("Content-Length: "); at != std::string::npos) {
      const size_t size = std::stoul(answer.head.substr(at + 16));
      while (heard_.size() < size && hear_some()) {
      }
      answer.body = heard_.substr(0, size);
      heard_.erase(0, size);
    }
    return answer;
  }
  Answer ask(std::string_view request) {
    say(request);
    return hear();
  }

 private:
  [[noreturn]] static void throw_errno(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
  }
  bool hear_some() {
    char buffer[65536];
    const ssize_t size = ::recv(socket_, buffer, sizeof buffer, 0);
    if (size < 0 && errno != ECONNRESET) throw_errno("recv");
    if (size <= 0) return false;
    heard_.append(buffer, static_cast<size_t>(size));
    return true;
  }
  size_t wait_for(std::string_view mark, size_t from) {
    size_t at;
    while ((at = heard_.find(mark, from)) == std::string::npos)
      if (!hear_some()) throw std::runtime_error("the server hung up after: " + heard_);
    return at;
  }

  int socket_;
  std::string heard_;
};

std::string get(const std::string& target, const std::string& headers = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: test\r\n" + headers + "\r\n";
}
std::string post(const json& body) {
  const std::string text = body.dump();
  return "POST /v1/parse HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(text.size()) + "\r\n\r\n" + text;
}

/// Runs a server in this process, with limits that tests need not wait for.
class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.models = {kModel};
    options_.port = 0;
    options_.threads = 2;
    options_.limits.header_time = 1s;
    options_.limits.body_time = 1s;
  }
  void TearDown() override {
    if (!server_) return;
    server_->stop();
    thread_.join();
  }
  int start() {
    server_ = std::make_unique<Server>(options_);
    thread_ = std::thread([this] { server_->run(false); });
    return server_->port();
  }

  ServerOptions options_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

TEST_F(ServerTest, AnswersOneAfterTheOtherOnOneConnection) {
  Client client(start());
  EXPECT_EQ(client.ask(get("/healthz")).status, 200);
  const auto parsed = client.ask(post({{"text", "Dogs bark."}}));
  EXPECT_EQ(parsed.status, 200);
  EXPECT_EQ(json::parse(parsed.body)["sentences"][0]["tokens"].size(), 3u);
  // Pipelined: the quick one must not pass the slow one.
  client.say(post({{"text", "Cats sleep all day."}}) + get("/healthz") + post({{"tokens", {"one", "two"}}}) +
             get("/x"));
  EXPECT_NE(client.hear().body.find("Cats"), std::string::npos);
  EXPECT_NE(client.hear().body.find("ok"), std::string::npos);
  EXPECT_NE(client.hear().body.find("two"), std::string::npos);
  EXPECT_EQ(client.hear().status, 404);
}

TEST_F(ServerTest, SaysHowSureItIsAndHowItCameAbout) {
  Client client(start());
  const auto sentence = [&](const json& more) {
    json body = {{"text", "She saw the man with the telescope."}};
    body.update(more);
    const auto answer = client.ask(post(body));
    EXPECT_EQ(answer.status, 200) << answer.body;
    return json::parse(answer.body)["sentences"][0];
  };
  const json plain = sentence(json::object()), told = sentence({{"confidence", true}, {"trace", true}});
  EXPECT_FALSE(plain.contains("confidence") || plain.contains("trace"));
  EXPECT_GT(told["confidence"].get<double>(), 0);
  ASSERT_EQ(told["tokens"].size(), plain["tokens"].size());
  for (size_t i = 0; i < told["tokens"].size(); ++i) {
    EXPECT_GT(told["tokens"][i]["confidence"].get<double>(), 0);
    EXPECT_EQ(told["tokens"][i]["head"], plain["tokens"][i]["head"]);
  }
  EXPECT_GE(told["trace"]["steps"].size(), told["tokens"].size());
}

TEST_F(ServerTest, ConnectionsAreKeptAsTheVersionHasIt) {
  const int port = start();
  EXPECT_NE(Client(port).ask(get("/healthz")).head.find("Connection: keep-alive"), std::string::npos);
  Client closing(port);
  closing.say(get("/healthz", "Connection: close\r\n"));
  EXPECT_TRUE(closing.hear_all().ends_with("{\"status\": \"ok\"}\n"));
  Client old(port);
  old.say("GET /healthz HTTP/1.0\r\n\r\n");
  EXPECT_NE(old.hear_all().find("Connection: close"), std::string::npos);
  Client head(port);
  head.say("HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n" + get("/healthz", "Connection: close\r\n"));
  const std::string both = head.hear_all();
  EXPECT_NE(both.find("Content-Length: 17\r\nConnection: keep-alive\r\n\r\nHTTP/1.1 200"), std::string::npos) << both;
}

TEST_F(ServerTest, LongAnswersComeInChunks) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "The dogs bark at night number " + std::to_string(i) + ".\n\n";
  const int port = start();
  Client client(port);
  const auto answer = client.ask(post({{"text", text}}));
  EXPECT_NE(answer.head.find("Transfer-Encoding: chunked"), std::string::npos);
  EXPECT_EQ(json::parse(answer.body)["sentences"].size(), 2000u);
  EXPECT_EQ(client.ask(get("/healthz")).status, 200);  // the connection is still in step
  Client old(port);
  std::string request = post({{"text", text}});
  request.replace(request.find("HTTP/1.1"), 8, "HTTP/1.0");
  old.say(request);
  const std::string all = old.hear_all();
  EXPECT_EQ(all.find("chunked"), std::string::npos);
  EXPECT_EQ(json::parse(all.substr(all.find("\r\n\r\n")))["sentences"].size(), 2000u);
}

TEST_F(ServerTest, TooMuchIsRefusedWithANumber) {
  options_.limits.body = 1000;
  const int port = start();
  const auto expect = [&](const std::string& request, int status, const std::string& part) {
    Client client(port);
    const auto answer = client.ask(request);
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_NE(answer.body.find(part), std::string::npos) << answer.body;
    EXPECT_NE(answer.head.find("Connection: close"), std::string::npos);
  };
  const std::string big(2000, 'x');
  expect("POST /v1/parse HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n", 413, "more than 1000 bytes");
  expect("POST /v1/parse HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n" + big + "\r\n0\r\n\r\n", 413,
         "more than 1000 bytes");
  expect(get("/healthz", "X-Long: " + std::string(20000, 'x') + "\r\n"), 431, "more than 16384 bytes");
  expect(get("/" + std::string(20000, 'x')), 431, "more than 16384 bytes");
  expect("nonsense\r\n\r\n", 400, "not HTTP");
  expect("GET / HTTP/1.1\r\n\r\n", 400, "Host");
  expect("GET / HTTP/9.1\r\nHost: x\r\n\r\n", 400, "not HTTP");
  expect("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400, "not HTTP");
  expect("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
         "not HTTP");
  expect("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\nabc", 501, "chunked");
  EXPECT_EQ(Client(port).ask(get("/healthz")).status, 200);
}

TEST_F(ServerTest, ChunkedRequestsAndContinuesAreUnderstood) {
  Client client(start());
  client.say(
      "POST /v1/parse HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
      "Transfer-Encoding: chunked\r\n\r\n");
  EXPECT_EQ(client.hear().status, 100);
  client.say("9\r\n{\"text\": \r\nd\r\n\"Dogs bark.\"}\r\n0\r\n\r\n");
  EXPECT_EQ(client.hear().status, 200);
}

TEST_F(ServerTest, SlowClientsAreDropped) {
  const int port = start();
  const auto begin = std::chrono::steady_clock::now();
  Client silent(port), slow_header(port), slow_body(port);
  slow_header.say("GET /heal");
  slow_body.say("POST /v1/parse HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_EQ(silent.hear_all(), "");
  EXPECT_EQ(slow_header.hear_all(), "");
  EXPECT_EQ(slow_body.hear_all(), "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  EXPECT_EQ(Client(port).ask(get("/healthz")).status, 200);
}

TEST_F(ServerTest, ConnectionsAreCounted) {
  options_.limits.connections = 2;
  options_.limits.header_time = 10s;
  const int port = start();
  Client one(port), two(port);
  EXPECT_EQ(one.ask(get("/healthz")).status, 200);
  EXPECT_EQ(two.ask(get("/healthz")).status, 200);
  Client three(port);
  const auto refused = three.hear();
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(refused.body.find("2 connections"), std::string::npos);
}

TEST_F(ServerTest, AFullQueueSaysComeBack) {
  options_.threads = 1;
  options_.limits.queue = 1;
  std::string text;
  for (int i = 0; i < 400; ++i) text += "The dogs bark at the cats in the garden all night long, they say.\n";
  const int port = start();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 12; ++i) clients.push_back(std::make_unique<Client>(port));
  for (const auto& client : clients) client->say(post({{"text", text}}));
  int done = 0, refused = 0;
  for (const auto& client : clients) {
    const auto answer = client->hear();
    done += answer.status == 200;
    refused += answer.status == 503;
    if (answer.status == 503) {
      EXPECT_NE(answer.head.find("Retry-After: 1\r\n"), std::string::npos);
      EXPECT_NE(answer.body.find("1 requests are waiting"), std::string::npos);
    } else {
      EXPECT_EQ(json::parse(answer.body)["sentences"].size(), 400u);
    }
  }
  EXPECT_EQ(done + refused, 12);
  EXPECT_GE(done, 2);
  EXPECT_GE(refused, 1);
  EXPECT_EQ(clients[0]->ask(post({{"text", "Dogs bark."}})).status, 200);
}

TEST_F(ServerTest, RequestsOfClientsThatHungUpAreNotParsed) {
  options_.threads = 1;
  std::string text;
  for (int i = 0; i < 400; ++i) text += "The dogs bark at the cats in the garden all night long, they say.\n";
  const int port = start();
  Client busy(port);
  busy.say(post({{"text", text}}));
  for (int i = 0; i < 40; ++i) Client(port).say(post({{"text", text}}));
  EXPECT_EQ(busy.hear().status, 200);
  EXPECT_EQ(busy.ask(post({{"text", "Dogs bark."}})).status, 200);  // it waits behind all of them
  const std::string metrics = busy.ask(get("/metrics")).body;
  const auto number = [&](const std::string& name) {
    const size_t at = metrics.find('\n' + name + ' ');
    return at == std::string::npos ? 0 : std::stol(metrics.substr(at + name.size() + 2));
  };
  EXPECT_GE(number("espalier_requests_total{route=\"/v1/parse\",status=\"499\"}"), 20) << metrics;
  EXPECT_LE(number("espalier_sentences_total"), 20 * 400 + 1) << metrics;
}

TEST_F(ServerTest, ClientsThatHangUpWithinAnAnswerAreCounted) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "The dogs bark at the cats in the garden all night long, they say.\n";
  const int port = start();
  {
    Client client(port);
    client.say(post({{"text", text}}));
    client.hear_head();
  }
  Client other(port);
  std::string metrics;
  const auto counted = [&] {
    metrics = other.ask(get("/metrics")).body;
    return metrics.find("espalier_requests_total{route=\"/v1/parse\",status=\"499\"} 1") != std::string::npos;
  };
  for (int i = 0; i < 200 && !counted(); ++i) std::this_thread::sleep_for(100ms);
  EXPECT_TRUE(counted()) << metrics;
}

TEST_F(ServerTest, DeadlinesEndARequest) {
  options_.limits.request_time = 1ms;
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "The dogs bark at the cats.\n";
  Client client(start());
  const auto answer = client.ask(post({{"text", text}}));
  EXPECT_EQ(answer.status, 503);
  EXPECT_NE(answer.body.find("more than 0.001 seconds"), std::string::npos) << answer.body;
}

TEST_F(ServerTest, DeadlinesReachIntoALongSentence) {
  constexpr auto kDeadline = 200ms;
  options_.settings = {"beam=1024"};  // such a beam takes seconds for this sentence
  options_.limits.request_time = kDeadline;
  const json body = {{"tokens", std::vector<std::string>(490, "dogs")}};
  Client client(start());
  auto fastest = std::chrono::steady_clock::duration::max();
  for (int i = 0; i < 5; ++i) {  // a machine that is busy may be late now and then
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = client.ask(post(body));
    fastest = std::min(fastest, std::chrono::steady_clock::now() - begin);
    EXPECT_EQ(answer.status, 503);
    EXPECT_NE(answer.body.find("more than 0.2 seconds"), std::string::npos) << answer.body;
  }
  EXPECT_LT(fastest, kDeadline + 100ms);
}

TEST_F(ServerTest, StoppingFinishesWhatRuns) {
  options_.limits.stop_time = 100s;  // a sanitizer's program on a busy machine needs more than ten
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "The dogs bark at the cats in the garden all night long, they say.\n";
  const int port = start();
  Client idle(port), busy(port);
  EXPECT_EQ(idle.ask(get("/healthz")).status, 200);
  busy.say(post({{"text", text}}));
  std::this_thread::sleep_for(30ms);
  server_->stop();
  EXPECT_EQ(idle.hear_all(), "");
  const auto answer = busy.hear();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(json::parse(answer.body)["sentences"].size(), 1000u);
}

/// The program itself, with its messages in a file.
class Program {
 public:
  explicit Program(const std::vector<std::string>& arguments) {
    const std::string log = folder_ / "log";
    process_ = ::fork();
    if (process_ == 0) {
      const int file = ::open(log.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
      ::dup2(file, 2);
      std::vector<char*> words;
      std::string program = ESPALIER_BINARY;
      words.push_back(program.data());
      std::vector<std::string> copies = arguments;
      for (std::string& word : copies) words.push_back(word.data());
      words.push_back(nullptr);
      ::execv(ESPALIER_BINARY, words.data());
      ::_exit(127);
    }
  }
  ~Program() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
  }
  void signal(int number) const { ::kill(process_, number); }
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(process_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  /// What follows `mark` in the log, up to the line's end.
  std::string wait_for(const std::string& mark) const {
    for (int i = 0; i < 2000; ++i) {
      std::ifstream input(folder_ / "log");
      for (std::string line; std::getline(input, line);) {
        const size_t at = line.find(mark);
        if (at != std::string::npos && !input.eof()) return line.substr(at + mark.size());
      }
      std::this_thread::sleep_for(10ms);
    }
    throw std::runtime_error("not in the log: " + mark);
  }

 private:
  TemporaryFolder folder_;
  pid_t process_ = 0;
};

TEST(ServeCommand, SignalsReloadAndStop) {
  Program program({"serve", "--model", kModel, "--port", "0", "--threads", "1"});
  const int port = std::stoi(program.wait_for("listening on http://127.0.0.1:"));
  Client client(port);
  EXPECT_EQ(client.ask(post({{"text", "Dogs bark."}})).status, 200);
  program.signal(SIGHUP);
  program.wait_for("model 'en' loaded again from ");
  EXPECT_EQ(client.ask(post({{"text", "Dogs bark."}})).status, 200);
  program.signal(SIGTERM);
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(client.hear_all(), "");
}

TEST(ServeCommand, WhatCannotBeServedIsSaid) {
  Program missing({"serve", "--model", "en=/no/such/model.esp", "--port", "0"});
  EXPECT_EQ(missing.wait(), 1);
  missing.wait_for("/no/such/model.esp");
  Program unknown({"serve", "--model", kModel, "--port", "0", "--host", "no.such.host.invalid"});
  EXPECT_EQ(unknown.wait(), 1);
  unknown.wait_for("cannot listen on no.such.host.invalid");
}

}  // namespace
}  // namespace espalier::server
#endif

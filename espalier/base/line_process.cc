#include "espalier/base/line_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "espalier/base/error.h"

namespace espalier {

using Clock = std::chrono::steady_clock;

LineProcess::LineProcess(std::string command, std::chrono::milliseconds patience)
    : command_(std::move(command)), patience_(patience) {}

LineProcess::~LineProcess() { stop(); }

void LineProcess::start() {
  // A socket instead of two pipes: writing to a program that has ended must be an error, not a signal.
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw run_error("cannot start '{}': {}", command_, std::strerror(errno));
  child_ = ::fork();
  if (child_ == 0) {
    ::setpgid(0, 0);  // Ctrl-C is for this process, which ends the other program itself
    ::dup2(ends[1], STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    ::execl("/bin/sh", "sh", "-c", command_.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(ends[1]);
  socket_ = ends[0];
  if (child_ < 0) {
    const int reason = errno;
    stop();
    throw run_error("cannot start '{}': {}", command_, std::strerror(reason));
  }
  received_.clear();
}

void LineProcess::stop() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  if (child_ <= 0) return;
  ::kill(-child_, SIGKILL);
  ::kill(child_, SIGKILL);  // it may not have become a group yet
  ::waitpid(child_, nullptr, 0);
  child_ = -1;
}

void LineProcess::fail(const std::string& what) {
  stop();
  throw run_error("'{}' {}", command_, what);
}

std::string LineProcess::ask(std::string_view line) {
  if (child_ < 0) start();
  std::string request(line);
  request += '\n';
  const auto deadline = Clock::now() + patience_;
  size_t sent = 0;
  for (;;) {
    if (const size_t end = received_.find('\n'); end != received_.npos) {
      std::string answer = received_.substr(0, end);
      received_.erase(0, end + 1);
      return answer;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) fail(fmt::format("has not answered within {} s", patience_.count() / 1000.0));
    pollfd waiting{socket_, static_cast<short>(POLLIN | (sent < request.size() ? POLLOUT : 0)), 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min<long>(left, 1000)));
    if (ready < 0 && errno != EINTR) fail(std::strerror(errno));
    if (ready <= 0) continue;
    if (waiting.revents & POLLOUT) {
      const auto n = ::send(socket_, request.data() + sent, request.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n > 0) sent += static_cast<size_t>(n);
    }
    if (waiting.revents & (POLLIN | POLLHUP | POLLERR)) {
      char buffer[1 << 16];
      const auto n = ::recv(socket_, buffer, sizeof buffer, MSG_DONTWAIT);
      if (n > 0) received_.append(buffer, static_cast<size_t>(n));
      if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) fail("ended without an answer");
    }
  }
}

}  // namespace espalier

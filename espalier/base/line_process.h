// A child process that answers each line with a line: started once by the shell, ended by the destructor. If it dies,
// hangs or closes its output, a run Error says so. Tested by line_process_test.cc.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace espalier {

class LineProcess {
 public:
  LineProcess(std::string command, std::chrono::milliseconds patience);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  /// Sends a line (without its end) and waits for the answer.
  std::string ask(std::string_view line);
  const std::string& command() const { return command_; }

 private:
  void start();
  void stop();
  [[noreturn]] void fail(const std::string& what);

  const std::string command_;
  const std::chrono::milliseconds patience_;
  int socket_ = -1;
  int child_ = -1;
  std::string received_;
};

}  // namespace espalier

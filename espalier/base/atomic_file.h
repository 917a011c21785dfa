// A file that takes its name only when it is whole. What is written goes to a temporary beside it, with a name that no
// other process uses; commit() syncs it and renames it over the old file. Whatever happens before (an exception, a full
// disk, Ctrl-C, a crash) leaves the old file as it was. Tested by atomic_file_test.cc.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

class AtomicFile {
 public:
  /// "-" is standard output. Pipes, devices and what is open already (/dev/stdout) are written directly: they have no
  /// old content to keep. Links are followed. Throws a run Error, as all members do.
  explicit AtomicFile(std::string file);
  /// Not committed: removes the temporary.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// As given; for messages.
  const std::string& name() const { return name_; }
  /// Whether bytes arrive as they are written: standard output, pipes, devices.
  bool direct() const { return target_.empty(); }
  void write(std::string_view bytes);
  void commit();

 private:
  void open_temporary();
  [[noreturn]] void fail() const;

  std::string name_;
  std::string target_, temporary_;  // empty if direct
  int descriptor_ = -1;
  int slot_ = -1;  // in the list of what a signal must remove
};

/// For a program's main: SIGINT, SIGTERM and SIGHUP remove the temporaries and end the program, with a message and exit
/// code 1 if a file was left unfinished and as usual if none was. A signal that the parent ignores stays ignored.
void remove_unfinished_files_on_signals();
/// What they then do; for programs that handle the signals themselves. Async-signal-safe.
[[noreturn]] void end_by_signal(int signal);

}  // namespace espalier

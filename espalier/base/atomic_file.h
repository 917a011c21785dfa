// A file that gets its name only when it is complete. Bytes go to a temporary file beside it, with a name that no other
// process uses; commit() syncs it and renames it over the old file. An exception, a full disk, Ctrl-C or a crash before
// that leaves the old file unchanged. Tested by atomic_file_test.cc.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

class AtomicFile {
 public:
  /// "-" is standard output. Pipes, devices and open descriptors (/dev/stdout) are written directly: they have no old
  /// content to keep. Links are followed. Throws a run Error, as all members do.
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
  int slot_ = -1;  // in the list of temporaries that a signal must remove
};

/// For a program's main: SIGINT, SIGTERM and SIGHUP remove the temporaries and end the program, with a message and exit
/// code 1 if a file was left unfinished and as usual if none was. A signal that the parent ignores stays ignored.
void remove_unfinished_files_on_signals();
/// The handler of these signals, for programs that install their own. Async-signal-safe.
[[noreturn]] void end_by_signal(int signal);

}  // namespace espalier

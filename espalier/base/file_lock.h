// Keeps a second process from doing the same work at once: a lock on a file beside that work. The kernel releases it
// when the process ends, however it ends. Tested by file_lock_test.cc.
#pragma once

#include <string>

namespace espalier {

class FileLock {
 public:
  /// Locks `file`, which is made, until it is destroyed. Throws a run Error with `message` if somebody else has it.
  FileLock(std::string file, const std::string& message);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string file_;
  int descriptor_ = -1;
};

}  // namespace espalier

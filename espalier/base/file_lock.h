// Prevents two processes from doing the same work at once, by a lock on a file beside it. The kernel releases the lock
// when the process ends, even by a crash. Tested by file_lock_test.cc.
#pragma once

#include <string>

namespace espalier {

class FileLock {
 public:
  /// Creates and locks `file` until destruction. Throws a run Error with `message` if another process has the lock.
  FileLock(std::string file, const std::string& message);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string file_;
  int descriptor_ = -1;
};

}  // namespace espalier

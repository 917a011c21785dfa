#include "espalier/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "espalier/base/error.h"

namespace espalier {
namespace {

/// Whether the descriptor's file still has this name: the previous owner of the lock removes the file.
bool is_named(int descriptor, const std::string& file) {
  struct stat opened, named;
  return ::fstat(descriptor, &opened) == 0 && ::stat(file.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

}  // namespace

FileLock::FileLock(std::string file, const std::string& message) : file_(std::move(file)) {
  for (;;) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw run_error("cannot write {}: {}", file_, std::strerror(errno));
    const int problem = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    if (problem == 0 && is_named(descriptor_, file_)) return;
    // Some network file systems have no locks: work without.
    if (problem != 0 && problem != EWOULDBLOCK && problem != EINTR) return;
    ::close(descriptor_);
    if (problem == EWOULDBLOCK) throw run_error("{}", message);
  }
}

FileLock::~FileLock() {
  ::unlink(file_.c_str());  // before unlocking, so that no process removes the next owner's file
  ::close(descriptor_);
}

}  // namespace espalier

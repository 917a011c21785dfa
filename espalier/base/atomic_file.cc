#include "espalier/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "espalier/base/error.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

// The temporaries of this process, in a form that a signal handler can read, which may neither lock nor allocate. Files
// beyond the size of the list (a hundred at once) are written, but not removed by a signal.
struct Slot {
  enum State : int { kFree, kTaken, kListed };
  std::atomic<int> state = kFree;
  char path[PATH_MAX];
};
static_assert(std::atomic<int>::is_always_lock_free);
std::array<Slot, 32> unfinished;

int list_unfinished(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (size_t i = 0; i < unfinished.size(); ++i) {
    int free = Slot::kFree;
    if (!unfinished[i].state.compare_exchange_strong(free, Slot::kTaken)) continue;
    std::memcpy(unfinished[i].path, path.c_str(), path.size() + 1);
    unfinished[i].state = Slot::kListed;
    return static_cast<int>(i);
  }
  return -1;
}

void unlist(int slot) {
  if (slot >= 0) unfinished[slot].state = Slot::kFree;
}

/// The open descriptor that a name stands for, or -1: opening /dev/stdout again would overwrite a redirected file.
int descriptor_named(const std::string& file) {
  if (file == "-" || file == "/dev/stdout") return STDOUT_FILENO;
  if (file == "/dev/stderr") return STDERR_FILENO;
  int number = -1;
  char end = 0;
  if (std::sscanf(file.c_str(), "/dev/fd/%5d%c", &number, &end) == 1) return number;
  if (std::sscanf(file.c_str(), "/proc/self/fd/%5d%c", &number, &end) == 1) return number;
  return -1;
}

/// Syncs the folder, so that the new name, too, survives a power failure. Not every file system can.
void sync_folder_of(const std::string& file) {
  const std::string folder = fs::path(file).parent_path().string();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(std::string file) : name_(std::move(file)) {
  if (const int open = descriptor_named(name_); open >= 0) {
    descriptor_ = ::fcntl(open, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail();
    return;
  }
  struct stat old {};
  const bool exists = ::stat(name_.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) {
    errno = EISDIR;
    fail();
  }
  if (exists && !S_ISREG(old.st_mode)) {
    descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail();
    return;
  }
  if (exists && ::access(name_.c_str(), W_OK) != 0) fail();  // a rename would not ask
  std::error_code ignored;
  target_ = fs::is_symlink(name_, ignored) ? fs::weakly_canonical(name_, ignored).string() : name_;
  open_temporary();
  if (exists) ::fchmod(descriptor_, old.st_mode & 07777);
}

void AtomicFile::open_temporary() {
  static std::atomic<unsigned> number = 0;
  do {  // the name may be taken by a process on another machine, or by the remains of a crash
    temporary_ = fmt::format("{}.{}-{}.tmp", target_, ::getpid(), number++);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) fail();
  slot_ = list_unfinished(temporary_);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
    if (!direct()) ::unlink(temporary_.c_str());
  }
  unlist(slot_);
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void AtomicFile::commit() {
  if (direct()) {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail();
    return;
  }
  // Some file systems report a full disk only here; the destructor still removes the temporary then.
  if (::fsync(descriptor_) != 0 || std::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  unlist(std::exchange(slot_, -1));
  temporary_.clear();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail();
  sync_folder_of(target_);
}

void AtomicFile::fail() const {
  throw run_error("cannot write {}: {}", name_ == "-" ? "standard output" : name_, std::strerror(errno));
}

void end_by_signal(int signal) {
  bool any = false;
  for (Slot& slot : unfinished) {
    if (slot.state != Slot::kListed) continue;
    ::unlink(slot.path);
    any = true;
  }
  if (any) {
    constexpr std::string_view kMessage = "\nespalier: interrupted; what was being written is left as it was\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
    ::_exit(static_cast<int>(ErrorKind::kRun));
  }
  std::signal(signal, SIG_DFL);
  sigset_t unblocked;
  sigemptyset(&unblocked);
  sigaddset(&unblocked, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &unblocked, nullptr);
  std::raise(signal);
  ::_exit(static_cast<int>(ErrorKind::kRun));
}

void remove_unfinished_files_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {
    }, old{};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == SIG_IGN) continue;
    action.sa_handler = end_by_signal;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace espalier

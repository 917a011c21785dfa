#include "espalier/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "espalier/base/error.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

Error system_error(std::string_view action, const std::string& file) {
  return run_error("cannot {} {}: {}", action, file, std::strerror(errno));
}

class Descriptor {
 public:
  Descriptor(const std::string& file, int flags) : fd_(::open(file.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool ok() const { return fd_ >= 0; }
  int get() const { return fd_; }
  /// Some file systems report a full disk only here.
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return fd < 0 || ::close(fd) == 0;
  }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

/// Where the bytes go, through links; and whether that is a device or pipe, which must not be replaced by a rename.
struct Target {
  std::string file;
  bool special = false;
};

Target resolve(const std::string& file) {
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  if (fs::is_directory(status)) {
    errno = EISDIR;
    throw system_error("write", file);
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) return {file, true};
  return {fs::is_symlink(file, ignored) ? fs::weakly_canonical(file, ignored).string() : file, false};
}

std::string temporary_of(const std::string& file) { return file + ".tmp"; }

}  // namespace

std::string read_file(const std::string& file) {
  Descriptor input(file, O_RDONLY);
  if (!input.ok()) throw system_error("read", file);
  std::string bytes;
  if (struct stat info; ::fstat(input.get(), &info) == 0 && S_ISREG(info.st_mode)) {
    bytes.reserve(static_cast<size_t>(info.st_size));
  }
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(input.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw system_error("read", file);
    if (count == 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(count));
  }
}

void write_file(const std::string& file, std::string_view bytes) { write_file(file, std::span(&bytes, 1)); }

void write_file(const std::string& file, std::span<const std::string_view> pieces) {
  const Target target = resolve(file);
  const std::string path = target.special ? target.file : temporary_of(target.file);
  Descriptor output(path, target.special ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC);
  if (!output.ok()) throw system_error("write", file);
  bool ok = std::ranges::all_of(pieces, [&](std::string_view piece) { return write_all(output.get(), piece); });
  if (!target.special) {
    ok = ok && ::fsync(output.get()) == 0;
    ok = ok && output.close();
    ok = ok && std::rename(path.c_str(), target.file.c_str()) == 0;
  }
  if (ok) return;
  const Error error = system_error("write", file);
  if (!target.special) ::unlink(path.c_str());
  throw error;
}

void check_writable(const std::string& file) {
  const Target target = resolve(file);
  const std::string path = target.special ? target.file : temporary_of(target.file);
  Descriptor output(path, target.special ? O_WRONLY : O_WRONLY | O_CREAT);
  if (!output.ok()) throw system_error("write", file);
  if (!target.special) ::unlink(path.c_str());
}

}  // namespace espalier

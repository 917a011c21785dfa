#include "espalier/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "espalier/base/atomic_file.h"
#include "espalier/base/error.h"

namespace espalier {
namespace {

Error cannot_read(const std::string& file) { return run_error("cannot read {}: {}", file, std::strerror(errno)); }

}  // namespace

std::string read_file(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw cannot_read(file);
  const std::shared_ptr<void> closed(nullptr, [descriptor](void*) { ::close(descriptor); });
  std::string bytes;
  if (struct stat info; ::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode)) {
    bytes.reserve(info.st_size);
  }
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw cannot_read(file);
    if (count == 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(count));
  }
}

void write_file(const std::string& file, std::string_view bytes) { write_file(file, std::span(&bytes, 1)); }

void write_file(const std::string& file, std::span<const std::string_view> pieces) {
  AtomicFile output(file);
  for (const std::string_view piece : pieces) output.write(piece);
  output.commit();
}

void check_writable(const std::string& file) { AtomicFile{file}; }

}  // namespace espalier

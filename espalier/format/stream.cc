// Input files as streams: standard input under the name "-", gzip unpacked whatever the name says, other encodings
// made UTF-8.
// Tested by stream_test.cc.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <istream>
#include <streambuf>
#include <utility>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/format/encoding.h"
#include "espalier/format/format.h"

namespace espalier {
namespace {

/// Reads a file descriptor; returns what has arrived without waiting for a full block.
class InputBuffer final : public std::streambuf {
 public:
  InputBuffer(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {
    packed_.resize(kBlock);
    plain_.resize(kBlock);
  }
  ~InputBuffer() override {
    if (kind_ == Kind::kGzip) inflateEnd(&zip_);
    if (descriptor_ != STDIN_FILENO) close(descriptor_);
  }
  InputBuffer(const InputBuffer&) = delete;
  InputBuffer& operator=(const InputBuffer&) = delete;

  /// What has arrived; waits for it.
  std::string_view beginning() {
    sgetc();
    return {gptr(), static_cast<size_t>(egptr() - gptr())};
  }

 protected:
  int_type underflow() override {
    if (kind_ == Kind::kUnknown) recognise();
    const size_t size = kind_ == Kind::kGzip ? unpack() : copy();
    if (size == 0) return traits_type::eof();
    setg(plain_.data(), plain_.data(), plain_.data() + size);
    return traits_type::to_int_type(plain_[0]);
  }

  /// Called when the buffer is empty: reads without waiting, and returns the number of bytes.
  std::streamsize showmanyc() override {
    pollfd ready = {descriptor_, POLLIN, 0};
    return ::poll(&ready, 1, 0) > 0 ? 1 : 0;
  }

 private:
  enum class Kind { kUnknown, kPlain, kGzip };
  static constexpr size_t kBlock = size_t{1} << 16;

  size_t read_block(char* to, size_t room) {
    for (;;) {
      const ssize_t size = ::read(descriptor_, to, room);
      if (size >= 0) return static_cast<size_t>(size);
      if (errno != EINTR) throw run_error("{}: cannot read: {}", name_, std::strerror(errno));
    }
  }

  /// Gzip begins with 1f 8b.
  void recognise() {
    while (packed_size_ < 2) {
      const size_t size = read_block(packed_.data() + packed_size_, kBlock - packed_size_);
      if (size == 0) break;
      packed_size_ += size;
    }
    kind_ = Kind::kPlain;
    if (packed_size_ >= 2 && packed_[0] == '\x1f' && packed_[1] == '\x8b') {
      if (inflateInit2(&zip_, 15 + 16) != Z_OK) throw run_error("{}: cannot start to unpack", name_);
      kind_ = Kind::kGzip;
      zip_.next_in = reinterpret_cast<Bytef*>(packed_.data());
      zip_.avail_in = static_cast<uInt>(packed_size_);
    }
  }

  size_t copy() {
    if (packed_size_ > 0) {
      plain_.swap(packed_);
      return std::exchange(packed_size_, 0);
    }
    return read_block(plain_.data(), kBlock);
  }

  size_t unpack() {
    zip_.next_out = reinterpret_cast<Bytef*>(plain_.data());
    zip_.avail_out = static_cast<uInt>(kBlock);
    while (zip_.avail_out == kBlock) {
      if (zip_.avail_in == 0) {
        zip_.next_in = reinterpret_cast<Bytef*>(packed_.data());
        zip_.avail_in = static_cast<uInt>(read_block(packed_.data(), kBlock));
        if (zip_.avail_in == 0) {
          if (member_open_) throw data_error(name_, 0, "the gzip file is cut off");
          return 0;
        }
      }
      if (!member_open_) {  // one member after another is legal (cat a.gz b.gz)
        if (!first_member_ && inflateReset(&zip_) != Z_OK) throw run_error("{}: cannot unpack", name_);
        member_open_ = true;
        first_member_ = false;
      }
      const int status = inflate(&zip_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        member_open_ = false;
      } else if (status != Z_OK) {
        throw data_error(name_, 0, "the gzip file is damaged ({})", zip_.msg ? zip_.msg : "unexpected data");
      }
    }
    return kBlock - zip_.avail_out;
  }

  int descriptor_;
  std::string name_;
  Kind kind_ = Kind::kUnknown;
  std::vector<char> packed_, plain_;
  size_t packed_size_ = 0;  // read while recognising the kind
  z_stream zip_ = {};
  bool first_member_ = true, member_open_ = false;
};

/// A stream that owns its buffers.
class InputStream final : public std::istream {
 public:
  InputStream(int descriptor, const std::string& name) : std::istream(nullptr), buffer_(descriptor, name) {
    rdbuf(&buffer_);
  }
  /// The rest is text in this encoding; "" = UTF-8, and nothing else.
  void decode(const std::string& name, const std::string& encoding) {
    if (encoding.empty()) {
      if (const std::string_view wide = wide_encoding(buffer_.beginning()); !wide.empty())
        throw encoding_error(name, wide);
    } else if (encoding != "utf-8") {
      decoded_ = std::make_unique<DecodedText>(buffer_, encoding);
      rdbuf(decoded_.get());
    }
  }

 private:
  InputBuffer buffer_;
  std::unique_ptr<DecodedText> decoded_;
};

}  // namespace

std::unique_ptr<std::istream> open_input(const std::string& file, const std::string& encoding) {
  if (file == "-") {
    auto input = std::make_unique<InputStream>(STDIN_FILENO, "standard input");
    input->decode("standard input", encoding);
    return input;
  }
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw run_error("cannot open '{}': {}", file, std::strerror(errno));
  auto stream = std::make_unique<InputStream>(descriptor, file);
  struct stat status;
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    throw run_error("cannot read '{}': it is a directory", file);
  }
  stream->decode(file, encoding);
  return stream;
}

}  // namespace espalier

#include "espalier/base/output_file.h"

#include <zlib.h>

#include <array>
#include <string_view>
#include <vector>

#include "espalier/base/atomic_file.h"
#include "espalier/base/error.h"

namespace espalier {

class OutputFile::Buffer final : public std::streambuf {
 public:
  explicit Buffer(const std::string& file) : file_(file), packing_(file.ends_with(".gz")), plain_(kBlock) {
    setp(plain_.data(), plain_.data() + plain_.size());
    if (packing_ && deflateInit2(&zip_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw run_error("{}: cannot start to pack", file);
  }
  ~Buffer() override {
    if (packing_) deflateEnd(&zip_);
    if (packing_ || !file_.direct()) return;
    try {  // if a stream ends in an error, everything before it is written
      sync();
    } catch (const Error&) {
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void commit() {
    drain(Z_FINISH);
    file_.commit();
  }

 protected:
  int_type overflow(int_type next) override {
    drain(Z_NO_FLUSH);
    if (!traits_type::eq_int_type(next, traits_type::eof())) sputc(traits_type::to_char_type(next));
    return traits_type::not_eof(next);
  }
  /// Flushes pipes and devices, whose readers may be waiting; in a packed file each flush would cost space.
  int sync() override {
    if (!packing_) drain(Z_NO_FLUSH);
    return 0;
  }

 private:
  static constexpr size_t kBlock = size_t{1} << 16;

  void drain(int flush) {
    const std::string_view bytes(pbase(), static_cast<size_t>(pptr() - pbase()));
    setp(plain_.data(), plain_.data() + plain_.size());
    if (packing_) {
      pack(bytes, flush);
    } else {
      file_.write(bytes);
    }
  }

  void pack(std::string_view bytes, int flush) {
    zip_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    zip_.avail_in = static_cast<uInt>(bytes.size());
    do {
      std::array<char, kBlock> packed;
      zip_.next_out = reinterpret_cast<Bytef*>(packed.data());
      zip_.avail_out = static_cast<uInt>(packed.size());
      deflate(&zip_, flush);
      file_.write({packed.data(), packed.size() - zip_.avail_out});
    } while (zip_.avail_out == 0);
  }

  AtomicFile file_;
  bool packing_;
  std::vector<char> plain_;
  z_stream zip_ = {};
};

OutputFile::OutputFile(const std::string& file)
    : buffer_(std::make_unique<Buffer>(file)), stream_(std::make_unique<std::ostream>(buffer_.get())) {
  stream_->exceptions(std::ios::badbit);  // so that an Error of the buffer is rethrown
}

OutputFile::~OutputFile() = default;

void OutputFile::commit() { buffer_->commit(); }

}  // namespace espalier

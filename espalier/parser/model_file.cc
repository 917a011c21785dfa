#include "espalier/parser/model_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <set>

#include "espalier/base/file.h"
#include "espalier/base/hash.h"
#include "espalier/base/large_pages.h"
#include "espalier/base/nesting.h"
#include "espalier/base/parallel.h"

namespace espalier {
namespace {

static_assert(std::endian::native == std::endian::little, "the model file's numbers are little-endian");

constexpr std::string_view kMagic = "ESPALIER";
constexpr uint32_t kVersion = 1;
constexpr size_t kAlignment = 64;
constexpr size_t kHeaderSize = 24;
constexpr uint32_t kMostSections = 4096;  // far more than any model has; bounds the work on a hostile file

size_t aligned(size_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

template <class Number>
void append(std::string* bytes, Number number) {
  bytes->append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Reads forward and never past the end; `fail` gets the reason.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view text(size_t length) {
    const auto part = take(length);
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }
  size_t position() const { return position_; }

 private:
  std::span<const std::byte> take(size_t length) {
    if (length > bytes_.size() - position_) throw data_error(name_, 0, "the model file is cut short");
    position_ += length;
    return bytes_.subspan(position_ - length, length);
  }

  std::span<const std::byte> bytes_;
  const std::string& name_;
  size_t position_ = 0;
};

constexpr uint32_t kPackedMagic = ZSTD_MAGICNUMBER;
constexpr int kPackingLevel = 12;           // a few seconds for a large model; unpacking does not depend on it
constexpr size_t kFrame = size_t{4} << 20;  // packed on its own, so that threads can share the unpacking

/// What a packed file may unpack to: it says so in its frames' headers, and memory is taken for no more than this.
/// Models pack to a third or so; tables that are nearly empty to much less, but those are small.
size_t most_unpacked(size_t packed) { return (size_t{256} << 20) + 64 * packed; }

std::string pack(std::string_view bytes) {
  std::string packed;
  for (size_t begin = 0; begin < bytes.size(); begin += kFrame) {
    const std::string_view frame = bytes.substr(begin, kFrame);
    const size_t end = packed.size();
    packed.resize(end + ZSTD_compressBound(frame.size()));
    const size_t size =
        ZSTD_compress(packed.data() + end, packed.size() - end, frame.data(), frame.size(), kPackingLevel);
    if (ZSTD_isError(size)) throw run_error("cannot pack the model: {}", ZSTD_getErrorName(size));
    packed.resize(end + size);
  }
  return packed;
}

bool is_packed(std::string_view bytes) {
  return bytes.size() >= sizeof kPackedMagic && std::memcmp(bytes.data(), &kPackedMagic, sizeof kPackedMagic) == 0;
}

struct Frame {
  std::string_view packed;
  size_t begin, size;  // of what it holds
};

/// Throws if a packed model cannot hold what it claims to.
std::vector<Frame> frames_of(std::string_view packed, const std::string& name) {
  std::vector<Frame> frames;
  size_t begin = 0;
  const size_t most = most_unpacked(packed.size());
  while (!packed.empty()) {
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    const size_t length = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
    if (ZSTD_isError(length) || size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
      throw data_error(name, 0, "the packed model is damaged or cut short");
    if (size > most - begin)
      throw data_error(name, 0, "the packed model would unpack to more than the {} MB that its size allows",
                       most >> 20);
    frames.push_back({packed.substr(0, length), begin, size});
    begin += size;
    packed.remove_prefix(length);
  }
  return frames;
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

/// Calls write(pieces), the file's bytes one after the other. A checkpoint is as large as memory allows: no copies.
template <class Write>
auto ModelWriter::in_pieces(Write&& write) const {
  std::vector<std::pair<std::string_view, std::string_view>> all;
  const std::string about = metadata.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  all.emplace_back("metadata", about);
  for (const Section& section : sections_) all.emplace_back(section.name, section.bytes);

  size_t offset = kHeaderSize;
  for (const auto& [name, bytes] : all) offset += sizeof(uint32_t) + name.size() + 3 * sizeof(uint64_t);
  static constexpr char kZeros[kAlignment] = {};
  std::string table;
  std::vector<std::string_view> pieces(2);  // header and table are not known yet
  for (const auto& [name, bytes] : all) {
    pieces.emplace_back(kZeros, aligned(offset) - offset);
    pieces.push_back(bytes);
    offset = aligned(offset);
    append(&table, static_cast<uint32_t>(name.size()));
    table += name;
    append(&table, static_cast<uint64_t>(offset));
    append(&table, static_cast<uint64_t>(bytes.size()));
    append(&table, hash_string(bytes));
    offset += bytes.size();
  }
  std::string header(kMagic);
  append(&header, kVersion);
  append(&header, static_cast<uint32_t>(all.size()));
  append(&header, hash_string(table));
  pieces[0] = header;
  pieces[1] = table;
  return write(pieces);
}

std::string ModelWriter::to_bytes(bool packed) const {
  const std::string file = in_pieces([](const std::vector<std::string_view>& pieces) {
    std::string whole;
    for (const std::string_view piece : pieces) whole += piece;
    return whole;
  });
  if (!packed) return file;
  std::string small = pack(file);
  return file.size() <= most_unpacked(small.size()) ? small : file;
}

void ModelWriter::save(const std::string& file, bool packed) const {
  if (packed) return write_file(file, to_bytes(true));
  in_pieces([&](const std::vector<std::string_view>& pieces) { write_file(file, pieces); });
}

std::shared_ptr<const ModelFile> ModelFile::open(const std::string& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  const bool opened = fd >= 0 && ::fstat(fd, &info) == 0;
  if (opened && S_ISREG(info.st_mode) && info.st_size > 0) {
    const auto size = static_cast<size_t>(info.st_size);
    void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    ::close(fd);
    if (mapped == MAP_FAILED) throw run_error("cannot map {}: {}", file, std::strerror(errno));
    const std::string_view all(static_cast<const char*>(mapped), size);
    if (is_packed(all)) {
      const std::shared_ptr<void> unmap(mapped, [size](void* address) { ::munmap(address, size); });
      return from_bytes(all, file);
    }
    const std::shared_ptr<ModelFile> model(new ModelFile);
    model->mapped_ = mapped;
    model->bytes_ = {static_cast<const std::byte*>(mapped), size};
    model->name_ = file;
    model->read_table();
    return model;
  }
  if (fd >= 0) ::close(fd);
  return from_bytes(read_file(file), file);  // a pipe or an empty file; and the errors
}

std::shared_ptr<const ModelFile> ModelFile::from_bytes(std::string_view bytes, std::string name) {
  const std::shared_ptr<ModelFile> model(new ModelFile);
  const std::vector<Frame> frames = is_packed(bytes) ? frames_of(bytes, name) : std::vector<Frame>();
  const size_t size = frames.empty() ? bytes.size() : frames.back().begin + frames.back().size;
  // A string's bytes are not aligned as a mapped file's are.
  model->owned_.reset(new (std::align_val_t(kAlignment)) std::byte[size]);
  if (frames.empty()) std::memcpy(model->owned_.get(), bytes.data(), size);
  if (frames.size() > 1) prefer_large_pages(model->owned_.get(), size);
  parallel_for(frames.size(), hardware_threads(), [&](int, size_t i) {
    const Frame& f = frames[i];
    if (ZSTD_decompress(model->owned_.get() + f.begin, f.size, f.packed.data(), f.packed.size()) != f.size)
      throw data_error(name, 0, "the packed model is damaged or cut short");
  });
  model->bytes_ = {model->owned_.get(), size};
  model->name_ = std::move(name);
  model->read_table();
  return model;
}

ModelFile::~ModelFile() {
  if (mapped_) ::munmap(mapped_, bytes_.size());
}

void ModelFile::read_table() {
  if (bytes_.size() < kHeaderSize || as_text(bytes_.first(kMagic.size())) != kMagic) {
    throw data_error(name_, 0, "this is not an Espalier model");
  }
  Cursor cursor(bytes_, name_);
  cursor.text(kMagic.size());
  if (const auto version = cursor.number<uint32_t>(); version != kVersion) {
    throw data_error(name_, 0, "model format {} is not the format {} that this program reads", version, kVersion);
  }
  const auto count = cursor.number<uint32_t>();
  const auto table_hash = cursor.number<uint64_t>();
  if (count > kMostSections) throw data_error(name_, 0, "the model's section table is damaged");

  std::vector<uint64_t> hashes;
  for (uint32_t i = 0; i < count; ++i) {
    Section section;
    section.name = cursor.text(cursor.number<uint32_t>());
    section.offset = cursor.number<uint64_t>();
    section.length = cursor.number<uint64_t>();
    hashes.push_back(cursor.number<uint64_t>());
    sections_.push_back(std::move(section));
  }
  if (hash_string(as_text(bytes_.subspan(kHeaderSize, cursor.position() - kHeaderSize))) != table_hash) {
    throw data_error(name_, 0, "the model's section table is damaged");
  }

  // Sections stand one after the other with zeros between them, so every byte of the file is accounted for.
  std::set<std::string_view> names;
  size_t end = cursor.position();
  for (size_t i = 0; i < sections_.size(); ++i) {
    const Section& section = sections_[i];
    if (section.offset != aligned(end) || section.offset > bytes_.size() ||
        section.length > bytes_.size() - section.offset) {
      throw data_error(name_, 0, "the model file is cut short (section '{}')", section.name);
    }
    for (; end < section.offset; ++end) {
      if (bytes_[end] != std::byte{0}) throw data_error(name_, 0, "the model is damaged before '{}'", section.name);
    }
    end += section.length;
    if (!names.insert(section.name).second ||
        hash_string(as_text(bytes_.subspan(section.offset, section.length))) != hashes[i]) {
      throw data_error(name_, 0, "section '{}' of the model is damaged", section.name);
    }
  }
  if (end != bytes_.size())
    throw data_error(name_, 0, "the model is followed by {} foreign bytes", bytes_.size() - end);

  const std::string_view about = as_text(section("metadata"));
  if (json_depth(about) > kDeepestNesting)
    throw data_error(name_, 0, "the model's metadata is nested more than {} deep", kDeepestNesting);
  metadata_ = nlohmann::json::parse(about, nullptr, /*allow_exceptions=*/false);
  if (!metadata_.is_object()) throw data_error(name_, 0, "the model's metadata is damaged");
}

const ModelFile::Section* ModelFile::find(std::string_view name) const {
  for (const Section& section : sections_) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

std::span<const std::byte> ModelFile::section(std::string_view name) const {
  const Section* section = find(name);
  if (!section) throw data_error(name_, 0, "the model has no section '{}'", name);
  return bytes_.subspan(section->offset, section->length);
}

std::vector<std::pair<std::string, size_t>> ModelFile::sections() const {
  std::vector<std::pair<std::string, size_t>> all;
  for (const Section& section : sections_) all.emplace_back(section.name, section.length);
  return all;
}

void ModelFile::check_numbers(std::string_view name, std::span<const float> numbers) const {
  // As integers, floats without their signs keep their order, and infinity and NaN come last: a loop over integers,
  // which the compiler vectorises.
  int32_t largest = 0;
  for (const float number : numbers) largest = std::max(largest, std::bit_cast<int32_t>(number) & 0x7fffffff);
  if (largest > std::bit_cast<int32_t>(kLargestNumber))
    throw data_error(name_, 0, "section '{}' is damaged (a number that is not finite, or too large)", name);
}

}  // namespace espalier

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
#include <map>
#include <set>

#include "espalier/base/file.h"
#include "espalier/base/hash.h"
#include "espalier/base/json_text.h"
#include "espalier/base/large_pages.h"
#include "espalier/base/nesting.h"
#include "espalier/base/parallel.h"
#include "espalier/weights/packed_rows.h"
#include "espalier/weights/prune.h"

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
constexpr int kPackingLevel = 19;           // half a minute for a large model; unpacking does not depend on it
constexpr size_t kFrame = size_t{4} << 20;  // packed separately, so that threads can share the unpacking

/// The largest size that a packed file may unpack to, compared with the sizes in its frames' headers before memory is
/// allocated. Models pack to about a third; nearly empty tables to much less, but those are small.
size_t most_unpacked(size_t packed) { return (size_t{256} << 20) + 64 * packed; }

std::string pack(std::string_view bytes) {
  std::vector<std::string> frames((bytes.size() + kFrame - 1) / kFrame);
  parallel_for(frames.size(), hardware_threads(), [&](int, size_t i) {
    const std::string_view frame = bytes.substr(i * kFrame, kFrame);
    frames[i].resize(ZSTD_compressBound(frame.size()));
    const size_t size = ZSTD_compress(frames[i].data(), frames[i].size(), frame.data(), frame.size(), kPackingLevel);
    if (ZSTD_isError(size)) throw run_error("cannot pack the model: {}", ZSTD_getErrorName(size));
    frames[i].resize(size);
  });
  std::string packed;
  for (const std::string& frame : frames) packed += frame;
  return packed;
}

// Before a file is packed, its tables of weights are taken out, packed by columns, and put behind the rest:
//   magic "ESPAROWS", u64 number of tables, per table u64 its offset in the file, u64 its packed length; the rest of
//   the file; the packed tables.
constexpr std::string_view kRowsMagic = "ESPAROWS";

struct RowTable {
  uint64_t offset, length;  ///< in the file; packed
};

/// The number of columns of the rows in a section NAMErows, whose index is NAMEindex (linear_part.h), if they can be
/// packed; else 0.
size_t table_columns(std::string_view index_name, std::string_view index, std::string_view rows_name,
                     std::string_view rows) {
  constexpr std::string_view kIndex = "index", kRows = "rows";
  if (!index_name.ends_with(kIndex) || !rows_name.ends_with(kRows)) return 0;
  index_name.remove_suffix(kIndex.size());
  rows_name.remove_suffix(kRows.size());
  if (index_name != rows_name || rows.empty()) return 0;
  std::vector<RowBucket> buckets(index.size() / sizeof(RowBucket));
  if (buckets.empty()) return 0;
  std::memcpy(buckets.data(), index.data(), buckets.size() * sizeof(RowBucket));
  const size_t count = rows_of(buckets);
  return count != 0 && rows.size() % count == 0 && rows.size() / count <= kMostPackedColumns ? rows.size() / count : 0;
}

/// Restores a file's bytes from this arrangement. `owner` gets their memory.
template <class Bytes>
std::span<const std::byte> put_back_rows(std::string_view arranged, size_t most, const std::string& name,
                                         Bytes& owner) {
  const auto damaged = [&] { return data_error(name, 0, "the packed model is damaged"); };
  const auto take = [&](size_t size) {
    if (size > arranged.size()) throw damaged();
    const std::string_view part = arranged.substr(0, size);
    arranged.remove_prefix(size);
    return part;
  };
  take(kRowsMagic.size());
  uint64_t count = 0;
  std::memcpy(&count, take(sizeof count).data(), sizeof count);
  if (count > kMostSections) throw damaged();
  std::vector<RowTable> tables(count);
  if (count != 0) std::memcpy(tables.data(), take(count * sizeof(RowTable)).data(), count * sizeof(RowTable));
  uint64_t packed_size = 0;
  for (const RowTable& table : tables) {
    if (table.length > arranged.size() - packed_size) throw damaged();
    packed_size += table.length;
  }
  std::string_view rest = take(arranged.size() - packed_size);
  std::vector<size_t> sizes;
  size_t size = rest.size();
  std::string_view left = arranged;
  for (const RowTable& table : tables) {
    const auto unpacked = unpacked_rows_size(left.substr(0, table.length));
    if (!unpacked || *unpacked > most || size + *unpacked > most) throw damaged();
    left.remove_prefix(table.length);
    sizes.push_back(*unpacked);
    size += *unpacked;
  }
  owner.reset(new (std::align_val_t(kAlignment)) std::byte[size]);
  prefer_large_pages(owner.get(), size);
  std::byte* to = owner.get();
  size_t done = 0;
  const auto copy = [&](size_t bytes) {
    if (bytes > rest.size()) throw damaged();
    std::memcpy(to + done, rest.data(), bytes);
    rest.remove_prefix(bytes);
    done += bytes;
  };
  for (size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].offset < done) throw damaged();
    copy(tables[i].offset - done);
    if (!unpack_rows(take(tables[i].length), {reinterpret_cast<int8_t*>(to + done), sizes[i]})) throw damaged();
    done += sizes[i];
  }
  copy(rest.size());
  return {to, size};
}

bool is_packed(std::string_view bytes) {
  return bytes.size() >= sizeof kPackedMagic && std::memcmp(bytes.data(), &kPackedMagic, sizeof kPackedMagic) == 0;
}

struct Frame {
  std::string_view packed;
  size_t begin, size;  // of what it holds
};

/// Reads the frames of a packed model; throws if their sizes cannot be true.
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

/// Calls write(pieces) with the file's bytes in order, without copies, since checkpoints may be as large as memory.
template <class Write>
auto ModelWriter::in_pieces(Write&& write) const {
  std::vector<std::pair<std::string_view, std::string_view>> all;
  const std::string about = json_text(metadata);
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
  const auto whole = [](const std::vector<std::string_view>& pieces) {
    std::string all;
    for (const std::string_view piece : pieces) all += piece;
    return all;
  };
  if (!packed) return in_pieces(whole);
  // Tables of weights by the address of their bytes, with their columns.
  std::map<const char*, size_t> columns_of;
  for (const Section& rows : sections_)
    for (const Section& index : sections_)
      if (const size_t columns = table_columns(index.name, index.bytes, rows.name, rows.bytes); columns != 0)
        columns_of[rows.bytes.data()] = columns;
  return in_pieces([&](const std::vector<std::string_view>& pieces) {
    std::string tables, rest, rows;
    uint64_t count = 0, offset = 0;
    for (const std::string_view piece : pieces) {
      if (const auto columns = columns_of.find(piece.data()); columns != columns_of.end()) {
        const std::string table =
            pack_rows({reinterpret_cast<const int8_t*>(piece.data()), piece.size()}, columns->second);
        append(&tables, RowTable{offset, table.size()});
        rows += table;
        ++count;
      } else {
        rest += piece;
      }
      offset += piece.size();
    }
    std::string arranged(count == 0 ? "" : kRowsMagic);
    if (count != 0) append(&arranged, count);
    std::string small = pack(arranged.append(tables).append(rest).append(rows));
    return offset <= most_unpacked(small.size()) ? small : whole(pieces);
  });
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
  return from_bytes(read_file(file), file);  // a pipe or an empty file; or throws
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
  if (!frames.empty() && as_text(model->bytes_).starts_with(kRowsMagic)) {
    std::unique_ptr<std::byte[], AlignedDelete> restored;
    model->bytes_ = put_back_rows(as_text(model->bytes_), most_unpacked(bytes.size()), name, restored);
    model->owned_ = std::move(restored);
  }
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
  metadata_ = parse_json(about, /*allow_exceptions=*/false);
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
  // Absolute values of floats compare like their bits as integers, with infinity and NaN last: a loop over integers
  // vectorises.
  int32_t largest = 0;
  for (const float number : numbers) largest = std::max(largest, std::bit_cast<int32_t>(number) & 0x7fffffff);
  if (largest > std::bit_cast<int32_t>(kLargestNumber))
    throw data_error(name_, 0, "section '{}' is damaged (a number that is not finite, or too large)", name);
}

}  // namespace espalier

// The .esp model file, which contains its own description.
//
//   magic "ESPALIER", u32 format version, u32 number of sections, u64 XXH3 of the section table, then the table:
//   per section  u32 name length, name, u64 offset, u64 length, u64 XXH3 of its bytes;
//   then the sections, each aligned to 64 bytes, so that weights are used where they are mapped.
// The whole file may be packed (weights/packed_rows.h, then zstd): it is then unpacked into memory when it is opened.
// Each zstd frame and each table has its unpacked size, which is checked before memory is allocated.
// Section "metadata" is JSON. A part writes its sections under a prefix ("tagger/", "parser/"): a pipeline is several
// parts in one file. Tested by model_file_test.cc and fuzz/model_fuzz.cc.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/error.h"

namespace espalier {

class ModelWriter {
 public:
  nlohmann::json metadata;

  void add(std::string name, std::string bytes) { sections_.push_back({std::move(name), std::move(bytes)}); }
  template <class T>
  void add_array(std::string name, std::span<const T> items) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(std::move(name), std::string(reinterpret_cast<const char*>(items.data()), items.size_bytes()));
  }
  /// Writes to a temporary beside `file` and renames it: the old file stays until the new one is complete.
  void save(const std::string& file, bool packed = false) const;
  std::string to_bytes(bool packed = false) const;

 private:
  template <class Write>
  auto in_pieces(Write&& write) const;

  struct Section {
    std::string name, bytes;
  };
  std::vector<Section> sections_;
};

class ModelFile {
 public:
  /// Maps and verifies; throws a data Error for a truncated, altered or foreign file.
  static std::shared_ptr<const ModelFile> open(const std::string& file);
  static std::shared_ptr<const ModelFile> from_bytes(std::string_view bytes, std::string name);
  ~ModelFile();

  const std::string& name() const { return name_; }
  const nlohmann::json& metadata() const { return metadata_; }
  size_t size() const { return bytes_.size(); }
  bool has(std::string_view section) const { return find(section) != nullptr; }
  /// Throws a data Error if there is no such section.
  std::span<const std::byte> section(std::string_view name) const;
  std::vector<std::pair<std::string, size_t>> sections() const;

  /// A section as an array, used in place; throws if its length is not a multiple of the element's, or if a float is
  /// not finite, or so large that a sum over a sentence could overflow.
  template <class T>
  std::span<const T> array(std::string_view name) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = section(name);
    if (bytes.size() % sizeof(T) != 0) throw data_error(name_, 0, "section '{}' is damaged (odd length)", name);
    const std::span items(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
    if constexpr (std::is_same_v<T, float>) check_numbers(name, items);
    return items;
  }

 private:
  struct Section {
    std::string name;
    size_t offset, length;
  };
  struct AlignedDelete {
    void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t(64)); }
  };
  ModelFile() = default;
  static constexpr float kLargestNumber = 1e30f;
  void check_numbers(std::string_view name, std::span<const float> numbers) const;
  const Section* find(std::string_view name) const;
  void read_table();

  std::string name_;
  std::span<const std::byte> bytes_;
  std::unique_ptr<std::byte[], AlignedDelete> owned_;  // when not mapped
  void* mapped_ = nullptr;
  nlohmann::json metadata_;
  std::vector<Section> sections_;
};

/// One part's view of a model file: its own metadata object and its sections under a prefix.
struct ModelPart {
  std::shared_ptr<const ModelFile> file;
  nlohmann::json metadata;
  std::string prefix;

  template <class T>
  std::span<const T> array(std::string_view section) const {
    return file->array<T>(prefix + std::string(section));
  }
  bool has(std::string_view section) const { return file->has(prefix + std::string(section)); }
};

}  // namespace espalier

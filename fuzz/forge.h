// Model files made by hand: whole structures are forged (values, types and nesting of the metadata, sections swapped,
// cut or filled with huge counts and NaN, the table of sections itself), and everything is sealed again with the right
// checksums, which would hide all that from a fuzzer that only changes bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/base/hash.h"
#include "espalier/parser/model_file.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace espalier::fuzz {

using Random = std::minstd_rand;

/// A file that is open for changes.
struct Forgery {
  nlohmann::json metadata;
  std::vector<std::pair<std::string, std::string>> sections;

  static Forgery of(std::string_view bytes) {
    const auto file = ModelFile::from_bytes(bytes, "forged.esp");
    Forgery forgery{file->metadata(), {}};
    for (const auto& [name, length] : file->sections()) {
      if (name == "metadata") continue;
      const auto content = file->section(name);
      forgery.sections.emplace_back(name, std::string(reinterpret_cast<const char*>(content.data()), content.size()));
    }
    return forgery;
  }
  std::string sealed() && {
    ModelWriter writer;
    writer.metadata = std::move(metadata);
    for (auto& [name, bytes] : sections) writer.add(std::move(name), std::move(bytes));
    return writer.to_bytes();
  }
};

inline nlohmann::json odd_value(Random& random) {
  using nlohmann::json;
  static const std::vector<json> values = {nullptr,
                                           true,
                                           0,
                                           1,
                                           -1,
                                           2,
                                           255,
                                           65536,
                                           2147483647,
                                           -2147483648ll,
                                           4294967296ll,
                                           9223372036854775807ll,
                                           0.5,
                                           1e300,
                                           -0.0,
                                           "",
                                           "0",
                                           "pipeline",
                                           "a long word of no meaning",
                                           "\xff",
                                           json::array(),
                                           json::object(),
                                           json::array({0, -1, 7})};
  if (random() % 16 != 0) return values[random() % values.size()];
  json nested = values[random() % values.size()];
  for (size_t depth = random() % 120; depth > 0; --depth)
    nested = depth % 2 ? json::array({nested}) : json{{"kind", nested}};
  return nested;
}

/// A value somewhere in the tree, chosen evenly among the levels.
inline nlohmann::json& some_value(nlohmann::json& root, Random& random) {
  nlohmann::json* value = &root;
  while (value->is_structured() && !value->empty() && random() % 5 != 0)
    value = &*std::next(value->begin(), static_cast<long>(random() % value->size()));
  return *value;
}

inline void forge_metadata(nlohmann::json& metadata, Random& random) {
  using nlohmann::json;
  json& value = some_value(metadata, random);
  switch (random() % 6) {
    case 0:
    case 1:
      if (value.is_number_integer()) {
        value = value.get<int64_t>() ^ int64_t { 1 } << random() % 34;
        break;
      }
      [[fallthrough]];
    case 2:
      value = odd_value(random);
      break;
    case 3: {
      const json other = some_value(metadata, random);
      if (&value != &metadata) some_value(metadata, random) = other;
      break;
    }
    case 4:
      if (value.is_structured() && !value.empty())
        value.erase(std::next(value.begin(), static_cast<long>(random() % value.size())));
      break;
    case 5:
      if (value.is_array() && !value.empty()) {
        const json again = value[random() % value.size()];
        for (size_t times = 1 + random() % 3; times > 0; --times) value.push_back(again);
      } else if (value.is_object()) {
        value[random() % 2 ? "kind" : "another"] = odd_value(random);
      }
      break;
  }
  if (!metadata.is_object()) metadata = json::object();
}

inline void forge_section(std::string& bytes, Random& random) {
  const auto put = [&](auto number) {
    if (bytes.size() < sizeof number) return;
    const size_t places = bytes.size() / sizeof number;
    std::memcpy(bytes.data() + random() % places * sizeof number, &number, sizeof number);
  };
  constexpr float kOddFloats[] = {std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::infinity(),
                                  -std::numeric_limits<float>::infinity(),
                                  3e38f,
                                  -3e38f,
                                  9e29f,
                                  -9e29f,
                                  1e-42f,
                                  0};
  constexpr uint32_t kOddNumbers[] = {0, 1, 255, 256, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff, 0x01000001};
  switch (random() % 8) {
    case 0:
    case 1:
      for (size_t times = 1 + random() % 4; times > 0; --times) put(kOddFloats[random() % std::size(kOddFloats)]);
      break;
    case 2:
    case 3:
      for (size_t times = 1 + random() % 4; times > 0; --times) put(kOddNumbers[random() % std::size(kOddNumbers)]);
      break;
    case 4:
      put(uint64_t{1} << random() % 64);
      break;
    case 5:
      bytes.resize(bytes.size() / 4 * (random() % 9) / 8 * 4);
      break;
    case 6:
      bytes.append(bytes.substr(0, std::min<size_t>(bytes.size(), 4 * (random() % 64))));
      break;
    case 7: {
      const size_t size = bytes.size();
      bytes.resize(size + 256);
      bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(bytes.data()), size, bytes.size()));
      break;
    }
  }
}

/// A number of the table becomes another, and the table's checksum fits.
inline void forge_table(std::string& file, Random& random) {
  constexpr size_t kHeader = 24;
  uint32_t count = 0;
  if (file.size() < kHeader + 4) return;
  std::memcpy(&count, file.data() + 12, sizeof count);
  size_t end = kHeader;
  for (uint32_t i = 0; i < count && end + 4 < file.size(); ++i) {
    uint32_t name = 0;
    std::memcpy(&name, file.data() + end, sizeof name);
    end += sizeof name + name + 3 * sizeof(uint64_t);
  }
  if (end > file.size()) return;
  const uint64_t odd = random() % 2 ? uint64_t{1} << random() % 64 : ~uint64_t{0} - random() % 64;
  std::memcpy(file.data() + kHeader + random() % (end - kHeader - 8), &odd, 1 + random() % 8);
  const uint64_t hash = hash_string(std::string_view(file).substr(kHeader, end - kHeader));
  std::memcpy(file.data() + 16, &hash, sizeof hash);
}

/// What a fuzzer's mutator does: `seeds` are files to begin with.
inline size_t forge(uint8_t* data, size_t size, size_t max_size, unsigned seed, const std::vector<std::string>& seeds) {
  Random random(seed);
  random.discard(2);
  const auto put = [&](const std::string& bytes) {
    if (bytes.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::memcpy(data, bytes.data(), bytes.size());
    return bytes.size();
  };
  const auto choice = random() % 64;
  if (choice == 0) return put(seeds[random() % seeds.size()]);
  if (choice < 4) return LLVMFuzzerMutate(data, size, max_size);
  try {
    Forgery forgery = Forgery::of({reinterpret_cast<const char*>(data), size});
    for (size_t times = 1 + random() % 3; times > 0; --times) {
      auto& sections = forgery.sections;
      if (sections.empty() || random() % 3 == 0) {
        forge_metadata(forgery.metadata, random);
      } else if (random() % 8 != 0) {
        forge_section(sections[random() % sections.size()].second, random);
      } else {
        std::swap(sections[random() % sections.size()].second, sections[random() % sections.size()].second);
      }
    }
    std::string sealed = std::move(forgery).sealed();
    if (random() % 32 == 0) forge_table(sealed, random);
    return put(sealed);
  } catch (const Error&) {
    return put(seeds[random() % seeds.size()]);
  }
}

}  // namespace espalier::fuzz

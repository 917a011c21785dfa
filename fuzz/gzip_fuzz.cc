// Files as they are opened, packed or not. Odd inputs are taken as they are: they give text or an error. Even ones are
// packed here, in one member or two, and must come back as they were; cut short, they must not seem whole.
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>

#include "espalier/base/file.h"
#include "fuzz/round_trip.h"

namespace {

using namespace espalier;

std::string packed(const std::string& text) {
  z_stream zip = {};
  fuzz::require(deflateInit2(&zip, 1, Z_DEFLATED, 15 + 16, 1, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(text.size() + 256, '\0');
  zip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  zip.avail_in = static_cast<uInt>(text.size());
  zip.next_out = reinterpret_cast<Bytef*>(out.data());
  zip.avail_out = static_cast<uInt>(out.size());
  fuzz::require(deflate(&zip, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - zip.avail_out);
  deflateEnd(&zip);
  return out;
}

const std::string& file_name() {
  static const std::string name = "/dev/shm/espalier-fuzz-" + std::to_string(::getpid()) + ".gz";
  return name;
}

std::string unpacked(const std::string& bytes) {
  std::ofstream(file_name(), std::ios::binary | std::ios::trunc) << bytes;
  const auto input = open_input(file_name());
  std::string text;
  char block[1000];
  while (const auto size = input->rdbuf()->sgetn(block, sizeof block)) text.append(block, static_cast<size_t>(size));
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] % 2) {
      unpacked(text);
      return 0;
    }
    const size_t half = data[0] % 4 ? text.size() / 2 : text.size();
    const std::string zip = packed(text.substr(0, half)) + (half < text.size() ? packed(text.substr(half)) : "");
    fuzz::require(unpacked(zip) == text);
  } catch (const Error&) {
    fuzz::require(data[0] % 2);
    return 0;
  }
  const std::string zip = packed(text);
  try {
    unpacked(zip.substr(0, 2 + data[0] / 2 % (zip.size() - 2)));
    fuzz::require(false);
  } catch (const Error&) {
  }
  return 0;
}

#include "espalier/base/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <istream>
#include <iterator>

#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/format/format.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

std::string unpacked(const std::string& file) {
  const auto input = open_input(file);
  return {std::istreambuf_iterator<char>(*input), {}};
}

/// More than one buffer's worth, hard to pack.
std::string long_text() {
  std::string text;
  for (unsigned i = 0; i < 50'000; ++i) text += std::to_string(i * 2654435761u) + "\n";
  return text;
}

TEST(OutputFile, IsThereWhenCommitted) {
  const TemporaryFolder folder;
  OutputFile output(folder / "a.txt");
  output.stream() << "short " << std::flush;
  EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
  output.stream() << long_text();
  output.commit();
  EXPECT_EQ(read_file(folder / "a.txt"), "short " + long_text());
}

TEST(OutputFile, IsPackedIfItsNameSaysSo) {
  const TemporaryFolder folder;
  OutputFile output(folder / "a.txt.gz");
  output.stream() << long_text() << std::flush << "end";
  output.commit();
  EXPECT_EQ(unpacked(folder / "a.txt.gz"), long_text() + "end");
  EXPECT_LT(std::filesystem::file_size(folder / "a.txt.gz"), long_text().size() / 2);
  OutputFile(folder / "empty.gz").commit();
  EXPECT_EQ(read_file(folder / "empty.gz").substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(unpacked(folder / "empty.gz"), "");
}

TEST(OutputFile, ErrorsSayWhy) {
  const TemporaryFolder folder;
  EXPECT_THROW(OutputFile(folder / "no/such/folder"), Error);
  EXPECT_THROW(OutputFile(folder.path()), Error);
  OutputFile full("/dev/full");
  full.stream() << "x";
  try {
    full.stream().flush();
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot write /dev/full: No space left on device");
    EXPECT_EQ(error.kind(), ErrorKind::kRun);
  }
}

}  // namespace
}  // namespace espalier

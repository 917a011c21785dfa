#include "espalier/base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "espalier/base/error.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

TEST(File, WrittenThenRead) {
  const TemporaryFolder folder;
  const std::string file = folder / "a.bin";
  const std::string bytes("x\0y\n", 4);
  write_file(file, bytes);
  EXPECT_EQ(read_file(file), bytes);
  write_file(file, "shorter");
  EXPECT_EQ(read_file(file), "shorter");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.bin"});
}

TEST(File, LinkIsFollowedNotReplaced) {
  const TemporaryFolder folder;
  write_file(folder / "target", "old");
  fs::create_symlink(folder / "target", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "target"), "new");
}

TEST(File, ErrorsNameTheFile) {
  const TemporaryFolder folder;
  for (const std::string& file : {folder / "missing", folder.path(), folder / "no/such/folder"}) {
    try {
      read_file(file);
      FAIL() << file;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kRun);
      EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(write_file(folder.path(), "x"), Error);
  EXPECT_THROW(write_file(folder / "no/such/folder", "x"), Error);
  EXPECT_THROW(check_writable(folder.path()), Error);
  EXPECT_THROW(check_writable(folder / "no/such/folder"), Error);
}

TEST(File, CheckLeavesNothingBehind) {
  const TemporaryFolder folder;
  check_writable(folder / "model.esp");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(File, FullDeviceIsReportedAndStaysADevice) {
  EXPECT_THROW(write_file("/dev/full", "x"), Error);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace espalier

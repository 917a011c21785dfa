#include "espalier/base/file_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "espalier/base/error.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

TEST(FileLock, OneAtATime) {
  const TemporaryFolder folder;
  const std::string file = folder / "m.lock";
  std::optional<FileLock> first(std::in_place, file, "");
  try {
    FileLock second(file, "somebody is at it");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "somebody is at it");
  }
  EXPECT_TRUE(std::filesystem::exists(file)) << "the second one must not remove it";
  first.reset();
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_NO_THROW(FileLock(file, ""));
}

TEST(FileLock, DeathReleasesIt) {
  const TemporaryFolder folder;
  const std::string file = folder / "m.lock";
  const pid_t child = ::fork();
  if (child == 0) {
    new FileLock(file, "");  // and nobody to delete it
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_NO_THROW(FileLock(file, ""));
}

TEST(FileLock, AFolderThatIsMissingIsAnError) { EXPECT_THROW(FileLock("/no/such/folder/m.lock", ""), Error); }

}  // namespace
}  // namespace espalier

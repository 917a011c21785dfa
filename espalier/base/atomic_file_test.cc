#include "espalier/base/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

using Names = std::vector<std::string>;

TEST(AtomicFile, TakesItsNameWhenCommitted) {
  const TemporaryFolder folder;
  write_file(folder / "a", "old");
  AtomicFile file(folder / "a");
  file.write("ne");
  file.write("w");
  EXPECT_EQ(read_file(folder / "a"), "old");
  file.commit();
  EXPECT_EQ(read_file(folder / "a"), "new");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(AtomicFile, LeavesTheOldFileUnlessCommitted) {
  const TemporaryFolder folder;
  write_file(folder / "a", "old");
  AtomicFile(folder / "a").write("new");
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(AtomicFile, WritersOfOneNameDoNotMeet) {
  const TemporaryFolder folder;
  AtomicFile first(folder / "a"), second(folder / "a");
  first.write("first");
  second.write("second, longer");
  first.commit();
  EXPECT_EQ(read_file(folder / "a"), "first");
  second.commit();
  EXPECT_EQ(read_file(folder / "a"), "second, longer");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(AtomicFile, KeepsTheModeOfTheOldFile) {
  const TemporaryFolder folder;
  write_file(folder / "secret", "old");
  ASSERT_EQ(::chmod((folder / "secret").c_str(), 0600), 0);
  write_file(folder / "secret", "new");
  struct stat info {};
  ASSERT_EQ(::stat((folder / "secret").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
}

/// Runs `body` in a process of its own; its exit code, or minus the signal that ended it.
template <class Body>
int in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(AtomicFile, SignalsLeaveTheOldFileAndNoTemporary) {
  const TemporaryFolder folder;
  write_file(folder / "a", "old");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::signal(signal, SIG_DFL);  // whatever the test's parent ignores
    const int code = in_child([&] {
      std::freopen("/dev/null", "w", stderr);
      remove_unfinished_files_on_signals();
      AtomicFile file(folder / "a");
      file.write("new");
      std::raise(signal);
    });
    EXPECT_EQ(code, 1);
    EXPECT_EQ(read_file(folder / "a"), "old");
    EXPECT_EQ(folder.names(), Names{"a"});
  }
}

TEST(AtomicFile, SignalsEndAsUsualWhatWritesNoFile) {
  const TemporaryFolder folder;
  std::signal(SIGTERM, SIG_DFL);
  const int code = in_child([&] {
    remove_unfinished_files_on_signals();
    write_file(folder / "a", "done");
    std::raise(SIGTERM);
  });
  EXPECT_EQ(code, -SIGTERM);
  EXPECT_EQ(read_file(folder / "a"), "done");
}

TEST(AtomicFile, FullDiskLeavesTheOldFile) {
  const TemporaryFolder folder;
  write_file(folder / "a", "old");
  const int code = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write_file(folder / "a", std::string(100'000, 'x'));
    } catch (const Error& error) {
      if (std::string(error.what()) == "cannot write " + folder / "a" + ": File too large") ::_exit(7);
    }
  });
  EXPECT_EQ(code, 7);
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_EQ(folder.names(), Names{"a"});
}

}  // namespace
}  // namespace espalier

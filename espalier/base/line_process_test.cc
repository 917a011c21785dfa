#include "espalier/base/line_process.h"

#include <gtest/gtest.h>

#include "espalier/base/error.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;

std::string complaint(const std::string& command) {
  LineProcess process(command, milliseconds(300));
  try {
    process.ask("hello");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRun);
    return error.what();
  }
  return "";
}

TEST(LineProcess, AnswersLineByLine) {
  LineProcess process("sed -u 's/^/you said /'", milliseconds(20000));
  EXPECT_EQ(process.ask("one"), "you said one");
  EXPECT_EQ(process.ask("two"), "you said two");
  const std::string large(1 << 20, 'x');  // more than any buffer holds
  EXPECT_EQ(process.ask(large), "you said " + large);
}

TEST(LineProcess, DeathSilenceAndAbsenceAreErrors) {
  EXPECT_EQ(complaint("exit 3"), "'exit 3' ended without an answer");
  EXPECT_EQ(complaint("sleep 60"), "'sleep 60' has not answered within 0.3 s");
  EXPECT_EQ(complaint("./no-such-program 2>/dev/null"), "'./no-such-program 2>/dev/null' ended without an answer");
}

TEST(LineProcess, IsStartedAgainAfterAnError) {
  LineProcess process("read line; echo $line", milliseconds(20000));
  EXPECT_EQ(process.ask("a"), "a");
  EXPECT_THROW(process.ask("b"), Error);
  EXPECT_EQ(process.ask("c"), "c");
}

}  // namespace
}  // namespace espalier

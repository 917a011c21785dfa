// `check` beside the validator of Universal Dependencies, rule by rule: tests/ud_corner_cases.txt has a file for each
// test of its levels 1 and 2, with the lines that the validator complains about and those that `check` should.
// scripts/check/ud_validator runs the validator itself.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "espalier/app/files.h"
#include "espalier/base/file.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

struct CornerCase {
  std::string name, validator, check, remark, text;
};

std::vector<CornerCase> corner_cases() {
  std::vector<CornerCase> all;
  std::istringstream lines(read_file(ESPALIER_SOURCE_DIR "/tests/ud_corner_cases.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("=== ")) {
      if (!all.empty()) all.back().text += line + "\n";
      continue;
    }
    const auto field = [&](const std::string& opening) {
      const size_t begin = line.find(opening);
      if (begin == line.npos) return std::string();
      const size_t from = begin + opening.size();
      return line.substr(from, line.find(" | ", from) - from);
    };
    all.push_back({field("=== "), field(" | validator "), field(" | check "), field(" | but: "), ""});
  }
  return all;
}

TEST(UdValidator, EveryCornerCase) {
  const TemporaryFolder folder;
  const auto cases = corner_cases();
  ASSERT_GT(cases.size(), 100u);
  for (const CornerCase& corner : cases) {
    SCOPED_TRACE(corner.name);
    write_file(folder / "f.conllu", corner.text);
    std::set<long> lines;
    const auto note = [&](const Problem& problem) { lines.insert(problem.line); };
    check_file(folder / "f.conllu", "", note, {}, 2, note);
    std::string found;
    for (const long line : lines) found += (found.empty() ? "" : " ") + std::to_string(line);
    EXPECT_EQ(found.empty() ? "nothing" : found, corner.check);
    // Both complain, or neither does, unless the file says why.
    EXPECT_EQ((corner.validator == "nothing") == (corner.check == "nothing"), corner.remark.empty());
  }
}

}  // namespace
}  // namespace espalier

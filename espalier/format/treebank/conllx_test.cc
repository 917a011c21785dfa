#include <gtest/gtest.h>

#include <sstream>

#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier {
namespace {

std::string convert_conllx(const std::string& text, const std::string& from, const std::string& to) {
  std::istringstream input(text);
  std::ostringstream output;
  const auto reader = make_reader(from, input, {});
  const auto writer = make_writer(to, output);
  for (Sentence sentence; reader->next(sentence);) writer->write(sentence);
  writer->finish();
  return output.str();
}

const std::string kText =
    "1\tHun\thun\tPRON\tPP\tpers|sing\t2\tsubj\t2\tsubj\n"
    "2\tler\tle\tV\tVA\t_\t0\troot\t_\ta|b\\p\n"
    "\n"
    "1\tJa\t_\tI\tI\t_\t_\t_\t_\t_\n"
    "\n";

TEST(Conllx, RoundTripsByteForByte) { EXPECT_EQ(convert_conllx(kText, "conllx", "conllx"), kText); }

TEST(Conllx, SurvivesTheWayThroughConllu) {
  const std::string conllu = convert_conllx(kText, "conllx", "conllu");
  EXPECT_NE(conllu.find("\tPHead=2|PDeprel=subj\n"), std::string::npos);
  EXPECT_NE(conllu.find("\tPDeprel=a\\pb\\\\p\n"), std::string::npos);
  EXPECT_EQ(convert_conllx(conllu, "conllu", "conllx"), kText);
}

TEST(Conllx, LeavesOutWhatItHasNoPlaceFor) {
  const std::string conllu =
      "# text = x\n1-1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n1\tx\t_\t_\t_\t_\t0\troot\t0:root\tSpaceAfter=No\n\n";
  EXPECT_EQ(convert_conllx(conllu, "conllu", "conllx"), "1\tx\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
}

TEST(Conllx, HasNoMultiwordTokens) {
  EXPECT_THROW(convert_conllx("1-2\tx\t_\t_\t_\t_\t_\t_\t_\t_\n" + kText, "conllx", "conllx"), Error);
}

}  // namespace
}  // namespace espalier

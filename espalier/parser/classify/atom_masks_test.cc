// Bits beyond 16 bits: large trees have that many nodes. That masks are right is tested by tests/classify_test.cc.
#include "espalier/parser/classify/atom_masks.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(AtomBits, NumbersAreNotCut) {
  AtomSpace space({"TOP", "S"}, {"NN"}, {{"dogs", 9}}, 1);
  space.add_sequence(77);
  constexpr int kBit = 70001;
  const int word = space.word_values("dogs", "NN").word;
  ASSERT_GE(word, space.words_from());
  const AtomBits bits(space, {{space.atom(kHeadChild, word), kBit}, {space.sequence(77), kBit}}, kBit / 64 + 1);
  ASSERT_FALSE(bits.sparse(word).empty());
  EXPECT_EQ(bits.sparse(word)[0].bit, static_cast<uint32_t>(kBit));
  ASSERT_EQ(bits.sequence(77).size(), 1u);
  EXPECT_EQ(bits.sequence(77)[0], static_cast<uint32_t>(kBit));
}

}  // namespace
}  // namespace espalier

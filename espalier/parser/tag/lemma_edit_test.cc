#include "espalier/parser/tag/lemma_edit.h"

#include <gtest/gtest.h>

#include "espalier/base/rng.h"
#include "espalier/base/unicode.h"

namespace espalier {
namespace {

std::string lemma_of(std::string form, const LemmaEdit& edit, Casing casing) {
  std::string lemma;
  make_lemma(form, lower_case(form), edit, casing, lemma);
  return lemma;
}

TEST(LemmaEdit, ExchangesWhatIsNotInCommon) {
  EXPECT_EQ(lemma_edit("tries", "try"), (LemmaEdit{"", "", "ies", "y"}));
  EXPECT_EQ(lemma_edit("gekauft", "kaufen"), (LemmaEdit{"ge", "", "t", "en"}));
  EXPECT_EQ(lemma_edit("dog", "dog"), LemmaEdit());
  EXPECT_EQ(lemma_edit("größte", "groß"), (LemmaEdit{"", "", "ößte", "oß"}));
  EXPECT_FALSE(lemma_edit("is", "be"));
  EXPECT_FALSE(lemma_edit("", "be"));
  EXPECT_FALSE(lemma_edit(std::string(100000, 'x'), "x"));
}

TEST(LemmaEdit, AppliesToWordsThatLookAlike) {
  const LemmaEdit edit{"", "", "ies", "y"};
  EXPECT_TRUE(edit.applies("flies"));
  EXPECT_FALSE(edit.applies("dogs"));
  EXPECT_FALSE(edit.applies("ies"));  // nothing would be left
  EXPECT_EQ(lemma_of("flies", edit, Casing::kLower), "fly");
}

TEST(LemmaEdit, CasingIsADecisionOfItsOwn) {
  const LemmaEdit plural{"", "", "s", ""};
  EXPECT_EQ(lemma_of("CDs", plural, Casing::kLower), "cd");
  EXPECT_EQ(lemma_of("CDs", plural, Casing::kKept), "CD");
  EXPECT_EQ(lemma_of("DANES", plural, Casing::kTitle), "Dane");
  EXPECT_EQ(lemma_of("ärzte", {"", "", "e", ""}, Casing::kTitle), "Ärzt");
  EXPECT_EQ(lemma_of("tvs", plural, Casing::kUpper), "TV");
  // A capital I with a dot is three bytes when small.
  EXPECT_EQ(lemma_of("\u0130ns", plural, Casing::kKept), lemma_of("\u0130ns", plural, Casing::kLower));
}

TEST(LemmaEdit, EveryEditMakesItsLemma) {
  Rng rng(3, "lemma");
  const std::string_view letters[] = {"a", "b", "é", "κ", "犬"};
  for (int trial = 0; trial < 20000; ++trial) {
    std::string form, lemma, made;
    for (auto* word : {&form, &lemma})
      for (uint64_t length = 1 + rng.below(6); length > 0; --length) *word += letters[rng.below(5)];
    const auto edit = lemma_edit(form, lemma);
    if (!edit) continue;
    ASSERT_TRUE(edit->applies(form)) << form << " " << lemma;
    edit->apply(form, made);
    ASSERT_EQ(made, lemma);
  }
}

}  // namespace
}  // namespace espalier

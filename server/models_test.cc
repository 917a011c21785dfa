#include "server/models.h"

#include <gtest/gtest.h>

#include "espalier/base/error.h"
#include "server/http.h"
#include "tests/toy_model.h"

namespace espalier::server {
namespace {

TEST(Models, AreFoundByNameOrByItsFirstParts) {
  const ModelSet models({{"en_gum-2", "", chain_model()}, {"en_ewt", "", chain_model()}, {"en", "", chain_model()}});
  EXPECT_EQ(models.find("").name, "en_gum-2");
  EXPECT_EQ(models.find("en").name, "en");
  EXPECT_EQ(models.find("en_gum").name, "en_gum-2");
  EXPECT_THROW(models.find("e"), HttpError);
  EXPECT_THROW(models.find("en_gum-2.5"), HttpError);
}

TEST(Models, SpecificationsAreChecked) {
  EXPECT_THROW(ModelStore(std::vector<std::string>{}, {}), Error);
  EXPECT_THROW(ModelStore({"name="}, {}), Error);
  EXPECT_THROW(ModelStore({"=file"}, {}), Error);
  EXPECT_THROW(ModelStore({"name=/no/such/file.esp"}, {}), Error);
}

TEST(Models, WhatCannotBeLoadedAgainStays) {
  ModelStore store({{"memory", "", chain_model()}, {"gone", "/no/such/file.esp", chain_model()}});
  const auto before = store.current();
  const auto messages = store.reload();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("'gone' stays as it was: "), std::string::npos);
  EXPECT_EQ(store.current()->all().size(), 2u);
  EXPECT_NE(store.current(), before);
}

}  // namespace
}  // namespace espalier::server

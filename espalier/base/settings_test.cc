#include "espalier/base/settings.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <nlohmann/json.hpp>

#include "espalier/base/error.h"

namespace espalier {
namespace {

template <class Action>
std::string usage_message(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

TEST(Settings, ValuesAndFallbacks) {
  Settings settings;
  settings.set_pair("beam=16");
  settings.set_pair("rate=0.25");
  settings.set_pair("note=a=b");
  settings.set_pair("average=no");
  settings.set_pair("empty=");
  EXPECT_EQ(settings.integer("beam", 8, 1, 1024, "width"), 16);
  EXPECT_EQ(settings.integer("epochs", 5, 1, 100, ""), 5);
  EXPECT_EQ(settings.real("rate", 1, 0, 1, ""), 0.25);
  EXPECT_EQ(settings.real("decay", 1e-6, 0, 1, ""), 1e-6);
  EXPECT_EQ(settings.text("note", "", ""), "a=b");
  EXPECT_EQ(settings.text("empty", "full", ""), "");
  EXPECT_FALSE(settings.flag("average", true, ""));
  EXPECT_TRUE(settings.flag("shuffle", true, ""));
  EXPECT_EQ(settings.choice("system", "swap", {"arc-eager", "swap"}, ""), "swap");
}

TEST(Settings, WrongValuesNameKeyAndRange) {
  Settings settings;
  settings.set("beam", "eight");
  settings.set("width", "12x");
  settings.set("huge", "99999999999999999999");
  settings.set("rate", "nan");
  settings.set("system", "arc-eagre");
  settings.set("flag", "maybe");
  EXPECT_EQ(usage_message([&] { settings.integer("beam", 8, 1, 64, ""); }),
            "beam=eight: must be a whole number from 1 to 64");
  EXPECT_NE(usage_message([&] { settings.integer("width", 8, 1, 64, ""); }), "");
  EXPECT_NE(usage_message([&] { settings.integer("huge", 8, 1, 64, ""); }), "");
  EXPECT_NE(usage_message([&] { settings.real("rate", 1, 0, 1, ""); }), "");
  EXPECT_NE(usage_message([&] { settings.flag("flag", true, ""); }), "");
  EXPECT_NE(usage_message([&] {
              settings.choice("system", "swap", {"arc-eager", "swap"}, "");
            }).find("arc-eager'?"),
            std::string::npos);
  EXPECT_NE(usage_message([&] { settings.set_pair("beam"); }), "");
  EXPECT_NE(usage_message([&] { settings.set_pair("=8"); }), "");
}

TEST(Settings, UnknownKeyListsTheKnown) {
  Settings settings;
  settings.set("recipe", "beam");
  settings.set("description", "text");
  settings.integer("beam", 8, 1, 64, "width of the beam");
  EXPECT_EQ(usage_message([&] { settings.check_all_known(); }), "");
  settings.set("baem", "3");
  const std::string message = usage_message([&] { settings.check_all_known(); });
  EXPECT_NE(message.find("'baem'"), std::string::npos);
  EXPECT_NE(message.find("width of the beam (default: 8)"), std::string::npos);
}

TEST(Settings, StagesByPrefix) {
  Settings settings;
  settings.set("tagger.epochs", "3");
  settings.set("parser.epochs", "7");
  const Settings tagger = settings.with_prefix("tagger.");
  EXPECT_EQ(tagger.integer("epochs", 1, 1, 9, ""), 3);
  settings.adopt_known(tagger, "tagger.");
  EXPECT_NE(usage_message([&] { settings.check_all_known(); }).find("parser.epochs"), std::string::npos);
  const Settings parser = settings.with_prefix("parser.");
  EXPECT_EQ(parser.integer("epochs", 1, 1, 9, ""), 7);
  settings.adopt_known(parser, "parser.");
  settings.check_all_known();
  EXPECT_EQ(settings.known().at("tagger.epochs").value, "3");
}

TEST(Settings, JsonThereAndBack) {
  Settings settings;
  settings.set("beam", "8");
  settings.set("note", "caf\xc3\xa9");
  const Settings back = Settings::from_json(settings.to_json());
  EXPECT_EQ(back.to_json(), settings.to_json());
  EXPECT_EQ(Settings::from_json({{"beam", 4}}).integer("beam", 1, 1, 9, ""), 4);
}

}  // namespace
}  // namespace espalier

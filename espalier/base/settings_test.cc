#include "espalier/base/settings.h"

#include <gtest/gtest.h>
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
  Settings set;
  for (const char* pair : {"beam=16", "rate=0.25", "note=a=b", "average=no", "empty="}) set.set_pair(pair);
  SettingsReader settings(set);
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

TEST(Settings, AKeyHasOneSpelling) {
  Settings settings;
  settings.set("min-updates", "2");
  settings.set_pair("min_updates=3");
  settings.set_pair("parser.C=0.5");
  settings.set("tag-weight", "a-b");
  EXPECT_EQ(settings.to_json(),
            (nlohmann::json{{"min_updates", "3"}, {"parser.aggressiveness", "0.5"}, {"tag_weight", "a-b"}}));
}

TEST(Settings, WrongValuesNameKeyAndRange) {
  Settings set;
  for (const char* pair :
       {"beam=eight", "width=12x", "huge=99999999999999999999", "rate=nan", "system=arc-eagre", "flag=maybe"})
    set.set_pair(pair);
  SettingsReader settings(set);
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
  EXPECT_NE(usage_message([&] { set.set_pair("beam"); }), "");
  EXPECT_NE(usage_message([&] { set.set_pair("=8"); }), "");
}

TEST(Settings, UnknownKeyListsTheKnown) {
  Settings set;
  set.set("recipe", "beam");
  set.set("description", "text");
  SettingsReader right(set);
  right.integer("beam", 8, 1, 64, "width of the beam");
  EXPECT_EQ(usage_message([&] { right.check_all_known(); }), "");
  set.set("baem", "3");
  SettingsReader wrong(set);
  wrong.integer("beam", 8, 1, 64, "width of the beam");
  const std::string message = usage_message([&] { wrong.check_all_known(); });
  EXPECT_NE(message.find("'baem'"), std::string::npos);
  EXPECT_NE(message.find("width of the beam (default: 8)"), std::string::npos);
}

TEST(Settings, StagesByPrefix) {
  Settings set;
  set.set("tagger.epochs", "3");
  set.set("parser.epochs", "7");
  SettingsReader settings(set), tagger(set.with_prefix("tagger.")), parser(set.with_prefix("parser."));
  EXPECT_EQ(tagger.integer("epochs", 1, 1, 9, ""), 3);
  settings.adopt(tagger.known(), "tagger.");
  EXPECT_NE(usage_message([&] { settings.check_all_known(); }).find("parser.epochs"), std::string::npos);
  EXPECT_EQ(parser.integer("epochs", 1, 1, 9, ""), 7);
  settings.adopt(parser.known(), "parser.");
  settings.check_all_known();
  EXPECT_EQ(settings.known().at("tagger.epochs").value, "3");
}

TEST(Settings, JsonThereAndBack) {
  Settings settings;
  settings.set("beam", "8");
  settings.set("note", "caf\xc3\xa9");
  const Settings back = Settings::from_json(settings.to_json());
  EXPECT_EQ(back.to_json(), settings.to_json());
  EXPECT_EQ(Settings::from_json({{"beam", 4}}).get("beam"), "4");
}

}  // namespace
}  // namespace espalier

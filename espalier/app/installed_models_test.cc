#include "espalier/app/installed_models.h"

#include <gtest/gtest.h>

#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

std::string message_of(const std::string& name, const std::vector<std::string>& folders) {
  try {
    return "found " + model_file(name, folders);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(InstalledModels, AreFoundByNameAndByLanguage) {
  const TemporaryFolder first, second;
  for (const char* name : {"en_ewt_fast.esp", "en_ewt.esp", "ende_x.esp", "notes.txt"}) write_file(second / name, "x");
  write_file(first / "sv_talbanken.esp", "x");
  write_file(first / "en_ewt.esp", "mine");
  const std::vector<std::string> folders = {first.path(), "/no/such/folder", second.path()};
  EXPECT_EQ(model_file("en_ewt_fast", folders), second / "en_ewt_fast.esp");
  EXPECT_EQ(model_file("en", folders), first / "en_ewt.esp") << "the shortest name, of the first folder";
  EXPECT_EQ(model_file("sv", folders), first / "sv_talbanken.esp");
  EXPECT_EQ(installed_models(folders).size(), 4u);
  EXPECT_NE(message_of("e", folders).find("installed are en_ewt, en_ewt_fast, ende_x, sv_talbanken"), std::string::npos)
      << message_of("e", folders);
  EXPECT_NE(message_of("en", {"/no/such/folder"}).find("none is installed in /no/such/folder"), std::string::npos);
}

TEST(InstalledModels, FilesAreThemselves) {
  EXPECT_EQ(model_file("en.esp", {}), "en.esp");
  EXPECT_EQ(model_file("./en", {}), "./en");
  const TemporaryFolder folder;
  write_file(folder / "plain", "x");
  EXPECT_EQ(model_file(folder / "plain", {}), folder / "plain");
}

}  // namespace
}  // namespace espalier

// The commands that a program for a first look lacks (ESPALIER_PARSE_ONLY in CMakeLists.txt).
#include "cli/command.h"
#include "espalier/base/error.h"

namespace espalier::cli {
namespace {

void add_missing_command(CLI::App& app, const char* name) {
  Command command(app, name, "Not built yet: `scripts/build release espalier` builds it");
  command.any_words();
  command.action(
      [name] { throw run_error("this program only parses; `scripts/build release espalier` builds '{}', too", name); });
}

}  // namespace

void add_train_command(CLI::App& app) { add_missing_command(app, "train"); }
void add_distil_command(CLI::App& app) { add_missing_command(app, "distil"); }
void add_crossval_command(CLI::App& app) { add_missing_command(app, "crossval"); }
void add_cluster_command(CLI::App& app) { add_missing_command(app, "cluster"); }
void add_recipes_command(CLI::App& app) { add_missing_command(app, "recipes"); }
void add_serve_command(CLI::App& app) { add_missing_command(app, "serve"); }

}  // namespace espalier::cli

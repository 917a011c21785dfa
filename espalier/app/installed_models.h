// Models by name: "en" or "en_ewt" instead of a path. Names are searched in $ESPALIER_MODELS (folders separated by
// colons), in the user's folder (~/.local/share/espalier/models), and in the folder that was installed or built with
// the program. Tested by installed_models_test.cc.
#pragma once

#include <string>
#include <vector>

#include "espalier/base/export.h"

namespace espalier {

struct InstalledModel {
  std::string name;  ///< the file's name without its ending: "en_ewt_fast"
  std::string file;
};

/// The folders that are searched, in order; some may not exist.
ESPALIER_API std::vector<std::string> model_folders();

/// The models in these folders, sorted by name; if a name occurs twice, that of the first folder.
ESPALIER_API std::vector<InstalledModel> installed_models(const std::vector<std::string>& folders = model_folders());

/// The file that `name` stands for: a file if it has a slash or the ending .esp, or exists as a file; otherwise an
/// installed model, by its name or the part before an underscore: "en" is the shortest of the names that begin with
/// "en_". Throws a usage Error that lists the installed models if there is none.
ESPALIER_API std::string model_file(const std::string& name, const std::vector<std::string>& folders = model_folders());

}  // namespace espalier

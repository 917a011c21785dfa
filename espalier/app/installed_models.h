// Models by name: "en" or "en_ewt" instead of a path. A name is looked for in $ESPALIER_MODELS (folders separated by
// colons), in the user's own folder (~/.local/share/espalier/models), and in the one that was installed, or built,
// with the program. Tested by installed_models_test.cc.
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

/// The models in these folders, by name; of two with one name the first folder's.
ESPALIER_API std::vector<InstalledModel> installed_models(const std::vector<std::string>& folders = model_folders());

/// The file that `name` stands for. What names a file, by a slash or the ending .esp, or exists as one, is that file.
/// Otherwise it is an installed model's name, or how one begins, up to an underscore: "en" is the shortest of those
/// that begin with "en_". Throws a usage Error that lists the installed models if there is none.
ESPALIER_API std::string model_file(const std::string& name, const std::vector<std::string>& folders = model_folders());

}  // namespace espalier

// A k-best list as /v1/parse gives it: the columns of each analysis, with its score (docs/formats.md has the same).
// Tested by list_json_test.cc.
#pragma once

#include <span>
#include <string>

#include "espalier/app/model.h"

namespace espalier::server {

std::string list_json(const Sentence& sentence, std::span<const Alternative> list);

}  // namespace espalier::server

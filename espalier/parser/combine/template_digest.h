// Identifies the templates of a ranker, whose weights are valid for these only. Tested by rank_test.cc.
#pragma once

#include <string>

namespace espalier {

/// The digest of the templates of this program, which changes if a template is added, removed or changed. It is
/// computed from the features of a few trees, so that there is no version number to maintain.
const std::string& template_digest();

}  // namespace espalier

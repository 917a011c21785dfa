// Which templates a ranker was trained with: its weights mean nothing to others. Tested by rank_test.cc.
#pragma once

#include <string>

namespace espalier {

/// Of the templates of this program: another text as soon as a template is added, removed or changed. It is made from
/// the features of a few trees, so that no one must remember to count versions.
const std::string& template_digest();

}  // namespace espalier

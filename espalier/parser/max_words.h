// The default limit of words above which a sentence is split (long_sentence.h).
#pragma once

namespace espalier {

/// A sentence of this length needs less than 500 MB in every parser (docs/limits.md); treebanks hardly ever have longer
/// ones.
inline constexpr int kMaxWords = 500;

}  // namespace espalier

// The longest sentence that is parsed as a whole, unless the caller sets another limit (long_sentence.h).
#pragma once

namespace espalier {

/// A sentence of this length stays below 500 MB in every parser (docs/limits.md); treebanks have longer ones hardly
/// ever.
inline constexpr int kMaxWords = 500;

}  // namespace espalier

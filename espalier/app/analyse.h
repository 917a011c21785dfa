// The one way from a sentence to its analysis, for documents, streams, files, Python and the server: what is given,
// pieces of long sentences, k-best lists, confidence, traces, and sentences that fail. Tested by
// tests/contract/analyse_test.cc.
#pragma once

#include <string>
#include <vector>

#include "espalier/app/model.h"

namespace espalier {

struct TextParagraph;

/// What came of a sentence, besides its columns and comments.
struct Analysed {
  /// Best first; the sentence has the first. One of a sentence that was read in pieces, none of one that failed.
  std::vector<Alternative> alternatives;
  Trace trace;                        ///< of the sentence's tree
  std::vector<std::string> not_kept;  ///< given heads that contradict others: which, and why; comments say so, too
  bool pieces = false;                ///< it has more than max_words; a comment says so, too
  std::string failure;                ///< why it could not be parsed; "" = it was
};

/// Throws a usage Error unless the model can do what is asked for.
void check_options(const Model& model, const ParseOptions& options);

/// Fills in the columns that the model predicts; the options must have been checked. A sentence that cannot be parsed
/// is left without a tree, and a comment says why; what would befall any other, too, is thrown (usage Errors, Stopped).
Analysed analyse(const Model& model, Sentence& sentence, const ParseOptions& options);

/// Raw text to sentences, by the model's own tokenizer. Throws what analysing throws.
std::vector<Sentence> tokenized(const Model& model, const TextParagraph& paragraph, const ParseOptions& options);
/// How raw text is read that is cut by rules.
ReaderOptions text_reading(const Model& model, const ParseOptions& options);

}  // namespace espalier

// Analyses a sentence, for documents, streams, files, Python and the server alike: given columns, splitting of long
// sentences, k-best lists, confidence, traces, and sentences that fail. Tested by
// tests/contract/analyse_test.cc.
#pragma once

#include <string>
#include <vector>

#include "espalier/app/model.h"

namespace espalier {

struct TextParagraph;

/// The result of analysing a sentence, besides its columns and comments.
struct Analysed {
  /// Best first; the sentence has the first. One for a sentence that was split, none for one that failed.
  std::vector<Alternative> alternatives;
  Trace trace;                        ///< of the sentence's tree
  std::vector<std::string> not_kept;  ///< given heads that contradict others, with the reason; also in comments
  bool pieces = false;                ///< it has more than max_words and was split; also in a comment
  std::string failure;                ///< why it could not be parsed; "" = success
};

/// Throws a usage Error unless the model can do what is asked for.
void check_options(const Model& model, const ParseOptions& options);

/// Fills in the columns that the model predicts; the options must have been checked. A sentence that cannot be parsed
/// is left without a tree, and a comment says why; errors that any other sentence would have, too, are thrown (usage,
/// Stopped).
Analysed analyse(const Model& model, Sentence& sentence, const ParseOptions& options);

/// Cuts raw text into sentences by the model's tokenizer. Throws the same errors as `analyse`.
std::vector<Sentence> tokenized(const Model& model, const TextParagraph& paragraph, const ParseOptions& options);
/// The options for reading raw text by rules.
ReaderOptions text_reading(const Model& model, const ParseOptions& options);

}  // namespace espalier

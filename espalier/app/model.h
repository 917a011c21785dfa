// A trained model, ready for use from any thread: raw text, words or sentences in, trees out.
//
//   const espalier::Model model("models/en_ewt.esp");
//   const espalier::Document document = model.parse_text("Flying planes can be dangerous.");
//   for (const espalier::Sentence& sentence : document.sentences)
//     for (const espalier::Token& token : sentence.tokens) std::cout << token.form << ' ' << token.head << '\n';
//
// Everything throws espalier::Error (base/error.h), and nothing else. The headers of app/ are all that a program
// needs. Tested by tests/app_test.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/export.h"
#include "espalier/base/stop.h"
#include "espalier/format/format.h"
#include "espalier/parser/candidate.h"
#include "espalier/parser/max_words.h"
#include "espalier/parser/trace.h"
#include "espalier/tree/constraints.h"
#include "espalier/tree/sentence.h"

namespace espalier {

class Calibration;
class Parser;
class WorkspacePool;

/// One entry of a k-best list.
struct Alternative : ScoredAnalysis {
  FeatureVector features;  ///< with their weights, if asked for
};

/// A text, or a list of sentences, with the analyses of a model.
struct Document {
  std::string text;  ///< as it was given; empty if only sentences were
  std::vector<Sentence> sentences;
  /// The place of each word of each sentence in `text`; the words of a multiword token share its place. Empty without a
  /// text.
  std::vector<std::vector<TextSpan>> places;
  std::vector<std::vector<Alternative>> alternatives;  ///< of each sentence, best first, if asked for
  std::vector<Trace> traces;                           ///< of each sentence, if asked for
};

/// Options for each sentence. Streams and files have further ones for reading and writing.
struct ParseOptions {
  int kbest = 0;          ///< > 0: number of alternatives (needs has_kbest); the sentence gets the first
  bool features = false;  ///< of each alternative (needs has_features)
  bool trace = false;     ///< also how each tree was built (needs has_trace)
  /// Also the model's confidence: `# confidence` of each tree and Confidence= in the MISC of each word (needs
  /// has_confidence).
  bool confidence = false;
  /// Given tags or heads to keep; the model predicts the missing ones, so it must be able to predict such columns.
  Keep keep = {};
  /// Longer sentences are split, which bounds memory and time; 0 = no limit. They have one alternative,
  /// without features, no trace and no confidence.
  int max_words = kMaxWords;
  Stop stop = {};  ///< checked between sentences and in every step of a search; throws Stopped

  /// The ICU locale ("de") of raw text that is cut into words by rules; "" = the model's own, else English.
  std::string language = {};
  TextSentences sentences = TextSentences::kFound;  ///< of raw text
  bool offsets = false;  ///< of raw text: places of tokens as TokenRange in MISC, beside Document::places
  bool rules = false;    ///< find words by rules even if the model has a tokenizer
};

/// A handle: copies are cheap and share the loaded model, which lives as long as any of them.
class ESPALIER_API Model {
 public:
  /// `file` may be the name of an installed model, "en" (app/installed_models.h). Settings are those of --set,
  /// "beam=64"; `espalier info` lists them.
  explicit Model(const std::string& file, const std::vector<std::string>& settings = {});
  /// The bytes of a model file; `name` stands for the file in messages. They are copied.
  static Model from_bytes(std::string_view bytes, const std::string& name,
                          const std::vector<std::string>& settings = {});

  /// The output of `espalier info --json`: recipe, settings, training data, scores, sections.
  nlohmann::json info() const;
  std::string kind() const;                   ///< "transition", "pipeline", ...
  std::string language() const;               ///< an ICU locale, "" if training did not set it
  std::vector<std::string> predicts() const;  ///< any of "tokens", "tags", "lemmas", "heads", "constituents"
  bool has_kbest() const;
  bool has_features() const;
  bool has_trace() const;
  bool has_confidence() const;  ///< was calibrated (calibrate.h)
  bool can_tokenize() const;
  /// Whether its search is constrained to given heads or tags; the trees of other models are repaired afterwards.
  bool can_constrain() const;

  /// Cuts raw UTF-8 text into sentences and words by the model's tokenizer, else by rules. Empty lines end paragraphs.
  std::vector<Sentence> tokenize(std::string_view text, const ParseOptions& options = {}) const;
  /// Fills in the columns that the model predicts, or what is missing in those that are to be kept. Given heads that
  /// contradict each other are not kept, and a sentence that cannot be parsed is left without a tree: a comment
  /// "# parser = ..." says so.
  void parse(Sentence& sentence, const ParseOptions& options = {}) const;
  /// The same for many, on several threads (0 = one per core).
  void parse_all(std::span<Sentence> sentences, int threads, const ParseOptions& options = {}) const;
  /// Tokenizes the text unless there are sentences already, and parses them.
  void parse(Document& document, const ParseOptions& options = {}) const;
  Document parse_text(std::string text, const ParseOptions& options = {}) const;
  /// At most k distinct analyses, best first. Alternatives do not have the tags that a pipeline predicts: `parse` the
  /// sentence for those.
  std::vector<Alternative> kbest(const Sentence& sentence, int k, const ParseOptions& options = {}) const;

  /// For code within the library: makes a model of a parser in memory; below, access to the parser.
  explicit Model(std::shared_ptr<const Parser> parser);
  const Parser& parser() const;
  WorkspacePool& workspaces() const;
  /// Throws a usage Error if there is none.
  const Calibration& calibration() const;

 private:
  struct Shared;
  Model() = default;
  void load(const std::vector<std::string>& settings);
  std::shared_ptr<Shared> shared_;
};

/// The description of a model file, without loading the model.
ESPALIER_API nlohmann::json describe_model(const std::string& file);

/// Fills in `places` of a document that was not parsed from its text; if it has no text, it is composed of the texts of
/// its sentences with spaces between them.
ESPALIER_API void place_words(Document& document);

/// A sentence of these words.
ESPALIER_API Sentence sentence_of(std::span<const std::string> words);

/// The version of the library, "0.1.0".
ESPALIER_API std::string version();

}  // namespace espalier

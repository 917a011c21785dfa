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
  /// Where each word of each sentence stands in `text`; the words of a multiword token share its place. Empty without a
  /// text.
  std::vector<std::vector<TextSpan>> places;
  std::vector<std::vector<Alternative>> alternatives;  ///< of each sentence, best first, if asked for
  std::vector<Trace> traces;                           ///< of each sentence, if asked for
};

/// What is to be done with each sentence. Streams and files add to it how sentences come and go.
struct ParseOptions {
  int kbest = 0;          ///< > 0: also so many alternatives (needs has_kbest); the sentence gets the first
  bool features = false;  ///< of each alternative (needs has_features)
  bool trace = false;     ///< also how each tree came about (needs has_trace)
  /// Also how sure the model is: `# confidence` of each tree and Confidence= in the MISC of each word (needs
  /// has_confidence).
  bool confidence = false;
  /// Tags, heads that sentences have already: they stay, and the model predicts the others. It must predict them.
  Keep keep = {};
  /// Longer sentences are split, which bounds memory and time; 0 = no limit. They have one alternative,
  /// without features, no trace and no confidence.
  int max_words = kMaxWords;
  Stop stop = {};  ///< asked between sentences and by every step of a search; throws Stopped

  /// Of raw text, an ICU locale ("de"), where words are found by rules; "" = the model's own, else English.
  std::string language = {};
  TextSentences sentences = TextSentences::kFound;  ///< of raw text
  bool offsets = false;  ///< of raw text: where tokens stand, as TokenRange in MISC; places are there anyway
  bool rules = false;    ///< find words by rules even if the model has a tokenizer of its own
};

/// A handle: copies are cheap and share the loaded model, which stays until the last of them is gone.
class ESPALIER_API Model {
 public:
  /// `file` may be an installed model's name, "en" (app/installed_models.h). Settings are what --set takes, "beam=64";
  /// `espalier info` lists a model's.
  explicit Model(const std::string& file, const std::vector<std::string>& settings = {});
  /// The bytes of a model file; `name` stands for the file in messages. They are copied.
  static Model from_bytes(std::string_view bytes, const std::string& name,
                          const std::vector<std::string>& settings = {});

  /// What `espalier info --json` says: recipe, settings, training data, scores, sections.
  nlohmann::json info() const;
  std::string kind() const;                   ///< "transition", "pipeline", ...
  std::string language() const;               ///< an ICU locale, "" if it was not said in training
  std::vector<std::string> predicts() const;  ///< any of "tokens", "tags", "lemmas", "heads", "constituents"
  bool has_kbest() const;
  bool has_features() const;
  bool has_trace() const;
  bool has_confidence() const;  ///< was calibrated (calibrate.h)
  bool can_tokenize() const;
  /// Whether it searches among the analyses that have what is to be kept; other models' trees are repaired afterwards.
  bool can_constrain() const;

  /// Raw UTF-8 text to sentences and words, with the model's own tokenizer, else by rules. Empty lines end paragraphs.
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
  /// At most k distinct analyses, best first. Tags that a pipeline predicts are not among what an alternative says:
  /// `parse` the sentence for those.
  std::vector<Alternative> kbest(const Sentence& sentence, int k, const ParseOptions& options = {}) const;

  /// For code within the library: a parser in memory, and what is behind the handle.
  explicit Model(std::shared_ptr<const Parser> parser);
  const Parser& parser() const;
  WorkspacePool& workspaces() const;
  /// A usage Error if there is none.
  const Calibration& calibration() const;

 private:
  struct Shared;
  Model() = default;
  void load(const std::vector<std::string>& settings);
  std::shared_ptr<Shared> shared_;
};

/// What a model file says about itself, without loading the model.
ESPALIER_API nlohmann::json describe_model(const std::string& file);

/// Fills in `places` of a document that was not parsed from its text; if it has no text, one is put together from its
/// sentences, as they were written, with a space between them.
ESPALIER_API void place_words(Document& document);

/// A sentence of these words.
ESPALIER_API Sentence sentence_of(std::span<const std::string> words);

/// The version of the library, "0.1.0".
ESPALIER_API std::string version();

}  // namespace espalier

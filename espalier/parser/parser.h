// What everybody outside sees of a trained model: it annotates sentences. One virtual call per sentence.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/settings.h"
#include "espalier/parser/candidate.h"
#include "espalier/tree/constraints.h"
#include "espalier/tree/sentence.h"

namespace espalier {

class Inspectable;
class ModelFile;
class ModelWriter;
class Parser;
struct ModelPart;

/// Scratch memory of one thread, reused from sentence to sentence; each parser has its own kind, and refuses those of
/// others (Parser::own).
class Workspace {
 public:
  Workspace() = default;
  explicit Workspace(const Parser& owner);
  virtual ~Workspace() = default;

 private:
  friend class Parser;
  uint64_t owner_ = 0;  // a parser's number; 0 = anybody's
};

/// What a parser can do besides parsing. Whoever asks for what it cannot do gets nothing: see the functions.
struct Abilities {
  bool kbest = false;      ///< lists with more than the one analysis that `parse` gives
  bool features = false;   ///< Inspectable::features, of linear scores
  bool constrain = false;  ///< searches among the analyses that have what is given, instead of repairing what it found
  bool tokenize = false;   ///< Parser::tokenizer
  bool trace = false;      ///< Inspectable::trace
  bool explain = false;    ///< Inspectable::feature_names, beside lists and features
};

struct AboutParser {
  /// The registered kind ("transition", "tagger", "pipeline", ...), by which a loader finds its way back.
  std::string kind;
  /// Which columns `parse` fills in: any of "tokens", "tags", "lemmas", "heads", "constituents".
  std::vector<std::string> predicts;
  Roots roots = Roots::kOne;
  Abilities can = {};

  bool does_predict(std::string_view column) const;
};

/// Raw text to sentences.
class Tokenizing {
 public:
  virtual ~Tokenizing() = default;
  /// The workspace is that of the parser that gave this.
  virtual std::vector<Sentence> tokenize(const std::string& text, Workspace& workspace) const = 0;
};

class Parser {
 public:
  Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  virtual ~Parser() = default;

  virtual AboutParser about() const = 0;
  virtual std::unique_ptr<Workspace> make_workspace() const = 0;

  /// Fills in the columns that this parser predicts. Cannot fail on a sentence that a reader delivered. What is given
  /// of them (it must be possible for trees with about().roots) stays as it is: trees that a search cannot find with
  /// it are repaired (parser/given_heads.h).
  virtual void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const = 0;
  void parse(Sentence& sentence, Workspace& workspace) const { parse(sentence, Constraints(), workspace); }

  /// Distinct analyses, best first, scores non-increasing; one, without words, for a sentence that has none. A large k
  /// makes the search wider than that of `parse`, so that the first may be better than what `parse` gives. Until the
  /// list is done with, the sentence must stay and the workspace serve nothing else. Unless it is overridden, the list
  /// is what `parse` gives, with score 0.
  virtual KBestList list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const;
  KBestList list(const Sentence& sentence, Workspace& workspace) const {
    return list(sentence, Constraints(), workspace);
  }

  /// Writes the part's sections, all names starting with `prefix`, and returns its metadata.
  virtual nlohmann::json save(ModelWriter& writer, const std::string& prefix) const = 0;

  /// For models that learned to cut raw text (a tokenizer, a pipeline that begins with one); null: it did not.
  virtual const Tokenizing* tokenizer() const { return nullptr; }
  /// What it shows of its inside (parser/inspect.h); null: nothing.
  virtual const Inspectable* inspect() const { return nullptr; }

 protected:
  /// The workspace as this parser made it; throws a usage Error if another parser did, be it one of the same kind.
  template <class Own>
  Own& own(Workspace& workspace) const {
    if (workspace.owner_ != number_) refuse_workspace();
    return static_cast<Own&>(workspace);
  }

 private:
  friend class Workspace;
  [[noreturn]] void refuse_workspace() const;

  uint64_t number_;  // no other parser of this process has it
};

/// Of a parsed sentence, the columns that the parser predicts.
Analysis predicted_analysis(const Sentence& sentence, const AboutParser& about);

/// At most k analyses of a list.
inline std::vector<Candidate> kbest(const Parser& parser, const Sentence& sentence, const Constraints& given, int k,
                                    Workspace& workspace) {
  return parser.list(sentence, given, workspace).take(k);
}
inline std::vector<Candidate> kbest(const Parser& parser, const Sentence& sentence, int k, Workspace& workspace) {
  return parser.list(sentence, workspace).take(k);
}

/// Settings that may be changed when a model is loaded: --set beam=64 and the like.
std::unique_ptr<Parser> load_parser(const std::string& file, const Settings& overrides = {});
std::unique_ptr<Parser> load_parser(std::shared_ptr<const ModelFile> file, const Settings& overrides = {});
using PartLoader = std::unique_ptr<Parser> (*)(const ModelPart& part, SettingsReader& overrides);
/// One part of a file, by its metadata's "kind" (parser/registry.cc has the list).
std::unique_ptr<Parser> load_part(const ModelPart& part, SettingsReader& overrides);
std::unique_ptr<Parser> load_part(const ModelPart& part);  ///< as it was saved

/// Saves a part so that load_part finds it again: what Parser::save returns, with its "kind". For parts within parts.
nlohmann::json save_part(const Parser& parser, ModelWriter& writer, const std::string& prefix);

/// Writes a model file; the part's metadata goes under "model". `about` is merged into the metadata: recipe, training
/// data, scores, licence.
/// `packed`: several times smaller, and unpacked into memory instead of being mapped when it is loaded.
void save_parser(const Parser& parser, const nlohmann::json& about, const std::string& file, bool packed = false);

}  // namespace espalier

// The interface of trained models: they annotate sentences, with one virtual call per sentence.
#pragma once

#include <cstdint>
#include <limits>
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

/// Scratch memory of one thread, reused from sentence to sentence; each parser has its own kind, and refuses the
/// workspaces of others (Parser::own).
class Workspace {
 public:
  Workspace() = default;
  explicit Workspace(const Parser& owner);
  virtual ~Workspace() = default;

 private:
  friend class Parser;
  uint64_t owner_ = 0;  // a parser's number; 0 = of no parser
};

/// What a parser can do besides parsing. A function whose flag is false returns an empty result.
struct Abilities {
  bool kbest = false;      ///< lists with more than one analysis
  bool features = false;   ///< Inspectable::features, of linear scores
  bool constrain = false;  ///< its search is constrained to given columns; others repair the result
  bool tokenize = false;   ///< Parser::tokenizer
  bool trace = false;      ///< Inspectable::trace
  bool explain = false;    ///< Inspectable::feature_names, beside lists and features
};

struct AboutParser {
  /// The registered kind ("transition", "tagger", "pipeline", ...), by which the loader is found.
  std::string kind;
  /// Which columns `parse` fills in: any of "tokens", "tags", "lemmas", "heads", "constituents".
  std::vector<std::string> predicts;
  Roots roots = Roots::kOne;
  Abilities can = {};
  /// For how many words one search has memory and time, at least kMaxWords: longer sentences are always split
  /// (long_sentence.h).
  int most_words = std::numeric_limits<int>::max();

  bool does_predict(std::string_view column) const;
};

/// Cuts raw text into sentences.
class Tokenizing {
 public:
  virtual ~Tokenizing() = default;
  /// The workspace must be of the parser that returned this object.
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

  /// Fills in the columns that this parser predicts. Cannot fail on a sentence that a reader delivered. Given columns
  /// stay (some tree with about().roots must have the given heads): if the search cannot be constrained to them, the
  /// result is repaired (parser/given_heads.h).
  virtual void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const = 0;
  void parse(Sentence& sentence, Workspace& workspace) const { parse(sentence, Constraints(), workspace); }

  /// Distinct analyses, best first, with non-increasing scores; a single empty one for a sentence without words. A
  /// large k makes the search wider than that of `parse`, so that the first may be better than that of `parse`. While
  /// the list is used, the sentence must live and the workspace must not be used otherwise. By default the list has the
  /// analysis of `parse`, with score 0.
  virtual KBestList list(const Sentence& sentence, const Constraints& given, Workspace& workspace) const;
  KBestList list(const Sentence& sentence, Workspace& workspace) const {
    return list(sentence, Constraints(), workspace);
  }

  /// Writes the part's sections, all names starting with `prefix`, and returns its metadata.
  virtual nlohmann::json save(ModelWriter& writer, const std::string& prefix) const = 0;

  /// The tokenizer of models that have one (recipe tokenizer, pipelines that begin with it); else null.
  virtual const Tokenizing* tokenizer() const { return nullptr; }
  /// The interface for looking inside (parser/inspect.h), or null.
  virtual const Inspectable* inspect() const { return nullptr; }

 protected:
  /// The workspace as this parser's own type; throws a usage Error if another parser, even of the same kind, made it.
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

/// The columns of a parsed sentence that the parser predicts.
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
/// Loads one part of a file, by its metadata's "kind" (parser/registry.cc has the list).
std::unique_ptr<Parser> load_part(const ModelPart& part, SettingsReader& overrides);
std::unique_ptr<Parser> load_part(const ModelPart& part);  ///< as it was saved

/// Saves a part for load_part: returns the result of Parser::save, with its "kind". For parts within parts.
nlohmann::json save_part(const Parser& parser, ModelWriter& writer, const std::string& prefix);

/// Writes a model file; the part's metadata goes under "model". `about` is merged into the metadata: recipe, training
/// data, scores, licence.
/// `packed`: several times smaller, and unpacked into memory instead of being mapped when it is loaded.
void save_parser(const Parser& parser, const nlohmann::json& about, const std::string& file, bool packed = false);

}  // namespace espalier

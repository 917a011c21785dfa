// What everybody outside sees of a trained model: it annotates sentences. One virtual call per sentence.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/settings.h"
#include "espalier/parser/candidate.h"
#include "espalier/parser/model_file.h"
#include "espalier/tree/constraints.h"
#include "espalier/tree/sentence.h"

namespace espalier {

class Parser;

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

class Parser {
 public:
  Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  virtual ~Parser() = default;

  virtual std::unique_ptr<Workspace> make_workspace() const = 0;

  /// Fills in the columns that this parser predicts. Cannot fail on a sentence that a reader delivered.
  virtual void parse(Sentence& sentence, Workspace& workspace) const = 0;

  /// Not every model has scored alternatives, and not every one that has can take its scores apart. Where it says no,
  /// what it says no to throws a usage Error.
  virtual bool has_kbest() const { return false; }
  virtual bool has_features() const { return false; }
  /// At most k distinct analyses, best first, scores non-increasing; one, without words, for a sentence that has none.
  /// A large k makes the search wider than that of `parse`, so that the first may be better than what `parse` gives.
  virtual std::vector<Candidate> kbest(const Sentence& sentence, int k, Workspace& workspace) const;
  /// The same, to be grown. Until it is done with, the sentence must stay and the workspace serve nothing else.
  virtual KBestList list(const Sentence& sentence, Workspace& workspace) const;
  /// The features of analyses of one sentence that this parser made, such that each one's score is their inner product
  /// with the weights; with these weights if they are asked for.
  virtual std::vector<FeatureVector> features(const Sentence& sentence, std::span<const Candidate> candidates,
                                              Workspace& workspace, bool with_weights = false) const;

  /// The same with what is given (tree/constraints.h; it must be possible for trees with `roots`) left as it is, where
  /// this parser predicts it. A parser that can constrain searches among the analyses that have it; the trees of
  /// others, and those that a projective search cannot find, are mended afterwards (parser/given_heads.h).
  virtual bool can_constrain() const { return false; }
  virtual Roots roots() const { return Roots::kOne; }
  virtual void parse_given(Sentence& sentence, const Constraints& given, Workspace& workspace) const;
  virtual std::vector<Candidate> kbest_given(const Sentence& sentence, const Constraints& given, int k,
                                             Workspace& workspace) const;

  /// Raw text to sentences, for models that learned to (a tokenizer, a pipeline that begins with one).
  virtual bool can_tokenize() const { return false; }
  virtual std::vector<Sentence> tokenize(const std::string& text, Workspace& workspace) const;

  /// The registered kind ("transition", "tagger", "pipeline", ...), by which a loader finds its way back.
  virtual std::string kind() const = 0;
  /// Which columns `parse` predicts: any of "tokens", "tags", "heads", "constituents".
  virtual std::vector<std::string> predicts() const = 0;
  /// Writes the part's sections, all names starting with `prefix`, and returns its metadata.
  virtual nlohmann::json save(ModelWriter& writer, const std::string& prefix) const = 0;

 protected:
  /// At most k analyses that have as much of what is given as the search can find; none if it cannot constrain.
  virtual std::vector<Candidate> search_given(const Sentence& sentence, const Constraints& given, int k,
                                              Workspace& workspace) const;
  /// What is given of the columns that this parser predicts.
  Constraints concerning(const Constraints& given) const;

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

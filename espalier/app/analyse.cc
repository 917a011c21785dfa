#include "espalier/app/analyse.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "espalier/app/confidence.h"
#include "espalier/app/workspace_pool.h"
#include "espalier/base/error.h"
#include "espalier/base/stop_point.h"
#include "espalier/format/text/paragraph_reader.h"
#include "espalier/format/text/text_spaces.h"
#include "espalier/parser/inspect.h"
#include "espalier/parser/long_sentence.h"

namespace espalier {
namespace {

/// The given columns that are to be kept, without heads that no tree can have.
Constraints given_in(Sentence& sentence, Keep keep, const Parser& parser, std::vector<std::string>& not_kept) {
  if (!keep) return {};
  Constraints given = constraints_of(sentence, keep);
  for (const TreeProblem& problem : drop_impossible(given, parser.about().roots)) {
    not_kept.push_back(fmt::format("the given head of token {} is not kept: {}", problem.word, problem.message));
    sentence.comments.push_back("# parser = " + not_kept.back());
  }
  return given;
}

std::vector<Alternative> alternatives_of(std::vector<Candidate> candidates, std::vector<FeatureVector> features) {
  std::vector<Alternative> alternatives;
  for (size_t i = 0; i < candidates.size(); ++i) {
    Candidate& candidate = candidates[i];
    alternatives.push_back(
        {{candidate.score, std::move(candidate.analysis), std::move(candidate.scores)}, std::move(features[i])});
  }
  return alternatives;
}

/// The k best analyses of a sentence that has been parsed; it gets the first.
void list_analyses(const Parser& parser, Sentence& sentence, const Constraints& given, const ParseOptions& options,
                   Workspace& workspace, Analysed& result) {
  std::vector<Candidate> list = kbest(parser, sentence, given, std::max(options.kbest, 1), workspace);
  if (options.trace) result.trace = parser.inspect()->trace(sentence, list.front(), workspace);
  if (options.kbest <= 0) return;
  std::vector<FeatureVector> features(list.size());
  if (options.features) features = parser.inspect()->features(sentence, list, workspace, true);
  annotate(sentence, list.front().analysis);
  result.alternatives = alternatives_of(std::move(list), std::move(features));
}

void analyse_or_throw(const Model& model, Sentence& sentence, const ParseOptions& options, Analysed& result) {
  const Parser& parser = model.parser();
  const auto workspace = model.workspaces().take();
  if (parser.about().does_predict("heads")) forget_confidence(sentence);
  const Constraints given = given_in(sentence, options.keep, parser, result.not_kept);
  result.pieces = parse_within(parser, sentence, *workspace, options.max_words, given);
  if (result.pieces) {
    if (options.kbest > 0) result.alternatives = {{{0, predicted_analysis(sentence, parser.about()), {}}, {}}};
    return;
  }
  if (options.kbest > 0 || options.trace) list_analyses(parser, sentence, given, options, *workspace, result);
  if (options.confidence) model.calibration().annotate(sentence, parser, given, *workspace);
}

/// Why a sentence could not be parsed; to be called where an exception is caught. Rethrows errors that every other
/// sentence would have, too.
std::string reason_of_failure() {
  try {
    throw;
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kUsage) throw;
    return error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// Passes the sentence through unparsed; a partial analysis is discarded.
void leave_unparsed(Sentence& sentence, const std::string& reason) {
  for (Token& token : sentence.tokens) token.head = Token::kNoHead, token.deprel = "_";
  sentence.constituents.clear();
  sentence.comments.push_back("# parser = failed: " + reason);
}

}  // namespace

void check_options(const Model& model, const ParseOptions& options) {
  if (options.confidence) model.calibration();  // throws if the model was not calibrated
  if (options.kbest > 0 && !model.has_kbest())
    throw usage_error("a model of kind '{}' gives one analysis per sentence, no k-best lists", model.kind());
  if (options.kbest > 0 && options.features && !model.has_features())
    throw usage_error("a model of kind '{}' has no features to rerank by", model.kind());
  if (options.trace && !model.has_trace())
    throw usage_error("a model of kind '{}' cannot show how it parses", model.kind());
  for (const auto& [keep, what] : {std::pair(options.keep.tags, "tags"), {options.keep.heads, "heads"}})
    if (keep && !model.parser().about().does_predict(what))
      throw usage_error("there is nothing to keep: the model predicts no {}, and leaves given ones as they are", what);
}

Analysed analyse(const Model& model, Sentence& sentence, const ParseOptions& options) {
  options.stop.check();
  const StopScope scope(options.stop);
  Analysed result;
  try {
    analyse_or_throw(model, sentence, options, result);
  } catch (...) {
    result.failure = reason_of_failure();
    result.alternatives.clear();
    result.trace = {};
    leave_unparsed(sentence, result.failure);
  }
  return result;
}

std::vector<Sentence> tokenized(const Model& model, const TextParagraph& paragraph, const ParseOptions& options) {
  options.stop.check();
  const StopScope scope(options.stop);
  const auto workspace = model.workspaces().take();
  std::vector<Sentence> sentences = model.parser().tokenizer()->tokenize(paragraph.text, *workspace);
  finish_sentences(paragraph, options.sentences, options.offsets, sentences);
  return sentences;
}

ReaderOptions text_reading(const Model& model, const ParseOptions& options) {
  ReaderOptions reading;
  reading.language = options.language.empty() ? model.language() : options.language;
  if (reading.language.empty()) reading.language = "en";
  reading.sentences = options.sentences;
  reading.offsets = options.offsets;
  return reading;
}

}  // namespace espalier

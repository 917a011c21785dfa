// What traces promise (parser/trace.h), on every kind of parser that has them.
#include "espalier/parser/trace.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "espalier/app/model.h"
#include "espalier/base/error.h"
#include "tests/contract/parser_kinds.h"

namespace espalier {
namespace {

std::unique_ptr<Parser> trained(const std::string& name) {
  for (const ParserKind& kind : parser_kinds()) {
    if (kind.name != name) continue;
    Settings settings;
    std::istringstream pairs(kind.settings);
    for (std::string pair; pairs >> pair;) settings.set_pair(pair);
    return train(settings, {kind.treebank(60, 1), kind.treebank(10, 2)}, {}).parser;
  }
  throw std::invalid_argument(name);
}

/// Calls check(sentence, candidate, trace) for the best candidates of sentences that were never seen.
template <class Check>
void for_each_trace(const std::string& name, Check check) {
  const auto parser = trained(name);
  const auto& traceable = dynamic_cast<const Traceable&>(*parser);
  EXPECT_TRUE(traceable.can_trace());
  const auto workspace = parser->make_workspace();
  auto sentences =
      name.find("swap") == std::string::npos && name != "mst" ? toy_treebank(10, 9) : crossing_treebank(10, 9);
  for (size_t i = 0; i < sentences.size(); i += 2) std::ranges::reverse(sentences[i].tokens);
  for (Sentence& sentence : sentences) {
    parser->parse(sentence, *workspace);
    for (const Candidate& candidate : parser->kbest(sentence, 3, *workspace))
      check(sentence, candidate, traceable.trace(sentence, candidate, *workspace));
  }
}

void expect_sound(const TraceStep& step, int words) {
  ASSERT_LT(step.taken, step.actions.size());
  EXPECT_EQ(step.forced, step.actions.size() == 1 && step.actions[0].score == 0);
  for (size_t i = 1; i < step.actions.size(); ++i) EXPECT_GE(step.actions[i - 1].score, step.actions[i].score);
  std::set<int> seen;
  for (const auto& list : {step.stack, step.buffer}) {
    for (const int word : list) {
      EXPECT_TRUE(word >= 0 && word <= words);
      EXPECT_TRUE(seen.insert(word).second) << word;
    }
  }
  EXPECT_TRUE(seen.contains(0));
}

TEST(Trace, StepsAddUpToTheScoreAndBuildTheTree) {
  for (const std::string name :
       {"greedy", "greedy_swap", "beam_standard", "beam_eager", "beam_hybrid", "beam_swap", "beam_from_right"}) {
    for_each_trace(name, [&](const Sentence& sentence, const Candidate& candidate, const Trace& trace) {
      ASSERT_EQ(trace.steps.size(), candidate.derivation.size()) << name;
      EXPECT_FALSE(trace.system.empty());
      double sum = 0;
      std::vector<int> heads(sentence.tokens.size() + 1, -1);
      std::vector<std::string> labels(heads.size());
      for (const TraceStep& step : trace.steps) {
        expect_sound(step, sentence.size());
        const TraceAction& taken = step.actions[step.taken];
        sum += taken.score;
        if (taken.dependent == 0) continue;
        const auto dependent = static_cast<size_t>(taken.dependent);
        EXPECT_EQ(heads[dependent], -1);
        heads[dependent] = taken.head;
        labels[dependent] = taken.label;
      }
      EXPECT_NEAR(sum, candidate.score, 1e-3) << name;
      if (name == "beam_eager") return;  // of several roots one stays, afterwards
      for (size_t i = 1; i < heads.size(); ++i) {
        EXPECT_EQ(heads[i], candidate.analysis.heads[i]) << name;
        EXPECT_EQ(labels[i], candidate.analysis.deprels[i]) << name;
      }
    });
  }
}

TEST(Trace, TheFirstStepHasEverythingInItsBuffer) {
  for_each_trace("beam_standard", [](const Sentence& sentence, const Candidate&, const Trace& trace) {
    EXPECT_EQ(trace.steps[0].stack, std::vector<int>{0});
    EXPECT_EQ(trace.steps[0].buffer.size(), sentence.tokens.size());
    EXPECT_EQ(trace.steps[0].buffer[0], 1);
    EXPECT_TRUE(trace.steps[0].forced);
  });
  for_each_trace("beam_from_right", [](const Sentence& sentence, const Candidate&, const Trace& trace) {
    EXPECT_EQ(trace.steps[0].buffer[0], sentence.size());
  });
  for_each_trace("beam_eager", [](const Sentence&, const Candidate&, const Trace& trace) {
    EXPECT_TRUE(trace.steps[0].stack.empty());
    EXPECT_EQ(trace.steps[0].buffer.back(), 0);
  });
}

TEST(Trace, EveryWordHasItsArcAmongTheBest) {
  for (const std::string name : {"cube_1", "cube_2", "cube_3", "mst"}) {
    for_each_trace(name, [&](const Sentence& sentence, const Candidate& candidate, const Trace& trace) {
      double sum = 0;
      std::map<int, int> chosen, shown;
      double last = 0;
      for (const TraceArc& arc : trace.arcs) {
        if (shown[arc.dependent]++ > 0 && arc.behind) {
          EXPECT_GE(*arc.behind, last);
        }
        last = arc.behind.value_or(0);
        EXPECT_GE(last, -1e-3);
        EXPECT_EQ(arc.behind.has_value(), name != "mst");
        if (!arc.chosen) continue;
        ++chosen[arc.dependent];
        sum += arc.score;
        EXPECT_EQ(arc.head, candidate.analysis.heads[static_cast<size_t>(arc.dependent)]) << name;
        EXPECT_EQ(arc.label, candidate.analysis.deprels[static_cast<size_t>(arc.dependent)]) << name;
      }
      EXPECT_EQ(chosen.size(), sentence.tokens.size()) << name;
      for (const auto& [word, count] : chosen) EXPECT_EQ(count, 1) << word;
      for (const auto& [word, count] : shown) EXPECT_LE(count, 6) << word;
      if (name == "cube_1" || name == "mst") {
        EXPECT_NEAR(sum, candidate.score, 1e-3) << name;
      }
    });
  }
}

TEST(Trace, ModelsGiveOneForEachSentence) {
  const Model pipeline(std::shared_ptr<const Parser>(trained("pipeline")));
  EXPECT_TRUE(pipeline.has_trace());
  Document document;
  document.sentences = toy_treebank(4, 3);
  for (Sentence& sentence : document.sentences)
    for (Token& token : sentence.tokens) token.upos = token.xpos = "_";
  ParseOptions options;
  options.trace = true;
  pipeline.parse(document, options);
  ASSERT_EQ(document.traces.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    int arcs = 0;
    for (const TraceStep& step : document.traces[i].steps) {
      const TraceAction& taken = step.actions[step.taken];
      if (taken.dependent == 0) continue;
      ++arcs;
      EXPECT_EQ(document.sentences[i].word(taken.dependent).head, taken.head);
    }
    EXPECT_EQ(arcs, document.sentences[i].size());
  }
  const Model tagger(std::shared_ptr<const Parser>(trained("tagger")));
  EXPECT_FALSE(tagger.has_trace());
  EXPECT_THROW(tagger.parse(document, options), Error);
}

TEST(Trace, WithoutWordsThereIsNothingToTell) {
  for (const std::string name : {"beam_standard", "cube_3"}) {
    const Model model(std::shared_ptr<const Parser>(trained(name)));
    Document document;
    document.sentences.emplace_back();
    ParseOptions options;
    options.trace = true;
    model.parse(document, options);
    ASSERT_EQ(document.traces.size(), 1u);
    EXPECT_TRUE(document.traces[0].steps.empty() && document.traces[0].arcs.empty());
  }
}

}  // namespace
}  // namespace espalier

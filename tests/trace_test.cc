// What traces promise (parser/trace.h), on every kind of parser that has them.
#include "espalier/parser/trace.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <tuple>

#include "espalier/app/model.h"
#include "espalier/base/error.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/inspect.h"
#include "espalier/tree/constituent_preprocess.h"
#include "tests/contract/parser_kinds.h"
#include "tests/training.h"

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
  EXPECT_TRUE(parser->about().can.trace);
  const auto workspace = parser->make_workspace();
  auto sentences =
      name.find("swap") == std::string::npos && name != "mst" ? toy_treebank(10, 9) : crossing_treebank(10, 9);
  for (size_t i = 0; i < sentences.size(); i += 2) std::ranges::reverse(sentences[i].tokens);
  for (Sentence& sentence : sentences) {
    parser->parse(sentence, *workspace);
    for (const Candidate& candidate : kbest(*parser, sentence, 3, *workspace))
      check(sentence, candidate, parser->inspect()->trace(sentence, candidate, *workspace));
  }
}

void expect_sound(const TraceStep& step, int words) {
  ASSERT_LT(step.taken, step.actions.size());
  EXPECT_EQ(step.forced, step.actions.size() == 1 && step.actions[0].score == 0);
  for (size_t i = 1; i < step.actions.size(); ++i) EXPECT_GE(step.actions[i - 1].score, step.actions[i].score);
  std::vector<TraceItem> items = step.stack;
  for (const int word : step.buffer) items.push_back({word, word});
  std::ranges::sort(items, {}, &TraceItem::first);
  for (size_t i = 0; i < items.size(); ++i) {
    EXPECT_TRUE(items[i].first >= 0 && items[i].first <= items[i].last && items[i].last <= words);
    if (i > 0) {
      EXPECT_GT(items[i].first, items[i - 1].last);
    }
  }
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
        EXPECT_EQ(std::ranges::count(step.stack, TraceItem{0, 0}) + std::ranges::count(step.buffer, 0), 1) << name;
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
    EXPECT_EQ(trace.steps[0].stack, std::vector{(TraceItem{0, 0})});
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

/// (label, first, last) by the words that are parsed, sorted; without the root.
using Phrases = std::vector<std::tuple<std::string, int, int>>;
Phrases phrases_of(const ConstituentTree& tree, const std::vector<int>& words) {
  Phrases all;
  const auto add = [&](const auto& self, int number) -> std::vector<int> {
    const auto& node = tree.nodes[static_cast<size_t>(number)];
    std::vector<int> below;
    if (node.is_leaf() && std::ranges::binary_search(words, node.word)) below.push_back(node.word);
    for (const int child : node.children) std::ranges::copy(self(self, child), std::back_inserter(below));
    if (number != 0 && !node.is_leaf() && !below.empty()) all.emplace_back(node.label, below.front(), below.back());
    return below;
  };
  if (!tree.empty()) add(add, 0);
  std::ranges::sort(all);
  return all;
}

/// What the steps built; chains of labels are several phrases, parts are none, nor is TOP.
Phrases built_by(const Trace& trace) {
  Phrases all;
  for (const TraceStep& step : trace.steps) {
    const TraceAction& taken = step.actions[step.taken];
    if (taken.first == 0 || taken.label.ends_with('*') || taken.label == kTopLabel) continue;
    std::istringstream chain(taken.label);
    for (std::string label; chain >> label;) all.emplace_back(label, taken.first, taken.last);
  }
  std::ranges::sort(all);
  return all;
}

TEST(Trace, PhrasesAreBuiltStepByStep) {
  for (const std::string name : {"shift_reduce", "shift_reduce_both", "classify", "classify_both"}) {
    const auto parser = trained(name);
    ASSERT_TRUE(parser->about().can.trace) << name;
    const bool both = name.ends_with("both");
    const auto workspace = parser->make_workspace();
    for (const Sentence& sentence : toy_constituents(10, 9)) {
      const std::vector<int> words = words_to_parse(sentence);
      for (const Candidate& candidate : kbest(*parser, sentence, 3, *workspace)) {
        const Trace trace = parser->inspect()->trace(sentence, candidate, *workspace);
        EXPECT_EQ(trace.whose.empty(), !both);
        double sum = 0;
        for (const TraceStep& step : trace.steps) {
          expect_sound(step, sentence.size());
          sum += step.actions[step.taken].score;
        }
        if (!both) {
          EXPECT_NEAR(sum, candidate.score, 1e-3) << name;
        }
        EXPECT_EQ(built_by(trace), phrases_of(candidate.analysis.constituents, words)) << name;
      }
    }
  }
}

/// What a trace of arcs or of steps says of each word.
std::vector<int> heads_in(const Trace& trace, int words) {
  std::vector<int> heads(static_cast<size_t>(words) + 1, -1);
  for (const TraceArc& arc : trace.arcs)
    if (arc.chosen) heads[static_cast<size_t>(arc.dependent)] = arc.head;
  for (const TraceStep& step : trace.steps)
    if (const TraceAction& taken = step.actions[step.taken]; taken.dependent > 0)
      heads[static_cast<size_t>(taken.dependent)] = taken.head;
  return heads;
}

TEST(Trace, RerankersTellHowTheProposerBuiltTheTree) {
  for (const char* bases : {"bases=beam", "bases=beam+mst"}) {
    const auto parser = train(settings({"recipe=hc", bases, "folds=3", "list=4", "width=8", "epochs=2", "base.epochs=1",
                                        "base.0.beam=4", "base.0.system=arc-standard", "min_lists=1"}),
                              {toy_treebank(60, 1), toy_treebank(20, 2)}, {})
                            .parser;
    ASSERT_TRUE(parser->about().can.trace);
    const auto workspace = parser->make_workspace();
    for (const Sentence& sentence : toy_treebank(10, 9)) {
      Constraints given;  // a tree that need not be in any list
      given.heads.assign(sentence.tokens.size() + 1, Token::kNoHead);
      given.heads[1] = 0;
      for (const auto& list :
           {kbest(*parser, sentence, 3, *workspace), kbest(*parser, sentence, given, 1, *workspace)}) {
        for (const Candidate& candidate : list) {
          const Trace trace = parser->inspect()->trace(sentence, candidate, *workspace);
          EXPECT_FALSE(trace.whose.empty());
          const std::vector<int> heads = heads_in(trace, sentence.size());
          for (size_t i = 1; i < heads.size(); ++i) EXPECT_EQ(heads[i], candidate.analysis.heads[i]);
        }
      }
    }
  }
}

TEST(Trace, CommitteesLeadTheirNearestMember) {
  for_each_trace("committee", [](const Sentence& sentence, const Candidate& candidate, const Trace& trace) {
    EXPECT_TRUE(trace.whose.starts_with("member ")) << trace.whose;
    const std::vector<int> heads = heads_in(trace, sentence.size());
    int same = 0;
    for (size_t i = 1; i < heads.size(); ++i) same += heads[i] == candidate.analysis.heads[i];
    EXPECT_GE(same, sentence.size() - 1) << trace.whose;  // a projective member cannot follow everywhere
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
  for (const std::string name : {"beam_standard", "cube_3", "committee", "shift_reduce_both", "classify"}) {
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

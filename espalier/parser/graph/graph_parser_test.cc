// The graph parser end to end on a tiny invented treebank: every score is the sum of its features' weights, training
// fits, a saved model parses alike, k-best lists keep their promises, threads do not change the model.
#include "espalier/parser/graph/graph_parser.h"

#include <gtest/gtest.h>

#include <set>

#include "espalier/base/rng.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "espalier/parser/graph/graph_search.h"
#include "espalier/parser/graph/part_namer.h"
#include "espalier/parser/model_file.h"
#include "espalier/tree/projectivity.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

/// Sentences of a small grammar: determiner? noun verb (determiner? adjective* noun)? (preposition noun)* punctuation.
std::vector<Sentence> invented(int count, uint64_t seed) {
  Rng rng(seed, "grammar");
  const std::vector<std::string> nouns{"dog", "tree", "river", "song"}, verbs{"sees", "likes", "sleeps"},
      adjectives{"old", "green"}, prepositions{"with", "near"};
  std::vector<Sentence> all;
  for (int i = 0; i < count; ++i) {
    Sentence s;
    const auto word = [&](const std::string& form, const std::string& tag, int head, const std::string& label) {
      Token token;
      token.form = form;
      token.upos = tag;
      token.head = head;
      token.deprel = label;
      s.tokens.push_back(token);
      return s.size();
    };
    const auto phrase = [&](int head, const std::string& label) {
      std::vector<int> before;
      if (rng.below(2)) before.push_back(word("the", "DET", 0, "det"));
      for (size_t a = rng.below(3); a > 0; --a) before.push_back(word(adjectives[rng.below(2)], "ADJ", 0, "amod"));
      const int noun = word(nouns[rng.below(4)], "NOUN", head, label);
      for (const int b : before) s.word(b).head = noun;
      return noun;
    };
    const int subject = phrase(0, "nsubj");
    const int verb = word(verbs[rng.below(3)], "VERB", 0, "root");
    s.word(subject).head = verb;
    int last = rng.below(2) ? phrase(verb, "obj") : verb;
    for (size_t p = rng.below(3); p > 0; --p) {
      const int preposition = word(prepositions[rng.below(2)], "ADP", 0, "case");
      const int noun = phrase(last, last == verb ? "obl" : "nmod");
      s.word(preposition).head = noun;
      last = noun;
    }
    word(".", "PUNCT", verb, "punct");
    all.push_back(s);
  }
  return all;
}

Trained train_small(const std::string& recipe, const std::string& sets, int threads = 1) {
  Settings settings;
  settings.set("recipe", recipe);
  settings.set("epochs", "4");
  settings.set("min_updates", "1");
  if (!sets.empty()) settings.set_pair(sets);
  TrainData data{invented(80, 1), invented(20, 2)};
  TrainContext context;
  context.threads = threads;
  return train(settings, data, context);
}

std::string bytes_of(const Parser& parser) {
  ModelWriter writer;
  writer.metadata["model"] = parser.save(writer, "");
  return writer.to_bytes();
}

class EveryGraphParser : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(EveryGraphParser, LearnsSavesAndLists) {
  const auto [recipe, sets] = GetParam();
  const Trained trained = train_small(recipe, sets);
  const Parser& parser = *trained.parser;
  const GraphModel& model = model_of<GraphParser>(parser)->model();
  auto workspace = parser.make_workspace();

  // It fits what it can.
  int right = 0, words = 0;
  for (const Sentence& gold : invented(30, 3)) {
    Sentence s = gold;
    parser.parse(s, *workspace);
    EXPECT_EQ(tree_problem(s), "");
    for (int i = 1; i <= s.size(); ++i, ++words)
      right += s.word(i).head == gold.word(i).head && s.word(i).deprel == gold.word(i).deprel;
  }
  EXPECT_GT(right, words * 0.95);

  // A saved model is the same parser.
  ModelWriter writer;
  auto metadata = parser.save(writer, "p/");
  metadata["kind"] = parser.about().kind;
  writer.metadata["model"] = metadata;
  const auto file = ModelFile::from_bytes(writer.to_bytes(), "memory");
  const auto loaded = load_part({file, metadata, "p/"});
  auto other = loaded->make_workspace();
  for (const Sentence& gold : invented(30, 4)) {
    Sentence a = gold, b = gold;
    parser.parse(a, *workspace);
    loaded->parse(b, *other);
    EXPECT_EQ(a.tokens, b.tokens);
  }
  auto damaged = metadata;
  damaged["beam"] = 1e300;
  EXPECT_THROW(load_part({file, damaged, "p/"}), Error);

  // Alpha of max-marginals is at most 1, as in training.
  if (model.filter.rule == ArcFilter::Rule::kMaxMarginal) {
    Settings nonsense;
    nonsense.set("filter_threshold", "2");
    SettingsReader refused(nonsense);
    EXPECT_THROW(load_part({file, metadata, "p/"}, refused), Error);
  }

  // k-best lists: distinct trees, scores do not rise. The grammar is so plain that the
  // filter, left alone, lets a single tree through; with nearly all arcs kept there are many.
  Settings open;
  open.set("filter_threshold", model.filter.rule == ArcFilter::Rule::kPosterior ? "100" : "0");
  SettingsReader reader(open);
  const auto wide = load_part({file, metadata, "p/"}, reader);
  other = wide->make_workspace();
  const bool exact = model.order == 1;
  int full = 0, several = 0;  // lists as long as wished; lists with other heads, not only other labels
  for (const Sentence& gold : invented(10, 5)) {
    Sentence s = gold;
    wide->parse(s, *other);
    const auto list = kbest(*wide, gold, 6, *other);
    ASSERT_GE(list.size(), 2u);
    ASSERT_LE(list.size(), 6u);
    full += list.size() == 6;
    // The list holds parse's tree, or only better ones.
    const bool holds = std::ranges::any_of(list, [&](const Candidate& candidate) {
      Sentence annotated = gold;
      annotate(annotated, candidate.analysis);
      return annotated.tokens == s.tokens;
    });
    EXPECT_TRUE(holds || list.back().score >= kbest(*wide, gold, 1, *other).front().score);
    std::set<std::pair<std::vector<int>, std::vector<std::string>>> seen;
    std::set<std::vector<int>> shapes;
    for (size_t i = 0; i < list.size(); ++i) {
      EXPECT_TRUE(seen.insert({list[i].analysis.heads, list[i].analysis.deprels}).second);
      shapes.insert(list[i].analysis.heads);
      Sentence annotated = gold;
      annotate(annotated, list[i].analysis);
      EXPECT_EQ(tree_problem(annotated), "");
      if (i) {
        EXPECT_LE(list[i].score, list[i - 1].score);
      }
    }
    several += shapes.size() >= 2;
    // Exact searches give the true best: a longer list begins with the shorter one's scores.
    if (exact) {
      const auto longer = kbest(*wide, gold, 40, *other);
      ASSERT_GE(longer.size(), list.size());
      for (size_t i = 0; i < list.size(); ++i) EXPECT_NEAR(longer[i].score, list[i].score, 1e-3);
    }
    // Equal trees have equal features, other trees other ones.
    const auto features = wide->inspect()->features(gold, list, *other);
    EXPECT_EQ(features[0], wide->inspect()->features(gold, std::span(list).first(1), *other).front());
    EXPECT_TRUE(std::ranges::is_sorted(features[0], {}, &Feature::key));
    EXPECT_NE(features[0], features[1]);
  }
  EXPECT_GE(full, 8);
  EXPECT_GE(several, model.candidates > 2 ? 3 : 5);  // the more labels, the more trees differ in them alone
}

INSTANTIATE_TEST_SUITE_P(Graph, EveryGraphParser,
                         ::testing::Values(std::pair{"cube", "order=1"}, std::pair{"cube", "order=2"},
                                           std::pair{"cube", "order=3"}, std::pair{"cube", "labels_per_arc=2"},
                                           std::pair{"cube", "update=s-max"}, std::pair{"cube", "update=skip"},
                                           std::pair{"cube", "update=standard"},
                                           std::pair{"cube", "learner=perceptron"},
                                           std::pair{"cube", "filter=max-marginal"},
                                           std::pair{"cube", "projectivity=pseudo"}, std::pair{"cube", "sig=full"},
                                           std::pair{"mst", ""}, std::pair{"mst", "learner=perceptron"}));

TEST(GraphParser, ThreadsDoNotChangeTheModel) {
  EXPECT_EQ(bytes_of(*train_small("cube", "order=3", 1).parser), bytes_of(*train_small("cube", "order=3", 3).parser));
}

TEST(GraphParser, TwiceThePriceGivesTwiceTheScores) {
  const Trained once = train_small("cube", "loss=labelled"), twice = train_small("cube", "loss=sum:labelled,labelled");
  const auto about = [](const Trained& trained) {
    ModelWriter writer;
    return trained.parser->save(writer, "");
  };
  for (const char* gap : {"arc_gap", "seed_gap"})
    EXPECT_EQ(about(twice).at(gap), 2 * about(once).at(gap).get<double>());
  auto first = once.parser->make_workspace(), second = twice.parser->make_workspace();
  for (const Sentence& sentence : invented(30, 3)) {
    const Candidate a = kbest(*once.parser, sentence, 1, *first).front();
    const Candidate b = kbest(*twice.parser, sentence, 1, *second).front();
    EXPECT_EQ(a.analysis, b.analysis);
    EXPECT_EQ(2 * a.score, b.score);
  }
}

/// Their keys are those of words as they were written: parsed with other ones, trees would be wrong without a word.
TEST(GraphParser, ModelsThatSawOtherWordsAreRefused) {
  const Trained trained = train_small("cube", "order=1");
  ModelWriter writer;
  writer.metadata = save_part(*trained.parser, writer, "");
  writer.metadata.erase("filled");
  const auto file = ModelFile::from_bytes(writer.to_bytes(), "old.esp");
  try {
    load_part({file, file->metadata(), ""});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("old.esp"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("train it again"), std::string::npos);
  }
}

TEST(GraphParser, EmptyAndOneWordSentences) {
  const Trained trained = train_small("cube", "order=3");
  auto workspace = trained.parser->make_workspace();
  Sentence empty;
  trained.parser->parse(empty, *workspace);
  EXPECT_EQ(kbest(*trained.parser, empty, 3, *workspace).size(), 1u);
  Sentence one = invented(1, 9)[0];
  one.tokens.resize(1);
  trained.parser->parse(one, *workspace);
  EXPECT_EQ(one.word(1).head, 0);
}

TEST(GraphParser, LabelsMayBeTriedWithAllTags) {
  const auto label_count = [](const std::string& sets) {
    const Trained trained = train_small("cube", sets);
    const GraphModel& model = model_of<GraphParser>(*trained.parser)->model();
    const auto tag = [&](const char* name) { return model.tags.find(name) + 1; };
    EXPECT_EQ(model.labels.size(), 9);
    return model.allowed_labels(false, tag("NOUN"), tag("DET")).size();
  };
  EXPECT_EQ(label_count("labels_by_tags=true"), 1u);
  EXPECT_EQ(label_count("labels_by_tags=false"), 9u);
}

TEST(GraphParser, PartsMayLeaveOutMorphology) {
  const auto templates = [](const std::string& sets, int kind) {
    const Trained trained = train_small("cube", sets);
    return model_of<GraphParser>(*trained.parser)->model().templates.sets[kind].size();
  };
  // The invented treebank has no FEATS: of what is added, the suffixes stay.
  const auto added = [&](int kind) {
    return templates("part_morphology=true", kind) - templates("part_morphology=false", kind);
  };
  EXPECT_EQ(added(kSiblingPart), 3);
  EXPECT_EQ(added(kGrandchildPart), 2);
  EXPECT_EQ(added(kArcPart), 0);
}

GraphModel untrained_model(const std::vector<Sentence>& sentences) {
  GraphModel model;
  model.columns = "wps";
  model.order = 3;
  model.candidates = 2;
  for (const Sentence& s : sentences)
    for (const Token& t : s.tokens) model.labels.add(t.deprel), model.tags.add(t.upos);
  model.finish();
  model.allowed_begin.assign(2 * GraphModel::kTags * GraphModel::kTags + 1, 0);
  return model;
}

void keep_all_arcs(ArcSet& arcs) {
  for (int h = 0; h <= arcs.words(); ++h)
    for (int m = 1; m <= arcs.words(); ++m)
      if (h != m) arcs.keep(h, m);
  arcs.number();
}

TEST(GraphSearch, DroppedArcsAreThoseThatCostATreeTooMuch) {
  const auto sentences = invented(40, 3);
  const GraphModel model = untrained_model(sentences);
  OnlineLinear arcs(model.arc_columns(), OnlineLinear::Delay::kNone), parts(kHashedColumns, OnlineLinear::Delay::kNone);
  GraphSearch<OnlineLinear> search(model, arcs, parts, {});
  GraphScores<OnlineLinear>& scores = search.scores();
  Rng rng(3, "weights");
  for (const Sentence& s : sentences) {
    scores.encode(s);
    keep_all_arcs(scores.mutable_arcs());
    scores.score_arcs();
    for (int a = 0; a < scores.arcs().size(); ++a)
      scores.features().for_each_feature(scores.features().arc(a), [&](bool, uint64_t key, uint32_t) {
        if (const uint32_t row = arcs.locate(key)) arcs.adjust(row, 0, 1, static_cast<float>(rng.below(100)) / 100);
      });
  }
  long dropped = 0;
  for (const Sentence& s : sentences)
    for (const float gap : {0.1f, 1.f, 1e6f}) {
      scores.encode(s);
      keep_all_arcs(scores.mutable_arcs());
      scores.score_arcs();
      DependencyTree before(s.size()), after(s.size());
      search.solve_exactly(before);
      ArcMatrix all, marginals;
      all.reset(s.size());
      for (int a = 0; a < scores.arcs().size(); ++a)
        all(scores.arcs().head(a), scores.arcs().modifier(a)) = scores.arc(a, 0);
      const float best = MaxMarginals().compute(all, marginals);
      search.drop_arcs(gap);
      for (int h = 0; h <= s.size(); ++h)
        for (int m = 1; m <= s.size(); ++m) {
          if (h == m) continue;
          const int a = scores.arcs().find(h, m);
          ASSERT_EQ(a != ArcSet::kNone, marginals(h, m) >= best - gap);
          dropped += a == ArcSet::kNone;
          if (a != ArcSet::kNone) {
            ASSERT_EQ(scores.arc(a, 0), all(h, m));
          }
        }
      search.solve_exactly(after);
      EXPECT_EQ(before.head, after.head);
      EXPECT_EQ(before.label, after.label);
    }
  EXPECT_GT(dropped, 0);
}

/// The score by which arcs are dropped has learned to find heads by itself, and what it drops is not missed.
TEST(GraphSearch, CoarseScoresFindHeads) {
  const Trained trained = train_small("cube", "filter_threshold=100");  // learns from all arcs
  const GraphParser& parser = *model_of<GraphParser>(*trained.parser);
  ASSERT_TRUE(parser.model().coarse);
  GraphSearch<Linear> search(parser.model(), parser.arcs(), parser.parts(), {});
  GraphScores<Linear>& scores = search.scores();
  int words = 0, right = 0, kept = 0, left = 0, all = 0;
  for (const Sentence& s : invented(20, 2)) {
    scores.encode(s);
    keep_all_arcs(scores.mutable_arcs());
    scores.score_arcs();
    const std::vector<int>& heads = search.coarse_heads([](int, int) { return 0.f; });
    all += scores.arcs().size();
    search.drop_arcs(1);
    left += scores.arcs().size();
    for (int m = 1; m <= s.size(); ++m) {
      ++words;
      right += heads[m] == s.word(m).head;
      kept += scores.arcs().kept(s.word(m).head, m);
    }
  }
  EXPECT_GT(right, words * 95 / 100);
  EXPECT_GT(kept, words * 98 / 100);
  EXPECT_LT(left, all / 3);
}

/// Words are seen again however they are capitalised; where there is no XPOS, FEATS tell words of one tag apart.
TEST(GraphSentence, LowerCaseAndFineTags) {
  const Sentence written = testing::dependencies("Dogs/NOUN/2/nsubj CHASE/VERB/0/root dogs/NOUN/2/obj");
  Sentence cased = written;
  cased.word(1).feats = "Case=Nom|Number=Plur";
  cased.word(3).feats = "Case=Acc|Number=Plur";
  Vocabulary tags;
  GraphSentence plain, fine;
  plain.encode(written, tags, {.xpos = false, .feats = true});
  fine.encode(cased, tags, {.xpos = false, .feats = true});
  for (const WordColumn column : {kForm, kTag, kSuffix, kFineTag})
    EXPECT_EQ(plain.atom(1, column), plain.atom(3, column)) << column;
  EXPECT_EQ(fine.atom(1, kTag), fine.atom(3, kTag));
  EXPECT_NE(fine.atom(1, kFineTag), fine.atom(3, kFineTag));
  cased.word(1).feats = "Case=Acc|Number=Sing";  // the number decides nothing
  fine.encode(cased, tags, {.xpos = false, .feats = true});
  EXPECT_EQ(fine.atom(1, kFineTag), fine.atom(3, kFineTag));
  fine.encode(cased, tags, {.xpos = true, .feats = true});
  EXPECT_EQ(fine.atom(1, kFineTag), fine.atom(2, kFineTag)) << "XPOS, of which there is none in this sentence";
}

/// Every score that the search uses equals the sum of the weights of the part's features, however many labels arcs
/// have.
TEST(GraphScores, EqualSumsOfFeatureWeights) {
  const auto sentences = invented(60, 1);
  GraphModel model = untrained_model(sentences);
  model.candidates = 4;
  std::set<int> label_counts;
  OnlineLinear arcs(model.arc_columns(), OnlineLinear::Delay::kNone), parts(kHashedColumns, OnlineLinear::Delay::kNone);
  GraphScores<OnlineLinear> scores(model, arcs, parts);
  const auto prepare = [&](const Sentence& s) {
    scores.encode(s);
    keep_all_arcs(scores.mutable_arcs());
    scores.score_arcs(nullptr, 2);
    for (int a = 0; a < scores.arcs().size(); ++a) label_counts.insert(scores.labels(a));
    scores.score_parts();
  };
  CubeSearch<GraphScores<OnlineLinear>> cube;
  Rng rng(1, "weights");
  // Random weights for the features of some trees, then compare on all.
  for (const bool fill : {true, false})
    for (const Sentence& s : sentences) {
      if (s.size() > 7) continue;
      prepare(s);
      ASSERT_TRUE(cube.run(scores, {.beam = 4, .slack = 4, .recombine = false}));
      for (int r = 0; r < cube.results(); ++r) {
        double sum = 0;
        PartNamer namer{scores, [&](const GraphPart& part) {
                          scores.features().for_each_feature(part, [&](bool of_arc, uint64_t key, uint32_t column) {
                            OnlineLinear& table = of_arc ? arcs : parts;
                            if (fill) {
                              const auto c = static_cast<int>(column);
                              if (const uint32_t row = table.locate(key))
                                table.adjust(row, c, c + 1, static_cast<float>(rng.below(9)) - 4);
                            } else if (const uint32_t ref = table.find(key)) {
                              sum += table.value(ref, column);
                            }
                          });
                        }};
        cube.for_each_part(cube.result(r), namer);
        if (!fill) {
          EXPECT_NEAR(cube.hypothesis(cube.result(r)).score, sum, 1e-2);
        }
      }
    }
  EXPECT_EQ(label_counts, (std::set{1, 2, 3, 4}));
}

}  // namespace
}  // namespace espalier

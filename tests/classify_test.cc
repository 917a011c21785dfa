// The classify parser from trees to trees: its parts against slow and obvious versions of them, on invented sentences.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <sstream>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/eval/bracket.h"
#include "espalier/format/format.h"
#include "espalier/learn/classify/boost/label_booster.h"
#include "espalier/learn/classify/boost/percolate.h"
#include "espalier/learn/progress.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "espalier/parser/classify/classify_parser.h"
#include "espalier/parser/model_file.h"
#include "espalier/tree/constituent_preprocess.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

/// Sentences of a small grammar with attachments that depend on words.
std::vector<Sentence> invented(size_t count, uint64_t seed) {
  Rng rng(seed, "grammar");
  const auto pick = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[rng.below(words.size())]);
  };
  const auto noun_phrase = [&] {
    std::string np = "(NP (DT " + pick({"the", "a", "every"}) + ")";
    if (rng.below(3) == 0) np += " (JJ " + pick({"old", "small"}) + ")";
    return np + " (NN " + pick({"cat", "dog", "tree", "spoon", "man"}) + "))";
  };
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    std::string object = noun_phrase(), tail;
    if (rng.below(2)) {
      const std::string pp = "(PP (IN with) " + noun_phrase() + ")";
      if (pp.find("spoon") != pp.npos) {
        tail = " " + pp;  // an instrument: with the verb
      } else {
        object = "(NP " + object + " " + pp + ")";
      }
    }
    std::string subject = rng.below(3) ? noun_phrase() : "(NP (PRP they))";
    if (rng.below(5) == 0) subject = "(ADVP (RB today)) (, ,) " + subject;
    text += "(ROOT (S " + subject + " (VP (VBD " + pick({"saw", "ate", "met"}) + ") " + object + tail + ") (. .)))\n";
  }
  std::istringstream in(text);
  const auto reader = make_reader("ptb", in, {});
  std::vector<Sentence> sentences(1);
  while (reader->next(sentences.back())) sentences.emplace_back();
  sentences.pop_back();
  return sentences;
}

Settings small_settings() {
  Settings settings;
  settings.set("recipe", "classify");
  settings.set("sample", "500");
  settings.set("least_lambda", "0.3");
  settings.set("min_word_count", "1");
  settings.set("tune", "20");
  return settings;
}

const ClassifyParser& parser_of(const Trained& trained) { return *model_of<ClassifyParser>(*trained.parser); }

double f1(const Parser& parser, const std::vector<Sentence>& gold) {
  std::vector<Sentence> parsed = gold;
  const auto workspace = parser.make_workspace();
  for (Sentence& sentence : parsed) {
    sentence.constituents.clear();
    parser.parse(sentence, *workspace);
  }
  return score_brackets(gold, parsed).brackets.f1();
}

TEST(Classify, LearnsAnInventedGrammarWithEveryVariant) {
  const TrainData data{invented(120, 1), {}};
  const auto test = invented(40, 2);
  for (const std::string setting :
       {"strategy=r2l", "strategy=l2r", "strategy=bu", "regulariser=l2", "regulariser=none", "trees=stumps", "seeds=2",
        "atoms=thesis", "head_rules=generic", "trees_per_sample=3", "search=best-first", "intercept=false",
        "strategy=both", "reach=4", "mistakes=4", "cost=softmax", "search=beam"}) {
    Settings settings = small_settings();
    settings.set_pair(setting);
    if (setting == "regulariser=l2") settings.set("max_trees", "12");
    const Trained trained = train(settings, data, {});
    EXPECT_GT(f1(*trained.parser, test), setting == "trees=stumps" ? 85 : 95) << setting;
  }
}

TEST(Classify, ThreadsDoNotChangeTheModel) {
  const TrainData data{invented(80, 1), {}};
  const auto bytes = [&](int threads) {
    TrainContext context;
    context.threads = threads;
    ModelWriter writer;
    writer.metadata = train(small_settings(), data, context).parser->save(writer, "");
    return writer.to_bytes();
  };
  EXPECT_EQ(bytes(1), bytes(2));
}

TEST(Classify, TheLogSaysWhatIterationsSpendTheirTimeOn) {
  TrainContext context;
  size_t labels = 0, parts = 0;
  double seconds = 0;
  context.progress = [&](const Progress& news) {
    if (!news.values.is_object() || !news.values.contains("profile")) return;
    ++labels;
    for (const auto& part : news.values.at("profile")) {
      EXPECT_GE(part.at("cpu_seconds").get<double>(), 0);
      seconds += part.at("cpu_seconds").get<double>();
      parts += part.at("part").get<std::string>() == "tree";
    }
  };
  const Trained trained = train(small_settings(), {invented(40, 1), {}}, context);
  EXPECT_GT(labels, 2u);
  EXPECT_EQ(parts, labels);
  EXPECT_GT(seconds, 0);
  EXPECT_EQ(trained.report.dump().find("profile"), std::string::npos) << "two runs must give the same model";
}

TEST(Classify, AnInterruptedRunGoesOnWhereItWas) {
  const TrainData data{invented(60, 1), {}};
  const auto bytes = [](const Trained& trained) {
    ModelWriter writer;
    writer.metadata = trained.parser->save(writer, "");
    return writer.to_bytes();
  };
  const Trained uninterrupted = train(small_settings(), data, {});
  const std::string whole = bytes(uninterrupted);

  std::atomic<bool> stop = false;
  TrainContext context;
  const TemporaryFolder folder;
  context.checkpoint = folder / "classify.checkpoint";
  context.stop = [&] { return stop.load(); };
  size_t labels = 0;
  context.progress = [&](const Progress& news) {
    if (news.phase == "labels" && ++labels == 3) stop = true;
  };
  EXPECT_THROW(train(small_settings(), data, context), Error);

  stop = false;
  context.resume = true;
  size_t trained_again = 0;
  context.progress = [&](const Progress& news) { trained_again += news.phase == "NP" || news.phase == "TOP"; };
  const Trained resumed = train(small_settings(), data, context);
  EXPECT_EQ(bytes(resumed), whole);
  EXPECT_EQ(resumed.report.at("leaves"), uninterrupted.report.at("leaves"));
  EXPECT_EQ(resumed.report.at("parameters"), uninterrupted.report.at("parameters"));
  EXPECT_EQ(trained_again, 0u);

  Settings other = small_settings();
  other.set("eta", "0.7");
  EXPECT_THROW(train(other, data, context), Error);
}

TEST(Classify, SavedAndLoadedModelsParseAlike) {
  const TrainData data{invented(100, 1), {}};
  const Trained trained = train(small_settings(), data, {});
  ModelWriter writer;
  writer.metadata["model"] = trained.parser->save(writer, "");
  writer.metadata["model"]["kind"] = "classify";
  const auto file = ModelFile::from_bytes(writer.to_bytes(), "model");
  const auto loaded = load_parser(file);
  auto a = invented(30, 3), b = a;
  const auto wa = trained.parser->make_workspace(), wb = loaded->make_workspace();
  for (size_t i = 0; i < a.size(); ++i) {
    trained.parser->parse(a[i], *wa);
    loaded->parse(b[i], *wb);
    EXPECT_EQ(a[i].constituents, b[i].constituents);
    EXPECT_EQ(a[i].constituents.nodes[0].label, "ROOT");
  }
}

TEST(Classify, ListsOfTheBestAndWhatTheirTreesCost) {
  const TrainData data{invented(60, 1), {}};
  const auto trained = [&](const char* strategy) {
    Settings settings = small_settings();
    settings.set("strategy", strategy);
    settings.set("lambda", "1");
    return train(settings, data, {});
  };
  const Trained l2r = trained("l2r"), r2l = trained("r2l"), both = trained("both");
  const auto w1 = l2r.parser->make_workspace(), w2 = r2l.parser->make_workspace(), w = both.parser->make_workspace();
  for (const Sentence& sentence : invented(10, 5)) {
    const std::vector<int> words = words_to_parse(sentence);
    std::vector<ClassifyParser::Found> first, second;
    parser_of(l2r).search(sentence, words, 6, first, *w1);
    parser_of(r2l).search(sentence, words, 6, second, *w2);
    ASSERT_GT(first.size(), 1u);
    std::set<double> sums;
    for (size_t i = 0; i < first.size(); ++i) {
      // The cost of a tree does not depend on who found it.
      EXPECT_NEAR(parser_of(l2r).cost(first[i].tree, *w1), first[i].cost, 1e-6);
      for (size_t j = 0; j < i; ++j) EXPECT_NE(first[i].tree, first[j].tree);
      if (i > 0) {
        EXPECT_GE(first[i].cost, first[i - 1].cost);
      }
      sums.insert(first[i].cost + parser_of(r2l).cost(first[i].tree, *w2));
    }
    for (const auto& found : second) sums.insert(found.cost + parser_of(l2r).cost(found.tree, *w1));
    const auto list = kbest(*both.parser, sentence, 6, *w);
    ASSERT_EQ(list.size(), 6u);
    EXPECT_NEAR(-list.front().score, *sums.begin(), 1e-6);
    Sentence parsed = sentence, annotated = sentence;
    both.parser->parse(parsed, *w);
    annotate(annotated, list.front().analysis);
    EXPECT_EQ(parsed.constituents, annotated.constituents);
  }
}

TEST(Classify, CostsAreTheSameWhetherSearchedOrAsked) {
  const TrainData data{invented(60, 1), {}};
  for (const std::string setting : {"cost=softmax", "search=beam", "reach=3"}) {
    Settings settings = small_settings();
    settings.set("lambda", "1");
    settings.set_pair(setting);
    const Trained trained = train(settings, data, {});
    const auto workspace = trained.parser->make_workspace();
    for (const Sentence& sentence : invented(10, 5)) {
      std::vector<ClassifyParser::Found> found;
      const auto words = words_to_parse(sentence);
      parser_of(trained).search(sentence, words, 4, found, *workspace);
      ASSERT_GT(found.size(), 1u);
      for (const auto& [cost, tree] : found) EXPECT_NEAR(parser_of(trained).cost(tree, *workspace), cost, 1e-6);
    }
  }
}

TEST(Classify, SharpnessIsChosenOnHeldOutSentencesUnlessItIsSet) {
  const TrainData data{invented(60, 1), invented(30, 2)};
  Settings settings = small_settings();
  settings.set("cost", "softmax");
  settings.set("lambda", "2");
  const Trained tuned = train(settings, data, {});
  double best = -1;
  for (const std::string sharpness : {"0.5", "0.6", "0.75", "1"}) {
    settings.set("sharpness", sharpness);
    const Trained fixed = train(settings, data, {});
    EXPECT_FALSE(fixed.report.contains("sharpness"));
    best = std::max(best, f1(*fixed.parser, data.dev));
  }
  EXPECT_NEAR(f1(*tuned.parser, data.dev), best, 1e-9);
}

TEST(Classify, WhereTheAgendaGivesUpTheBeamFindsCheaperTrees) {
  const TrainData data{invented(30, 1), {}};
  Settings settings = small_settings();
  settings.set("lambda", "8");  // unsure of everything
  settings.set("gamma", "1");
  const Trained trained = train(settings, data, {});
  ModelWriter writer;
  writer.metadata["model"] = trained.parser->save(writer, "");
  writer.metadata["model"]["kind"] = "classify";
  const auto file = ModelFile::from_bytes(writer.to_bytes(), "model");
  const auto cost = [&](const std::string& setting, const Sentence& sentence) {
    Settings changed;
    changed.set_pair(setting);
    const auto parser = load_parser(file, changed);
    const auto workspace = parser->make_workspace();
    std::vector<ClassifyParser::Found> found;
    model_of<ClassifyParser>(*parser)->search(sentence, words_to_parse(sentence), 1, found, *workspace);
    return found.at(0).cost;
  };
  int cheaper = 0;
  for (const Sentence& sentence : invented(20, 5)) {
    const double both = cost("width=64", sentence), greedy = cost("width=0", sentence);
    EXPECT_LE(both, greedy + 1e-9);
    EXPECT_GE(both, cost("gamma=0", sentence) - 1e-9);  // nothing is cheaper than what is proved
    cheaper += both < greedy - 1e-6;
  }
  EXPECT_GT(cheaper, 0);
}

TEST(Classify, KillMatrixEqualsTheTrees) {
  const TrainData data{invented(150, 1), {}};
  const Trained trained = train(small_settings(), data, {});
  const ClassifyModel& model = parser_of(trained).model();
  const float lambda = 0.5F;
  const KillMatrix matrix(model.space, model.trees.conjunctions(lambda), model.trees.intercept);
  RowMasks<0> masks(matrix.bits());
  RowAtoms atoms(model.space);
  const BottomUp logic = model.make_logic();
  Rng rng(4, "walk");
  size_t compared = 0;
  for (const Sentence& sentence : invented(30, 5)) {
    std::vector<int> symbols;
    std::vector<WordValues> values;
    for (const int word : words_to_parse(sentence)) {
      const Token& token = sentence.word(word);
      symbols.push_back(model.space.tag_symbol(parser_tag(token)));
      values.push_back(model.space.word_values(token.form, parser_tag(token)));
    }
    Forest forest;
    ForestState state = logic.initial(symbols, forest);
    masks.start_sentence(values);
    std::vector<ItemSpan> spans;
    while (!logic.is_final(state, forest)) {  // a random walk: states that no gold derivation has
      const RowView view{values, &forest, state.frontier(forest), model.sequences};
      masks.start_state(view);
      logic.spans(state, forest, spans);
      std::vector<std::pair<ItemSpan, int>> legal;
      for (const ItemSpan span : spans) {
        masks.start_span(span);
        for (int head = span.first; head < span.first + span.count; ++head) {
          const uint64_t* mask = masks.row(head);
          atoms.collect(view, span, head);
          for (int label = 0; label < model.space.labels(); ++label) {
            const float plain = model.trees.margin(label, lambda, [&](int atom) { return atoms.has(atom); });
            ASSERT_NEAR(matrix.margin(label, mask), plain, 1e-4);
            ++compared;
          }
        }
        for (int label = 0; label < model.space.labels(); ++label) {
          if (logic.allows(state, forest, span, label)) legal.push_back({span, label});
        }
      }
      const auto [span, label] = legal[rng.below(legal.size())];
      state = logic.apply(state, forest, span, label, static_cast<int>(rng.below(static_cast<size_t>(span.count))));
    }
  }
  EXPECT_GT(compared, 10000u);
}

TEST(Classify, EverySentenceGetsATreeOverAllItsWords) {
  const TrainData data{invented(80, 1), {}};
  Settings settings = small_settings();
  settings.set("search", "best-first");
  settings.set("gamma", "1");  // no search comes to an end
  const Trained trained = train(settings, data, {});
  std::istringstream in(
      "(X (FOO foo) (, ,) (, ,) (, ,) (, ,) (, ,) (BAR bar))\n(X (. .))\n(X (`` ``) (A a) ('' ''))\n");
  const auto reader = make_reader("ptb", in, {});
  const auto workspace = trained.parser->make_workspace();
  for (Sentence sentence; reader->next(sentence);) {
    trained.parser->parse(sentence, *workspace);
    std::multiset<int> words;
    for (const auto& node : sentence.constituents.nodes) {
      if (node.word) words.insert(node.word);
    }
    ASSERT_EQ(words.size(), sentence.tokens.size());
    EXPECT_EQ(*words.rbegin(), sentence.size());
  }
}

TEST(Classify, PrioritySampleIsUnbiased) {
  Rng rng(9, "weights");
  std::vector<float> weights(300);
  for (float& w : weights) w = static_cast<float>(rng.uniform() * rng.uniform());
  double whole = 0, part = 0;
  for (size_t i = 0; i < weights.size(); ++i)
    (whole += static_cast<double>(weights[i])), part += i % 3 ? 0 : static_cast<double>(weights[i]);
  double sum = 0, sum_part = 0;
  constexpr int kTrials = 4000;
  for (int t = 0; t < kTrials; ++t) {
    const auto sample = priority_sample(weights, 40, mix(static_cast<uint64_t>(t) + 99));
    ASSERT_EQ(sample.examples.size(), 40u);
    for (const uint32_t i : sample.examples) {
      const double w = static_cast<double>(std::max(weights[i], sample.threshold));
      sum += w;
      if (i % 3 == 0) sum_part += w;
    }
  }
  EXPECT_NEAR(sum / kTrials, whole, 0.02 * whole);
  EXPECT_NEAR(sum_part / kTrials, part, 0.04 * part);
  EXPECT_EQ(priority_sample(weights, 300, 1).examples.size(), 300u);
}

TEST(Classify, PercolationEqualsTheWalk) {
  const TrainData data{invented(40, 1), {}};
  const Trained trained = train(small_settings(), data, {});
  const ClassifyModel& model = parser_of(trained).model();
  const BottomUp logic = model.make_logic();
  const HeadRules heads = model.make_head_rules();
  BoostExamples examples(logic, heads, true);
  Rng rng(1, "derivations");
  for (const Sentence& sentence : data.train) {
    const auto words = words_to_parse(sentence);
    const auto tree = simplified(sentence, words);
    std::vector<int> symbols, labels;
    std::vector<WordValues> values;
    for (const int word : words) {
      symbols.push_back(model.space.tag_symbol(parser_tag(sentence.word(word))));
      values.push_back(model.space.word_values(sentence.word(word).form, parser_tag(sentence.word(word))));
    }
    for (const auto& node : tree.nodes) {
      const auto& names = model.space.symbols();
      labels.push_back(static_cast<int>(std::find(names.begin(), names.end(), node.label) - names.begin()));
    }
    ASSERT_TRUE(examples.add(symbols, values, tree, labels, rng));
  }
  // The gold derivation reached the gold tree, and each state had its correct inference among its candidates.
  EXPECT_EQ(examples.positives.size(), examples.states.size());

  const std::vector<uint8_t> first(examples.size(), 0);  // the first child as head
  for (const DecisionTree& tree : model.trees.trees) {
    GrownTree grown{tree.nodes, {}};
    for (const float leaf : tree.leaves) grown.leaves.push_back({leaf != 0, 0, {}});
    const CompressedTree compressed(grown);
    const AtomBits bits(model.space, compressed.atom_bits(), std::max(1, (compressed.bits() + 63) / 64));
    std::vector<int> leaves(examples.size(), -1);
    percolate<0>(examples, first, compressed, bits, [&](uint32_t span, int leaf) { leaves[span] = leaf; });
    RowAtoms atoms(model.space);
    for (const auto& sentence : examples.sentences) {
      for (uint32_t s = sentence.begin; s < sentence.end; ++s) {
        for (uint32_t span = examples.states[s].begin; span < examples.states[s].end; span += 7) {
          const RowView view = examples.view(sentence, examples.states[s]);
          atoms.collect(view, examples.spans[span].items(), examples.spans[span].first);
          const int leaf = tree.leaf([&](int atom) { return atoms.has(atom); });
          ASSERT_EQ(leaves[span], tree.leaves[static_cast<size_t>(leaf)] != 0 ? leaf : -1);
        }
      }
    }
  }
}

}  // namespace
}  // namespace espalier

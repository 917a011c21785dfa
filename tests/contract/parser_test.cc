// What every kind of parser promises (parser/parser.h), tried on toy languages. The kinds are in parser_kinds.h.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>

#include "espalier/app/stream.h"
#include "espalier/base/error.h"
#include "espalier/base/stop_point.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/inspect.h"
#include "espalier/parser/long_sentence.h"
#include "espalier/parser/model_file.h"
#include "tests/contract/parser_kinds.h"
#include "tests/limited_memory.h"

namespace espalier {
namespace {

Settings settings_of(const ParserKind& kind) {
  Settings settings;
  std::istringstream pairs(kind.settings);
  for (std::string pair; pairs >> pair;) settings.set_pair(pair);
  return settings;
}

std::unique_ptr<Parser> train_kind(const ParserKind& kind, uint64_t seed, int threads = 1) {
  TrainContext context;
  context.threads = threads;
  return train(settings_of(kind), {kind.treebank(80, seed), kind.treebank(20, seed + 1)}, context).parser;
}

/// Trained once for all tests.
const Parser& parser_of(const ParserKind& kind) {
  static std::map<std::string, std::unique_ptr<Parser>> models;
  auto& model = models[kind.name];
  if (!model) model = train_kind(kind, 1);
  return *model;
}

std::unique_ptr<Parser> loaded(const std::string& bytes, SettingsReader& overrides) {
  const auto file = ModelFile::from_bytes(bytes, "memory");
  return load_part({file, file->metadata(), ""}, overrides);
}
std::unique_ptr<Parser> loaded(const std::string& bytes, const Settings& overrides = {}) {
  SettingsReader reader(overrides);
  return loaded(bytes, reader);
}

/// Words in an order that was never seen, so that analyses compete.
std::vector<Sentence> odd_sentences(const ParserKind& kind) {
  std::vector<Sentence> sentences = kind.treebank(8, 77);
  Rng rng(5, "order");
  for (size_t i = 0; i < sentences.size(); i += 2) {
    rng.shuffle(sentences[i].tokens);
    sentences[i].constituents = {};
  }
  return sentences;
}

Sentence of_length(const ParserKind& kind, int words) {
  Sentence sentence;
  const auto pieces =
      kind.treebank(std::min(words, 1000), 7);  // over and over: a larger treebank were most of the memory
  for (size_t i = 0; sentence.size() < words; ++i)
    for (const Token& token : pieces[i % pieces.size()].tokens)
      if (sentence.size() < words) sentence.tokens.push_back(token);
  for (Token& token : sentence.tokens) token.head = Token::kNoHead;
  return sentence;
}

Sentence parsed(const Parser& parser, Sentence sentence, Workspace& workspace) {
  parser.parse(sentence, workspace);
  return sentence;
}

void expect_equal(const Sentence& a, const Sentence& b) {
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.constituents, b.constituents);
}

void expect_whole(const Parser& parser, const Sentence& sentence, Roots roots) {
  for (const std::string& column : parser.about().predicts) {
    if (column == "heads") {
      EXPECT_EQ(tree_problem(sentence, nullptr, roots), "");
    }
    if (column == "constituents") {
      const auto& nodes = sentence.constituents.nodes;
      EXPECT_EQ(std::ranges::count_if(nodes, [](const auto& node) { return node.is_leaf(); }), sentence.size());
    }
    if (column == "tags") {
      for (const Token& token : sentence.tokens) EXPECT_TRUE(token.upos != "_" || token.xpos != "_");
    }
  }
}

struct ListReader final : Reader {
  explicit ListReader(std::span<const Sentence> sentences) : left(sentences) {}
  bool next(Sentence& sentence) override {
    if (left.empty()) return false;
    sentence = left.front();
    left = left.subspan(1);
    return true;
  }
  std::span<const Sentence> left;
};
struct ListWriter final : Writer {
  void write(const Sentence& sentence) override { written.push_back(sentence); }
  void finish() override {}
  std::vector<Sentence> written;
};

class EveryParser : public ::testing::TestWithParam<ParserKind> {
 protected:
  const ParserKind& kind() const { return GetParam(); }
  Roots roots() const {
    return std::string(kind().settings).find("root=multiple") == std::string::npos ? Roots::kOne : Roots::kAny;
  }
  /// At most k, distinct, best first.
  void expect_list(std::span<const Candidate> list, size_t k, const Sentence& sentence) const {
    ASSERT_GE(list.size(), 1u);
    EXPECT_LE(list.size(), k);
    for (size_t i = 0; i < list.size(); ++i) {
      Sentence annotated = sentence;
      annotate(annotated, list[i].analysis);
      if (!list[i].analysis.heads.empty()) {
        EXPECT_EQ(tree_problem(annotated, nullptr, roots()), "");
      }
      for (size_t j = 0; j < i; ++j) {
        EXPECT_FALSE(list[i].analysis == list[j].analysis);
        EXPECT_LE(list[i].score, list[j].score);
      }
    }
  }
};

TEST_P(EveryParser, ParseIsTheFirstOfItsList) {
  const Parser& parser = parser_of(kind());
  const auto workspace = parser.make_workspace();
  for (const Sentence& sentence : odd_sentences(kind())) {
    const Sentence best = parsed(parser, sentence, *workspace);
    expect_whole(parser, best, roots());
    const auto list = kbest(parser, sentence, parser.about().can.kbest ? 1 : 8, *workspace);
    ASSERT_EQ(list.size(), 1u);
    Sentence same = best;
    annotate(same, list[0].analysis);
    expect_equal(same, best);
  }
}

TEST_P(EveryParser, ShowsWhatItSaysItCan) {
  const Parser& parser = parser_of(kind());
  const Abilities can = parser.about().can;
  const auto workspace = parser.make_workspace();
  const Sentence sentence = parsed(parser, odd_sentences(kind())[0], *workspace);
  EXPECT_EQ(parser.tokenizer() != nullptr, can.tokenize);
  const auto list = kbest(parser, sentence, 1, *workspace);
  const Inspectable* inside = parser.inspect();
  EXPECT_EQ(inside && !inside->features(sentence, list, *workspace).at(0).empty(), can.features);
  EXPECT_EQ(inside && !inside->feature_names(sentence, list[0], *workspace).empty(), can.explain);
  const Trace trace = inside ? inside->trace(sentence, list[0], *workspace) : Trace();
  EXPECT_EQ(!trace.steps.empty() || !trace.arcs.empty(), can.trace);
}

TEST_P(EveryParser, ListsAreDistinctInOrderAndGrow) {
  const Parser& parser = parser_of(kind());
  if (!parser.about().can.kbest) GTEST_SKIP() << "no k-best lists";
  const auto workspace = parser.make_workspace();
  size_t several = 0;
  for (const Sentence& sentence : odd_sentences(kind())) {
    const auto eight = kbest(parser, sentence, 8, *workspace);
    expect_list(eight, 8, sentence);
    several += eight.size() > 1;
    KBestList list = parser.list(sentence, *workspace);
    size_t before = 0;
    for (const int k : {2, 4, 8}) {
      const auto best = list.best(k);
      expect_list(best, static_cast<size_t>(k), sentence);
      EXPECT_GE(best.size(), before);
      before = best.size();
    }
    EXPECT_EQ(before, eight.size());
    EXPECT_EQ(list.best(3).size(), std::min<size_t>(3, before));
  }
  EXPECT_GE(several, 1u);
  const auto empty = kbest(parser, {}, 3, *workspace);
  ASSERT_EQ(empty.size(), 1u);
  EXPECT_TRUE(empty[0].analysis.heads.size() <= 1);
}

TEST_P(EveryParser, ScoresAreFeaturesTimesWeights) {
  const Parser& parser = parser_of(kind());
  const auto workspace = parser.make_workspace();
  if (!parser.about().can.features) GTEST_SKIP() << "no features";
  for (const Sentence& sentence : odd_sentences(kind())) {
    const auto list = kbest(parser, sentence, 4, *workspace);
    const auto features = parser.inspect()->features(sentence, list, *workspace, true);
    const auto plain = parser.inspect()->features(sentence, list, *workspace);
    ASSERT_EQ(features.size(), list.size());
    for (size_t i = 0; i < list.size(); ++i) {
      EXPECT_NEAR(weighted_sum(features[i]), list[i].score, 1e-3 * std::max(1.0, std::abs(list[i].score)));
      for (size_t f = 1; f < features[i].size(); ++f) ASSERT_LT(features[i][f - 1].key, features[i][f].key);
      EXPECT_TRUE(std::ranges::equal(features[i], plain[i], [](const Feature& a, const Feature& b) {
        return a.key == b.key && a.value == b.value && b.weight == 0;
      }));
    }
  }
}

/// Folds and models can be compared: what was trained on other sentences, in another order and with other label
/// numbers, names the same features of the same analysis alike.
TEST_P(EveryParser, FeaturesHaveTheSameNamesInEveryModel) {
  const Parser& one = parser_of(kind());
  if (!one.about().can.features) GTEST_SKIP() << "no features";
  ParserKind reversed = kind();
  static ParserKind::Treebank original;
  original = kind().treebank;
  reversed.treebank = [](int sentences, uint64_t seed) {
    std::vector<Sentence> treebank = original(sentences, seed);
    for (Sentence& sentence : treebank)
      for (Token& token : sentence.tokens)
        if (token.deprel == "obl") token.deprel = "other";  // the first label that it meets, below
    std::ranges::stable_sort(treebank, std::greater(), &Sentence::size);
    treebank.resize(treebank.size() * 3 / 4);
    return treebank;
  };
  const auto other = train_kind(reversed, 31);
  const auto memory = one.make_workspace(), others = other->make_workspace();
  size_t compared = 0, equal = 0;
  for (const Sentence& sentence : kind().treebank(40, 77)) {
    const auto a = kbest(one, sentence, 1, *memory), b = kbest(*other, sentence, 1, *others);
    if (!(a[0].analysis == b[0].analysis)) continue;
    ++compared;
    const auto x = one.inspect()->features(sentence, a, *memory), y = other->inspect()->features(sentence, b, *others);
    equal += x == y;
  }
  EXPECT_GE(compared, 5u);
  EXPECT_EQ(equal, compared);
}

TEST_P(EveryParser, SaveAndLoadKeepEverySetting) {
  const Parser& parser = parser_of(kind());
  const std::string bytes = bytes_of(parser);
  SettingsReader asked{{}};
  const auto again = loaded(bytes, asked);
  EXPECT_EQ(bytes_of(*again), bytes);
  const auto workspace = parser.make_workspace(), other = again->make_workspace();
  for (const Sentence& sentence : odd_sentences(kind()))
    expect_equal(parsed(parser, sentence, *workspace), parsed(*again, sentence, *other));

  // What can be set when a model is loaded is kept when it is saved.
  const std::map<std::string, std::string> choices = {
      {"cost", "softmax"}, {"search", "best-first"}, {"sig", "full"}, {"stages", "tagger"}};
  for (const auto& [key, known] : asked.known()) {
    if (key.ends_with("lexicon")) continue;  // a file of the user's, read whenever the model is loaded
    const size_t dot = key.rfind('.');
    const auto choice = choices.find(dot == std::string::npos ? key : key.substr(dot + 1));
    std::string value;
    if (choice != choices.end()) {
      value = choice->second;
    } else if (known.value == "true" || known.value == "false") {
      value = known.value == "true" ? "false" : "true";
    } else {
      const double number = std::stod(known.value);
      value = fmt::format("{}", number >= 1e6 ? number / 2 : number + 1);
    }
    Settings changed;
    changed.set(key, value);
    if (key == "taggings") changed.set("tag_weight", "1.5");
    const auto with = loaded(bytes, changed);
    EXPECT_NE(bytes_of(*with), bytes) << key << "=" << value << " is lost when the model is saved";
    EXPECT_EQ(bytes_of(*loaded(bytes_of(*with))), bytes_of(*with)) << key;
  }
}

TEST_P(EveryParser, ThreadsChangeNothing) {
  EXPECT_EQ(bytes_of(*train_kind(kind(), 1, 3)), bytes_of(parser_of(kind())));
}

TEST_P(EveryParser, StreamsDoNotDependOnThreadsOrBatches) {
  const std::shared_ptr<const Parser> parser(&parser_of(kind()), [](const Parser*) {});
  const Model model(parser);
  const auto workspace = parser->make_workspace();
  std::vector<Sentence> sentences, expected;
  for (int i = 0; i < 3; ++i) std::ranges::copy(odd_sentences(kind()), std::back_inserter(sentences));
  for (const Sentence& sentence : sentences) expected.push_back(parsed(*parser, sentence, *workspace));
  for (const int threads : {1, 3}) {
    for (const size_t batch : {1, 5, 64}) {
      ListReader input(sentences);
      ListWriter output;
      StreamOptions options;
      options.threads = threads;
      options.batch = batch;
      EXPECT_EQ(parse_stream(model, input, output, options).sentences, sentences.size());
      ASSERT_EQ(output.written.size(), expected.size());
      for (size_t i = 0; i < expected.size(); ++i) expect_equal(output.written[i], expected[i]);
    }
  }
}

/// Every search has stop points: some for each few words, and what they throw comes out.
TEST_P(EveryParser, CanBeStoppedWithinASentence) {
  const Parser& parser = parser_of(kind());
  const Sentence sentence = of_length(kind(), 60);
  const auto work = [&] {
    const auto workspace = parser.make_workspace();
    if (const Tokenizing* tokenizer = parser.tokenizer()) {
      std::string text;
      for (const Token& token : sentence.tokens) text += token.form + " ";
      tokenizer->tokenize(text, *workspace);
    }
    if (kind().name != std::string("tokenizer")) parsed(parser, sentence, *workspace);
    if (parser.about().can.kbest) kbest(parser, sentence, 4, *workspace);
  };
  long asked = 0, last = -1;
  const std::function<bool()> ask = [&] { return ++asked == last; };
  const StopScope scope(ask);
  work();
  EXPECT_GE(asked, 60);
  const long all = asked;
  for (last = 1; last <= all; last += all / 4) {
    asked = 0;
    EXPECT_THROW(work(), Stopped) << last << " of " << all;
  }
}

TEST_P(EveryParser, WorkspacesRememberNothing) {
  const Parser& parser = parser_of(kind());
  const auto workspace = parser.make_workspace();
  for (const Sentence& sentence : odd_sentences(kind())) {
    if (parser.about().can.kbest) kbest(parser, sentence, 3, *workspace);
    expect_equal(parsed(parser, sentence, *workspace), parsed(parser, sentence, *parser.make_workspace()));
  }
}

TEST_P(EveryParser, AnotherParsersWorkspaceIsRefused) {
  const Parser& parser = parser_of(kind());
  const std::string bytes = bytes_of(parser);
  const auto twin = loaded(bytes);  // even if they are equal: it may be gone before its workspace is
  const Parser &first = parser_of(parser_kinds().front()), &last = parser_of(parser_kinds().back());
  for (const Parser* other : {const_cast<const Parser*>(twin.get()), &first, &last}) {
    if (other == &parser) continue;
    const auto workspace = other->make_workspace();
    Sentence sentence = odd_sentences(kind())[0];
    EXPECT_THROW(parser.parse(sentence, *workspace), Error);
    EXPECT_THROW(kbest(parser, sentence, 2, *workspace), Error);
    if (parser.about().can.features) {
      EXPECT_THROW(parser.inspect()->features(sentence, {}, *workspace), Error);
    }
    if (const Tokenizing* tokenizer = parser.tokenizer()) {
      EXPECT_THROW(tokenizer->tokenize("A dog.", *workspace), Error);
    }
  }
}

/// Heads of a random tree, of which about two in three are free.
Constraints random_heads(int words, Roots roots, Rng& rng) {
  Constraints given;
  given.heads.assign(static_cast<size_t>(words) + 1, Token::kNoHead);
  for (int& head : given.heads)
    if (rng.below(3) == 0) head = static_cast<int>(rng.below(static_cast<uint64_t>(words) + 1));
  given.heads[0] = Token::kNoHead;
  drop_impossible(given, roots);
  return given;
}

TEST_P(EveryParser, WhatIsGivenStays) {
  const Parser& parser = parser_of(kind());
  const auto workspace = parser.make_workspace();
  const AboutParser about = parser.about();
  const bool heads = about.does_predict("heads");
  EXPECT_EQ(about.roots, heads ? roots() : Roots::kOne);
  Rng rng(3, "given");
  for (const Sentence& sentence : odd_sentences(kind())) {
    const Sentence free = parsed(parser, sentence, *workspace);
    for (int round = 0; round < 8; ++round) {
      Constraints given = random_heads(sentence.size(), roots(), rng);
      given.upos.assign(static_cast<size_t>(sentence.size()) + 1, "_");
      given.deprels = given.upos;
      for (size_t i = 1; i < given.upos.size(); ++i) {
        if (rng.below(3) == 0) given.upos[i] = rng.below(4) == 0 ? "NEVER-SEEN" : "NOUN";
        if (rng.below(3) == 0) given.deprels[i] = rng.below(4) == 0 ? "never-seen" : "obj";
      }
      Sentence kept = sentence;
      parser.parse(kept, given, *workspace);
      expect_whole(parser, kept, roots());
      const auto expect_given = [&](const Sentence& found) {
        for (int i = 1; i <= found.size(); ++i) {
          const auto at = static_cast<size_t>(i);
          if (heads && given.heads[at] != Token::kNoHead) {
            EXPECT_EQ(found.word(i).head, given.heads[at]);
          }
          if (heads && given.deprels[at] != "_") {
            EXPECT_EQ(found.word(i).deprel, given.deprels[at]);
          }
          if (about.can.constrain && free.word(i).upos != sentence.word(i).upos && given.upos[at] != "_") {
            EXPECT_EQ(found.word(i).upos, given.upos[at]);
          }
        }
      };
      expect_given(kept);
      const auto list = kbest(parser, sentence, given, 4, *workspace);
      if (!about.can.tokenize) expect_list(list, 4, sentence);
      for (const Candidate& candidate : list) {
        Sentence copy = kept;
        annotate(copy, candidate.analysis);
        expect_given(copy);
      }
    }
    // All that the parser would say anyway changes nothing, and neither does nothing.
    for (const Keep keep : {Keep{}, Keep{true, true}}) {
      Sentence again = sentence;
      parser.parse(again, constraints_of(free, keep), *workspace);
      if (heads) {
        for (int i = 1; i <= free.size(); ++i) EXPECT_EQ(again.word(i).head, free.word(i).head);
      }
      if (!keep) expect_equal(again, free);
    }
    expect_equal(parsed(parser, sentence, *workspace), free);  // constraints are forgotten
  }
}

/// The best of the whole list of trees that have what is given.
TEST_P(EveryParser, ExactSearchFindsTheBestTreeWithWhatIsGiven) {
  if (const std::string name = kind().name; name != "mst" && name != "cube_1") GTEST_SKIP() << "not exact";
  Settings every_arc;
  every_arc.set("filter_threshold", "100");
  const auto whole = loaded(bytes_of(parser_of(kind())), every_arc);
  const Parser& parser = *whole;
  const auto workspace = parser.make_workspace();
  Rng rng(4, "exact");
  for (Sentence sentence : odd_sentences(kind())) {
    sentence.tokens.resize(4);
    const auto everything = kbest(parser, sentence, 100000, *workspace);
    for (int round = 0; round < 10; ++round) {
      const Constraints given = random_heads(sentence.size(), roots(), rng);
      const auto best = std::ranges::find_if(
          everything, [&](const Candidate& candidate) { return has_given_heads(candidate.analysis.heads, given); });
      if (best == everything.end()) continue;  // they cross
      const auto found = kbest(parser, sentence, given, 1, *workspace);
      EXPECT_NEAR(found.at(0).score, best->score, 1e-3);
    }
  }
}

/// A beam that holds everything is exact, too.
TEST_P(EveryParser, BeamsWithoutEndFindTheBestTreeWithWhatIsGiven) {
  const std::string name = kind().name;
  if (name != "beam_standard" && name != "beam_hybrid" && name != "beam_from_right") GTEST_SKIP() << "no such beam";
  const Parser& parser = parser_of(kind());
  const auto workspace = parser.make_workspace();
  constexpr int kAll = 4096;
  Rng rng(4, "exact");
  for (Sentence sentence : odd_sentences(kind())) {
    sentence.tokens.resize(4);
    const auto everything = kbest(parser, sentence, kAll, *workspace);
    for (int round = 0; round < 10; ++round) {
      Constraints given = random_heads(sentence.size(), roots(), rng);
      const auto best = std::ranges::find_if(
          everything, [&](const Candidate& candidate) { return has_given_heads(candidate.analysis.heads, given); });
      if (best == everything.end()) continue;  // they cross
      const auto found = kbest(parser, sentence, given, kAll, *workspace);
      EXPECT_EQ(found.at(0).score, best->score);
      EXPECT_EQ(found.at(0).analysis.heads, best->analysis.heads);
    }
  }
}

/// Any length ends with a tree.
TEST_P(EveryParser, EveryLengthGetsATree) {
  const Parser& parser = parser_of(kind());
  const auto workspace = parser.make_workspace();
  for (const int words : {0, 1, 2, 100, 500}) {
    const Sentence sentence = parsed(parser, of_length(kind(), words), *workspace);
    EXPECT_EQ(sentence.size(), words);
    if (words > 0) expect_whole(parser, sentence, roots());
    if (words > 100 || !parser.about().can.kbest) continue;
    expect_list(kbest(parser, of_length(kind(), words), 2, *workspace), 2, sentence);
  }
}

/// No length costs more than the memory that docs/limits.md states, with lists and without. In a process of its own,
/// which has no more; 100,000 words take a while and are tried if $ESPALIER_LONG is set.
TEST_P(EveryParser, EveryLengthFitsIntoMemory) {
  SKIP_IF_SANITIZED();
  const Parser& parser = parser_of(kind());
  const int longest = std::getenv("ESPALIER_LONG") ? 100000 : 10000;
  const auto try_all = [&] {
    limit_further_memory(size_t{500} << 20);
    const auto workspace = parser.make_workspace();
    for (int words = 1; words <= longest; words *= 10) {
      const Sentence sentence = of_length(kind(), words);
      Sentence whole = sentence;
      if (parse_within(parser, whole, *workspace) != (words > kMaxWords)) std::exit(2);
      expect_whole(parser, whole, roots());
      if (words <= kMaxWords) expect_list(kbest(parser, sentence, 4, *workspace), 4, sentence);
      if (HasFailure()) std::exit(3);
    }
    // Without a limit, too; and one word over and over, all of whose arcs are worth the same.
    Sentence equal = of_length(kind(), 1);
    const Token word = equal.tokens.front();
    equal.tokens.assign(1000, word);
    for (Sentence whole : {of_length(kind(), 3000), equal}) {
      parse_within(parser, whole, *workspace, 0);
      expect_whole(parser, whole, roots());
    }
    std::exit(HasFailure() ? 3 : 0);
  };
  EXPECT_EXIT(try_all(), ::testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryParser, ::testing::ValuesIn(parser_kinds()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace espalier

// The exchange algorithm and the tree of classes against the definition, by brute force on few words, and on text that
// was made from known classes.
#include "espalier/learn/cluster/word_classes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "espalier/base/rng.h"
#include "espalier/learn/cluster/class_tree.h"

namespace espalier {
namespace {

/// Text over words w0..: frequencies fall, and words may follow themselves.
Bigrams random_bigrams(int words, int sentences, uint64_t seed) {
  Rng rng(seed, "words");
  BigramCounter counter;
  for (int i = 0; i < sentences; ++i) {
    std::vector<std::string> sentence;
    for (int length = 1 + static_cast<int>(rng.below(7)); length > 0; --length)
      sentence.push_back("w" + std::to_string(rng.below(1 + rng.below(static_cast<uint64_t>(words)))));
    counter.add(sentence);
  }
  return counter.finish(2, words);
}

/// The likelihood by its definition, from the words themselves.
double definition(const Bigrams& bigrams, const std::vector<int>& class_of) {
  std::map<std::pair<int, int>, double> pairs;
  std::map<int, double> lefts, rights;
  for (const auto& [left, right, count] : bigrams.pairs) {
    pairs[{class_of[left], class_of[right]}] += static_cast<double>(count);
    lefts[class_of[left]] += static_cast<double>(count);
    rights[class_of[right]] += static_cast<double>(count);
  }
  double sum = 0;
  for (const auto& [pair, n] : pairs) sum += n * std::log(n / lefts[pair.first] / rights[pair.second]);
  return sum;
}

std::vector<int> assignment(const WordClasses& classes, const Bigrams& bigrams) {
  std::vector<int> all;
  for (int word = 0; word < bigrams.size() + 2; ++word) all.push_back(classes.class_of(word));
  return all;
}

TEST(WordClasses, GainsAreDifferencesOfTheLikelihood) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Bigrams bigrams = random_bigrams(12, 60, seed);
    WordClasses classes(bigrams, 4);
    Rng rng(seed, "moves");
    for (int i = 0; i < 300; ++i) {
      EXPECT_NEAR(classes.likelihood(), definition(bigrams, assignment(classes, bigrams)), 1e-6);
      const int word = static_cast<int>(rng.below(static_cast<uint64_t>(bigrams.size())));
      const int to = static_cast<int>(rng.below(4));
      const double before = classes.likelihood(), gain = classes.gain(word, to);
      // The class that is looked for with all others at once is as good as the best of all tried one by one.
      double most = 0;
      for (int c = 0; c < 4; ++c) most = std::max(most, classes.gain(word, c));
      EXPECT_NEAR(classes.gain(word, classes.best_class(word)), most, 1e-6);
      classes.move(word, to);
      EXPECT_NEAR(classes.likelihood(), before + gain, 1e-6);
    }
  }
}

TEST(WordClasses, CountsAfterMovesEqualThoseFromScratch) {
  const Bigrams bigrams = random_bigrams(30, 300, 3);
  WordClasses classes(bigrams, 6);
  Rng rng(3, "moves");
  for (int i = 0; i < 500; ++i)
    classes.move(static_cast<int>(rng.below(static_cast<uint64_t>(bigrams.size()))), static_cast<int>(rng.below(6)));
  std::map<std::pair<int, int>, int64_t> pairs;
  std::map<int, int64_t> totals;
  for (const auto& [left, right, count] : bigrams.pairs) {
    pairs[{classes.class_of(left), classes.class_of(right)}] += count;
    totals[classes.class_of(left)] += count;
  }
  for (int left = 0; left < 8; ++left) {
    EXPECT_EQ(classes.count(left), totals[left]);
    for (int right = 0; right < 8; ++right) EXPECT_EQ(classes.count(left, right), (pairs[{left, right}]));
  }
}

TEST(WordClasses, TheLikelihoodNeverFallsAndThreadsDoNotMatter) {
  const Bigrams bigrams = random_bigrams(700, 9000, 4);
  ASSERT_GT(bigrams.size(), 600);  // several batches
  std::vector<std::vector<int>> found;
  for (const int threads : {1, 3}) {
    WordClasses classes(bigrams, 20);
    double before = classes.likelihood();
    const double first = before;
    classes.exchange(8, threads, [&](const WordClasses::Round&) {
      const double now = classes.likelihood();
      EXPECT_GE(now, before);
      before = now;
    });
    EXPECT_GT(before, first);
    found.push_back(assignment(classes, bigrams));
  }
  EXPECT_EQ(found[0], found[1]);
}

TEST(WordClasses, OfFewWordsNoSingleMoveIsBetterAndTheBestAssignmentIsFound) {
  int best_found = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const Bigrams bigrams = random_bigrams(7, 80, seed);
    ASSERT_EQ(bigrams.size(), 7);
    WordClasses classes(bigrams, 3);
    classes.exchange(50, 1, [](const WordClasses::Round&) {});
    for (int word = 0; word < 7; ++word)
      for (int c = 0; c < 3; ++c) EXPECT_LT(classes.gain(word, c), 2e-3);
    std::vector<int> tried(9, 0);
    tried[7] = 3, tried[8] = 4;
    double most = -1e300;
    for (int code = 0; code < 2187; ++code) {
      for (int word = 0, rest = code; word < 7; ++word, rest /= 3) tried[word] = rest % 3;
      most = std::max(most, definition(bigrams, tried));
    }
    const double found = classes.likelihood();
    EXPECT_LE(found, most + 1e-6);
    best_found += found > most - 1e-2;
  }
  EXPECT_GE(best_found, 3);  // the others end where no single move is better
}

/// Sentences of determiners, nouns, verbs; `per_class` words of each.
Bigrams made_text(int per_class) {
  Rng rng(5, "made");
  BigramCounter counter;
  const auto word = [&](char kind) { return kind + std::to_string(rng.below(static_cast<uint64_t>(per_class))); };
  for (int i = 0; i < 4000; ++i) {
    std::vector<std::string> sentence;
    for (int part = 0; part < 2; ++part) {
      sentence.push_back(word('d'));
      if (rng.below(3) == 0) sentence.push_back(word('a'));
      sentence.push_back(word('n'));
      if (part == 0) sentence.push_back(word('v'));
    }
    counter.add(sentence);
  }
  return counter.finish(1, 1000);
}

TEST(WordClasses, OfMadeTextAreFound) {
  const Bigrams bigrams = made_text(10);
  ASSERT_EQ(bigrams.size(), 40);
  WordClasses classes(bigrams, 4);
  classes.exchange(50, 2, [](const WordClasses::Round&) {});
  std::set<std::pair<char, int>> kinds;
  for (int word = 0; word < 40; ++word) kinds.emplace(bigrams.words[word][0], classes.class_of(word));
  EXPECT_EQ(kinds.size(), 4u);
}

TEST(ClassTree, PathsArePrefixFreeAndJoinWhatIsUsedAlike) {
  const Bigrams bigrams = made_text(10);
  WordClasses classes(bigrams, 12);
  classes.exchange(50, 1, [](const WordClasses::Round&) {});
  const auto nothing = [](int, int) {};
  const std::vector<std::string> paths = class_paths(classes, 1, nothing);
  EXPECT_EQ(paths, class_paths(classes, 3, nothing));
  // Each kind of word is one subtree: the longest common prefix of its classes is no prefix of another kind's class.
  std::map<char, std::set<std::string>> of_kind;
  for (int word = 0; word < bigrams.size(); ++word)
    of_kind[bigrams.words[word][0]].insert(paths[classes.class_of(word)]);
  for (const auto& [kind, members] : of_kind) {
    const std::string &first = *members.begin(), &last = *members.rbegin();  // sorted
    const std::string prefix(first.begin(), std::ranges::mismatch(first, last).in1);
    for (const auto& [other, others] : of_kind) {
      for (const std::string& path : others) {
        EXPECT_TRUE(other == kind || !path.starts_with(prefix)) << kind << ' ' << other;
        for (const std::string& member : members) EXPECT_FALSE(member != path && path.starts_with(member));
      }
    }
  }
}

TEST(ClassTree, EveryJoinLosesLeast) {
  const Bigrams bigrams = random_bigrams(9, 200, 8);
  ASSERT_EQ(bigrams.size(), 9);
  WordClasses classes(bigrams, 9);  // each word a class
  const std::vector<std::string> paths = class_paths(classes, 1, [](int, int) {});
  // From the classes up: in each step the two that are joined must be those whose join loses least, by definition.
  std::vector<int> class_of = assignment(classes, bigrams);
  std::map<int, std::string> alive;
  for (int c = 0; c < 9; ++c) alive[c] = paths[c];
  while (alive.size() > 1) {
    double most = -1e300;
    std::map<std::pair<int, int>, double> after;
    for (const auto& [a, unused] : alive)
      for (const auto& [b, unused_too] : alive) {
        if (b <= a) continue;
        std::vector<int> joined = class_of;
        for (int& c : joined) c = c == b ? a : c;
        most = std::max(most, after[{a, b}] = definition(bigrams, joined));
      }
    bool found = false;
    for (const auto& [pair, likelihood] : after) {
      const auto [a, b] = pair;
      const std::string &first = alive[a], &second = alive[b];
      if (likelihood < most - 1e-7 || first.substr(0, first.size() - 1) != second.substr(0, second.size() - 1))
        continue;
      for (int& c : class_of) c = c == b ? a : c;
      alive[a].pop_back();
      alive.erase(b);
      found = true;
      break;
    }
    ASSERT_TRUE(found);
  }
}

TEST(ClassTree, ClassesWithoutWordsHaveNoPath) {
  const Bigrams bigrams = random_bigrams(3, 50, 1);
  const auto nothing = [](int, int) {};
  WordClasses four(bigrams, 6);
  const std::vector<std::string> paths = class_paths(four, 1, nothing);
  for (int c = 0; c < 6; ++c) EXPECT_EQ(paths[c].empty(), c >= bigrams.size());
  BigramCounter counter;
  counter.add(std::vector<std::string>{"alone"});
  const Bigrams one = counter.finish(1, 10);
  EXPECT_EQ(class_paths(WordClasses(one, 2), 1, nothing).front(), "0");
}

}  // namespace
}  // namespace espalier

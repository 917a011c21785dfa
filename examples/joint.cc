// A tagger and a parser that decide together: a word gets its tag when the parser first looks at it, with the trees
// built so far in sight, and arcs are chosen with the tags chosen so far. One task, two learners, one loss: wrong tags
// plus wrong heads. Trains on a treebank and tests on another; without files, on a few sentences of its own:
//
//   joint [TRAIN.conllu TEST.conllu]
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "espalier/app/files.h"
#include "espalier/app/train_search.h"

using espalier::Sentence;
using espalier::TaskSearch;

enum Learner { kTags, kMoves };
enum Move { kShift, kLeft, kRight };  // arc-hybrid; the root is at the bottom of the stack

struct Example {
  const Sentence* sentence;
  std::vector<int> gold_tags, tags, heads, leftmost, rightmost;  // by word, 0 = root
  int gold_head(int word) const { return sentence->word(word).head; }
};

/// Features are texts here, for the reader's sake; a program in a hurry hashes numbers.
class Features {
 public:
  void add(const std::string& text) { keys_.push_back(espalier::feature_key(std::to_string(keys_.size()) + text)); }
  const std::vector<uint64_t>& keys() const { return keys_; }

 private:
  std::vector<uint64_t> keys_;
};

class Task {
 public:
  explicit Task(const std::vector<Sentence>& train) {
    for (const Sentence& sentence : train)
      for (const espalier::Token& token : sentence.tokens)
        tags_.try_emplace(token.upos, static_cast<int>(tags_.size()));
  }
  std::vector<int> actions() const { return {static_cast<int>(tags_.size()), 3}; }

  Example read(const Sentence& sentence) const {
    Example x{&sentence, {-1}, {}, {}, {}, {}};
    for (const espalier::Token& token : sentence.tokens) {
      const auto found = tags_.find(token.upos);
      x.gold_tags.push_back(found == tags_.end() ? -1 : found->second);
    }
    return x;
  }

  void run(TaskSearch& search, Example& x) const {
    const int words = x.sentence->size();
    for (auto* column : {&x.tags, &x.heads, &x.leftmost, &x.rightmost}) column->assign(x.gold_tags.size(), -1);
    std::vector<int> stack = {0};
    int next = 1;
    tag(search, x, stack, next);
    while (next <= words || stack.size() > 1) {
      std::vector<int> allowed;
      if (next <= words) allowed.push_back(kShift);
      if (next <= words && stack.size() > 1) allowed.push_back(kLeft);
      if (stack.size() > 2 || (stack.size() == 2 && next > words)) allowed.push_back(kRight);
      std::vector<float> costs;
      for (const int move : allowed) costs.push_back(lost_arcs(x, stack, next, move));
      Features features;
      if (search.needs_features()) look(x, stack, next, features);
      const int move =
          search.predict({.features = features.keys(), .allowed = allowed, .costs = costs, .learner = kMoves});
      if (move == kShift) {
        stack.push_back(next++);
        if (next <= words) tag(search, x, stack, next);
        continue;
      }
      const int word = stack.back();
      stack.pop_back();
      const int head = move == kLeft ? next : stack.back();
      x.heads[at(word)] = head;
      (head > word ? x.leftmost : x.rightmost)[at(head)] = word;
      search.loss(head != x.gold_head(word));
    }
  }

 private:
  static size_t at(int word) { return static_cast<size_t>(word); }
  static std::string form(const Example& x, int word) {
    return word < 1 ? "<" : word > x.sentence->size() ? ">" : x.sentence->word(word).form;
  }
  static std::string tag_of(const Example& x, int word) {
    return word < 0 ? "-" : word >= static_cast<int>(x.tags.size()) ? ">" : std::to_string(x.tags[at(word)]);
  }
  static int from_top(const std::vector<int>& stack, size_t i) {
    return i < stack.size() ? stack.end()[-1 - static_cast<int>(i)] : -1;
  }

  /// Decides the tag of a word; what stands on the stack has tags already.
  void tag(TaskSearch& search, Example& x, const std::vector<int>& stack, int word) const {
    Features features;
    if (search.needs_features()) {
      const std::string here = form(x, word), before = tag_of(x, word - 1), top = tag_of(x, stack.back());
      const auto tail = [&](size_t length) { return here.substr(here.size() - std::min(length, here.size())); };
      for (const std::string& text :
           {here, here + before, tail(1), tail(2), tail(3), tail(3) + before, here.substr(0, 2), form(x, word - 1),
            form(x, word + 1), before, before + tag_of(x, word - 2), top, top + before, top + tail(3),
            here + form(x, word + 1), form(x, word + 1) + before, form(x, word + 2)})
        features.add(text);
    }
    const int gold = x.gold_tags[at(word)];  // -1 if it was not seen in training
    x.tags[at(word)] = search.predict({.features = features.keys(), .reference = {gold}, .learner = kTags});
    search.loss(x.tags[at(word)] != gold);
  }

  static void look(const Example& x, const std::vector<int>& stack, int next, Features& features) {
    const int s0 = stack.back(), s1 = from_top(stack, 1);
    const std::string w0 = form(x, s0), w1 = form(x, s1), wb = form(x, next), wb1 = form(x, next + 1);
    const std::string t0 = tag_of(x, s0), t1 = tag_of(x, s1), t2 = tag_of(x, from_top(stack, 2)), tb = tag_of(x, next);
    const auto child = [&](const std::vector<int>& side, int of) {
      return tag_of(x, of < 0 || of >= static_cast<int>(side.size()) ? -1 : side[at(of)]);
    };
    const std::string l0 = child(x.leftmost, s0), r0 = child(x.rightmost, s0), r1 = child(x.rightmost, s1),
                      lb = child(x.leftmost, next);
    const std::string far = std::to_string(std::min(next - s0, 5));
    for (const std::string& text : {w0,
                                    t0,
                                    w0 + " " + t0,
                                    w1,
                                    t1,
                                    wb,
                                    tb,
                                    wb + " " + tb,
                                    wb1,
                                    w0 + " " + wb,
                                    t0 + " " + tb,
                                    w0 + " " + tb,
                                    t0 + " " + wb,
                                    t0 + " " + tb + " " + wb1,
                                    t1 + " " + t0,
                                    w1 + " " + t0,
                                    t1 + " " + w0,
                                    t1 + " " + t0 + " " + tb,
                                    t2 + " " + t1 + " " + t0,
                                    t0 + " " + r0 + " " + tb,
                                    t0 + " " + l0 + " " + tb,
                                    t0 + " " + tb + " " + lb,
                                    t1 + " " + r1 + " " + t0,
                                    t0 + " " + tb + " " + far,
                                    w0 + " " + tb + " " + wb1,
                                    t0 + " " + r0 + " " + l0})
      features.add(text);
  }

  /// How many gold arcs can no longer be built after the move (Goldberg & Nivre 2013).
  static float lost_arcs(const Example& x, const std::vector<int>& stack, int next, int move) {
    const auto stacked = [&](int word, size_t below) {  // on the stack, not counting the top `below` words
      return std::find(stack.begin(), stack.end() - static_cast<int>(below), word) !=
             stack.end() - static_cast<int>(below);
    };
    int lost = 0;
    if (move == kShift) {
      lost += stacked(x.gold_head(next), 1);
      for (const int word : stack) lost += word > 0 && x.gold_head(word) == next;
    } else {
      const int word = stack.back(), head = x.gold_head(word);
      for (int i = next; i <= x.sentence->size(); ++i) lost += x.gold_head(i) == word;
      lost += move == kLeft ? head == from_top(stack, 1) || head > next : head >= next;
    }
    return static_cast<float>(lost);
  }

  std::map<std::string, int> tags_;
};

constexpr char kTrain[] =
    "1\tthe\t_\tDET\t_\t_\t2\t_\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t3\t_\t_\t_\n3\tsaw\t_\tVERB\t_\t_\t0\t_\t_\t_\n"
    "4\tthe\t_\tDET\t_\t_\t5\t_\t_\t_\n5\tcat\t_\tNOUN\t_\t_\t3\t_\t_\t_\n\n"
    "1\tthe\t_\tDET\t_\t_\t2\t_\t_\t_\n2\tsaw\t_\tNOUN\t_\t_\t3\t_\t_\t_\n3\tfell\t_\tVERB\t_\t_\t0\t_\t_\t_\n\n"
    "1\ta\t_\tDET\t_\t_\t3\t_\t_\t_\n2\told\t_\tADJ\t_\t_\t3\t_\t_\t_\n3\tcat\t_\tNOUN\t_\t_\t4\t_\t_\t_\n"
    "4\tsleeps\t_\tVERB\t_\t_\t0\t_\t_\t_\n\n";
constexpr char kTest[] =
    "1\tthe\t_\tDET\t_\t_\t3\t_\t_\t_\n2\told\t_\tADJ\t_\t_\t3\t_\t_\t_\n3\tdog\t_\tNOUN\t_\t_\t4\t_\t_\t_\n"
    "4\tsaw\t_\tVERB\t_\t_\t0\t_\t_\t_\n5\ta\t_\tDET\t_\t_\t6\t_\t_\t_\n6\tsaw\t_\tNOUN\t_\t_\t4\t_\t_\t_\n\n";

int main(int count, char** arguments) try {
  const auto sentences = [&](int argument, const char* otherwise) {
    if (count < 3) return espalier::read_text(otherwise, "conllu");
    const std::string file[] = {arguments[argument]};
    std::vector<Sentence> read = espalier::read_sentences(file).sentences;
    std::erase_if(read, [](const Sentence& sentence) { return !sentence.has_heads(); });
    return read;
  };
  const std::vector<Sentence> train = sentences(1, kTrain), test = sentences(2, kTest);
  const Task task(train);
  std::vector<Example> examples;
  for (const Sentence& sentence : train) examples.push_back(task.read(sentence));

  espalier::SearchTrainer trainer(task.actions(), {"learner=adaptive", "epochs=5", "rollout=ref", "highest_cost=1"});
  trainer.train(examples.size(), [&](TaskSearch& search, size_t i) { task.run(search, examples[i]); });
  const espalier::SearchModel model = trainer.model();
  size_t words = 0, tags = 0, heads = 0;
  for (const Sentence& sentence : test) {
    Example x = task.read(sentence);
    model.decide([&](TaskSearch& search) { task.run(search, x); });
    for (int i = 1; i <= sentence.size(); ++i, ++words) {
      tags += x.tags[static_cast<size_t>(i)] == x.gold_tags[static_cast<size_t>(i)];
      heads += x.heads[static_cast<size_t>(i)] == x.gold_head(i);
    }
  }
  std::printf("%zu words, %zu tags right, %zu heads right\n", words, tags, heads);
  return count < 3 && (tags != words || heads != words);  // its own sentences it must get right
} catch (const espalier::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.kind());
}

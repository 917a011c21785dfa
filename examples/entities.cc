// Named entities as a task of learning to search: every word gets a label, and only sequences that mark whole entities
// can be predicted (B-x before I-x). Trains on a file of words and labels, a pair a line, an empty line after a
// sentence, and labels another; without files, on a few sentences of its own:
//
//   entities [TRAIN TEST]
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "espalier/app/train_search.h"

using espalier::StretchLabels;
using espalier::TaskSearch;

struct Sentence {
  std::vector<std::string> words;
  std::vector<int> gold, labels;
};

std::vector<Sentence> read(std::istream& in, const StretchLabels& labels) {
  std::vector<Sentence> all(1);
  for (std::string line, word, label; std::getline(in, line);) {
    if (line.empty() && !all.back().words.empty()) all.emplace_back();
    if (!(std::istringstream(line) >> word >> label)) continue;
    all.back().words.push_back(word);
    all.back().gold.push_back(labels.find(label));
  }
  if (all.back().words.empty()) all.pop_back();
  return all;
}

/// The same code learns and predicts.
void run(TaskSearch& search, const StretchLabels& labels, Sentence& x) {
  const auto word = [&](size_t i) { return i < x.words.size() ? x.words[i] : std::string("none"); };
  x.labels.clear();
  for (size_t i = 0; i < x.words.size(); ++i) {
    const int previous = i == 0 ? -1 : x.labels.back();
    std::vector<uint64_t> features;
    if (search.needs_features()) {
      const bool capital = x.words[i][0] >= 'A' && x.words[i][0] <= 'Z';
      for (const std::string& feature :
           {"word=" + word(i), "before=" + word(i - 1), "after=" + word(i + 1), "capital=" + std::to_string(capital)}) {
        features.push_back(espalier::feature_key(feature));
        features.push_back(espalier::feature_key(feature + " after " + std::to_string(previous)));
      }
    }
    x.labels.push_back(search.predict({.features = features,
                                       .allowed = labels.allowed(previous, i + 1 == x.words.size()),
                                       .reference = {x.gold[i]}}));
    search.loss(x.labels.back() != x.gold[i]);
  }
}

constexpr char kTrain[] =
    "Anna B-PER\nBerg I-PER\nlives O\nin O\nOslo B-LOC\n\nWe O\nmet O\nAnna B-PER\nin O\nNew B-LOC\nYork I-LOC\n\n"
    "Oslo B-LOC\nis O\ncold O\n\nCarl B-PER\nBerg I-PER\nmet O\nus O\n\nNew B-LOC\nYork I-LOC\nis O\nlarge O\n\n";
constexpr char kTest[] = "Carl B-PER\nlives O\nin O\nNew B-LOC\nYork I-LOC\n\nWe O\nmet O\nAnna B-PER\nBerg I-PER\n\n";

int main(int count, char** arguments) {
  const StretchLabels labels({"PER", "LOC", "ORG", "MISC"});
  const auto sentences = [&](int argument, const char* otherwise) {
    std::ifstream file(count > 2 ? arguments[argument] : "");
    std::istringstream own(otherwise);
    return count > 2 ? read(file, labels) : read(own, labels);
  };
  std::vector<Sentence> train = sentences(1, kTrain), test = sentences(2, kTest);

  espalier::SearchTrainer trainer({labels.size()}, {"learner=adaptive", "epochs=10"});
  trainer.train(train.size(), [&](TaskSearch& search, size_t i) { run(search, labels, train[i]); });
  const espalier::SearchModel model = trainer.model();
  size_t found = 0, right = 0, gold = 0, loose = 0;
  for (Sentence& x : test) {
    model.decide([&](TaskSearch& search) { run(search, labels, x); });
    const auto ours = labels.stretches(x.labels), theirs = labels.stretches(x.gold);
    found += ours.size(), gold += theirs.size();
    for (const auto& entity : ours) right += std::ranges::count(theirs, entity);
    std::string before = "O";
    for (size_t i = 0; i < x.words.size(); ++i) {
      const std::string& label = labels.name(x.labels[i]);
      std::printf("%s %s\n", x.words[i].c_str(), label.c_str());
      loose += label[0] == 'I' && before.substr(1) != label.substr(1);  // goes on with what has not begun
      before = label;
    }
    std::printf("\n");
  }
  std::printf("%zu of %zu entities found, %zu wrong\n", right, gold, found - right);
  return loose > 0 || (count < 3 && (right != gold || found != gold));  // its own sentences it must get right
}

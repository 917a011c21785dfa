// Which person does a name mean? A task whose every alternative brings features of its own: how alike the names are,
// and whether the person was spoken of before. There is no fixed set of actions, and persons never seen in training can
// be chosen.
#include <cstdio>
#include <string>
#include <vector>

#include "espalier/app/train_search.h"

using espalier::TaskSearch;

struct Text {
  std::vector<std::string> persons, names;
  std::vector<int> gold, chosen;  // per name, which person
};

void run(TaskSearch& search, Text& x) {
  x.chosen.clear();
  for (size_t i = 0; i < x.names.size(); ++i) {
    std::vector<std::vector<uint64_t>> alternatives(x.persons.size());
    for (size_t p = 0; p < x.persons.size() && search.needs_features(); ++p) {
      const std::string &person = x.persons[p], &name = x.names[i];
      const bool same = person == name, ends = person.ends_with(" " + name), begins = person.starts_with(name + " ");
      const bool last = !x.chosen.empty() && x.chosen.back() == static_cast<int>(p);
      for (const std::string& feature :
           {std::string(same     ? "same"
                        : ends   ? "family name"
                        : begins ? "first name"
                                 : "another name"),
            std::string(last ? "spoken of last" : "not spoken of last"),
            std::string(name == "she" || name == "he" ? "pronoun" : "name") + (last ? " last" : "")}) {
        alternatives[p].push_back(espalier::feature_key(feature));
      }
    }
    x.chosen.push_back(search.predict({.reference = {x.gold[i]}, .alternatives = alternatives}));
    search.loss(x.chosen.back() != x.gold[i]);
  }
}

int main() {
  std::vector<Text> train = {
      {{"Anna Berg", "Carl Holm"}, {"Anna", "she", "Holm", "he"}, {0, 0, 1, 1}, {}},
      {{"Eva Lind", "Per Dahl", "Ida Moe"}, {"Ida", "she", "Dahl", "Eva"}, {2, 2, 1, 0}, {}},
      {{"Jan Rui", "Liv Aas"}, {"Aas", "she", "Jan Rui", "he"}, {1, 1, 0, 0}, {}},
  };
  std::vector<Text> test = {
      {{"Tor Vik", "Siv Eng", "Odd Lie"}, {"Lie", "he", "Siv Eng", "she", "Tor"}, {2, 2, 1, 1, 0}, {}}};

  espalier::SearchTrainer trainer({1}, {"learner=adaptive", "epochs=20"});
  trainer.train(train.size(), [&](TaskSearch& search, size_t i) { run(search, train[i]); });
  size_t right = 0, all = 0;
  for (Text& x : test) {
    trainer.model().decide([&](TaskSearch& search) { run(search, x); });
    for (size_t i = 0; i < x.names.size(); ++i, ++all) {
      std::printf("%s: %s\n", x.names[i].c_str(), x.persons[static_cast<size_t>(x.chosen[i])].c_str());
      right += x.chosen[i] == x.gold[i];
    }
  }
  std::printf("%zu of %zu are right\n", right, all);
  return right != all;
}

// The worked example of docs/learning-to-search.md: noun phrases found by labelling each word B (begins one), I (goes
// on) or O (outside). The page shows this file; tests/learning_to_search_test.cc compiles and runs it.
#pragma once

#include <string>
#include <vector>

#include "espalier/parser/l2s/imperative.h"

struct Chunker {
  enum Label { kBegin, kInside, kOutside };

  struct Example {
    std::vector<std::string> tags;  // the input: part-of-speech tags
    std::vector<int> gold;          // the right labels; only read to fill in references and losses
    std::vector<int> labels;        // the output
  };

  void run(espalier::Search& search, Example& x) const {
    espalier::FeatureBag features;
    x.labels.clear();
    int previous = kOutside;
    for (size_t i = 0; i < x.tags.size(); ++i) {
      // 1. What may be done here? A phrase cannot go on that has not begun.
      std::vector<int> allowed = {kBegin, kInside, kOutside};
      if (previous == kOutside) allowed = {kBegin, kOutside};
      // 2. What does the choice look like?
      features.clear();
      if (search.needs_features()) {
        features.add(espalier::hash_string("this=" + x.tags[i]));
        features.add(espalier::hash_string("next=" + (i + 1 < x.tags.size() ? x.tags[i + 1] : "")));
      }
      // 3. Choose; earlier choices can be features, too.
      const std::vector<int> history = {previous};
      const int gold = search.needs_reference() ? x.gold[i] : -1;
      previous = search.predict(features, allowed, gold, 0, history);
      // 4. Say what was wrong.
      if (search.needs_reference()) search.loss(previous != x.gold[i]);
      x.labels.push_back(previous);
    }
  }
};

// A part-of-speech tagger as a task of learning to search, the smallest useful one. `run` is the whole decoder; the
// rest are features, reading and writing. This file is an example, and the task of the recipe `l2s-tagger`. Tested by
// tests/learning_to_search_test.cc.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "espalier/base/unicode.h"
#include "espalier/features/feature_bag.h"
#include "espalier/parser/l2s/imperative.h"
#include "espalier/tree/sentence.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {

struct L2sTagger {
  Vocabulary tags;
  std::vector<int> all_tags;  // 0, 1, 2, ...

  struct Example {
    std::vector<std::vector<uint64_t>> looks;  // per word: its features, apart from tags
    std::vector<uint64_t> forms;
    std::vector<int> gold, tags;
    FeatureBag bag;
  };

  std::vector<int> actions() const { return {tags.size()}; }

  void run(Search& search, Example& x) const {
    const auto tag = [&](int i) { return i < 0 ? -1 : x.tags[i]; };
    for (int i = 0; i < static_cast<int>(x.looks.size()); ++i) {
      if (search.needs_features()) {
        x.bag.clear();
        for (uint64_t key : x.looks[i]) x.bag.add(key);
        x.bag.add(combine(x.forms[i], mix(tag(i - 1) + 2)));
      }
      const std::array<int, 2> before = {tag(i - 1), tag(i - 2)};
      x.tags[i] = search.predict(x.bag, all_tags, x.gold[i], 0, before);
      search.loss(x.tags[i] != x.gold[i]);
    }
  }

  void learn_labels(const std::vector<Sentence>& train) {
    for (const Sentence& sentence : train) {
      for (const Token& token : sentence.tokens) tags.add(token.upos);
    }
    complete();
  }
  void complete() {
    if (tags.size() == 0) tags.add("X");
    for (int tag = 0; tag < tags.size(); ++tag) all_tags.push_back(tag);
  }
  void read(const Sentence& sentence, Example& x, bool gold) const {
    const int n = sentence.size();
    x.looks.assign(n, {});
    x.forms.resize(n);
    x.gold.assign(n, -1);
    x.tags.assign(n, -1);
    for (int i = 0; i < n; ++i) {
      x.forms[i] = hash_string(lower_case(sentence.tokens[i].form));
      if (gold) x.gold[i] = tags.find(sentence.tokens[i].upos);
    }
    for (int i = 0; i < n; ++i) describe(decode_utf8(sentence.tokens[i].form), i, x);
  }
  /// The word and its neighbours, its beginning and end, and its shape.
  static void describe(const std::u32string& form, int i, Example& x) {
    const int n = static_cast<int>(x.forms.size());
    const auto word = [&](int at) { return at < 0 || at >= n ? 1 : x.forms[at]; };
    uint64_t name = 0;
    const auto add = [&](uint64_t a, uint64_t b = 0) { x.looks[i].push_back(mix(++name * 7919 + combine(a, b))); };
    for (int offset : {-2, -1, 0, 1, 2}) add(word(i + offset));
    add(word(i - 1), word(i));
    add(word(i), word(i + 1));
    uint64_t prefix = 2, suffix = 3, shape = 4;
    CharKind last = CharKind::kSpace;
    bool digit = false, hyphen = false, upper = false;
    for (size_t k = 0; k < form.size(); ++k) {
      const CharKind kind = char_kind(form[k]);
      digit |= kind == CharKind::kDigit;
      upper |= kind == CharKind::kUpper;
      hyphen |= form[k] == U'-';
      if (kind != last) shape = combine(shape, static_cast<uint64_t>(kind) + 1);
      last = kind;
    }
    for (size_t k = 0; k < 4; ++k) {
      prefix = combine(prefix, k < form.size() ? lower_case(form[k]) : 0);
      suffix = combine(suffix, k < form.size() ? lower_case(form[form.size() - 1 - k]) : 0);
      add(prefix);
      add(suffix);
    }
    add(shape);
    add(shape, i == 0);
    add(digit * 4u + hyphen * 2u + (upper && i > 0));
  }
  void write(const Example& x, Sentence& sentence) const {
    for (int i = 0; i < sentence.size(); ++i) sentence.tokens[i].upos = tags.text(x.tags[i]);
  }
  nlohmann::json save() const { return {{"tags", tags.texts()}}; }
  void load(const nlohmann::json& json) {
    for (const auto& tag : json.at("tags")) tags.add(tag.get<std::string>());
    complete();
  }
};

}  // namespace espalier

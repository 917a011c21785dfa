// Small sentences for tests, written on one line.
#pragma once

#include <charconv>
#include <sstream>
#include <string>
#include <vector>

#include "espalier/tree/sentence.h"

namespace espalier::testing {

/// "planes/NOUN/5/nsubj" per word: form, UPOS, head, label. A token "ab=2/..." opens a multiword token "ab" of 2 words.
inline Sentence dependencies(const std::string& text) {
  Sentence sentence;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (const size_t equals = word.find('='); equals != std::string::npos && equals > 0) {
      const int count = word[equals + 1] - '0', first = sentence.size() + 1;
      const std::string id = std::to_string(first) + "-" + std::to_string(first + count - 1);
      sentence.extra.push_back({sentence.size(), id + "\t" + word.substr(0, equals) + "\t_\t_\t_\t_\t_\t_\t_\t_"});
      word = word.substr(equals + 3);
    }
    std::vector<std::string> columns;
    std::istringstream fields(word);
    for (std::string field; std::getline(fields, field, '/');) columns.push_back(field);
    columns.resize(4, "_");
    Token token;
    token.form = columns[0];
    token.upos = columns[1];
    if (columns[2] != "_") token.head = std::stoi(columns[2]);
    token.deprel = columns[3];
    sentence.tokens.push_back(token);
  }
  return sentence;
}

/// Penn brackets, well formed: "(S (NP (NN dogs)) (VP (VBP bark)))". "()" gives no tree.
inline Sentence constituents(const std::string& text) {
  Sentence sentence;
  std::vector<int> open;
  const auto is_text = [&](size_t i) { return i < text.size() && text[i] != '(' && text[i] != ')' && text[i] != ' '; };
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (text[i] == '(') {
      while (is_text(end)) ++end;
      const int node = static_cast<int>(sentence.constituents.nodes.size());
      if (!open.empty()) sentence.constituents.nodes[static_cast<size_t>(open.back())].children.push_back(node);
      sentence.constituents.nodes.emplace_back().label = text.substr(i + 1, end - i - 1);
      open.push_back(node);
    } else if (text[i] == ')') {
      open.pop_back();
    } else if (text[i] != ' ') {
      while (is_text(end)) ++end;
      auto& leaf = sentence.constituents.nodes[static_cast<size_t>(open.back())];
      sentence.tokens.push_back({});
      sentence.tokens.back().form = text.substr(i, end - i);
      sentence.tokens.back().xpos = leaf.label;
      leaf.word = sentence.size();
    }
    i = end;
  }
  if (sentence.tokens.empty()) sentence.clear();
  return sentence;
}

}  // namespace espalier::testing

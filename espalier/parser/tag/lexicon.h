// The user's lexicon: a file of lines "form, tab, lemma" and optionally a tab and tags. Tags are UPOS, XPOS or
// features, separated by spaces or '|'; a line applies to words that have all of them. Lines with more tags win, then
// later ones. Forms are looked up unchanged, then in lower case. Tested by lexicon_test.cc.
#pragma once

#include <istream>
#include <string>
#include <unordered_map>
#include <vector>

#include "espalier/tree/sentence.h"

namespace espalier {

class Lexicon {
 public:
  /// Throws a data Error that names file and line.
  static Lexicon read(std::istream& input, const std::string& name);

  bool empty() const { return entries_.empty(); }
  /// Null if no line applies to this word.
  const std::string* find(const Token& token) const;

 private:
  struct Entry {
    std::vector<std::string> tags;
    std::string lemma;
  };
  const std::string* find(const std::string& form, const Token& token) const;

  std::unordered_map<std::string, std::vector<Entry>> entries_;  // by form, in order of precedence
};

}  // namespace espalier

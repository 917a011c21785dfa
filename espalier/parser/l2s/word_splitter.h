// Splits multiword tokens into words ("don't" = do + n't, "nella" = in + la). Whether a token stands for several words
// ("its" = its, or it + s) depends on its context (espalier/parser/l2s/l2s_tokenizer.h). Uses a dictionary of whole
// tokens, then the longest matching suffix rule; both are learned from the majority of a treebank's multiword tokens.
// Case is ignored; words keep the token's case. Tested by word_splitter_test.cc.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace espalier {

class WordSplitter {
 public:
  /// A surface token of the training data; tokens of one word are ignored.
  struct Seen {
    std::u32string token;
    std::vector<std::u32string> words;
  };
  static WordSplitter learn(const std::vector<Seen>& seen);

  /// The words of a multiword token; the token itself if no rule matches.
  std::vector<std::u32string> split(const std::u32string& token) const;

  nlohmann::json save() const;
  static WordSplitter load(const nlohmann::json& json);

 private:
  static constexpr size_t kMaxSuffix = 12;
  using Words = std::vector<std::u32string>;
  const Words* find_suffix(const std::u32string& lower, size_t* suffix) const;

  std::map<std::u32string, Words> whole_;   // lower-cased token to words
  std::map<std::u32string, Words> suffix_;  // lower-cased suffix; the first word is what follows the stem
};

}  // namespace espalier

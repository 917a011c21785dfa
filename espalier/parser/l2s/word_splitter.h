// Multiword tokens: which words a surface token stands for ("don't" = do + n't, "nella" = in + la), if it stands for
// several; whether it does ("its" = its, or it + s) is for its context to decide, espalier/parser/l2s/l2s_tokenizer.h.
// A dictionary of whole tokens, then the longest fitting suffix rule; both learned from the majority of a treebank's
// multiword tokens. Case is not distinguished; words keep the token's case. Tested by word_splitter_test.cc.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace espalier {

class WordSplitter {
 public:
  /// One surface token of the training data; those of one word teach nothing.
  struct Seen {
    std::u32string token;
    std::vector<std::u32string> words;
  };
  static WordSplitter learn(const std::vector<Seen>& seen);

  /// The words of a multiword token; the token itself if nothing like it was seen.
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

// Cuts raw text into sentences and words. Sentences end by ICU's rules (Unicode Standard Annex 29), but not after ICU's
// abbreviations of the language; words are ICU's, for English those of the Universal Dependencies treebanks
// (english_words.h). The text can be recovered from the output: "# text = ..." above each sentence, SpaceAfter=No where
// two words touch, multiword tokens ("1-2 don't") where one written word is two. Linear time. Tested by
// segmenter_test.cc; measured by scripts/measure/segmentation.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/sentence.h"

namespace espalier {

/// The largest number of words of a sentence, after which it is cut, so that text without full stops does not exhaust a
/// parser's memory.
inline constexpr size_t kLongestSentence = 10000;

/// A word's place in its text, in bytes.
struct WordSpan {
  size_t begin, end;
  bool joined;  ///< one multiword token with the word before
};

class Segmenter {
 public:
  /// `language` is an ICU locale: "en", "de", "zh-TW"; unknown ones get ICU's general rules.
  explicit Segmenter(const std::string& language);
  ~Segmenter();

  /// Appends the sentences of a paragraph, which is valid UTF-8; any white space, line ends too, only separates words.
  void segment(std::string_view paragraph, std::vector<Sentence>& sentences);

 private:
  struct Rules;

  static const Rules& loaded_rules(const std::string& language);
  static Rules load_rules(const std::string& language);
  void adjust_to_english(std::string_view text);
  void segment_sentence(std::string_view text, std::vector<Sentence>& sentences);
  static Sentence make_sentence(std::string_view text, std::span<const WordSpan> words);

  std::unique_ptr<Rules> rules_;
  std::vector<size_t> breaks_;  // ends of sentences
  std::vector<WordSpan> words_;
};

}  // namespace espalier

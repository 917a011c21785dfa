// Classes of words with bit paths (`espalier cluster`), for features: words that occur in few trees or none share the
// class of words that are known. A file has a line for each word, "path TAB word TAB count", as other programs for
// Brown clusters write it. In a model a word is 32 bits of the hash of its normalised form.
// Tested by word_clusters_test.cc.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

class WordClusters {
 public:
  /// A word's class and the beginnings of its path, as values for templates.
  struct Atoms {
    enum Field : uint8_t { kFull, kBits10, kBits6, kBits4, kFields };
    uint64_t field[kFields];
  };
  static constexpr size_t kLongestPath = 4096;

  /// Throws a data Error with the line; `name` is the file's, for messages.
  static std::shared_ptr<const WordClusters> read(std::istream& input, const std::string& name);
  /// As `words`, `sizes` and `paths` give it: the words of each class, one class after the other; paths in lines.
  /// "" or the problem: they may come from a damaged or forged model.
  static std::string check(std::span<const uint32_t> words, std::span<const uint32_t> sizes, std::string_view paths);
  WordClusters(std::span<const uint32_t> words, std::span<const uint32_t> sizes, std::string_view paths);

  /// Those of a word without a class are a value of their own.
  const Atoms& find(std::string_view form) const;
  /// Those of places before and after the sentence.
  static const Atoms& no_word();

  // For saving.
  std::span<const uint32_t> words() const { return words_; }
  std::span<const uint32_t> sizes() const { return sizes_; }
  const std::string& paths() const { return paths_; }
  friend bool operator==(const WordClusters& a, const WordClusters& b) {
    return a.words_ == b.words_ && a.sizes_ == b.sizes_ && a.paths_ == b.paths_;
  }

 private:
  struct Entry {
    uint32_t word, number;
  };
  static constexpr int kIndexBits = 12;
  static size_t index_of(uint32_t word) { return word >> (32 - kIndexBits); }

  std::vector<uint32_t> words_, sizes_;
  std::string paths_;
  std::vector<Atoms> atoms_;     // of each class; the last one of words without a class
  std::vector<Entry> classes_;   // of words, in order: no forged hashes make this slow
  std::vector<uint32_t> index_;  // where those with the same first bits begin
};

}  // namespace espalier

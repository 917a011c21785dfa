// The laws that every reader and writer keeps, whatever the input: no crash under any policy; delivered heads lie in
// the sentence; what is written reads back without a problem; and writing that again gives the same bytes.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/format/format.h"

namespace espalier::fuzz {

/// Ends the program in a way that libFuzzer reports, also where asserts are off.
inline void require(bool condition) {
  if (!condition) std::abort();
}

/// `problems`, if given, receives how many were reported.
inline std::vector<Sentence> read(std::string_view format, const std::string& text, BadSentence bad,
                                  int* problems = nullptr) {
  std::istringstream input(text);
  ReaderOptions options;
  options.bad = bad;
  options.warn = bad == BadSentence::kKeep;
  options.report = [problems](const Problem& problem) {
    require(!problem.text().empty());
    if (problems) ++*problems;
  };
  std::vector<Sentence> sentences;
  const auto reader = make_reader(format, input, options);
  for (Sentence sentence; reader->next(sentence);) {
    for (const Token& token : sentence.tokens) {
      require(token.head == Token::kNoHead || (token.head >= 0 && token.head <= sentence.size()));
    }
    sentences.push_back(sentence);
  }
  return sentences;
}

inline std::string write(std::string_view format, const std::vector<Sentence>& sentences) {
  std::ostringstream output;
  const auto writer = make_writer(format, output);
  for (const Sentence& sentence : sentences) writer->write(sentence);
  writer->finish();
  return output.str();
}

/// What a format delivered can be written in another one and read back.
inline void check_writing(std::string_view format, const std::vector<Sentence>& sentences) {
  const std::string once = write(format, sentences);
  require(write(format, read(format, once, BadSentence::kStop)) == once);
}

/// All of the laws, for one format; returns what the reader delivered.
inline std::vector<Sentence> check_round_trip(std::string_view format, const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read(format, text, BadSentence::kKeep);
  std::vector<Sentence> sentences = read(format, text, BadSentence::kSkip);
  check_writing(format, sentences);
  return sentences;
}

}  // namespace espalier::fuzz

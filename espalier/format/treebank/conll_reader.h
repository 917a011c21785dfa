// Reads the two ten-column formats, CoNLL-U (universaldependencies.org/format.html) and CoNLL-X (Buchholz and Marsi
// 2006), which differ in little: CoNLL-U has multiword tokens and empty nodes, CoNLL-X has PHEAD and PDEPREL where
// CoNLL-U has DEPS and MISC. Linear time; the sentence's memory is reused. Tested by conllu_test.cc and conllx_test.cc.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "espalier/format/format.h"
#include "espalier/format/line_reader.h"
#include "espalier/format/problem_log.h"

namespace espalier {

enum class ConllDialect { kU, kX };

class ConllReader : public Reader {
 public:
  ConllReader(ConllDialect dialect, std::istream& input, ReaderOptions options)
      : dialect_(dialect), lines_(input, options.name), log_(std::move(options)) {}

  bool next(Sentence& sentence) override;
  bool ready() const override { return lines_.ready(); }

  static constexpr size_t kColumns = 10;
  using Columns = std::array<std::string_view, kColumns>;

 private:
  bool read_block(Sentence& sentence);
  void read_line(std::string_view line, Sentence& sentence);
  void read_word(const Columns& columns, Sentence& sentence);
  void read_range(int first, std::string_view last, std::string_view line, Sentence& sentence);
  void read_empty_node(int after, std::string_view minor, std::string_view line, Sentence& sentence);
  void keep_line(std::string_view line, Sentence& sentence);
  void finish(Sentence& sentence);
  void warn_about_tree(const Sentence& sentence);

  ConllDialect dialect_;
  LineReader lines_;
  ProblemLog log_;
  // How far the current sentence's vectors are filled; elements behind are of an earlier sentence, for reuse.
  size_t comments_ = 0, words_ = 0, extras_ = 0;
  std::vector<long> word_line_;  // line numbers of the words
  int range_end_ = 0;            // last word of the latest multiword token
  long range_line_ = 0;          // and where it stood
  int empty_nodes_ = 0;          // since the latest word
};

/// Splits at tabs and says how many columns there are; those past the tenth are counted but not kept.
size_t split_columns(std::string_view line, ConllReader::Columns& columns);

/// Writes CoNLL-X's PHEAD and PDEPREL into MISC as "PHead=3|PDeprel=obj"; see conllx.cc.
void misc_from_projective(std::string_view phead, std::string_view pdeprel, std::string& misc);

}  // namespace espalier

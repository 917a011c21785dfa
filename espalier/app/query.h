// Patterns (tools/query.h) searched in treebanks, or in texts that a model parses first; and noun chunks. Tested by
// tests/format_commands_test.cc.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "espalier/app/files.h"
#include "espalier/base/export.h"
#include "espalier/tools/noun_chunks.h"
#include "espalier/tools/query.h"

namespace espalier {

struct QueryFiles {
  std::string pattern;
  std::vector<std::string> inputs = {"-"};
  std::string from;        ///< format, if names do not tell; standard input is CoNLL-U
  std::string encoding;    ///< of the input, such as "latin1"; "" = UTF-8
  std::string to = "tsv";  ///< "tsv", "json" (a match a line), "conllu": the sentences that match
  std::vector<std::string> show = {
      "form"};      ///< columns of each named word: form lemma upos xpos feats deprel id phrase
  int threads = 1;  ///< for parsing
  Stop stop;
  Message message;
};
struct QueriedFiles {
  size_t sentences = 0, matching = 0, matches = 0, skipped = 0;
};
/// `model` null: the input has trees.
ESPALIER_API QueriedFiles query_files(const Model* model, const QueryFiles& request, std::ostream& output);

/// What `QueryFiles::show` may name.
ESPALIER_API const std::vector<std::string>& query_columns();

}  // namespace espalier

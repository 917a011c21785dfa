// Teaches a small model by large ones. Teachers annotate text, or somebody else has ("silver" trees); a student learns
// from silver beside the treebank. This only composes parse_files and train_files, with a selection of sentences and
// arcs in between. Tested by distil_test.cc.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "espalier/app/train.h"
#include "espalier/base/export.h"

namespace espalier {

/// The student's training, `train` being gold, and where silver comes from: `teachers` and `texts`, or `silver`.
struct DistilFiles : TrainFiles {
  std::vector<std::string> teachers;   ///< model files; several vote (panel.h)
  std::vector<std::string> texts;      ///< for them: raw text, or sentences, whose trees they replace
  std::string from;                    ///< format of the texts, if their names do not tell
  std::vector<std::string> silver;     ///< files of trees
  std::vector<std::string> leave_out;  ///< treebanks whose sentences silver must not have, such as a test part
  int min_words = 3, max_words = 60;   ///< of a sentence
  double confident = 1;                ///< share of the sentences to learn from: those with the surest trees
  double doubt = 0;                    ///< arcs that are less sure are not learned from: partial trees
};

/// Writes MODEL.silver.conllu.gz, without sentences of `dev` and `leave_out`, and MODEL.silver.json, which says what it
/// was made of; then trains on gold and silver. Each text that is annotated is kept in MODEL.silver.parts until silver
/// is complete. With `resume` what there is is not made again; if it was made of other files or by other options, this
/// throws a data Error. The result is that of train_files, with the counts of "silver" if it was made now.
ESPALIER_API nlohmann::json distil_files(const DistilFiles& request);

}  // namespace espalier

#include "espalier/learn/dev_score.h"

#include <cmath>

#include "espalier/eval/attachment.h"
#include "espalier/eval/bracket.h"
#include "espalier/parser/parse_all.h"

namespace espalier {

DevScore score_on_dev(const Parser& parser, const std::vector<Sentence>& dev, int threads) {
  std::vector<Sentence> parsed = dev;
  parse_all(parser, parsed, threads);
  return score_parsed(parser, dev, parsed);
}

DevScore score_parsed(const Parser& parser, const std::vector<Sentence>& dev, const std::vector<Sentence>& parsed) {
  DevScore score;
  std::vector<double> values;
  auto note = [&](const char* name, double percent, bool counts) {
    if (std::isnan(percent)) return;
    score.details[name] = percent;
    if (counts) values.push_back(percent);
  };
  for (const std::string& what : parser.about().predicts) {
    if (what == "constituents") {
      const BracketScore brackets = score_brackets(dev, parsed);
      note("precision", brackets.brackets.precision(), false);
      note("recall", brackets.brackets.recall(), false);
      note("f1", brackets.brackets.f1(), true);
    } else {
      const AttachmentScore attachment = score_attachment(dev, parsed);
      if (what == "heads") {
        note("uas", attachment.uas.percent(), false);
        note("las", attachment.las.percent(), true);
      } else if (what == "tags") {
        note("upos", attachment.upos.percent(), true);
        note("xpos", attachment.xpos.percent(), true);
        note("feats", attachment.feats.percent(), true);
      } else if (what == "lemmas") {
        note("lemma", attachment.lemma.percent(), true);
      }
    }
  }
  for (const double value : values) score.value += value / static_cast<double>(values.size());
  return score;
}

}  // namespace espalier

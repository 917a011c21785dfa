#include "espalier/parser/given_heads.h"

#include <algorithm>

#include "espalier/search/chu_liu_edmonds.h"
#include "espalier/search/eisner.h"
#include "espalier/space/arc_matrix.h"

namespace espalier {
namespace {

/// Every arc exists, without a score.
ArcMatrix all_arcs(int words) {
  ArcMatrix arcs;
  arcs.reset(words);
  for (int h = 0; h <= words; ++h)
    for (int m = 1; m <= words; ++m)
      if (h != m) arcs(h, m) = 0;
  return arcs;
}

void keep_texts(const std::vector<std::string>& given, std::vector<std::string>& column) {
  for (size_t i = 1; i < given.size() && i < column.size(); ++i)
    if (given[i] != "_") column[i] = given[i];
}

}  // namespace

std::vector<int> projective_part(std::span<const int> heads, Roots roots) {
  const int n = static_cast<int>(heads.size()) - 1;
  ArcMatrix arcs = all_arcs(n);
  for (int m = 1; m <= n; ++m)
    if (heads[m] != Token::kNoHead) arcs(heads[m], m) = 1;
  EisnerChart chart;
  std::vector<int> best(heads.size(), Token::kNoHead);
  chart.fill(arcs, roots == Roots::kOne);
  chart.best_heads(best);
  for (size_t m = 1; m < best.size(); ++m)
    if (best[m] != heads[m]) best[m] = Token::kNoHead;
  return best;
}

void mend(const Constraints& given, Roots roots, Analysis& analysis) {
  std::vector<int>& heads = analysis.heads;
  if (heads.size() > 1 && heads.size() == given.heads.size() && !has_given_heads(heads, given)) {
    const int n = static_cast<int>(heads.size()) - 1;
    ArcMatrix arcs = all_arcs(n);
    for (int m = 1; m <= n; ++m) {
      arcs(heads[m], m) = 1;
      if (const int head = given.head(m); head != Token::kNoHead)
        for (int h = 0; h <= n; ++h)
          if (h != head) arcs(h, m) = kNoArc;
    }
    const std::vector<int> before = heads;
    ChuLiuEdmonds().solve(arcs, heads, roots == Roots::kOne);
    for (size_t m = 1; m < heads.size(); ++m)
      if ((heads[m] == 0) != (before[m] == 0)) analysis.deprels[m] = heads[m] == 0 ? "root" : "dep";
  }
  keep_texts(given.deprels, analysis.deprels);
  keep_texts(given.upos, analysis.upos);
  keep_texts(given.xpos, analysis.xpos);
  keep_texts(given.feats, analysis.feats);
}

void mend(const Constraints& given, const AboutParser& parser, Sentence& sentence) {
  if (given.empty()) return;
  Analysis analysis = predicted_analysis(sentence, parser);
  mend(given, parser.roots, analysis);
  annotate(sentence, analysis);
}

KBestList mended(KBestList list, const Constraints& given, Roots roots, std::optional<KBestList> otherwise) {
  return KBestList([list = std::move(list), given, roots, otherwise = std::move(otherwise)](
                       int k, std::vector<Candidate>& all) mutable {
    auto found = list.best(k);
    if (found.empty() && otherwise) found = otherwise->best(k);
    all.clear();
    for (Candidate candidate : found) {
      mend(given, roots, candidate.analysis);
      add_distinct(std::move(candidate), all);
    }
  });
}

}  // namespace espalier

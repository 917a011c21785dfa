#include "espalier/tree/analysis.h"

#include <utility>

namespace espalier {

void annotate(Sentence& sentence, const Analysis& analysis) {
  const auto write = [&](const auto& column, auto Token::*member) {
    if (column.empty()) return;
    for (int i = 1; i <= sentence.size(); ++i) sentence.word(i).*member = column[i];
  };
  write(analysis.heads, &Token::head);
  write(analysis.deprels, &Token::deprel);
  write(analysis.upos, &Token::upos);
  write(analysis.xpos, &Token::xpos);
  write(analysis.feats, &Token::feats);
  write(analysis.lemmas, &Token::lemma);
  if (!analysis.constituents.empty()) sentence.constituents = analysis.constituents;
  if (analysis.xpos.empty()) return;
  // The tags of a bracketed tree are its words' XPOS.
  for (auto& node : sentence.constituents.nodes)
    if (node.word > 0) node.label = sentence.word(node.word).xpos;
}

void assign_tree(const DependencyTree& tree, std::span<const std::string> labels, Analysis& analysis) {
  analysis.heads = tree.head;
  analysis.deprels.resize(tree.head.size());
  for (size_t i = 1; i < tree.head.size(); ++i) analysis.deprels[i] = labels[tree.label[i]];
}

Analysis dependencies_of(const Sentence& sentence) {
  Analysis analysis;
  analysis.heads.assign(1, -1);
  analysis.deprels.assign(1, "");
  for (const Token& token : sentence.tokens) {
    analysis.heads.push_back(token.head);
    analysis.deprels.push_back(token.deprel);
  }
  return analysis;
}

Analysis analysis_of(const Sentence& sentence) {
  Analysis analysis = dependencies_of(sentence);
  for (const auto& [column, member] : {std::pair(&analysis.upos, &Token::upos),
                                       {&analysis.xpos, &Token::xpos},
                                       {&analysis.feats, &Token::feats},
                                       {&analysis.lemmas, &Token::lemma}}) {
    column->assign(1, "");
    for (const Token& token : sentence.tokens) column->push_back(token.*member);
  }
  analysis.constituents = sentence.constituents;
  return analysis;
}

}  // namespace espalier

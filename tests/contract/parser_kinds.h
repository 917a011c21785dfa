// Every kind of parser that can be trained, as the contract sees it: one line per kind. A new one is added here and
// gets all tests of parser_test.cc.
#pragma once

#include <string>
#include <vector>

#include "espalier/learn/trainer.h"
#include "tests/toy_clusters.h"
#include "tests/toy_constituents.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

namespace espalier {

struct ParserKind {
  using Treebank = std::vector<Sentence> (*)(int sentences, uint64_t seed);
  const char* name;
  Treebank treebank;
  const char* settings;  ///< "key=value key=value"
};

inline std::vector<Sentence> lemma_treebank(int sentences, uint64_t seed) {
  std::vector<Sentence> treebank = toy_treebank(sentences, seed);
  for (Sentence& sentence : treebank)
    for (Token& token : sentence.tokens) token.lemma = token.form == "sees" ? "see" : token.form;
  return treebank;
}

inline const std::vector<ParserKind>& parser_kinds() {
  static const std::string beam_clusters = "recipe=beam system=arc-standard beam=4 direction=r2l epochs=2 clusters=" +
                                           toy_clusters(),
                           tagger_clusters = "recipe=tagger epochs=2 clusters=" + toy_clusters();
  static const std::vector<ParserKind> all = {
      {"greedy", toy_treebank, "recipe=greedy epochs=2"},
      {"greedy_swap", crossing_treebank, "recipe=greedy system=swap epochs=2"},
      {"beam_standard", toy_treebank, "recipe=beam system=arc-standard beam=4 epochs=2"},
      {"beam_eager", toy_treebank, "recipe=beam system=arc-eager beam=4 epochs=2"},
      {"beam_hall", toy_treebank, "recipe=beam system=arc-eager features=hall beam=4 epochs=2"},
      {"beam_hybrid", toy_treebank, "recipe=beam system=arc-hybrid beam=4 epochs=2"},
      {"beam_swap", crossing_treebank, "recipe=beam system=swap beam=4 epochs=2"},
      {"beam_pseudo", crossing_treebank, "recipe=beam beam=4 projectivity=pseudo epochs=2"},
      {"beam_from_right", toy_treebank, "recipe=beam system=arc-standard beam=4 direction=r2l epochs=2"},
      {"beam_roots", toy_treebank, "recipe=beam system=arc-eager beam=4 root=multiple epochs=2"},
      {"beam_clusters", toy_treebank, beam_clusters.c_str()},
      {"tagger", toy_treebank, "recipe=tagger epochs=2"},
      {"tagger_clusters", toy_treebank, tagger_clusters.c_str()},
      {"cube_1", toy_treebank, "recipe=cube order=1 min_updates=1 epochs=2"},
      {"cube_2", toy_treebank, "recipe=cube order=2 min_updates=1 epochs=2"},
      {"cube_3", toy_treebank, "recipe=cube order=3 min_updates=1 epochs=2"},
      {"cube_pseudo", crossing_treebank, "recipe=cube projectivity=pseudo min_updates=1 epochs=2"},
      {"cube_roots", rooted_treebank, "recipe=cube root=multiple min_updates=1 epochs=2"},
      {"cube_parts", toy_treebank, "recipe=cube parts=sibling,frame min_updates=1 epochs=2"},
      {"mst_roots", rooted_treebank, "recipe=mst root=multiple min_updates=1 epochs=2"},
      {"mst", crossing_treebank, "recipe=mst min_updates=1 epochs=2"},
      {"mst_hall", crossing_treebank, "recipe=mst features=hall min_updates=1 epochs=2"},
      {"l2s", toy_treebank, "recipe=l2s bits=12 epochs=1"},
      {"l2s_rich", toy_treebank, "recipe=l2s bits=12 features=rich epochs=1"},
      {"l2s_joint", toy_treebank, "recipe=l2s bits=12 decisions=joint learner=pa epochs=1"},
      {"l2s_split", toy_treebank, "recipe=l2s bits=12 decisions=split features=all history=2 epochs=1"},
      {"l2s_eager", toy_treebank, "recipe=l2s bits=12 system=arc-eager epochs=1"},
      {"l2s_eager_split", toy_treebank, "recipe=l2s bits=12 system=arc-eager decisions=split features=bigram epochs=1"},
      {"l2s_beam", toy_treebank, "recipe=l2s bits=12 beam=4 epochs=1"},
      {"l2s_roots", toy_treebank, "recipe=l2s bits=12 root=multiple epochs=1"},
      {"l2s_constituents", toy_constituents, "recipe=l2s-constituents bits=12 epochs=1"},
      {"l2s_constituents_beam", toy_constituents, "recipe=l2s-constituents direction=r2l beam=4 bits=12 epochs=1"},
      {"l2s_tagger", toy_treebank, "recipe=l2s-tagger epochs=1"},
      {"lemmatizer", lemma_treebank, "recipe=lemmatizer epochs=2"},
      {"tokenizer", toy_treebank, "recipe=tokenizer epochs=1"},
      {"shift_reduce", toy_constituents, "recipe=shift-reduce direction=l2r beam=4 min_updates=1 epochs=2"},
      {"shift_reduce_both", toy_constituents, "recipe=shift-reduce beam=4 min_updates=1 epochs=2"},
      {"chart", toy_constituents, "recipe=chart min_updates=1 epochs=2"},
      {"classify", toy_constituents, "recipe=classify strategy=r2l sample=500 max_trees=30"},
      {"classify_both", toy_constituents, "recipe=classify strategy=both sample=500 max_trees=30"},
      {"committee", toy_treebank,
       "recipe=committee member.0.recipe=beam member.0.epochs=1 member.1.recipe=greedy member.1.epochs=1 "
       "member.2.recipe=mst member.2.min_updates=1 member.2.epochs=1"},
      {"committee_constituents", toy_constituents,
       "recipe=committee member.0.recipe=shift-reduce member.0.direction=l2r member.0.epochs=1 "
       "member.1.recipe=shift-reduce member.1.direction=r2l member.1.epochs=1 "
       "member.2.recipe=classify member.2.strategy=r2l member.2.cost=logistic member.2.sample=500 "
       "member.2.max_trees=30"},
      {"pipeline", toy_treebank, "recipe=pipeline tagger.recipe=tagger parser.recipe=beam parser.beam=4"},
      {"pipeline_joint", toy_treebank,
       "recipe=pipeline tagger.recipe=tagger parser.recipe=beam parser.beam=4 taggings=3"},
  };
  return all;
}

}  // namespace espalier

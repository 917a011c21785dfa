#include "espalier/parser/combine/template_digest.h"

#include <fmt/format.h>

#include <sstream>

#include "espalier/format/format.h"
#include "espalier/parser/combine/feature_key.h"
#include "espalier/parser/combine/tree_features.h"

namespace espalier {
namespace {

/// Trees in which every group of templates occurs: a chain of four words, three children on a side, two with one label,
/// a marker below a word, conjuncts with children, pairs of punctuation, agreeing FEATS; all columns are filled.
constexpr const char* kDependencies =
    "1\tShe\tshe\tPRON\tPRP\tCase=Nom|Number=Sing\t2\tnsubj\t_\t_\n"
    "2\tgrows\tgrow\tVERB\tVBZ\tNumber=Sing|Tense=Pres\t0\troot\t_\t_\n"
    "3\t(\t(\tPUNCT\t-LRB-\t_\t5\tpunct\t_\t_\n"
    "4\told\told\tADJ\tJJ\tDegree=Pos\t5\tamod\t_\t_\n"
    "5\tpears\tpear\tNOUN\tNNS\tNumber=Plur\t2\tobj\t_\t_\n"
    "6\t,\t,\tPUNCT\t,\t_\t9\tpunct\t_\t_\n"
    "7\tand\tand\tCCONJ\tCC\t_\t9\tcc\t_\t_\n"
    "8\tred\tred\tADJ\tJJ\tDegree=Pos\t9\tamod\t_\t_\n"
    "9\tplums\tplum\tNOUN\tNNS\tNumber=Plur\t5\tconj\t_\t_\n"
    "10\t)\t)\tPUNCT\t-RRB-\t_\t5\tpunct\t_\t_\n"
    "11\tnear\tnear\tADP\tIN\t_\t13\tcase\t_\t_\n"
    "12\tthe\tthe\tDET\tDT\tDefinite=Def\t13\tdet\t_\t_\n"
    "13\twall\twall\tNOUN\tNN\tNumber=Sing\t2\tobl\t_\t_\n"
    "14\tof\tof\tADP\tIN\t_\t15\tcase\t_\t_\n"
    "15\tstone\tstone\tNOUN\tNN\tNumber=Sing\t13\tnmod\t_\t_\n"
    "16\tthere\tthere\tADV\tRB\t_\t2\tobl\t_\t_\n"
    "17\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n";
constexpr const char* kConstituents =
    "(S (NP (PRP She)) (VP (VBZ grows) (NP (NP (JJ old) (NNS pears)) (, ,) (CC and) (NP (JJ red) (NNS plums))) "
    "(PP (IN near) (NP (NP (DT the) (NN wall)) (PP (IN of) (NP (NN stone)))))) (. .))";

}  // namespace

const std::string& template_digest() {
  static const std::string digest = [] {
    uint64_t key = 0;
    for (const auto& [format, text] : {std::pair("conllu", kDependencies), {"ptb", kConstituents}}) {
      std::istringstream input(text);
      Sentence sentence;
      make_reader(format, input, {})->next(sentence);
      const Analysis analysis = analysis_of(sentence);
      TreeFeatures features({});
      const FeatureGroups& groups = features.extract(sentence, {&analysis, 1});
      for (size_t group = 0; group < groups.groups(); ++group)
        for (const uint64_t feature : groups.keys(group)) key = extended(key, feature);
    }
    return fmt::format("{:016x}", key);
  }();
  return digest;
}

}  // namespace espalier

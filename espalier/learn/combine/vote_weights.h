// The weight of each member's votes, chosen on held-out sentences by coordinate ascent. Tested by
// committee_test.cc.
#pragma once

#include <vector>

#include "espalier/parser/combine/committee.h"

namespace espalier {

/// All members' lists of trees for all sentences: [sentence][member][tree].
using Opinions = std::vector<std::vector<std::vector<Candidate>>>;

Opinions opinions_of(const std::vector<const Parser*>& members, const std::vector<Sentence>& sentences, int list,
                     int threads);

/// How much the committee gets right: words with their head and relation; of constituents the gold brackets' number
/// times F1.
double right_parts(const Opinions& opinions, const std::vector<Sentence>& gold,
                   const std::vector<VoteWeight>& vote_weights, TreeKind kind, int threads);

/// Replaces `vote_weights` by better ones: first the effect of errors on weights, and the temperature of lists, are
/// chosen for all members together, then each member's numbers while that clearly gets more right. With lists of
/// one tree the temperatures stay. The result does not depend on the number of threads.
void fit_vote_weights(const Opinions& opinions, const std::vector<Sentence>& gold, TreeKind kind, int threads,
                      std::vector<VoteWeight>& vote_weights);

}  // namespace espalier

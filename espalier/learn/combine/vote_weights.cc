#include "espalier/learn/combine/vote_weights.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "espalier/base/parallel.h"
#include "espalier/eval/bracket.h"
#include "espalier/learn/tuner.h"
#include "espalier/parser/parse_all.h"

namespace espalier {
namespace {

constexpr double kWeights[] = {0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3};
// Weights of members: the share of errors to the power of minus one of these.
constexpr double kPowers[] = {0, 2, 4, 8};
// In units of the mean gap between a member's first and second tree.
constexpr double kTemperatures[] = {0, 0.125, 0.25, 0.5, 1, 2, 4};
constexpr int kRounds = 3;
// A change for one member must correct at least one word (or bracket) in this many, or it is noise: on EWT, choosing by
// single words gained 0.1 LAS on dev and nothing on test.
constexpr long kPartsPerGain = 2000;

/// By member; 0 if it never has a second tree.
std::vector<double> mean_gaps(const Opinions& opinions) {
  std::vector<double> gaps(opinions.empty() ? 0 : opinions[0].size(), 0);
  for (size_t m = 0; m < gaps.size(); ++m) {
    long lists = 0;
    for (const auto& sentence : opinions) {
      if (sentence[m].size() < 2) continue;
      gaps[m] += sentence[m][0].score - sentence[m][1].score;
      ++lists;
    }
    gaps[m] /= static_cast<double>(std::max(lists, 1L));
  }
  return gaps;
}

/// The weights of all members' votes, from their numbers of wrong words or brackets.
std::vector<double> merits(const Opinions& opinions, const std::vector<Sentence>& gold, TreeKind kind, int threads,
                           long parts) {
  std::vector<double> wrong;
  for (size_t m = 0; m < opinions[0].size(); ++m) {
    std::vector<VoteWeight> alone(opinions[0].size(), {0, 0});
    alone[m].weight = 1;
    wrong.push_back(static_cast<double>(parts + 1) - right_parts(opinions, gold, alone, kind, threads));
  }
  const double least = *std::ranges::min_element(wrong);
  for (double& member : wrong) member = least / member;
  return wrong;
}

/// What there is to get right.
long count_parts(const std::vector<Sentence>& gold, TreeKind kind) {
  long parts = 0;
  for (const Sentence& sentence : gold)
    parts += kind.constituents ? overlap_of_brackets(sentence, sentence.constituents).gold : sentence.size();
  return parts;
}

}  // namespace

Opinions opinions_of(const std::vector<const Parser*>& members, const std::vector<Sentence>& sentences, int list,
                     int threads) {
  Opinions opinions(sentences.size(), std::vector<std::vector<Candidate>>(members.size()));
  for_each_with_workspaces(members, sentences.size(), threads, [&](size_t i, const Workspaces& workspaces) {
    for (size_t m = 0; m < members.size(); ++m) opinions[i][m] = kbest(*members[m], sentences[i], list, *workspaces[m]);
  });
  return opinions;
}

double right_parts(const Opinions& opinions, const std::vector<Sentence>& gold,
                   const std::vector<VoteWeight>& vote_weights, TreeKind kind, int threads) {
  struct Worker {
    Poll poll;
    Analysis analysis;
    long words = 0;
    Overlap brackets;
  };
  std::vector<Worker> workers(std::max(threads, 1));
  parallel_for(gold.size(), threads, [&](int number, size_t i) {
    if (gold[i].size() == 0) return;
    Worker& worker = workers[number];
    worker.poll.count(gold[i].size(), opinions[i], vote_weights);
    worker.poll.winner(kind, worker.analysis);
    if (kind.constituents) worker.brackets += overlap_of_brackets(gold[i], worker.analysis.constituents);
    for (int w = 1; w <= gold[i].size() && !kind.constituents; ++w) {
      const auto at = static_cast<size_t>(w);
      worker.words +=
          worker.analysis.heads[at] == gold[i].word(w).head && worker.analysis.deprels[at] == gold[i].word(w).deprel;
    }
  });
  Worker sum;
  for (const Worker& worker : workers) sum.words += worker.words, sum.brackets += worker.brackets;
  if (!kind.constituents) return static_cast<double>(sum.words);
  return sum.brackets.f1() / 100 * static_cast<double>(sum.brackets.gold);
}

void fit_vote_weights(const Opinions& opinions, const std::vector<Sentence>& gold, TreeKind kind, int threads,
                      std::vector<VoteWeight>& vote_weights) {
  if (opinions.empty()) return;
  const std::vector<double> gaps = mean_gaps(opinions);
  const long parts = count_parts(gold, kind);
  using VoteWeights = std::vector<VoteWeight>;
  Tuner tuner(vote_weights, [&](const VoteWeights& tried) {
    const bool silent = std::ranges::all_of(tried, [](const VoteWeight& vote) { return vote.weight == 0; });
    return silent ? -1.0 : right_parts(opinions, gold, tried, kind, threads);
  });
  // First two numbers for all members together, which can hardly over-fit.
  const std::vector<double> merit = merits(opinions, gold, kind, threads, parts);
  for (const double power : kPowers)
    for (const double times : kTemperatures) {
      VoteWeights tried = vote_weights;
      for (size_t m = 0; m < tried.size(); ++m) tried[m] = {std::pow(merit[m], power), times * gaps[m]};
      tuner.offer(std::move(tried));
    }
  const auto gain = static_cast<double>(1 + parts / kPartsPerGain);
  tuner.climb(kRounds, [&] {
    for (size_t m = 0; m < vote_weights.size(); ++m) {
      const auto offer = [&](double VoteWeight::*number, double value) {
        VoteWeights tried = tuner.best();
        tried[m].*number = value;
        tuner.offer(std::move(tried), gain);
      };
      for (const double weight : kWeights) offer(&VoteWeight::weight, weight);
      if (gaps[m] == 0) continue;
      for (const double times : kTemperatures) offer(&VoteWeight::temperature, times * gaps[m]);
    }
  });
  vote_weights = tuner.best();
}

}  // namespace espalier

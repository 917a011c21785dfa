// Trains the parser of l2s_parser.h on a treebank and parses another with it, in the fewest possible steps:
//
//   example_l2s_parser train.conllu input.conllu > output.conllu
//
// The same task is behind the recipe `l2s`, which adds options, dev scores and a model file.
#include "espalier/parser/l2s/l2s_parser.h"

#include <iostream>

#include "espalier/base/error.h"
#include "espalier/format/format.h"
#include "espalier/learn/l2s/imitate.h"
#include "espalier/learn/l2s/reduction.h"

int main(int argc, char** argv) {
  using namespace espalier;
  if (argc != 3) {
    std::cerr << "usage: example_l2s_parser TRAIN.conllu INPUT.conllu\n";
    return 2;
  }
  try {
    const std::vector<Sentence> train = read_treebank(argv[1]);
    L2sParser task;
    task.learn_labels(train);

    LearnerOptions options;
    options.name = "adaptive";
    Reduction learner(options, Reduction::Kind::kOneAgainstAll, task.actions());
    Imitation imitation({.rollin = Policy::kMixRoll, .rollout = Policy::kReference}, learner, 1);
    L2sParser::Example example;
    for (int epoch = 0; epoch < 3; ++epoch) {
      for (const Sentence& sentence : train) {
        if (!tree_problem(sentence).empty()) continue;
        task.read(sentence, example, true);
        imitation.train([&](Search& search) { task.run(search, example); });
      }
    }

    const std::vector<HashedRegressor> model = learner.freeze();
    GreedySearch search(model);
    const auto writer = make_writer("conllu", std::cout);
    for (Sentence& sentence : read_treebank(argv[2])) {
      task.read(sentence, example, false);
      task.run(search, example);
      task.write(example, sentence);
      writer->write(sentence);
    }
    writer->finish();
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.kind());
  }
}

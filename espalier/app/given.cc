#include "espalier/app/given.h"

#include <fmt/format.h>

namespace espalier {

Constraints given_in(Sentence& sentence, Keep keep, const Parser& parser,
                     const std::function<void(const std::string&)>& note) {
  if (!keep) return {};
  Constraints given = constraints_of(sentence, keep);
  for (const TreeProblem& problem : drop_impossible(given, parser.about().roots)) {
    const std::string text = fmt::format("the given head of token {} is not kept: {}", problem.word, problem.message);
    sentence.comments.push_back("# parser = " + text);
    if (note) note(text);
  }
  return given;
}

}  // namespace espalier

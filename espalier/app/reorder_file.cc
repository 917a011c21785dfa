#include "espalier/app/files.h"
#include "espalier/app/input.h"
#include "espalier/base/output_file.h"
#include "espalier/tools/reorder.h"

namespace espalier {

ReorderedFile reorder_file(const ReorderFile& request) {
  const ReorderRules rules(reorder_rules_text(request.rules), request.rules);
  const bool horizontal = request.to == "horizontal";
  SkipLog log(request.message);
  const Input input = open_sentences(request.input, input_format(request.from, request.input, "conllu"), &log);
  OutputFile output(request.output);
  const auto writer = make_writer(horizontal ? "conllu" : request.to, output.stream());
  ReorderedFile counts;
  size_t not_trees = 0;
  long first = 0;
  for (Sentence sentence; input.reader->next(sentence); ++counts.sentences) {
    if (sentence.size() > 0 && !tree_problem(sentence, nullptr, Roots::kAny).empty() && not_trees++ == 0)
      first = sentence.line;
    const std::vector<int> order = rules.order(sentence);
    if (horizontal) {
      std::string line;
      for (const int word : order) line.append(line.empty() ? "" : " ").append(sentence.word(word).form);
      output.stream() << line << '\n';
    } else {
      std::vector<int> positions(order.size() + 1, 0);
      for (size_t i = 0; i < order.size(); ++i) positions[order[i]] = static_cast<int>(i) + 1;
      set_reference_order(sentence, positions);
      writer->write(sentence);
    }
  }
  writer->finish();
  output.commit();
  counts.skipped = log.count();
  if (not_trees > 0 && request.message)
    request.message(
        fmt::format("{}:{}: {} of {} sentences have no dependency tree and keep their order; parse them first",
                    request.input, first, not_trees, counts.sentences));
  return counts;
}

}  // namespace espalier

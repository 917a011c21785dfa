#include "espalier/loss/command.h"

#include <nlohmann/json.hpp>

#include <cmath>

#include "espalier/base/error.h"
#include "espalier/base/json_text.h"

namespace espalier {
namespace {

using nlohmann::json;

/// A column without its entry 0, the artificial root.
template <class T>
void add_column(json& to, const char* name, const std::vector<T>& column) {
  if (!column.empty()) to[name] = std::vector<T>(column.begin() + 1, column.end());
}

void add_constituents(json& to, const ConstituentTree& tree) {
  for (const auto& node : tree.nodes)
    to["constituents"].push_back({{"label", node.label}, {"word", node.word}, {"children", node.children}});
}

std::string request(const Sentence& gold, std::span<const Analysis* const> analyses) {
  json words = json::array(), candidates = json::array();
  for (const Token& token : gold.tokens) {
    json word = {{"form", token.form},   {"lemma", token.lemma},   {"upos", token.upos}, {"xpos", token.xpos},
                 {"feats", token.feats}, {"deprel", token.deprel}, {"misc", token.misc}};
    if (token.head != Token::kNoHead) word["head"] = token.head;
    words.push_back(std::move(word));
  }
  for (const Analysis* analysis : analyses) {
    json candidate = json::object();
    add_column(candidate, "heads", analysis->heads);
    add_column(candidate, "deprels", analysis->deprels);
    add_column(candidate, "upos", analysis->upos);
    add_column(candidate, "xpos", analysis->xpos);
    add_column(candidate, "feats", analysis->feats);
    add_constituents(candidate, analysis->constituents);
    candidates.push_back(std::move(candidate));
  }
  json asked = {{"comments", gold.comments}, {"words", words}, {"candidates", candidates}};
  add_constituents(asked, gold.constituents);
  return json_text(asked);
}

}  // namespace

CommandLoss::CommandLoss(std::string_view command, std::chrono::milliseconds patience)
    : process_(std::string(command), patience) {}

std::vector<double> CommandLoss::costs(const Sentence& gold, std::span<const Analysis* const> analyses) const {
  const std::lock_guard lock(mutex_);
  const auto where = [&] { return fmt::format("the loss of the sentence at line {}: ", gold.line); };
  std::string answer;
  try {
    answer = process_.ask(request(gold, analyses));
  } catch (const Error& error) {
    throw Error(error.kind(), where() + error.what());
  }
  const auto nonsense = [&](std::string_view why) {
    return run_error("{}'{}' answered '{:.200}': {}", where(), process_.command(), answer, why);
  };
  const json costs = parse_json(answer, /*allow_exceptions=*/false);
  if (!costs.is_array()) throw nonsense("a list of numbers was expected, such as [0, 0.5]");
  if (costs.size() != analyses.size())
    throw nonsense(fmt::format("{} costs for {} candidates", costs.size(), analyses.size()));
  std::vector<double> result;
  for (const json& cost : costs) {
    if (!cost.is_number() || !std::isfinite(cost.get<double>()) || cost.get<double>() < 0)
      throw nonsense("costs are numbers that are not negative");
    result.push_back(cost);
  }
  return result;
}

std::unique_ptr<const Loss> make_command_loss(std::string_view argument) {
  const size_t begin = argument.find_first_not_of(' ');
  if (begin == argument.npos) throw usage_error("loss 'command' needs a program, such as 'command: ./my_cost'");
  return std::make_unique<CommandLoss>(argument.substr(begin));
}

}  // namespace espalier

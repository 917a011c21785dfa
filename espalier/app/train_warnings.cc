#include "espalier/app/train_warnings.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

namespace espalier {
namespace {

/// "NP-SBJ-1" becomes "NP": models have no function tags and coindices.
std::string_view category(std::string_view label) {
  return label.substr(0, std::min(label.find_first_of("-=", 1), label.size()));
}

/// Counts labels of dev that train lacks, which no model can predict; names the most frequent ones.
class Unseen {
 public:
  explicit Unseen(const char* what) : what_(what) {}
  void train(std::string_view label) { known_.emplace(label); }
  void dev(std::string_view label) {
    ++words_;
    if (!known_.contains(label)) ++unseen_[std::string(label)];
  }
  std::string warning() const {
    if (unseen_.empty() || known_.empty()) return "";
    constexpr size_t kShown = 5;
    std::vector<std::pair<long, std::string>> often;
    long count = 0;
    for (const auto& [label, times] : unseen_) often.emplace_back(-times, label), count += times;
    std::ranges::sort(often);
    std::vector<std::string> shown;
    for (size_t i = 0; i < std::min(often.size(), kShown); ++i) shown.push_back(often[i].second);
    return fmt::format("dev has {} {}{} that train lacks ({}{}), on {} of {} words: no model can find {}",
                       unseen_.size(), what_, unseen_.size() == 1 ? "" : "s", fmt::join(shown, ", "),
                       often.size() > kShown ? ", ..." : "", count, words_, unseen_.size() == 1 ? "it" : "them");
  }

 private:
  const char* what_;
  std::set<std::string, std::less<>> known_;
  std::map<std::string, long> unseen_;
  long words_ = 0;
};

}  // namespace

void warn_of_data(const TrainData& data, const std::string& recipe, const nlohmann::json& about,
                  const Message& message) {
  if (!message) return;
  const nlohmann::json files = about.value("training", nlohmann::json::array());
  const bool words_only = recipe == "tokenizer";
  if (!words_only && std::ranges::all_of(files, [](const auto& file) { return file.contains("untagged"); }))
    message(
        "the training data have no tags (UPOS or XPOS): models of words alone do worse; tag them first, with a model "
        "of "
        "recipe tagger");
  if (!about.contains("dev")) return;
  for (const auto& file : files)
    if (file.at("xxh3") == about["dev"].at("xxh3"))
      message(
          fmt::format("train and dev are the same ({}): scores on dev are those of training sentences, and say "
                      "nothing about others",
                      file.at("file").get<std::string>()));
  if (words_only) return;
  Unseen relations("relation"), tags("tag"), constituents("constituent label");
  const auto visit = [&](const std::vector<Sentence>& sentences, void (Unseen::*add)(std::string_view)) {
    for (const Sentence& sentence : sentences) {
      for (const Token& token : sentence.tokens) {
        if (token.head != Token::kNoHead && is_given(token.deprel)) (relations.*add)(token.deprel);
        if (is_given(token.upos)) (tags.*add)(token.upos);
      }
      for (const auto& node : sentence.constituents.nodes)
        if (!node.is_leaf()) (constituents.*add)(category(node.label));
    }
  };
  visit(data.train, &Unseen::train);
  visit(data.dev, &Unseen::dev);
  for (const Unseen* unseen : {&relations, &tags, &constituents})
    if (const std::string warning = unseen->warning(); !warning.empty()) message(warning);
}

}  // namespace espalier

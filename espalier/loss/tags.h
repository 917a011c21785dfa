// "tags": words with a wrong tag, of those columns (UPOS, XPOS, FEATS) that both gold and the analysis have;
// "tags:upos" and the like look at one of them. Tested by loss_test.cc.
#pragma once

#include "espalier/base/error.h"
#include "espalier/loss/loss.h"

namespace espalier {

class TagLoss final : public Loss {
 public:
  explicit TagLoss(std::string_view column) {
    for (const Column& each : {Column{"upos", &Analysis::upos, &Token::upos},
                               {"xpos", &Analysis::xpos, &Token::xpos},
                               {"feats", &Analysis::feats, &Token::feats}})
      if (column.empty() || column == each.name) columns_.push_back(each);
    if (columns_.empty()) throw usage_error("loss 'tags:{}': there are tags:upos, tags:xpos, tags:feats", column);
  }

  LossScale scale() const override { return LossScale::kCount; }
  std::vector<double> costs(const Sentence& gold, std::span<const Analysis* const> analyses) const override {
    std::vector<double> costs;
    for (const Analysis* analysis : analyses) {
      int wrong = 0;
      for (int i = 1; i <= gold.size(); ++i) wrong += is_wrong(gold.word(i), *analysis, static_cast<size_t>(i));
      costs.push_back(wrong);
    }
    return costs;
  }

 private:
  struct Column {
    std::string_view name;
    std::vector<std::string> Analysis::*found;
    std::string Token::*gold;
  };

  bool is_wrong(const Token& gold, const Analysis& analysis, size_t i) const {
    for (const Column& column : columns_) {
      const auto& found = analysis.*column.found;
      if (!found.empty() && gold.*column.gold != "_" && found[i] != gold.*column.gold) return true;
    }
    return false;
  }

  std::vector<Column> columns_;
};

inline std::unique_ptr<const Loss> make_tag_loss(std::string_view argument) {
  return std::make_unique<TagLoss>(argument);
}

}  // namespace espalier

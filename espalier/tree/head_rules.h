// Finds the head child of a constituent by rules from a file (Collins 1999; head_rules_english.inc explains the
// syntax). Rules are compiled to one table, so that one vectorisable sweep over the children of a span gives its heads
// under *every* label: O(children * labels). Tested by head_rules_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

/// True for tags of commas, full stops, dashes and quotation marks: tags without letter, digit, currency or bracket.
bool is_punctuation_tag(std::string_view tag);
bool is_quote_tag(std::string_view tag);

/// The text of a built-in set ("english", "generic"), or else of the file of that name.
std::string head_rules_text(const std::string& name_or_file);

class HeadRules {
 public:
  static constexpr int kMaxFast = 8;  ///< spans up to this long take the sweep

  /// `parents` and `symbols` are the labels by id; a child's symbol is a tag or a label. `origin` names the rules in
  /// error messages.
  HeadRules(std::string_view text, const std::string& origin, const std::vector<std::string>& parents,
            const std::vector<std::string>& symbols, const std::vector<bool>& punctuation);

  /// heads[p] = index of the head child under parent p.
  void heads(std::span<const int> children, uint8_t* heads) const;
  /// The same for one parent and any number of children.
  int head(int parent, std::span<const int> children) const;

 private:
  /// Smaller is better: rank of the rule's step, then the distance from the side from which that step looks.
  static constexpr uint16_t kFromRight = 8;
  uint16_t base(bool last, int symbol, int parent) const {
    return keys_[(static_cast<size_t>(last) * symbols_ + static_cast<size_t>(symbol)) * parents_ +
                 static_cast<size_t>(parent)];
  }
  int coordinated(std::span<const int> children, int head) const;

  size_t parents_, symbols_;
  std::vector<uint16_t> keys_;  // [is last child][symbol][parent]: rank * 16 + side
  std::vector<bool> coordinator_, punctuation_;
};

}  // namespace espalier

#include "espalier/tree/head_rules.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "espalier/base/error.h"

namespace espalier {
namespace {

constexpr std::string_view kEnglish =
#include "espalier/tree/head_rules_english.inc"
    ;
constexpr std::string_view kGeneric =
#include "espalier/tree/head_rules_generic.inc"
    ;

constexpr uint16_t kMaxRank = 2000;  // key = rank * 16 + side must fit 16 bits

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == text.npos) return parts;
    text.remove_prefix(at + 1);
  }
}

/// One rule while it is read: the rank and side of every symbol, as a child and as the last child.
struct Rule {
  struct Choice {
    uint16_t rank;
    bool from_right;
  };
  std::map<std::string, Choice, std::less<>> any, last;
  Choice otherwise{kMaxRank, false};
};

Rule parse_rule(std::string_view text, const std::string& origin, long line) {
  Rule rule;
  uint16_t rank = 0;
  for (const std::string_view part : parts_of(text, ';')) {
    const auto words = words_of(part);
    if (words.empty()) continue;
    const std::string& how = words[0];
    const bool from_right = how == "right" || how == "rightmost";
    if (!from_right && how != "left" && how != "leftmost" && how != "last") {
      throw data_error(origin, line, "'{}' is no way to look for a head (left, right, leftmost, rightmost, last)", how);
    }
    if (words.size() == 1) rule.otherwise = {kMaxRank, from_right};
    for (size_t i = 1; i < words.size(); ++i) {
      auto& where = how == "last" ? rule.last : rule.any;
      where.try_emplace(words[i], Rule::Choice{rank, from_right || how == "last"});
      if (how == "left" || how == "right") ++rank;
    }
    ++rank;
    if (rank >= kMaxRank) throw data_error(origin, line, "the rule is too long");
  }
  return rule;
}

}  // namespace

bool is_quote_tag(std::string_view tag) { return tag == "``" || tag == "''" || tag == "\""; }

bool is_punctuation_tag(std::string_view tag) {
  return !tag.empty() && tag.find_first_not_of(",.:;?!`'\"-_/") == tag.npos;
}

std::string head_rules_text(const std::string& name) {
  if (name == "english") return std::string(kEnglish);
  if (name == "generic") return std::string(kGeneric);
  std::ifstream in(name);
  if (!in) throw usage_error("head rules '{}' are neither built in (english, generic) nor a file", name);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

HeadRules::HeadRules(std::string_view text, const std::string& origin, const std::vector<std::string>& parents,
                     const std::vector<std::string>& symbols, const std::vector<bool>& punctuation)
    : parents_(parents.size()), symbols_(symbols.size()), punctuation_(punctuation) {
  std::map<std::string, Rule, std::less<>> rules;
  Rule fallback;
  coordinator_.assign(symbols_, false);
  long line = 0;
  for (std::string_view row : parts_of(text, '\n')) {
    ++line;
    if (row.starts_with('#') || words_of(row).empty()) continue;
    // The label `:` may be a child, but not a parent: the first colon after a letter or * ends the list of parents.
    const size_t colon = row.find(':');
    if (colon == row.npos || colon == 0) throw data_error(origin, line, "expected 'PARENT: how labels; ...'");
    const auto names = words_of(row.substr(0, colon));
    const std::string_view body = row.substr(colon + 1);
    if (names.size() == 1 && names[0] == "coordinators") {
      for (const auto& word : words_of(body)) {
        for (size_t s = 0; s < symbols_; ++s) coordinator_[s] = coordinator_[s] || symbols[s] == word;
      }
      continue;
    }
    const Rule rule = parse_rule(body, origin, line);
    for (const auto& name : names) (name == "*" ? fallback : rules[name]) = rule;
  }

  keys_.resize(2 * symbols_ * parents_);
  for (size_t p = 0; p < parents_; ++p) {
    const auto found = rules.find(parents[p]);
    const Rule& rule = found == rules.end() ? fallback : found->second;
    for (const bool last : {false, true}) {
      for (size_t s = 0; s < symbols_; ++s) {
        Rule::Choice choice = rule.otherwise;
        if (const auto it = rule.any.find(symbols[s]); it != rule.any.end()) choice = it->second;
        if (const auto it = rule.last.find(symbols[s]);
            last && it != rule.last.end() && it->second.rank <= choice.rank) {
          choice = it->second;
        }
        if (punctuation_[s]) choice = {kMaxRank + 1, rule.otherwise.from_right};
        keys_[(last * symbols_ + s) * parents_ + p] =
            static_cast<uint16_t>(choice.rank * 16 + (choice.from_right ? kFromRight : 0));
      }
    }
  }
}

int HeadRules::coordinated(std::span<const int> children, int head) const {
  if (head < 2 || !coordinator_[children[head - 1]]) return head;
  int before = head - 2;
  while (before > 0 && punctuation_[children[before]]) --before;
  return before;
}

void HeadRules::heads(std::span<const int> children, uint8_t* heads) const {
  const int n = static_cast<int>(children.size());
  if (n > kMaxFast || parents_ > 256) {
    for (size_t p = 0; p < parents_; ++p) heads[p] = static_cast<uint8_t>(head(static_cast<int>(p), children));
    return;
  }
  uint16_t best[256];
  std::fill_n(best, parents_, uint16_t{0xffff});
  bool coordination = false;
  for (int c = 0; c < n; ++c) {
    const size_t symbol = static_cast<size_t>(children[c]);
    coordination = coordination || coordinator_[symbol];
    const uint16_t* row = &keys_[(static_cast<size_t>(c == n - 1) * symbols_ + symbol) * parents_];
    const uint16_t left = static_cast<uint16_t>(c), right = static_cast<uint16_t>(7 - c);
    for (size_t p = 0; p < parents_; ++p) {
      const uint16_t place = row[p] & kFromRight ? right : left;
      best[p] = std::min<uint16_t>(best[p], static_cast<uint16_t>(row[p] + place));
    }
  }
  for (size_t p = 0; p < parents_; ++p) {
    heads[p] = static_cast<uint8_t>(best[p] & kFromRight ? 7 - (best[p] & 7) : best[p] & 7);
  }
  if (!coordination) return;
  for (size_t p = 0; p < parents_; ++p) heads[p] = static_cast<uint8_t>(coordinated(children, heads[p]));
}

int HeadRules::head(int parent, std::span<const int> children) const {
  const int n = static_cast<int>(children.size());
  int best = 0;
  uint16_t best_key = 0xffff;
  for (int c = 0; c < n; ++c) {
    const uint16_t key = base(c == n - 1, children[c], parent);
    // Children with equal keys: if the step looks from the right, the later one wins.
    if (key < best_key || (key == best_key && (key & kFromRight))) best = c, best_key = key;
  }
  return coordinated(children, best);
}

}  // namespace espalier

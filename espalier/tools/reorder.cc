#include "espalier/tools/reorder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <sstream>

#include "espalier/base/builtin_texts.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/unicode.h"

namespace espalier {
namespace {

constexpr std::string_view kOrder = "Order=";

std::string_view without_subtype(std::string_view label) { return label.substr(0, label.find(':')); }

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

/// "a=1|b=2" has "b=2".
bool has_part(std::string_view column, std::string_view part) {
  for (size_t at = 0; at <= column.size();) {
    const size_t end = std::min(column.find('|', at), column.size());
    if (column.substr(at, end - at) == part) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

std::string reorder_rules_text(const std::string& name) {
  std::vector<std::string_view> known;
  for (const BuiltinText& rules : builtin_reorder_rules()) {
    if (rules.name == name) return std::string(rules.text);
    known.push_back(rules.name);
  }
  try {
    return read_file(name);
  } catch (const Error&) {
    throw usage_error("reordering rules '{}' are neither built in ({}) nor a file", name, fmt::join(known, ", "));
  }
}

ReorderRules::ReorderRules(std::string_view text, const std::string& origin) {
  std::istringstream lines{std::string(text)};
  long number = 0;
  const auto fail = [&](const std::string& what) { return data_error(origin, number, "{}", what); };
  /// "upos:VERB" is a condition `name` with a value.
  const auto value_of = [](const std::string& word, std::string_view name) {
    return word.starts_with(name) ? word.substr(name.size()) : "";
  };
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream in(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    if (words.empty()) continue;
    if (words[0] == "kind" || words[0] == "class") {
      if (words.size() < 3 || words[2] != "=") throw fail(fmt::format("expected '{} NAME = ...'", words[0]));
    }
    if (words[0] == "kind") {
      Kind kind;
      if (words.size() > 3) kind.label = words[3];
      for (size_t i = 4; i < words.size(); ++i) {
        if (const auto form = value_of(words[i], "word:"); !form.empty()) {
          kind.words.push_back(lower_case(std::string_view(form)));
        } else if (const auto feature = value_of(words[i], "feats:"); !feature.empty()) {
          kind.feats.push_back(feature);
        } else {
          throw fail(fmt::format("'{}' is neither word:FORM nor feats:NAME=VALUE", words[i]));
        }
      }
      if (kind.words.empty() && kind.feats.empty()) throw fail("a kind needs a label and a word or a feature");
      kinds_[words[1]] = std::move(kind);
    } else if (words[0] == "class") {
      Class& added = classes_.emplace_back();
      for (size_t i = 3; i < words.size(); ++i) {
        if (const auto tag = value_of(words[i], "upos:"); !tag.empty()) {
          added.upos.push_back(tag);
        } else if (const auto label = value_of(words[i], "child:"); !label.empty()) {
          added.children.push_back(label);
        } else {
          throw fail(fmt::format("'{}' is neither upos:TAG nor child:LABEL", words[i]));
        }
      }
    } else {
      if (classes_.empty()) throw fail("a slot before the first class");
      Class& current = classes_.back();
      Slot slot;
      slot.reversed = words[0] == "reversed";
      for (size_t i = slot.reversed; i < words.size(); ++i) {
        if (words[i] == "HEAD") {
          slot.head = true;
          continue;
        }
        Item item{Item::What::kLabel, {}, Side::kAny, {}};
        std::string_view rest = words[i];
        const size_t end = std::min(rest.find_first_of("<>!"), rest.size());
        item.label = rest.substr(0, end);
        rest.remove_prefix(end);
        if (rest.starts_with('<')) item.side = Side::kLeft;
        if (rest.starts_with('>')) item.side = Side::kRight;
        if (item.side != Side::kAny) rest.remove_prefix(1);
        while (rest.starts_with('!')) {
          rest.remove_prefix(1);
          const size_t stop = std::min(rest.find('!'), rest.size());
          item.excluded.emplace_back(rest.substr(0, stop));
          rest.remove_prefix(stop);
        }
        if (!rest.empty() || item.label.empty()) throw fail(fmt::format("'{}' is no way to name children", words[i]));
        if (item.label == "*") item.what = Item::What::kAny;
        if (item.label == "?") item.what = Item::What::kUnnamed;
        if (kinds_.contains(item.label)) item.what = Item::What::kKind;
        if (item.what == Item::What::kLabel) current.named.insert(item.label);
        slot.items.push_back(std::move(item));
      }
      if (slot.head && (words.size() > 1 || std::ranges::any_of(current.slots, &Slot::head)))
        throw fail("HEAD has a slot of its own, once in a class");
      current.slots.push_back(std::move(slot));
    }
  }
  if (classes_.empty()) throw data_error(origin, 0, "there are no rules");
  for (const Class& each : classes_) {
    if (std::ranges::none_of(each.slots, &Slot::head)) throw data_error(origin, 0, "a class without a slot HEAD");
  }
}

/// Children of every word, in source order, and what is known of the blocks that are done.
class ReorderRules::Tree {
 public:
  Tree(const Sentence& sentence, std::span<const int> heads, std::span<const std::string> labels)
      : sentence_(sentence), labels_(labels), begin_(heads.size() + 1, 0) {
    const auto n = static_cast<int>(heads.size()) - 1;
    for (int i = 1; i <= n; ++i) ++begin_[heads[i] + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    children_.resize(n);
    std::vector<int> next(begin_.begin(), begin_.end() - 1);
    for (int i = 1; i <= n; ++i) children_[next[heads[i]]++] = i;
  }
  std::span<const int> children(int head) const {
    const auto h = static_cast<size_t>(head);
    return std::span(children_).subspan(begin_[h], static_cast<size_t>(begin_[h + 1] - begin_[h]));
  }
  const Token& word(int i) const { return sentence_.word(i); }
  std::string_view label(int i) const { return labels_[i]; }
  bool punctuation(int i) const { return without_subtype(label(i)) == "punct"; }

 private:
  const Sentence& sentence_;
  std::span<const std::string> labels_;
  std::vector<int> begin_, children_;
};

bool ReorderRules::is_kind(const Token& word, std::string_view label, std::string_view name) const {
  const auto found = kinds_.find(name);
  if (found == kinds_.end()) return label == name || without_subtype(label) == name;
  const Kind& kind = found->second;
  if (label != kind.label && without_subtype(label) != kind.label) return false;
  return contains(kind.words, lower_case(std::string_view(word.form))) || contains(kind.words, word.lemma) ||
         std::ranges::any_of(kind.feats, [&](const std::string& part) { return has_part(word.feats, part); });
}

bool ReorderRules::takes(const Item& item, const Class& of, const Token& word, std::string_view label,
                         bool left) const {
  if (item.side == (left ? Side::kRight : Side::kLeft)) return false;
  if (std::ranges::any_of(item.excluded, [&](const std::string& kind) { return is_kind(word, label, kind); }))
    return false;
  switch (item.what) {
    case Item::What::kAny:
      return true;
    case Item::What::kUnnamed:
      return !of.named.contains(label) && !of.named.contains(without_subtype(label));
    case Item::What::kLabel:
    case Item::What::kKind:
      break;
  }
  return is_kind(word, label, item.label);
}

const ReorderRules::Class& ReorderRules::class_of(const Tree& tree, int head) const {
  for (const Class& each : classes_) {
    if (each.upos.empty() && each.children.empty()) return each;
    if (contains(each.upos, tree.word(head).upos)) return each;
    for (const int child : tree.children(head))
      if (contains(each.children, without_subtype(tree.label(child)))) return each;
  }
  return classes_.back();
}

std::vector<int> ReorderRules::order(const Sentence& sentence) const {
  return order(sentence, dependencies_of(sentence));
}

std::vector<int> ReorderRules::order(const Sentence& sentence, const Analysis& analysis) const {
  if (analysis.heads.empty()) return order(sentence);
  const int n = sentence.size();
  std::vector<int> result(n);
  std::iota(result.begin(), result.end(), 1);
  if (std::any_of(analysis.heads.begin() + 1, analysis.heads.end(), [](int head) { return head < 0; })) return result;
  const Tree tree(sentence, analysis.heads, analysis.deprels);
  std::vector<int> top_down(tree.children(0).begin(), tree.children(0).end());
  for (size_t i = 0; i < top_down.size(); ++i)
    std::ranges::copy(tree.children(top_down[i]), std::back_inserter(top_down));
  if (static_cast<int>(top_down.size()) != n) return result;  // a cycle

  // A block is a list of words, joined to others in constant time; `low` and `high` are its first and last in the
  // source.
  struct Block {
    int first, last, low, high;
  };
  std::vector<int> next(n + 1, 0);
  std::vector<Block> blocks(n + 1);
  const auto append = [&](Block& block, const Block& more) {
    next[block.last] = more.first;
    block.last = more.last;
  };
  std::vector<std::vector<int>> filled;
  std::vector<int> front, back;
  for (auto at = top_down.rbegin(); at != top_down.rend(); ++at) {
    const int head = *at;
    const Class& rules = class_of(tree, head);
    filled.resize(std::max(filled.size(), rules.slots.size()));
    for (auto& slot : filled) slot.clear();
    Block self{head, head, head, head};
    int low = head, high = head;
    for (const int child : tree.children(head)) {
      if (tree.punctuation(child)) continue;
      low = std::min(low, blocks[child].low);
      high = std::max(high, blocks[child].high);
      const auto slot = std::ranges::find_if(rules.slots, [&](const Slot& candidate) {
        return std::ranges::any_of(candidate.items, [&](const Item& item) {
          return takes(item, rules, tree.word(child), tree.label(child), child < head);
        });
      });
      // Children that no slot takes go to the last slot.
      filled[std::min(static_cast<size_t>(slot - rules.slots.begin()), rules.slots.size() - 1)].push_back(child);
    }
    front.clear();
    back.clear();
    for (const int mark : tree.children(head)) {
      if (!tree.punctuation(mark)) continue;
      Block& block = blocks[mark];
      Block* before = nullptr;  // the block that ends nearest to the left
      if (mark > low && mark < high) {
        if (head < mark) before = &self;
        for (const int child : tree.children(head)) {
          Block& other = blocks[child];
          if (!tree.punctuation(child) && other.high < mark && (!before || other.high > before->high)) before = &other;
        }
      }
      if (before) {
        append(*before, block);
      } else {
        (mark > high ? back : front).push_back(mark);
      }
    }
    Block whole{0, 0, std::numeric_limits<int>::max(), 0};
    const auto add = [&](const Block& block) {
      if (whole.first == 0) {
        whole.first = block.first;
        whole.last = block.last;
      } else {
        append(whole, block);
      }
      whole.low = std::min(whole.low, block.low);
      whole.high = std::max(whole.high, block.high);
    };
    for (const int mark : front) add(blocks[mark]);
    for (size_t s = 0; s < rules.slots.size(); ++s) {
      if (rules.slots[s].head) add(self);
      if (rules.slots[s].reversed) std::ranges::reverse(filled[s]);
      for (const int child : filled[s]) add(blocks[child]);
    }
    for (const int mark : back) add(blocks[mark]);
    next[whole.last] = 0;
    blocks[head] = whole;
  }
  result.clear();
  for (const int root : tree.children(0))
    for (int word = blocks[root].first; word; word = next[word]) result.push_back(word);
  return result;
}

std::vector<int> reference_order(const Sentence& sentence) {
  std::vector<int> positions(sentence.size() + 1, 0);
  for (int i = 1; i <= sentence.size(); ++i) {
    std::string_view misc = sentence.word(i).misc;
    while (!misc.empty()) {
      const std::string_view part = misc.substr(0, misc.find('|'));
      misc.remove_prefix(std::min(part.size() + 1, misc.size()));
      if (!part.starts_with(kOrder)) continue;
      const char* end = part.data() + part.size();
      int& position = positions[i];
      if (std::from_chars(part.data() + kOrder.size(), end, position).ptr != end || position < 1)
        throw data_error("sentence", sentence.line, "token {}: '{}' is no position", i, part);
    }
  }
  return positions;
}

void set_reference_order(Sentence& sentence, std::span<const int> positions) {
  for (int i = 1; i <= sentence.size(); ++i) {
    std::string& misc = sentence.word(i).misc;
    std::string kept;
    for (std::string_view rest = misc; !rest.empty();) {
      const std::string_view part = rest.substr(0, rest.find('|'));
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
      if (part == "_" || part.starts_with(kOrder)) continue;
      kept.append(kept.empty() ? "" : "|").append(part);
    }
    if (const int position = positions[i]; position > 0)
      kept += fmt::format("{}{}{}", kept.empty() ? "" : "|", kOrder, position);
    misc = kept.empty() ? "_" : kept;
  }
}

double reorder_score(std::span<const int> order, std::span<const int> reference) {
  // Places among the words that both have.
  std::vector<std::pair<int, int>> placed;
  for (const int word : order)
    if (const int place = reference[word]; place > 0) placed.emplace_back(place, word);
  if (placed.size() < 2) return 1;
  std::vector<std::pair<int, int>> sorted = placed;
  std::ranges::sort(sorted);
  std::vector<size_t> rank(reference.size());
  for (size_t i = 0; i < sorted.size(); ++i) rank[sorted[i].second] = i;
  int chunks = 1;
  for (size_t i = 1; i < placed.size(); ++i) chunks += rank[placed[i].second] != rank[placed[i - 1].second] + 1;
  return 1 - static_cast<double>(chunks - 1) / static_cast<double>(placed.size() - 1);
}

}  // namespace espalier

#include "espalier/tree/constituent_preprocess.h"

#include <algorithm>
#include <array>

#include "espalier/base/unicode.h"
#include "espalier/tree/head_rules.h"

namespace espalier {
namespace {

/// A node of a tree that is being simplified.
struct Draft {
  std::string label;
  std::vector<Draft> children;
  int word = 0;  // number among the parsed words
  bool punctuation = false;

  bool is_leaf() const { return word > 0; }
};

bool is_wrapper(std::string_view label) {
  constexpr std::array<std::string_view, 5> kWrappers = {"ROOT", "TOP", "S1", "VROOT", ""};
  return std::ranges::find(kWrappers, label) != kWrappers.end();
}

std::string_view whole_tag(const Token& token) {
  return token.xpos.empty() || token.xpos == "_" ? token.upos : token.xpos;
}

class Simplifier {
 public:
  Simplifier(const Sentence& sentence, const std::vector<int>& words)
      : sentence_(sentence), new_number_(sentence.size() + 1, 0) {
    for (size_t i = 0; i < words.size(); ++i) new_number_[words[i]] = static_cast<int>(i) + 1;
  }

  /// Appends the node, cut and raised, to `siblings`: punctuation marks of its edges come before and after it.
  void append(int node, std::vector<Draft>& siblings) const {
    const auto& source = sentence_.constituents.nodes[node];
    if (source.is_leaf()) {
      const int word = source.word ? new_number_[source.word] : 0;
      if (!word) return;
      const std::string_view tag = parser_tag(sentence_.word(source.word));
      siblings.push_back({std::string(tag), {}, word, is_punctuation_tag(tag)});
      return;
    }
    Draft draft{std::string(plain_label(source.label)), {}, 0, false};
    if (draft.label == "PRT") draft.label = "ADVP";
    for (const int child : source.children) append(child, draft.children);
    auto& inside = draft.children;
    const auto is_mark = [](const Draft& child) { return child.punctuation; };
    const auto first = std::find_if_not(inside.begin(), inside.end(), is_mark);
    const auto last = std::find_if_not(inside.rbegin(), inside.rend(), is_mark).base();
    if (first == inside.end()) {  // nothing but marks, or nothing at all
      std::ranges::move(inside, std::back_inserter(siblings));
      return;
    }
    std::vector<Draft> after(std::make_move_iterator(last), std::make_move_iterator(inside.end()));
    std::move(inside.begin(), first, std::back_inserter(siblings));
    inside = std::vector<Draft>(std::make_move_iterator(first), std::make_move_iterator(last));
    if (inside.size() == 1 && !inside[0].is_leaf() && inside[0].label == draft.label) {
      Draft same = std::move(inside[0]);  // X -> X
      draft = std::move(same);
    }
    siblings.push_back(std::move(draft));
    std::ranges::move(after, std::back_inserter(siblings));
  }

 private:
  const Sentence& sentence_;
  std::vector<int> new_number_;
};

void flatten(const Draft& draft, ConstituentTree& tree) {
  const size_t at = tree.nodes.size();
  tree.nodes.emplace_back();
  tree.nodes[at].label = draft.label;
  tree.nodes[at].word = draft.word;
  for (const Draft& child : draft.children) {
    tree.nodes[at].children.push_back(static_cast<int>(tree.nodes.size()));
    flatten(child, tree);
  }
}

/// Builds the tree over all words: words that were left out between two children are put back between them.
class Restorer {
 public:
  Restorer(const ConstituentTree& tree, const Sentence& sentence, const std::vector<int>& words)
      : tree_(tree), sentence_(sentence), words_(words) {}

  ConstituentTree run(const std::string& root) {
    out_.nodes.emplace_back();
    out_.nodes[0].label = root;
    if (words_.empty()) {
      add_words(0, sentence_.size());
      return std::move(out_);
    }
    // Punctuation at the edges becomes a child of the sentence's node, not of the artificial root above it.
    const auto& top = tree_.nodes[0].children;
    const bool has_sentence = top.size() == 1 && !tree_.nodes[top[0]].is_leaf();
    outermost_ = has_sentence ? top[0] : 0;
    if (!has_sentence) add_words(0, words_.front() - 1);
    for (const int child : top) add(child, 0);
    if (!has_sentence) add_words(0, sentence_.size());
    return std::move(out_);
  }

 private:
  void add(int node, int parent) {
    const auto& source = tree_.nodes[node];
    if (source.is_leaf()) {
      add_words(parent, words_[source.word - 1]);
      return;
    }
    if (node != outermost_) add_words(parent, first_word(node) - 1);
    const int at = add_node(parent, source.label, 0);
    for (const int child : source.children) add(child, at);
    if (node == outermost_) add_words(at, sentence_.size());
  }

  /// Leaves for all words up to number `last` that have none yet.
  void add_words(int parent, int last) {
    while (written_ < last) {
      ++written_;
      add_node(parent, std::string(whole_tag(sentence_.word(written_))), written_);
    }
  }

  int add_node(int parent, const std::string& label, int word) {
    const int at = static_cast<int>(out_.nodes.size());
    out_.nodes.emplace_back();
    out_.nodes.back().label = label;
    out_.nodes.back().word = word;
    out_.nodes[parent].children.push_back(at);
    return at;
  }

  int first_word(int node) const {
    while (!tree_.nodes[node].is_leaf()) node = tree_.nodes[node].children[0];
    return words_[tree_.nodes[node].word - 1];
  }

  const ConstituentTree& tree_;
  const Sentence& sentence_;
  const std::vector<int>& words_;
  ConstituentTree out_;
  int outermost_ = -1, written_ = 0;
};

}  // namespace

std::string_view plain_label(std::string_view label) {
  if (label.size() < 2) return label;
  const size_t cut = label.find_first_of("-=", 1);
  return label[0] == '-' ? label : label.substr(0, cut);
}

std::string_view parser_tag(const Token& token) { return plain_label(whole_tag(token)); }

std::string_view coarse_tag(std::string_view tag) {
  if (const size_t sign = tag.find_first_of("-_+", 1); sign != tag.npos) return tag.substr(0, sign);
  return first_characters(tag, 2);
}

std::vector<int> words_to_parse(const Sentence& sentence) {
  std::vector<int> words;
  const auto mark = [&](int word) { return is_punctuation_tag(parser_tag(sentence.word(word))); };
  for (int i = 1; i <= sentence.size(); ++i) {
    if (is_quote_tag(parser_tag(sentence.word(i))) || (words.empty() && mark(i))) continue;
    words.push_back(i);
  }
  while (!words.empty() && mark(words.back())) words.pop_back();
  return words;
}

ConstituentTree simplified(const Sentence& sentence, const std::vector<int>& words) {
  ConstituentTree tree;
  if (words.empty() || sentence.constituents.empty()) return tree;
  const Simplifier simplifier(sentence, words);
  Draft top{std::string(kTopLabel), {}, 0, false};
  const auto& root = sentence.constituents.nodes[0];
  if (is_wrapper(plain_label(root.label))) {
    for (const int child : root.children) simplifier.append(child, top.children);
  } else {
    simplifier.append(0, top.children);
  }
  flatten(top, tree);
  return tree;
}

ConstituentTree restored(const ConstituentTree& tree, const Sentence& sentence, const std::vector<int>& words,
                         const std::string& root) {
  return Restorer(tree, sentence, words).run(root);
}

}  // namespace espalier

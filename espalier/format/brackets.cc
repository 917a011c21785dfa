#include "espalier/format/brackets.h"

#include <fmt/format.h>

#include <utility>

namespace espalier {
namespace {

using Node = ConstituentTree::Node;

constexpr std::string_view kSpace = " \t\r\n\v\f";
constexpr std::string_view kTraceLabel = "-NONE-";
constexpr std::string_view kLeftBracket = "-LRB-", kRightBracket = "-RRB-";

bool is_space(char c) { return kSpace.find(c) != std::string_view::npos; }

/// Since a word in a file holds no bracket, unescape and escape are inverse to each other on every file.
void unescape(std::string_view text, std::string& out) {
  out.clear();
  while (!text.empty()) {
    if (text.starts_with(kLeftBracket) || text.starts_with(kRightBracket)) {
      out += text.starts_with(kLeftBracket) ? '(' : ')';
      text.remove_prefix(kLeftBracket.size());
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
}

void escape(std::string_view text, std::string& out) {
  if (text.empty()) out += '_';
  for (const char c : text) {
    if (c == '(')
      out += kLeftBracket;
    else if (c == ')')
      out += kRightBracket;
    else
      out += is_space(c) ? '_' : c;
  }
}

bool has_word(const Node& node) { return node.word > 0 || !node.trace.empty(); }

}  // namespace

bool BracketParser::feed(std::string_view& text, Sentence& sentence, const Report& report) {
  while (!text.empty()) {
    const char c = text.front();
    if (is_space(c)) {
      text.remove_prefix(1);
    } else if (c == '(') {
      text.remove_prefix(1);
      open(sentence, report);
    } else if (c == ')') {
      text.remove_prefix(1);
      if (!inside()) {
        report("a closing bracket without an opening one");
        continue;
      }
      close(sentence, report);
      if (!inside()) return true;
    } else {
      size_t length = 0;
      while (length < text.size() && !is_space(text[length]) && text[length] != '(' && text[length] != ')') ++length;
      atom(text.substr(0, length), sentence, report);
      text.remove_prefix(length);
    }
  }
  return false;
}

void BracketParser::open(Sentence& sentence, const Report& report) {
  std::vector<Node>& nodes = sentence.constituents.nodes;
  if (!inside()) {
    nodes.clear();
    sentence.tokens.clear();
  } else {
    Node& parent = nodes[open_.back()];
    if (has_word(parent)) report(fmt::format("a bracket beside a word under '{}'", parent.label));
    parent.children.push_back(static_cast<int>(nodes.size()));
  }
  open_.push_back(static_cast<int>(nodes.size()));
  nodes.emplace_back();
}

/// A label or a word. The first atom of a node is its label, with or without space before it: "( (S" has none.
void BracketParser::atom(std::string_view text, Sentence& sentence, const Report& report) {
  if (!inside()) {
    report(fmt::format("'{}' stands outside of brackets", text));
    return;
  }
  Node& node = sentence.constituents.nodes[open_.back()];
  if (node.label.empty() && node.children.empty()) {
    node.label.assign(text);
  } else if (!node.children.empty()) {
    report(fmt::format("word '{}' is not under a tag of its own", text));
  } else if (has_word(node)) {
    report(fmt::format("two words under one tag, '{}'", node.label));
  } else if (node.label == kTraceLabel) {
    node.trace.assign(text);
  } else {
    Token& token = sentence.tokens.emplace_back();
    unescape(text, token.form);
    token.xpos = node.label;
    node.word = sentence.size();
  }
}

void BracketParser::close(const Sentence& sentence, const Report& report) {
  const Node& node = sentence.constituents.nodes[open_.back()];
  if (node.is_leaf() && !has_word(node)) report(fmt::format("node '{}' is empty", node.label));
  open_.pop_back();
}

void append_brackets(const Sentence& sentence, std::string& out) {
  struct Open {
    const Node* node;
    size_t next_child;
  };
  const std::vector<Node>& nodes = sentence.constituents.nodes;
  if (nodes.empty()) return;
  std::vector<Open> open = {{&nodes[0], 0}};
  while (!open.empty()) {
    auto& [node, next_child] = open.back();
    if (next_child == 0) {
      out += '(';
      if (!node->label.empty() || node->is_leaf()) escape(node->label, out);
      if (node->is_leaf()) {
        out += ' ';
        escape(node->word > 0 ? sentence.word(node->word).form : node->trace, out);
      }
    }
    if (next_child < node->children.size()) {
      out += ' ';
      open.push_back({&nodes[node->children[next_child++]], 0});
    } else {
      out += ')';
      open.pop_back();
    }
  }
}

}  // namespace espalier

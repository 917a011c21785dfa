#include "espalier/format/dropped.h"

#include <algorithm>
#include <string_view>

namespace espalier {
namespace {

using Test = bool (*)(const Sentence&);

template <std::string Token::*column>
bool any(const Sentence& sentence) {
  return std::ranges::any_of(sentence.tokens, is_given, column);
}

bool has_tags(const Sentence& s) { return any<&Token::upos>(s) || any<&Token::xpos>(s) || any<&Token::feats>(s); }
bool has_heads(const Sentence& s) {
  return std::ranges::any_of(s.tokens, [](const Token& token) { return token.head != Token::kNoHead; });
}
bool has_constituents(const Sentence& s) { return !s.constituents.empty(); }
bool has_extra(const Sentence& s) { return !s.extra.empty(); }

bool has_comments(const Sentence& s) {
  return std::ranges::any_of(s.comments, [](std::string_view comment) {
    return !comment.starts_with("# text = ") && !comment.starts_with("# newpar") && !comment.starts_with("# newdoc");
  });
}

/// Whether MISC has more than places and spaces, which the text has, and the columns of CoNLL-X.
bool has_misc(const Sentence& s) {
  static constexpr std::string_view kKeptElsewhere[] = {"Space", "TokenRange=", "PHead=", "PDeprel="};
  return std::ranges::any_of(s.tokens, [](const Token& token) {
    std::string_view misc = is_given(token.misc) ? std::string_view(token.misc) : "";
    while (!misc.empty()) {
      const std::string_view entry = misc.substr(0, misc.find('|'));
      if (std::ranges::none_of(kKeptElsewhere, [&](std::string_view key) { return entry.starts_with(key); }))
        return true;
      misc.remove_prefix(std::min(entry.size() + 1, misc.size()));
    }
    return false;
  });
}

struct Part {
  unsigned bit;
  const char* name;
  Test has;
};

constexpr Part kParts[] = {
    {Keeps::kHeads, "heads", has_heads},
    {Keeps::kConstituents, "phrase-structure trees", has_constituents},
    {Keeps::kTags, "tags", has_tags},
    {Keeps::kLemmas, "lemmas", any<&Token::lemma>},
    {Keeps::kExtra, "multiword tokens and empty nodes", has_extra},
    {Keeps::kEnhanced, "enhanced dependencies", any<&Token::deps>},
    {Keeps::kMisc, "MISC", has_misc},
    {Keeps::kComments, "comments", has_comments},
};

}  // namespace

std::vector<std::string> dropped_by(std::string_view format, const Sentence& sentence) {
  const unsigned kept = kept_by(format);
  std::vector<std::string> names;
  for (const Part& part : kParts)
    if (!(kept & part.bit) && part.has(sentence)) names.emplace_back(part.name);
  return names;
}

}  // namespace espalier

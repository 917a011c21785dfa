#include "espalier/parser/tag/lexicon.h"

#include <algorithm>

#include "espalier/base/error.h"
#include "espalier/base/unicode.h"
#include "espalier/format/line_reader.h"

namespace espalier {
namespace {

std::vector<std::string> split(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(separators), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool has_tag(const Token& token, const std::string& tag) {
  if (tag == token.upos || tag == token.xpos) return true;
  const auto feats = split(token.feats, "|");
  return std::ranges::find(feats, tag) != feats.end();
}

}  // namespace

Lexicon Lexicon::read(std::istream& input, const std::string& name) {
  Lexicon lexicon;
  LineReader lines(input, name);
  for (std::string_view line; lines.next(line);) {
    if (line.empty() || line.starts_with("#\t") || line == "#") continue;
    if (const std::string_view problem = text_problem(line); !problem.empty())
      throw data_error(name, lines.number(), "{}", problem);
    const auto columns = split(line, "\t");
    if (columns.size() < 2 || columns.size() > 3 || columns[0].empty() || columns[1].empty())
      throw data_error(name, lines.number(), "a form, a tab, a lemma and perhaps a tab and tags are expected");
    Entry entry{{}, columns[1]};
    if (columns.size() == 3) entry.tags = split(columns[2], " |");
    std::erase(entry.tags, "");
    auto& entries = lexicon.entries_[columns[0]];
    const auto weaker =
        std::ranges::find_if(entries, [&](const Entry& other) { return other.tags.size() <= entry.tags.size(); });
    entries.insert(weaker, std::move(entry));
  }
  return lexicon;
}

const std::string* Lexicon::find(const std::string& form, const Token& token) const {
  const auto found = entries_.find(form);
  if (found == entries_.end()) return nullptr;
  for (const Entry& entry : found->second) {
    if (std::ranges::all_of(entry.tags, [&](const std::string& tag) { return has_tag(token, tag); }))
      return &entry.lemma;
  }
  return nullptr;
}

const std::string* Lexicon::find(const Token& token) const {
  const std::string* lemma = find(token.form, token);
  return lemma ? lemma : find(lower_case(token.form), token);
}

}  // namespace espalier

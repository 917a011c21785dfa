#include "espalier/parser/graph/part_texts.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

namespace espalier {
namespace {

constexpr std::string_view kKinds[] = {"arc",           "siblings",  "grandchild", "last", "three siblings",
                                       "grandsiblings", "outermost", "frame"};
static_assert(std::size(kKinds) == kPartKinds);

std::string form(const Sentence& sentence, int word) {
  if (word == 0) return "root";
  return word < 0 || word > sentence.size() ? "none" : sentence.word(word).form;
}

std::string column_text(const Sentence& sentence, int word, char column) {
  if (word <= 0 || word > sentence.size()) return "=" + form(sentence, word);
  const Token& token = sentence.word(word);
  switch (kColumnLetters.find(column)) {
    case kForm:
      return ".form=" + token.form;
    case kTag:
      return ".tag=" + GraphSentence::main_tag(token);
    case kFineTag:
      return ".xpos=" + token.xpos;
    case kMorphology:
      return ".feats=" + token.feats;
    case kSuffix:
      return ".suffix(" + token.form + ")";
    default:
      return ".lemma=" + token.lemma;
  }
}

}  // namespace

std::vector<std::string> part_feature_texts(const GraphFeatures& features, const GraphPart& part,
                                            const Sentence& sentence) {
  const TemplateSet& set = features.model().templates.sets[part.kind];
  const std::string_view roles = set.letters();
  const auto word_of = [&](char role) { return part.words[roles.find(role)]; };
  // "arc sees→dog", "siblings sees→(a, dog)": the words by their roles.
  std::string words;
  for (const char role : roles)
    words += fmt::format("{}{}:{}", words.empty() ? "" : " ", role, form(sentence, word_of(role)));
  const std::string opening = fmt::format("{} ({})", kKinds[part.kind], words);
  std::vector<std::string> texts;
  for (int t = 0; t < set.size(); ++t) {
    std::string text = opening;
    std::istringstream atoms(set.text(t));
    for (std::string atom; atoms >> atom;) {
      if (atom == "@") continue;
      if (atom == "dir")
        text += " direction";
      else if (atom == "dist")
        text += " distance";
      else {
        const std::string offset = atom.substr(1, atom.size() - 2);
        const int word = word_of(atom.front());
        text +=
            fmt::format(" {}{}{}", atom.front(), offset,
                        column_text(sentence, word + (offset.empty() ? 0 : std::atoi(offset.c_str())), atom.back()));
      }
    }
    texts.push_back(std::move(text));
  }
  uint64_t keys[GraphFeatures::kMaxKeys];
  const auto count = static_cast<size_t>(features.keys(part, keys));
  while (texts.size() < count) texts.push_back(opening + " tags between");
  return texts;
}

}  // namespace espalier

#include "espalier/format/text/text_spaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "espalier/format/text/paragraph_reader.h"
#include "espalier/format/text/word_places.h"

namespace espalier {
namespace {

constexpr std::pair<char, char> kEscapes[] = {{' ', 's'},  {'\t', 't'}, {'\r', 'r'},
                                              {'\n', 'n'}, {'|', 'p'},  {'\\', '\\'}};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto* escape = std::ranges::find(kEscapes, c, &std::pair<char, char>::first);
    if (escape == std::end(kEscapes)) {
      out += c;
    } else {
      out += '\\';
      out += escape->second;
    }
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto* escape = text[i] == '\\' && i + 1 < text.size()
                             ? std::ranges::find(kEscapes, text[i + 1], &std::pair<char, char>::second)
                             : std::end(kEscapes);
    if (escape == std::end(kEscapes)) {
      out += text[i];
    } else {
      out += escape->first;
      ++i;
    }
  }
  return out;
}

/// The value of the entry "NAME=" of MISC.
std::optional<std::string_view> misc_value(std::string_view misc, std::string_view name) {
  for (size_t begin = 0, end = 0; begin <= misc.size(); begin = end + 1) {
    end = std::min(misc.find('|', begin), misc.size());
    const std::string_view entry = misc.substr(begin, end - begin);
    if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=')
      return entry.substr(name.size() + 1);
  }
  return std::nullopt;
}

/// A token as it is written: a multiword token, or a word that is not part of one.
struct Written {
  Token* word;      ///< or
  ExtraLine* line;  ///< of the multiword token
  std::string_view form, misc;
  size_t index;  ///< of its first word

  void set_misc(const std::string& misc) const {
    if (word) {
      word->misc = misc;
    } else {
      line->text.replace(line->text.rfind('\t') + 1, std::string::npos, misc);
    }
  }
};

std::vector<Written> written_tokens(Sentence& sentence) {
  std::vector<Written> tokens;
  auto extra = sentence.extra.begin();
  int covered = 0;  // the last word of the latest multiword token
  for (int i = 1; i <= sentence.size(); ++i) {
    const size_t index = static_cast<size_t>(i) - 1;
    for (; extra != sentence.extra.end() && extra->before < i; ++extra) {
      const auto multiword = as_multiword(*extra);
      if (!multiword) continue;
      covered = multiword->last;
      tokens.push_back({nullptr, &*extra, multiword->form, multiword->misc, index});
    }
    Token& word = sentence.word(i);
    if (i > covered) tokens.push_back({&word, nullptr, word.form, word.misc, index});
  }
  return tokens;
}

}  // namespace

size_t count_characters(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

void mark_spaces(std::string_view text, std::optional<size_t> first, std::span<Sentence> sentences) {
  const auto places = word_places(text, sentences);
  std::vector<std::pair<Written, TextSpan>> tokens;
  for (size_t s = 0; s < sentences.size(); ++s) {
    for (const Written& token : written_tokens(sentences[s])) {
      const TextSpan& place = places[s][token.index];
      if (place.begin < place.end) tokens.emplace_back(token, place);  // else the text does not have it
    }
  }
  size_t characters = first.value_or(0), counted = 0;  // so many up to this byte
  for (size_t i = 0; i < tokens.size(); ++i) {
    const auto& [token, place] = tokens[i];
    const std::string_view written = text.substr(place.begin, place.end - place.begin);
    const size_t next = i + 1 < tokens.size() ? tokens[i + 1].second.begin : text.size();
    const std::string_view after = text.substr(place.end, next - place.end);
    std::string misc;
    const auto add = [&misc](std::string_view name, const std::string& value) {
      misc += fmt::format("{}{}={}", misc.empty() ? "" : "|", name, value);
    };
    if (after.empty()) add("SpaceAfter", "No");
    if (i == 0 && place.begin > 0) add("SpacesBefore", escaped(text.substr(0, place.begin)));
    if (!after.empty() && after != " ") add("SpacesAfter", escaped(after));
    if (written != token.form) add("SpacesInToken", escaped(written));
    if (first) {
      const size_t begin = characters + count_characters(text.substr(counted, place.begin - counted));
      characters = begin + count_characters(written);
      counted = place.end;
      add("TokenRange", fmt::format("{}:{}", begin, characters));
    }
    token.set_misc(misc.empty() ? "_" : misc);
  }
}

std::string exact_text(const Sentence& sentence) {
  std::string text;
  Sentence copy = sentence;
  for (const Written& token : written_tokens(copy)) {
    if (const auto before = misc_value(token.misc, "SpacesBefore")) text += unescaped(*before);
    const auto inside = misc_value(token.misc, "SpacesInToken");
    text += inside ? unescaped(*inside) : std::string(token.form);
    const auto after = misc_value(token.misc, "SpacesAfter");
    if (after) {
      text += unescaped(*after);
    } else if (misc_value(token.misc, "SpaceAfter") != "No") {
      text += ' ';
    }
  }
  return text;
}

void join_sentences(std::vector<Sentence>& sentences) {
  if (sentences.size() < 2) return;
  Sentence all;
  std::string text;
  for (Sentence& next : sentences) {
    const auto written = written_tokens(next);
    text += surface_text(next);
    if (!written.empty() && misc_value(written.back().misc, "SpaceAfter") != "No") text += ' ';
    for (const ExtraLine& line : next.extra) {
      if (const auto token = as_multiword(line)) {  // tokenizers make no empty nodes
        all.extra.push_back(
            {line.before + all.size(), fmt::format("{}-{}{}", token->first + all.size(), token->last + all.size(),
                                                   std::string_view(line.text).substr(line.text.find('\t')))});
      }
    }
    std::ranges::move(next.tokens, std::back_inserter(all.tokens));
  }
  while (text.ends_with(' ')) text.pop_back();
  all.line = sentences[0].line;
  for (std::string& comment : sentences[0].comments)
    if (!comment.starts_with("# text = ")) all.comments.push_back(std::move(comment));
  all.comments.push_back("# text = " + text);
  sentences.clear();
  sentences.push_back(std::move(all));
}

void finish_sentences(const TextParagraph& paragraph, TextSentences ends, bool offsets,
                      std::vector<Sentence>& sentences) {
  for (Sentence& sentence : sentences) sentence.line = paragraph.line;
  mark_spaces(paragraph.exact, offsets ? std::optional(paragraph.character) : std::nullopt, sentences);
  if (ends != TextSentences::kFound) join_sentences(sentences);
}

}  // namespace espalier

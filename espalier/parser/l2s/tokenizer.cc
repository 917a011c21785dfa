#include "espalier/parser/l2s/tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "espalier/base/unicode.h"
#include "espalier/format/text/segmenter.h"
#include "espalier/parser/l2s/imperative_parser.h"
#include "espalier/parser/model_file.h"

namespace espalier {
namespace {

struct Space : Workspace {
  Space(const Parser& owner, std::span<const HashedRegressor> regressors) : Workspace(owner), search(regressors) {}
  L2sTokenizer::Example example;
  GreedySearch search;
};

std::u32string_view trimmed(std::u32string_view text) {
  while (!text.empty() && char_kind(text.front()) == CharKind::kSpace) text.remove_prefix(1);
  while (!text.empty() && char_kind(text.back()) == CharKind::kSpace) text.remove_suffix(1);
  return text;
}

/// Text on one line: every run of white space becomes one space.
std::string one_line(std::u32string_view text) {
  std::u32string line;
  for (char32_t c : trimmed(text)) {
    const bool space = char_kind(c) == CharKind::kSpace;
    if (!space) line.push_back(c);
    if (space && line.back() != U' ') line.push_back(U' ');
  }
  return encode_utf8(line);
}

/// Whether a line begins an item of a list: "- ", "* ", "• ", "12. ", "3) ", "b) ".
bool begins_item(std::u32string_view line) {
  size_t at = 0;
  const auto is = [&](std::u32string_view any) { return at < line.size() && any.find(line[at]) != any.npos; };
  if (is(U"-*•–—")) {
    ++at;
  } else {
    while (at < 3 && is(U"0123456789")) ++at;
    if (at == 0 && (char_kind(line[0]) != CharKind::kLower || line.size() < 2 || line[1] != U')')) return false;
    at += at == 0;
    if (!is(U".)")) return false;
    ++at;
  }
  return at < line.size() && char_kind(line[at]) == CharKind::kSpace;
}

/// Cuts the paragraph at line breaks that are not due to wrapping: before an item of a list, and where the first
/// word of the next line is not in small letters and would have fitted on the line. Wrapped text stays one
/// paragraph.
std::vector<std::u32string_view> list_items(std::u32string_view paragraph) {
  constexpr size_t kNarrow = 40;  // characters; text is not wrapped earlier
  struct Line {
    size_t begin;
    std::u32string_view text;
  };
  std::vector<Line> lines;
  size_t margin = kNarrow;
  for (size_t begin = 0, end; begin < paragraph.size(); begin = end + 1) {
    end = std::min(paragraph.find(U'\n', begin), paragraph.size());
    const auto text = trimmed(paragraph.substr(begin, end - begin));
    if (text.empty()) continue;
    lines.push_back({begin, text});
    margin = std::max(margin, text.size());
  }
  std::vector<std::u32string_view> items;
  size_t item = 0;
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::u32string_view next = lines[i].text;
    const auto word = static_cast<size_t>(
        std::ranges::find_if(next, [](char32_t c) { return char_kind(c) == CharKind::kSpace; }) - next.begin());
    const bool would_fit = lines[i - 1].text.size() + 1 + word <= margin;
    if (!begins_item(next) && (!would_fit || char_kind(next[0]) == CharKind::kLower)) continue;
    items.push_back(paragraph.substr(item, lines[i].begin - item));
    item = lines[i].begin;
  }
  items.push_back(paragraph.substr(item));
  return items;
}

}  // namespace

std::unique_ptr<Workspace> Tokenizer::make_workspace() const { return std::make_unique<Space>(*this, regressors_); }

void Tokenizer::parse(Sentence&, const Constraints&, Workspace& workspace) const { own<Space>(workspace); }

std::vector<Sentence> Tokenizer::tokenize(const std::string& text, Workspace& workspace) const {
  Space& space = own<Space>(workspace);
  std::vector<Sentence> sentences;
  const std::u32string decoded = decode_utf8(text);
  for (size_t begin = 0; begin < decoded.size();) {
    // A paragraph ends at a line with nothing on it but white space.
    size_t end = begin;
    for (bool blank = false; end < decoded.size(); ++end) {
      if (decoded[end] == U'\n') {
        if (blank) break;
        blank = true;
      } else if (char_kind(decoded[end]) != CharKind::kSpace) {
        blank = false;
      }
    }
    const size_t first = sentences.size();
    for (const std::u32string_view item : list_items(std::u32string_view(decoded).substr(begin, end - begin))) {
      space.example.text = trimmed(item);
      if (space.example.text.empty()) continue;
      task_.run(space.search, space.example);
      add_sentences(space.example, sentences);
    }
    if (sentences.size() > first) sentences[first].comments.insert(sentences[first].comments.begin(), "# newpar");
    begin = end + 1;
  }
  return sentences;
}

void Tokenizer::add_sentences(const L2sTokenizer::Example& x, std::vector<Sentence>& sentences) const {
  Sentence sentence;
  const size_t n = x.text.size();
  size_t sentence_begin = 0, token_begin = 0;
  for (size_t i = 0; i < n; ++i) {
    if (i == token_begin && L2sTokenizer::is_space(x, i)) {
      ++token_begin;
      continue;
    }
    if (x.labels[i] == L2sTokenizer::kInside && i + 1 < n) continue;
    const std::u32string token = x.text.substr(token_begin, i + 1 - token_begin);
    const std::string misc = i + 1 < n && !L2sTokenizer::is_space(x, i + 1) ? "SpaceAfter=No" : "_";
    const auto words = L2sTokenizer::ends_words(x.labels[i]) ? splitter_.split(token) : std::vector{token};
    if (words.size() > 1) {
      const int first = sentence.size() + 1;
      sentence.extra.push_back(
          {first - 1, fmt::format("{}-{}\t{}\t_\t_\t_\t_\t_\t_\t_\t{}", first,
                                  first + static_cast<int>(words.size()) - 1, one_line(token), misc)});
    }
    for (const auto& word : words) {
      Token t;
      t.form = one_line(word);
      if (words.size() == 1) t.misc = misc;
      sentence.tokens.push_back(std::move(t));
    }
    token_begin = i + 1;
    if (L2sTokenizer::ends_sentence(x.labels[i]) || i + 1 == n || sentence.tokens.size() >= kLongestSentence) {
      const auto text = std::u32string_view(x.text).substr(sentence_begin, i + 1 - sentence_begin);
      sentence.comments.push_back("# text = " + one_line(text));
      sentences.push_back(std::move(sentence));
      sentence = {};
      sentence_begin = i + 1;
    }
  }
}

nlohmann::json Tokenizer::save(ModelWriter& writer, const std::string& prefix) const {
  return {{"task", task_.save()},
          {"splitter", splitter_.save()},
          {"regressors", save_regressors(regressors_, writer, prefix)}};
}

std::unique_ptr<Parser> load_tokenizer(const ModelPart& part, SettingsReader&) {
  L2sTokenizer task;
  task.load(part.metadata.at("task"));
  return std::make_unique<Tokenizer>(task, WordSplitter::load(part.metadata.at("splitter")),
                                     load_regressors(part, task.actions()));
}

std::vector<Paragraph> surface_of(std::span<const Sentence> treebank, std::vector<WordSplitter::Seen>* tokens) {
  std::vector<Paragraph> paragraphs;
  bool space_before = false;
  const auto add_token = [&](const std::string& form, const std::string& misc, std::vector<std::u32string> words) {
    Paragraph& paragraph = paragraphs.back();
    const std::u32string token = decode_utf8(form);
    if (token.empty()) return;
    if (space_before && !paragraph.text.empty()) {
      paragraph.text.push_back(U' ');
      paragraph.labels.push_back(L2sTokenizer::kInside);
    }
    paragraph.text += token;
    paragraph.labels.insert(paragraph.labels.end(), token.size() - 1, L2sTokenizer::kInside);
    paragraph.labels.push_back(words.size() > 1 ? L2sTokenizer::kWordsEnd : L2sTokenizer::kTokenEnd);
    space_before = misc.find("SpaceAfter=No") == std::string::npos;
    if (tokens) tokens->push_back({token, std::move(words)});
  };
  for (const Sentence& sentence : treebank) {
    const bool starts = std::ranges::any_of(sentence.comments, [](const std::string& comment) {
      return comment.starts_with("# newpar") || comment.starts_with("# newdoc");
    });
    if (starts || paragraphs.empty()) paragraphs.emplace_back();
    size_t extra = 0;
    for (int i = 0; i < sentence.size();) {
      // A multiword token stands before its first word: "3-4 <tab> form <tab> ... <tab> misc".
      int first = 0, last = 0;
      std::vector<std::string> columns;
      for (; extra < sentence.extra.size() && sentence.extra[extra].before <= i; ++extra) {
        std::istringstream line(sentence.extra[extra].text);
        std::vector<std::string> fields;
        for (std::string field; std::getline(line, field, '\t');) fields.push_back(field);
        if (fields.size() == 10 && std::sscanf(fields[0].c_str(), "%d-%d", &first, &last) == 2 && first == i + 1 &&
            last > first && last <= sentence.size()) {
          columns = std::move(fields);
        }
      }
      if (columns.empty()) {
        const Token& token = sentence.tokens[i];
        add_token(token.form, token.misc, {decode_utf8(token.form)});
        ++i;
      } else {
        std::vector<std::u32string> words;
        for (int w = first; w <= last; ++w) words.push_back(decode_utf8(sentence.word(w).form));
        add_token(columns[1], columns[9], std::move(words));
        i = last;
      }
    }
    if (paragraphs.back().labels.empty()) continue;
    uint8_t& last = paragraphs.back().labels.back();
    last = L2sTokenizer::ends_words(last) ? L2sTokenizer::kLastWordsEnd : L2sTokenizer::kSentenceEnd;
  }
  return paragraphs;
}

std::string raw_text(std::span<const Paragraph> paragraphs) {
  std::string text;
  for (const Paragraph& paragraph : paragraphs) text += encode_utf8(paragraph.text) + "\n\n";
  return text;
}

}  // namespace espalier

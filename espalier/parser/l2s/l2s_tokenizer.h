// Tokens and sentences as a task of learning to search: every character of a text is labelled inside, end of a token or
// end of a sentence, and the end of a token says whether it stands for several words. This file is an example of a task
// over characters, and the task of the recipe `tokenizer` (parser/l2s/tokenizer.h makes sentences of the labels).
// Tested by tests/tokenizer_test.cc.
#pragma once

#include <tsl/robin_set.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "espalier/base/unicode.h"
#include "espalier/features/feature_bag.h"
#include "espalier/parser/l2s/imperative.h"

namespace espalier {

struct L2sTokenizer {
  enum Label { kInside, kTokenEnd, kSentenceEnd, kWordsEnd, kLastWordsEnd, kLabels };  // words: of a multiword token
  static bool ends_sentence(int label) { return label == kSentenceEnd || label == kLastWordsEnd; }
  static bool ends_words(int label) { return label >= kWordsEnd; }
  static bool ends_one_word(int label) { return label == kTokenEnd || label == kSentenceEnd; }

  /// One paragraph. Spaces carry no label: they are never part of a token, unless the training data have such tokens.
  struct Example {
    std::u32string text;
    std::vector<uint8_t> gold;    // per character, when learning
    std::vector<uint8_t> labels;  // the answer
    // Values for features, computed by `prepare`.
    std::vector<uint64_t> character, kind, chunk, shape;  // chunk: the text between spaces, as a hash; shape: its kinds
    std::vector<size_t> chunk_begin, chunk_end;
    std::vector<uint64_t> run, address;  // run: letters and digits, or signs, that stand together; see find_addresses
    std::vector<size_t> run_begin, run_end;
    std::u32string lower;
    std::vector<uint8_t> open;  // whether a token may end here
    FeatureBag bag;
  };
  using Rests = tsl::robin_set<uint64_t>;
  static constexpr size_t kLongestRest = 8;  // characters
  bool spaces_inside = false;                // some token of the training data contains a space
  bool multiword_tokens = false;             // some token of the training data stands for several words
  bool plain_quotes = false;     // curly quotation marks are so rare in the training data that they count as plain ones
  bool whole_addresses = false;  // no token of the training data ends inside an address or a handle

  /// Endings after an apostrophe with which tokens always stand for several words ("ve" of "I've"), and the tokens of
  /// the training data that are exceptions. Both in lower case.
  struct Contractions {
    std::set<std::u32string> endings, exceptions;
  } contractions;

  /// Within letters and digits tokens may end only before these rests, which the training data cut off ("nt" of
  /// "dont"); this saves most decisions. Without a value they may end anywhere.
  std::optional<std::set<std::string>> rests;  // in lower case
  Rests rest_keys;                             // the same, for `prepare`

  void set_rests(std::set<std::string> texts) {
    rest_keys.clear();
    for (const std::string& text : texts) {
      uint64_t key = 1;
      std::u32string letters = decode_utf8(text);
      std::ranges::reverse(letters);  // clang 14 cannot read the library's views
      for (const char32_t c : letters) key = combine(key, c);
      rest_keys.insert(key);
    }
    rests = std::move(texts);
  }
  /// Learns the rests, unless tokens end within letters often.
  template <class Paragraphs>
  void learn_rests(const Paragraphs& paragraphs) {
    std::set<std::string> texts;
    size_t tokens = 0, inside = 0;
    Example x;
    for (const auto& paragraph : paragraphs) {
      x.text = paragraph.text;
      prepare(x);
      for (size_t i = 0; i < x.text.size(); ++i) {
        if (paragraph.labels[i] == kInside) continue;
        ++tokens;
        const size_t rest = x.run_end[i] - (i + 1);
        if (rest == 0 || sort(x, i) != kLetters) continue;
        ++inside;
        if (rest <= kLongestRest) texts.insert(encode_utf8(std::u32string_view(x.lower).substr(i + 1, rest)));
      }
    }
    if (inside * kSeldom <= tokens) set_rests(std::move(texts));
  }
  static constexpr size_t kSeldom = 20;

  /// Learns the flags and the contractions; to be called first, since features depend on them. `seen` has the surface
  /// tokens of the training data with their words.
  template <class Seen, class Paragraphs>
  void learn_tokens(const Seen& seen, const Paragraphs& paragraphs) {
    size_t plain = 0, curly = 0;
    for (const auto& token : seen) {
      spaces_inside |= std::ranges::any_of(token.token, [](char32_t c) { return char_kind(c) == CharKind::kSpace; });
      multiword_tokens |= token.words.size() > 1;
      for (const char32_t c : token.token) {
        if (plain_quote(c) != c) ++curly;
        if (c == U'\'' || c == U'"') ++plain;
      }
    }
    plain_quotes = curly * kSeldom <= plain;

    std::map<std::u32string, std::array<size_t, 2>> endings;  // how often they are one word, and several
    std::vector<std::u32string> single;
    for (const auto& token : seen) {
      const std::u32string lower = lowered(token.token);
      const size_t apostrophe = lower.rfind(U'\'');
      if (apostrophe == std::u32string::npos || apostrophe == 0 || apostrophe + 1 == lower.size()) continue;
      ++endings[lower.substr(apostrophe + 1)][token.words.size() > 1];
      if (token.words.size() == 1) single.push_back(lower);
    }
    for (const auto& [ending, counts] : endings)
      if (counts[1] >= kSeldom && counts[1] >= kSeldom * counts[0]) contractions.endings.insert(ending);
    for (const std::u32string& token : single)
      if (contractions.endings.contains(token.substr(token.rfind(U'\'') + 1))) contractions.exceptions.insert(token);

    whole_addresses = true;  // for `prepare`, which then says where nothing may end
    size_t closed = 0, ended = 0;
    Example x;
    for (const auto& paragraph : paragraphs) {
      x.text = paragraph.text;
      prepare(x);
      for (size_t i = 0; i < x.text.size(); ++i) {
        closed += !x.open[i];
        ended += !x.open[i] && paragraph.labels[i] != kInside;
      }
    }
    whole_addresses = ended * kSeldom <= closed;
  }

  std::vector<int> actions() const { return {multiword_tokens ? kLabels : kWordsEnd}; }

  void run(Search& search, Example& x) const {
    prepare(x);
    static constexpr int kFree[] = {kInside, kTokenEnd, kSentenceEnd, kWordsEnd, kLastWordsEnd};
    static constexpr int kLast[] = {kSentenceEnd, kLastWordsEnd};
    const std::span free = std::span(kFree).first(actions()[0]);
    size_t token = 0, tokens = 0;  // where the current token began; how many ended in this sentence
    for (size_t i = 0; i < x.text.size(); ++i) {
      x.labels[i] = kInside;
      if (is_space(x, i)) {
        if (i == token) token = i + 1;
        continue;
      }
      if (!x.open[i]) continue;
      std::span<const int> allowed = free;
      if (next_chunk(x, i) == x.text.size() && x.chunk_end[i] == i + 1) {
        allowed = std::span(kLast).first(multiword_tokens ? 2 : 1);  // of the paragraph
      } else if (!spaces_inside && is_space(x, i + 1)) {
        allowed = free.subspan(1);
      }
      int left[kLabels];
      if (multiword_tokens && is_contraction(x, token, i)) {
        const auto end = std::ranges::copy_if(allowed, left, [](int label) { return !ends_one_word(label); }).out;
        if (end != left) allowed = {left, end};
      }
      if (search.needs_features()) gather(x, i, token, tokens);
      // A wrong label costs 1 whatever comes after it; given costs save roll-outs.
      std::array<float, kLabels> costs{};
      for (size_t a = 0; a < allowed.size() && search.needs_reference(); ++a) costs[a] = allowed[a] != x.gold[i];
      const int label = search.predict(x.bag, allowed, Reference::costs({costs.data(), allowed.size()}));
      if (search.needs_reference()) search.loss(label != x.gold[i]);
      x.labels[i] = static_cast<uint8_t>(label);
      if (label != kInside) token = i + 1, ++tokens;
      if (ends_sentence(label)) tokens = 0;
    }
  }

  /// Curly quotation marks and apostrophes as keyboards have them.
  static char32_t plain_quote(char32_t c) {
    switch (c) {
      case U'\u2018':
      case U'\u2019':
        return U'\'';
      case U'\u201c':
      case U'\u201d':
      case U'\u201e':
        return U'"';
      default:
        return c;
    }
  }
  std::u32string lowered(std::u32string text) const {
    for (char32_t& c : text) c = lower_case(plain_quotes ? plain_quote(c) : c);
    return text;
  }
  /// Whether the token from `begin` to i would end like one that always stands for several words.
  bool is_contraction(const Example& x, size_t begin, size_t i) const {
    if (x.run_end[i] != i + 1 || x.run_begin[i] <= begin + 1 || x.lower[x.run_begin[i] - 1] != U'\'') return false;
    const std::u32string_view lower = x.lower;
    if (!contractions.endings.contains(std::u32string(lower.substr(x.run_begin[i], i + 1 - x.run_begin[i]))))
      return false;
    return !contractions.exceptions.contains(std::u32string(lower.substr(begin, i + 1 - begin)));
  }

  static bool is_space(const Example& x, size_t i) { return i >= x.text.size() || x.kind[i] == 0; }

  /// Computes the hashes that do not depend on labels.
  void prepare(Example& x) const {
    const size_t n = x.text.size();
    x.labels.assign(n, kInside);
    x.character.resize(n), x.kind.resize(n), x.chunk.resize(n), x.shape.resize(n);
    x.chunk_begin.resize(n), x.chunk_end.resize(n), x.lower.resize(n);
    for (size_t i = 0; i < n; ++i) {
      const char32_t c = plain_quotes ? plain_quote(x.text[i]) : x.text[i];
      x.lower[i] = lower_case(c);
      x.kind[i] = static_cast<uint64_t>(char_kind(c));
      x.character[i] = x.kind[i] == 0 ? 32 : c;
    }
    for (size_t begin = 0, end; begin < n; begin = end) {
      const bool space = x.kind[begin] == 0;
      uint64_t chunk = 1, shape = 1;
      for (end = begin; end < n && (x.kind[end] == 0) == space; ++end) {
        chunk = combine(chunk, x.lower[end]);
        if (end == begin || x.kind[end] != x.kind[end - 1]) shape = combine(shape, x.kind[end]);
      }
      std::fill_n(x.chunk.begin() + begin, end - begin, chunk);
      std::fill_n(x.shape.begin() + begin, end - begin, shape);
      std::fill_n(x.chunk_begin.begin() + begin, end - begin, begin);
      std::fill_n(x.chunk_end.begin() + begin, end - begin, end);
      find_addresses(x, begin, end);
    }
    x.run.resize(n), x.run_begin.resize(n), x.run_end.resize(n);
    for (size_t begin = 0, end; begin < n; begin = end) {
      uint64_t run = 1;
      for (end = begin; end < n && sort(x, end) == sort(x, begin); ++end) run = combine(run, x.lower[end]);
      std::fill_n(x.run.begin() + begin, end - begin, run);
      std::fill_n(x.run_begin.begin() + begin, end - begin, begin);
      std::fill_n(x.run_end.begin() + begin, end - begin, end);
    }
    find_open(x);
  }
  enum Sort { kSpaces, kSigns, kLetters };  // letters: and digits
  static Sort sort(const Example& x, size_t i) {
    return x.kind[i] == 0 ? kSpaces : x.kind[i] >= static_cast<uint64_t>(CharKind::kPunctuation) ? kSigns : kLetters;
  }
  void find_open(Example& x) const {
    x.open.assign(x.text.size(), 1);
    if (rests) close_letters(x);
    if (whole_addresses)
      for (size_t begin = 0; begin < x.text.size(); begin = x.chunk_end[begin])
        if (!is_space(x, begin)) close_address(x, begin, x.chunk_end[begin]);
  }
  void close_letters(Example& x) const {
    for (size_t begin = 0, end; begin < x.text.size(); begin = end) {
      end = x.run_end[begin];
      if (sort(x, begin) != kLetters) continue;
      std::fill(x.open.begin() + static_cast<ptrdiff_t>(begin), x.open.begin() + static_cast<ptrdiff_t>(end - 1), 0);
      uint64_t key = 1;
      for (size_t at = end - 1; at > begin && end - at <= kLongestRest; --at) {
        key = combine(key, x.lower[at]);
        x.open[at - 1] = rest_keys.contains(key);
      }
    }
  }
  /// Web and mail addresses, and names after @ or #, are single tokens. Only ASCII is part of them, since some scripts
  /// put no space after them.
  static void close_address(Example& x, size_t begin, size_t end) {
    const auto is_name = [&](size_t i) {
      return i < end && x.text[i] < 128 && (sort(x, i) == kLetters || x.text[i] == U'_');
    };
    const auto is_in_address = [&](size_t i) { return i < end && x.text[i] > 32 && x.text[i] < 127; };
    const auto close = [&](size_t from, size_t to) {
      for (size_t i = from; i + 1 < to; ++i) x.open[i] = 0;
    };
    const auto chunk = std::u32string_view(x.text).substr(begin, end - begin);
    if (const size_t scheme = std::min(chunk.find(U"://"), chunk.find(U"www.")); scheme != chunk.npos) {
      size_t from = begin + scheme, to = from;
      while (from > begin && is_name(from - 1)) --from;
      while (is_in_address(to)) ++to;
      while (to > from && sort(x, to - 1) == kSigns && x.text[to - 1] != U'/') --to;  // what closes the sentence
      close(from, to);
    } else if (const size_t at = chunk.find(U'@'); at != chunk.npos && at > 0) {
      const auto is_part = [&](size_t i) {
        return is_name(i) || (i < end && (x.text[i] == U'.' || x.text[i] == U'-'));
      };
      size_t from = begin + at, to = from + 1;
      while (from > begin && is_part(from - 1)) --from;
      while (is_part(to)) ++to;
      while (to > from && !is_name(to - 1)) --to;
      const auto host = std::u32string_view(x.text).substr(begin + at + 1, to > begin + at ? to - (begin + at + 1) : 0);
      if (from < begin + at && host.find(U'.') != host.npos) close(from, to);
    } else if ((chunk[0] == U'@' || chunk[0] == U'#') && is_name(begin + 1) && x.kind[begin + 1] != kDigit) {
      size_t to = begin + 1;
      while (is_name(to)) ++to;
      close(begin, to);
    }
  }
  static constexpr auto kDigit = static_cast<uint64_t>(CharKind::kDigit);
  /// For each character of a chunk: whether the chunk looks like a web address, and whether only punctuation follows,
  /// which is not part of the address.
  static void find_addresses(Example& x, size_t begin, size_t end) {
    const auto chunk = std::u32string_view(x.text).substr(begin, end - begin);
    const size_t at = chunk.find(U'@'), scheme = std::min(chunk.find(U"://"), chunk.find(U"www."));
    size_t tail = end;
    while (tail > begin && sort(x, tail - 1) == kSigns) --tail;
    x.address.resize(x.text.size());
    for (size_t i = begin; i < end; ++i) {
      x.address[i] = (at == std::u32string_view::npos ? 0
                      : i - begin < at                ? 1
                                                      : 2) +
                     (scheme == std::u32string_view::npos ? 0
                      : i - begin < scheme                ? 3
                                                          : 6) +
                     (i + 1 >= tail ? 9 : 0);
    }
  }

  void gather(Example& x, size_t i, size_t token, size_t tokens) const {
    x.bag.clear();
    const auto add = [&](uint64_t name, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
      x.bag.add(mix(name * 0x9e3779b97f4a7c15u + combine(combine(a, b), c)));
    };
    const size_t n = x.text.size();
    const auto character = [&](ptrdiff_t offset) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i) + offset;
      return at < 0 || at >= static_cast<ptrdiff_t>(n) ? 0 : x.character[at];
    };
    const auto kind = [&](ptrdiff_t offset) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i) + offset;
      return at < 0 || at >= static_cast<ptrdiff_t>(n) ? 99 : x.kind[at];
    };
    // Characters and kinds of characters around this one.
    for (ptrdiff_t offset = -4; offset <= 5; ++offset) add(1, static_cast<uint64_t>(offset + 8), character(offset));
    for (ptrdiff_t offset = -2; offset <= 3; ++offset) {
      add(2, static_cast<uint64_t>(offset + 8), character(offset), character(offset + 1));
      add(3, static_cast<uint64_t>(offset + 8), combine(character(offset), character(offset + 1)),
          character(offset + 2));
      add(4, static_cast<uint64_t>(offset + 8), combine(kind(offset), kind(offset + 1)), kind(offset + 2));
    }
    add(5, combine(kind(-2), kind(-1)), combine(kind(0), kind(1)), combine(kind(2), kind(3)));
    add(6, character(0), kind(-1), kind(1));
    add(7, character(0), combine(kind(-2), kind(-1)), combine(kind(1), kind(2)));
    // The text between spaces that this character is part of, and the token so far.
    const size_t in_chunk = i - x.chunk_begin[i], left = x.chunk_end[i] - i;
    const bool last = left == 1;
    add(8, x.chunk[i], in_chunk);
    add(9, x.shape[i], std::min<size_t>(in_chunk, 8), std::min<size_t>(left, 8));
    uint64_t so_far = 1;
    for (size_t at = std::max(token, i >= 20 ? i - 20 : 0); at <= i; ++at) so_far = combine(so_far, x.character[at]);
    add(10, so_far);
    add(11, so_far, character(1), character(2));
    add(12, std::min<size_t>(i - token, 12), kind(0), kind(1));
    uint64_t rest = 1;
    for (size_t at = i + 1; at < std::min(x.chunk_end[i], i + 8); ++at) rest = combine(rest, x.lower[at]);
    add(13, rest);
    add(14, rest, character(0));
    add(27, x.address[i], character(0), kind(1));
    add(28, x.address[i], kind(0), character(1));
    add(29, x.address[i], combine(kind(-1), kind(0)), combine(kind(1), kind(2)));
    // The runs of letters or signs that meet here, or those around this one.
    const bool border = x.run_end[i] == i + 1;
    const auto run = [&](size_t at) { return at < n ? x.run[at] : 0; };
    const uint64_t last_run = x.run_begin[i] > 0 ? run(x.run_begin[i] - 1) : 0, next_run = run(x.run_end[i]);
    add(30, border, x.run[i], next_run);
    add(31, border, x.run[i], combine(character(1), kind(2)));
    add(32, border, next_run, combine(character(0), kind(-1)));
    add(33, border, combine(last_run, x.run[i]), next_run);
    add(34, border, combine(last_run, x.run[i]), kind(1));
    add(35, border, combine(x.run[i], next_run), x.run_end[i] < n ? run(x.run_end[x.run_end[i]]) : 0);
    // For ends of sentences: the chunks before and after, and the length of the sentence so far.
    const size_t gap_end = next_chunk(x, i);
    const uint64_t next = gap_end < n ? x.chunk[gap_end] : 0, next_shape = gap_end < n ? x.shape[gap_end] : 0;
    const uint64_t next_kind = gap_end < n ? x.kind[gap_end] : 99;
    size_t back = x.chunk_begin[i];
    while (back > 0 && x.kind[back - 1] == 0) --back;
    const uint64_t before = back > 0 ? x.chunk[back - 1] : 0;
    const bool line_end = last && i + 1 < n && x.text[i + 1] == U'\n';
    add(15, last, next, character(0));
    add(16, last, next_shape, character(0));
    add(17, last, next_kind, combine(character(-1), character(0)));
    add(18, last, combine(x.chunk[i], next_kind));
    add(19, last, x.shape[i], next_shape);
    add(20, last, before, character(0));
    add(21, last, combine(before, next_kind), x.shape[i]);
    add(22, last, std::min<size_t>(tokens, 30), kind(0));
    add(23, last, combine(std::min<size_t>(tokens / 3, 6), next_kind), character(0));
    add(24, line_end, kind(0), next_kind);
    add(25, last, combine(x.chunk[i], next));
    add(26, last, kind(0), next);
    // For multiword tokens: the token and its neighbours.
    uint64_t lower = 1;
    for (size_t at = std::max(token, i >= 20 ? i - 20 : 0); at <= i; ++at) lower = combine(lower, x.lower[at]);
    add(36, last, lower);
    add(37, last, lower, next);
    add(38, last, lower, before);
    uint64_t ending = 1;
    for (size_t length = 1; length <= 8 && i >= token + length - 1; ++length) {
      ending = combine(ending, x.lower[i + 1 - length]);
      add(39, border, ending);
    }
  }
  /// Where the text between spaces that follows the one of character i begins; the text's size if there is none.
  static size_t next_chunk(const Example& x, size_t i) {
    size_t at = x.chunk_end[i];
    while (at < x.text.size() && x.kind[at] == 0) ++at;
    return at;
  }

  nlohmann::json save() const {
    nlohmann::json json = {{"spaces_inside", spaces_inside},
                           {"multiword_tokens", multiword_tokens},
                           {"plain_quotes", plain_quotes},
                           {"whole_addresses", whole_addresses}};
    for (const auto& [name, texts] :
         {std::pair("endings", &contractions.endings), std::pair("exceptions", &contractions.exceptions)})
      for (const std::u32string& text : *texts) json["contractions"][name].push_back(encode_utf8(text));
    if (rests) json["rests"] = *rests;
    return json;
  }
  void load(const nlohmann::json& json) {
    json.at("spaces_inside").get_to(spaces_inside);
    json.at("multiword_tokens").get_to(multiword_tokens);
    plain_quotes = json.value("plain_quotes", false);
    whole_addresses = json.value("whole_addresses", false);
    if (const auto entry = json.find("contractions"); entry != json.end()) {
      for (const auto& [name, texts] :
           {std::pair("endings", &contractions.endings), std::pair("exceptions", &contractions.exceptions)})
        for (const std::string& text : entry->value(name, std::vector<std::string>())) texts->insert(decode_utf8(text));
    }
    if (json.contains("rests")) set_rests(json.at("rests").get<std::set<std::string>>());
  }
};

}  // namespace espalier

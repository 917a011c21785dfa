#include "espalier/format/text/english_words.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace espalier {
namespace {

template <size_t n>
using List = std::array<std::string_view, n>;

template <size_t n>
bool contains(const List<n>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

/// Prefixes whose hyphen does not separate words: "e-mail", "non-commercial".
constexpr List<44> kPrefixes = {"a",   "anti",  "arch",  "bi",     "co",     "counter", "cyber", "de",   "e",
                                "ex",  "extra", "hyper", "inter",  "intra",  "macro",   "mega",  "meta", "micro",
                                "mid", "mini",  "mis",   "multi",  "neo",    "non",     "omni",  "over", "post",
                                "pre", "pro",   "proto", "pseudo", "psycho", "quasi",   "re",    "semi", "socio",
                                "sub", "super", "trans", "tri",    "ultra",  "un",      "under", "uni"};

/// Abbreviations: their period belongs to them unless it ends the sentence. Single letters and "U.S." need no list.
constexpr List<84> kAbbreviations = {
    "dr",   "mr",   "mrs",  "ms",  "st",   "etc", "vs",  "jan",  "feb",  "mar",  "apr",  "jun",    "jul",  "aug",
    "sept", "sep",  "oct",  "nov", "dec",  "mon", "tue", "tues", "wed",  "thu",  "thur", "thurs",  "fri",  "inc",
    "ft",   "co",   "corp", "ltd", "gen",  "lt",  "rev", "jr",   "sr",   "gov",  "sen",  "rep",    "reps", "col",
    "capt", "sgt",  "prof", "hon", "pres", "mt",  "ave", "blvd", "rd",   "dept", "dist", "div",    "est",  "attn",
    "ext",  "fig",  "eg",   "ie",  "al",   "lb",  "lbs", "oz",   "yrs",  "hrs",  "min",  "approx", "ph",   "tel",
    "conf", "spec", "va",   "esp", "cf",   "ca",  "viz", "bros", "assn", "univ", "maj",  "cmdr",   "adm",  "messrs"};

/// A contraction that is written as one word, and the number of letters of its first part.
struct Contraction {
  std::string_view word;
  size_t cut;
};
constexpr std::array<Contraction, 44> kContractions = {{
    {"cannot", 3}, {"gonna", 3},   {"wanna", 3},   {"gotta", 3},    {"outta", 3},  {"gimme", 3},  {"lemme", 3},
    {"dont", 2},   {"wont", 2},    {"cant", 2},    {"didnt", 3},    {"doesnt", 4}, {"isnt", 2},   {"wasnt", 3},
    {"werent", 4}, {"couldnt", 5}, {"wouldnt", 5}, {"shouldnt", 6}, {"arent", 3},  {"havent", 4}, {"hasnt", 3},
    {"hadnt", 3},  {"aint", 2},    {"im", 1},      {"ive", 1},      {"youre", 3},  {"youve", 3},  {"youll", 3},
    {"theyre", 4}, {"theyve", 4},  {"thats", 4},   {"theres", 5},   {"whats", 4},  {"heres", 4},  {"hes", 2},
    {"shes", 3},   {"lets", 3},    {"itll", 2},    {"theyll", 4},   {"weve", 2},   {"whos", 3},   {"wheres", 5},
    {"hows", 3},   {"elses", 4},
}};

/// Units: separate words behind a number, "7:30 pm", "35 mm".
constexpr List<30> kUnits = {"am",  "pm",  "a.m", "p.m", "k",    "m",  "mm", "b",   "bn",  "t",
                             "kg",  "g",   "mg",  "lb",  "lbs",  "ft", "km", "cm",  "x",   "oz",
                             "mph", "hrs", "hr",  "min", "mins", "gb", "mb", "ghz", "mhz", "kwh"};

/// Words that begin with an apostrophe, not a quotation mark.
constexpr List<16> kElisions = {"em", "til", "till", "cause", "cuz", "bout", "tis", "twas",
                                "n",  "s",   "re",   "ve",    "ll",  "d",    "m",   "round"};

/// Longest first.
constexpr List<22> kSmileys = {">:(", ":'(", ":-)", ":-(", ";-)", ":-D", ":-P", ":-p", ":-/", "^_^", "<3",
                               ":)",  ":(",  ";)",  "=)",  "=(",  ":D",  ":P",  ":p",  ":/",  "(:",  "=D"};

/// Longer runs of text are searched for no addresses, which could take quadratic time.
constexpr size_t kLongestAddress = 4000;

bool is_apostrophe(UChar32 c) { return c == '\'' || c == 0x2019 || c == '`'; }
bool is_letter(UChar32 c) { return u_isalpha(c) || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }
bool is_digit(UChar32 c) { return u_isdigit(c); }
bool is_word(UChar32 c) { return is_letter(c) || is_digit(c) || c == '_' || (U_GET_GC_MASK(c) & U_GC_NO_MASK) != 0; }
bool is_star(UChar32 c) { return c == '*'; }
bool ends_sentence(UChar32 c) { return c == '.' || c == '!' || c == '?' || c == 0x2026; }
/// Punctuation of which a sequence is one word: "--", "***", "<<".
bool repeats(UChar32 c) {
  return c != 0 &&
         (std::string_view("-*=~_+<>#,'`$|/\\").find(static_cast<char>(c < 128 ? c : 0)) != std::string_view::npos ||
          c == 0x2019 || c == 0x2018 || c == 0x2014 || c == 0x2013);
}

/// Works on one run of text without white space.
class Chunk {
 public:
  /// `last` ends the sentence; `quoted` tells, and learns, whether a single quotation mark is open.
  Chunk(std::string_view text, size_t offset, bool last, bool& quoted, std::vector<WordSpan>& words)
      : text_(text), offset_(offset), last_(last), quoted_(quoted), words_(words) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
    for (int64_t i = 0, size = static_cast<int64_t>(text.size()); i < size;) {
      place_.push_back(static_cast<size_t>(i));
      UChar32 c;
      U8_NEXT_OR_FFFD(bytes, i, size, c);
      chars_.push_back(c);
    }
    place_.push_back(text.size());
  }

  void split() {
    for (size_t i = 0; i < size();) {
      size_t end = address(i);
      if (end == i) end = smiley(i);
      if (end == i && is_digit(at(i))) end = number(i);
      if (end == i && is_word(at(i))) end = word(i);
      if (end == i) end = mark(i);
      i = end;
    }
  }

 private:
  size_t size() const { return chars_.size(); }
  UChar32 at(size_t i) const { return i < size() ? chars_[i] : 0; }
  std::string_view between(size_t begin, size_t end) const {
    return text_.substr(place_[begin], place_[end] - place_[begin]);
  }
  std::string lower(size_t begin, size_t end) const {
    std::string result(between(begin, end));
    for (char& c : result) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c);
    return result;
  }
  size_t emit(size_t begin, size_t end, bool joined = false) {
    words_.push_back({offset_ + place_[begin], offset_ + place_[end], joined});
    return end;
  }
  template <class Predicate>
  size_t run(size_t i, Predicate predicate) const {
    while (i < size() && predicate(chars_[i])) ++i;
    return i;
  }
  /// Only marks that may close a sentence stand from here to the end.
  bool only_closers(size_t i) const {
    return run(i, [](UChar32 c) {
             return c == ')' || c == ']' || c == '"' || c == '\'' || c == 0x2019 || c == 0x201D || c == '>';
           }) == size();
  }

  /// Web and mail addresses, without the punctuation behind them.
  size_t address(size_t i) {
    const auto starts = [&](std::string_view prefix) {
      return place_[i] + prefix.size() < text_.size() && lower(i, std::min(i + prefix.size(), size())) == prefix;
    };
    const bool at_start = i == 0 || !is_word(at(i - 1));
    if (!at_start || size() > kLongestAddress) return i;
    size_t end = i;
    if (starts("http://") || starts("https://") || starts("ftp://") || starts("www.")) {
      end = run(i, [](UChar32 c) { return c != '"' && c != '<' && c != '>' && c != 0x201D; });
    } else {
      const auto in_name = [](UChar32 c) { return is_word(c) || c == '.' || c == '-' || c == '+' || c == '%'; };
      const size_t name = run(i, in_name);
      const size_t host = run(name + 1, in_name);
      const bool dotted = std::find(chars_.begin() + static_cast<long>(std::min(name, size())),
                                    chars_.begin() + static_cast<long>(std::min(host, size())),
                                    '.') != chars_.begin() + static_cast<long>(std::min(host, size()));
      if (name == i || at(name) != '@' || !dotted) return i;
      end = host;
    }
    const bool has_bracket = between(i, end).find('(') != std::string_view::npos;
    while (end > i &&
           (ends_sentence(at(end - 1)) || is_apostrophe(at(end - 1)) || at(end - 1) == ',' || at(end - 1) == ';' ||
            at(end - 1) == ':' || at(end - 1) == ']' || (at(end - 1) == ')' && !has_bracket))) {
      --end;
    }
    return end == i ? i : emit(i, end);
  }

  size_t smiley(size_t i) {
    if (is_word(at(i))) return i;
    for (const std::string_view smiley : kSmileys) {
      if (!text_.substr(place_[i]).starts_with(smiley)) continue;
      const size_t end = i + smiley.size();
      const bool letter_like = is_word(at(end - 1)) || at(end - 1) == '/';
      if (is_word(at(end)) || (i > 0 && (letter_like || smiley[0] == '('))) continue;
      return emit(i, end);
    }
    return i;
  }

  /// 1,000.50  7:30  9/11  11/28/2000  713-853-3989  345-9945  20th  1970s; a unit behind it is a word of its own.
  size_t number(size_t i) {
    size_t end = run(i, is_digit);
    while ((at(end) == '.' || at(end) == ',' || at(end) == ':') && is_digit(at(end + 1))) end = run(end + 1, is_digit);
    end = groups(i, end, '/');
    end = groups(i, end, '-');
    const size_t suffix = run(end, is_word);
    const size_t dotted = run(end, [](UChar32 c) { return is_word(c) || c == '.'; });
    const size_t unit = dotted > suffix && at(dotted - 1) == '.' ? dotted - 1 : suffix;
    if (suffix > end && (contains(kUnits, lower(end, suffix)) || contains(kUnits, lower(end, unit)))) {
      return emit(i, end);
    }
    const bool plural = is_apostrophe(at(end)) && at(end + 1) == 's' && !is_word(at(end + 2));  // "the 70's"
    const bool simple = end == run(i, is_digit);
    return simple && (suffix > end || plural) ? i : emit(i, end);  // letters that are no unit: a word, "3rd", "3143C"
  }

  /// Extends a number over further groups of digits, if together they look like a date or a telephone number.
  size_t groups(size_t begin, size_t end, char separator) const {
    std::vector<size_t> lengths = {end - begin};
    size_t last = end;
    while (at(last) == separator && is_digit(at(last + 1))) {
      const size_t next = run(last + 1, is_digit);
      lengths.push_back(next - last - 1);
      last = next;
    }
    if (lengths.size() == 1) return end;
    if (lengths.size() > 2) return last;
    if (separator == '-') return lengths[0] % 2 == 1 && lengths[0] <= 5 && lengths[1] == 4 ? last : end;
    const bool month = lengths[0] == 1 || (lengths[0] == 2 && at(begin) == '1' && at(begin + 1) <= '2');
    const bool fraction = lengths[0] == 1 && lengths[1] == 1 && at(begin) < at(last - 1);
    return month && lengths[1] <= 2 && !fraction ? last : end;
  }

  size_t word(size_t i) {
    const size_t first_part = run(i, is_word);
    size_t end = first_part;
    for (;;) {
      const UChar32 c = at(end);
      const bool inside = is_word(at(end + 1));
      const size_t next = run(end + 1, is_word);
      if (is_apostrophe(c) && inside && is_letter(at(end + 1)))
        end = next;
      else if (c == '.' && inside && !sentence_boundary(i, end))
        end = next;
      else if (c == '&' && inside && next - i <= 6)
        end = next;
      else if (const size_t stars = run(end, is_star); stars > end && is_letter(at(stars)))
        end = run(stars, is_word);
      else if (c == '-' && inside && end == first_part && contains(kPrefixes, lower(i, end)))
        end = next;
      else if (c == '/' && lower(i, next) == "w/o")
        end = next;
      else
        break;
    }
    if (at(end) == '.' && !ends_sentence(at(end + 1)) && keeps_period(i, end))
      ++end;
    else if (at(end) == '/' && end - i == 1 && lower(i, end) == "w")
      ++end;
    return clitics(i, end);
  }
  /// "it.The": two sentences without a space between; but not "U.S." or "foo.com".
  bool sentence_boundary(size_t begin, size_t dot) const {
    const std::string next = lower(dot + 1, run(dot + 1, is_word));
    return dot - begin > 1 && u_islower(at(dot - 1)) && u_isupper(at(dot + 1)) && u_islower(at(dot + 2)) &&
           next != "com" && next != "org" && next != "net";
  }
  bool keeps_period(size_t begin, size_t end) const {
    if (last_ && only_closers(end + 1)) return false;
    const std::string text = lower(begin, end);
    if (contains(kAbbreviations, text)) return true;
    // Single letters with periods between: "J.", "U.S.", "a.k.a."
    for (size_t i = begin; i < end; ++i) {
      if ((i - begin) % 2 == 0 ? !is_letter(at(i)) : at(i) != '.') return false;
    }
    return (end - begin) % 2 == 1 && (end - begin > 1 || u_isupper(at(begin)));
  }

  /// Cuts "don't", "John's", "cannot", "I'd've" and emits the parts as one multiword token.
  size_t clitics(size_t begin, size_t end) {
    std::vector<size_t> cuts;
    size_t host = end;
    while (host > begin) {
      const size_t length = clitic(begin, host);
      if (length == 0) break;
      host -= length;
      cuts.push_back(host);
    }
    if (cuts.empty()) {
      const std::string text = lower(begin, end);
      for (const Contraction& contraction : kContractions) {
        if (contraction.word == text) cuts.push_back(begin + contraction.cut);
      }
      if (at(end) == '\'' || at(end) == 0x2019) {  // the possessive of a plural: "the dogs' bowls"
        const bool plural = at(end - 1) == 's' || at(end - 1) == 'S' || at(end - 1) == 'z' || at(end - 1) == 'x';
        if (plural && !quoted_ && !is_apostrophe(at(end + 1)) && end > begin + 1) cuts.push_back(end++);
      }
    }
    size_t from = begin;
    for (auto cut = cuts.rbegin(); cut != cuts.rend(); from = *cut++) emit(from, *cut, from != begin);
    return emit(from, end, from != begin);
  }
  /// The length of the clitic that ends at `end`, 0 if there is none.
  size_t clitic(size_t begin, size_t end) const {
    for (size_t length = 2; length <= 3 && length < end - begin; ++length) {
      const size_t start = end - length;
      if (length == 3 && is_apostrophe(at(start + 1)) && u_tolower(at(start)) == 'n' && u_tolower(at(end - 1)) == 't') {
        return 3;
      }
      if (!is_apostrophe(at(start))) continue;
      const std::string rest = lower(start + 1, end);
      const bool known = rest == "s" || rest == "m" || rest == "re" || rest == "ve" || rest == "ll" || rest == "d";
      if (known && !(rest == "s" && is_digit(at(start - 1)))) return length;
    }
    return 0;
  }

  size_t mark(size_t i) {
    const UChar32 c = at(i);
    if ((c == '\'' || c == 0x2019 || c == 0x2018) && is_word(at(i + 1))) {
      const size_t end = run(i + 1, is_word);
      if (i == 0 && (is_digit(at(i + 1)) || contains(kElisions, lower(i + 1, end)))) return emit(i, end);
      quoted_ = true;
    } else if (c == '\'' || c == 0x2019) {
      quoted_ = false;
    }
    if (c == '.' && i == 0 && is_word(at(1))) return emit(i, run(1, is_word));  // ".5", ".doc"
    if (ends_sentence(c)) return emit(i, run(i, ends_sentence));
    if (c == '+' && i == 0 && is_digit(at(1))) return emit(i, run(1, is_digit));
    if ((c == '#' || c == '@') && i == 0 && is_letter(at(1))) return emit(i, run(1, is_word));  // "#tag", "@name"
    if (repeats(c)) return emit(i, run(i, [c](UChar32 x) { return x == c; }));
    return emit(i, i + 1);
  }

  std::string_view text_;
  size_t offset_;
  bool last_;
  bool& quoted_;
  std::vector<WordSpan>& words_;
  std::vector<UChar32> chars_;
  std::vector<size_t> place_;  // byte offset of each character, and of the end
};

/// Abbreviations whose period does not end a sentence, since a name, a number or an example follows.
constexpr List<29> kTitles = {"dr",  "drs", "mr",  "mrs", "ms",   "messrs", "st",   "prof", "gen", "lt",
                              "rev", "gov", "sen", "rep", "reps", "col",    "capt", "sgt",  "hon", "pres",
                              "mt",  "ft",  "vs",  "maj", "cmdr", "adm",    "e.g",  "i.e",  "cf"};

/// Words that, capitalised behind "U.S." or an initial, begin a sentence rather than continue a name.
constexpr List<30> kOpeners = {"the",  "a",    "an",    "i",  "we", "you", "he",  "she", "it",    "they",
                               "this", "that", "there", "in", "on", "at",  "for", "as",  "if",    "when",
                               "what", "but",  "and",   "so", "my", "our", "his", "her", "their", "please"};

std::string lower_ascii(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c);
  return result;
}
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

SentenceBreak english_sentence_break(std::string_view before, std::string_view after) {
  if (after.find_first_not_of(")]}'") == std::string_view::npos) return SentenceBreak::kNo;  // closes what is behind it
  const size_t start = before.find_first_not_of("(\"'");
  if (!before.ends_with('.') || start == std::string_view::npos) return SentenceBreak::kAsItIs;
  const std::string word = lower_ascii(before.substr(start, before.size() - start - 1));
  if (contains(kTitles, word)) return SentenceBreak::kNo;
  // Initials, "J." and "U.S.", before a name; "I." ends a sentence.
  const bool initials = word.size() == 1 || (word.size() == 3 && word[1] == '.');
  if (initials && is_ascii_letter(word[0]) && word != "i" && before[start] < 'a') {
    const bool name = after[0] >= 'A' && after[0] <= 'Z' && !contains(kOpeners, lower_ascii(after));
    return name ? SentenceBreak::kNo : SentenceBreak::kAsItIs;
  }
  // A sentence that does not begin with a capital.
  const bool plain = word.size() > 1 && std::ranges::all_of(word, is_ascii_letter) && !contains(kAbbreviations, word);
  return plain && after[0] >= 'a' && after[0] <= 'z' ? SentenceBreak::kYes : SentenceBreak::kAsItIs;
}

void split_english_words(std::string_view sentence, std::vector<WordSpan>& words) {
  bool quoted = false;
  for (size_t begin = 0; begin < sentence.size();) {
    const size_t end = std::min(sentence.find(' ', begin), sentence.size());
    if (end > begin) Chunk(sentence.substr(begin, end - begin), begin, end == sentence.size(), quoted, words).split();
    begin = end + 1;
  }
}

}  // namespace espalier

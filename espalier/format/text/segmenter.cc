#include "espalier/format/text/segmenter.h"

#include <unicode/brkiter.h>
#include <unicode/filteredbrk.h>
#include <unicode/utext.h>

#include <map>
#include <mutex>
#include <utility>

#include "espalier/base/error.h"
#include "espalier/format/text/english_words.h"

namespace espalier {
namespace {

void check(UErrorCode status, std::string_view what) {
  if (U_FAILURE(status)) throw run_error("ICU cannot {}: {}", what, u_errorName(status));
}

/// White space between words; U+FEFF counts as such, being a stray byte order mark.
bool is_space(UChar32 c) { return u_isUWhiteSpace(c) || c == 0xFEFF || u_iscntrl(c); }

std::string normalise_space(std::string_view text) {
  std::string result;
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  bool gap = false;
  for (int64_t i = 0, size = static_cast<int64_t>(text.size()); i < size;) {
    const int64_t start = i;
    UChar32 c;
    U8_NEXT_OR_FFFD(bytes, i, size, c);
    if (is_space(c)) {
      gap = !result.empty();
      continue;
    }
    if (std::exchange(gap, false)) result += ' ';
    result.append(text.substr(static_cast<size_t>(start), static_cast<size_t>(i - start)));
  }
  return result;
}

/// Calls visit(begin, end) for every piece between two breaks.
template <class Visit>
void for_each_piece(icu::BreakIterator& breaks, std::string_view text, Visit visit) {
  UErrorCode status = U_ZERO_ERROR;
  UText* utext = utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status);
  const std::unique_ptr<UText, decltype(&utext_close)> closer(utext, utext_close);
  breaks.setText(utext, status);
  check(status, "read the text");
  int32_t begin = breaks.first();
  for (int32_t end = breaks.next(); end != icu::BreakIterator::DONE; begin = end, end = breaks.next()) {
    visit(static_cast<size_t>(begin), static_cast<size_t>(end));
  }
}

}  // namespace

struct Segmenter::Rules {
  std::unique_ptr<icu::BreakIterator> sentences, words;
  bool english = false;
};

const Segmenter::Rules& Segmenter::loaded_rules(const std::string& language) {
  static std::mutex mutex;
  static std::map<std::string, Rules> loaded;
  const std::lock_guard lock(mutex);
  auto entry = loaded.find(language);
  if (entry == loaded.end()) entry = loaded.emplace(language, load_rules(language)).first;
  return entry->second;
}

Segmenter::Rules Segmenter::load_rules(const std::string& language) {
  Rules rules;
  const icu::Locale locale = icu::Locale::createCanonical(language.c_str());
  rules.english = std::string_view(locale.getLanguage()) == "en";
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> plain(icu::BreakIterator::createSentenceInstance(locale, status));
  check(status, "find sentences");
  // ICU has abbreviations for a few languages only.
  const std::unique_ptr<icu::FilteredBreakIteratorBuilder> filter(
      icu::FilteredBreakIteratorBuilder::createInstance(locale, status));
  if (U_SUCCESS(status) && filter) {
    rules.sentences.reset(filter->wrapIteratorWithFilter(plain.release(), status));
    check(status, "find sentences");
  } else {
    rules.sentences = std::move(plain);
    status = U_ZERO_ERROR;
  }
  rules.words.reset(icu::BreakIterator::createWordInstance(locale, status));
  check(status, "find words");
  return rules;
}

// Loading a language's rules takes ICU milliseconds, copying them microseconds.
Segmenter::Segmenter(const std::string& language) {
  const Rules& rules = loaded_rules(language);
  rules_.reset(new Rules{std::unique_ptr<icu::BreakIterator>(rules.sentences->clone()),
                         std::unique_ptr<icu::BreakIterator>(rules.words->clone()), rules.english});
}

Segmenter::~Segmenter() = default;

void Segmenter::segment(std::string_view paragraph, std::vector<Sentence>& sentences) {
  const std::string text = normalise_space(paragraph);
  breaks_.clear();
  for_each_piece(*rules_->sentences, text, [this](size_t, size_t end) { breaks_.push_back(end); });
  if (rules_->english) adjust_to_english(text);
  size_t begin = 0;
  for (const size_t next : breaks_) {
    size_t end = next;
    while (end > begin && text[end - 1] == ' ') --end;
    if (end > begin) segment_sentence(std::string_view(text).substr(begin, end - begin), sentences);
    begin = next;
  }
}

/// English sentences end at spaces; english_sentence_break overrules ICU.
void Segmenter::adjust_to_english(std::string_view text) {
  std::vector<size_t> adjusted;
  auto found = breaks_.begin();
  size_t begin = 0;  // of what stands before the space
  for (size_t space = text.find(' '); space != std::string_view::npos; space = text.find(' ', space + 1)) {
    while (found != breaks_.end() && *found < space + 1) ++found;
    const bool breaks = found != breaks_.end() && *found == space + 1;
    const size_t next = std::min(text.find(' ', space + 1), text.size());
    switch (english_sentence_break(text.substr(begin, space - begin), text.substr(space + 1, next - space - 1))) {
      case SentenceBreak::kAsItIs:
        if (breaks) adjusted.push_back(space + 1);
        break;
      case SentenceBreak::kYes:
        adjusted.push_back(space + 1);
        break;
      case SentenceBreak::kNo:
        break;
    }
    begin = space + 1;
  }
  adjusted.push_back(text.size());
  breaks_.swap(adjusted);
}

void Segmenter::segment_sentence(std::string_view text, std::vector<Sentence>& sentences) {
  words_.clear();
  if (rules_->english) {
    split_english_words(text, words_);
  } else {
    for_each_piece(*rules_->words, text, [&](size_t begin, size_t end) {
      if (text[begin] != ' ') words_.push_back({begin, end, false});
    });
  }
  for (size_t begin = 0, end = 0; begin < words_.size(); begin = end) {
    end = std::min(begin + kLongestSentence, words_.size());
    while (end < words_.size() && words_[end].joined) ++end;
    sentences.push_back(make_sentence(text, std::span(words_).subspan(begin, end - begin)));
  }
}

Sentence Segmenter::make_sentence(std::string_view text, std::span<const WordSpan> words) {
  Sentence sentence;
  const size_t begin = words.front().begin;
  sentence.comments.push_back("# text = " + std::string(text.substr(begin, words.back().end - begin)));
  for (size_t i = 0; i < words.size(); ++i) {
    size_t last = i;
    while (last + 1 < words.size() && words[last + 1].joined) ++last;
    const bool touches = last + 1 < words.size() && words[last].end == words[last + 1].begin;
    if (last > i) {
      const std::string_view form = text.substr(words[i].begin, words[last].end - words[i].begin);
      sentence.extra.push_back({sentence.size(), fmt::format("{}-{}\t{}\t_\t_\t_\t_\t_\t_\t_\t{}", i + 1, last + 1,
                                                             form, touches ? "SpaceAfter=No" : "_")});
    }
    for (size_t w = i; w <= last; ++w) {
      Token& token = sentence.tokens.emplace_back();
      token.form = text.substr(words[w].begin, words[w].end - words[w].begin);
      if (touches && last == i) token.misc = "SpaceAfter=No";
    }
    i = last;
  }
  return sentence;
}

}  // namespace espalier

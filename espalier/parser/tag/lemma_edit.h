// Makes a lemma of a form by two decisions. An edit, in lower case, replaces the text before and after the longest
// common part of form and lemma ("tries", "try": -ies +y); it is an edit tree (Chrupała 2006) of depth one. The casing
// says which letters of the result are capitals. Tested by lemma_edit_test.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace espalier {

struct LemmaEdit {
  std::string cut_front, put_front, cut_back, put_back;

  /// Whether the word has the edit's beginning and end, with something in between.
  bool applies(std::string_view lower) const {
    return lower.size() > cut_front.size() + cut_back.size() && lower.starts_with(cut_front) &&
           lower.ends_with(cut_back);
  }
  /// `word` must be as long as one that the edit applies to.
  void apply(std::string_view word, std::string& lemma) const;

  friend auto operator<=>(const LemmaEdit&, const LemmaEdit&) = default;
};

/// The edit that makes the lemma of the form, both in lower case; nothing if they have nothing in common.
std::optional<LemmaEdit> lemma_edit(std::string_view lower_form, std::string_view lower_lemma);

/// Small letters; as the form has them; the first a capital; all capitals.
enum class Casing : uint8_t { kLower, kKept, kTitle, kUpper };
constexpr int kCasings = 4;

/// `lower` is the form in lower case, and the edit applies to it.
void make_lemma(std::string_view form, std::string_view lower, const LemmaEdit& edit, Casing casing,
                std::string& lemma);

}  // namespace espalier

#include "espalier/parser/l2s/word_splitter.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "espalier/base/unicode.h"

namespace espalier {
namespace {

std::u32string lowered(std::u32string text) {
  for (char32_t& c : text) c = c == U'\u2019' ? U'\'' : lower_case(c);
  return text;
}

std::u32string upper_cased(std::u32string text, size_t count) {
  for (size_t i = 0; i < std::min(count, text.size()); ++i) text[i] = upper_case(text[i]);
  return text;
}

bool is_upper(char32_t c) { return char_kind(c) == CharKind::kUpper; }

}  // namespace

const WordSplitter::Words* WordSplitter::find_suffix(const std::u32string& lower, size_t* suffix) const {
  // At least one character of the token must be left as a stem.
  for (size_t length = std::min(kMaxSuffix, lower.size() - 1); length > 0; --length) {
    const auto rule = suffix_.find(lower.substr(lower.size() - length));
    if (rule == suffix_.end()) continue;
    *suffix = length;
    return &rule->second;
  }
  return nullptr;
}

std::vector<std::u32string> WordSplitter::split(const std::u32string& token) const {
  const std::u32string lower = lowered(token);
  Words words;
  size_t suffix = 0;
  if (const auto entry = whole_.find(lower); entry != whole_.end()) {
    words = entry->second;
  } else if (const Words* rule = lower.empty() ? nullptr : find_suffix(lower, &suffix)) {
    words = *rule;
    words[0] = lower.substr(0, lower.size() - suffix) + words[0];
  }
  if (words.size() < 2) return {token};
  std::u32string joined;
  for (const auto& word : words) joined += word;
  if (joined == lower) {  // a plain cut: the words are pieces of the token
    size_t at = 0;
    for (auto& word : words) {
      word = token.substr(at, word.size());
      at += word.size();
    }
    // "she'd've" is "she'd" and "'ve", and "she'd" is two words itself.
    if (suffix > 0 && words[0].find_first_of(U"'\u2019", 1) != std::u32string::npos) {
      const Words first = split(words[0]);
      words.erase(words.begin());
      words.insert(words.begin(), first.begin(), first.end());
    }
  } else if (token.size() > 1 && std::ranges::all_of(token, is_upper)) {
    for (auto& word : words) word = upper_cased(word, word.size());
  } else if (is_upper(token[0])) {
    words[0] = upper_cased(words[0], 1);
  }
  return words;
}

WordSplitter WordSplitter::learn(const std::vector<Seen>& seen) {
  // Types of multiword tokens and how often each analysis was seen.
  std::map<std::u32string, std::map<Words, int>> types;
  for (const Seen& token : seen) {
    if (token.words.size() < 2) continue;
    Words words;
    for (const auto& word : token.words) words.push_back(lowered(word));
    ++types[lowered(token.token)][words];
  }
  std::map<std::u32string, Words> favourite;
  for (const auto& [token, analyses] : types) {
    favourite[token] = std::ranges::max_element(analyses, {}, [](const auto& a) { return a.second; })->first;
  }

  // Candidate rules: what is left of token and first word after their common beginning, and up to four letters more.
  std::map<std::u32string, std::map<Words, int>> rules;
  for (const auto& [token, words] : favourite) {
    const size_t common = static_cast<size_t>(std::ranges::mismatch(token, words[0]).in1 - token.begin());
    for (size_t stem = common; stem > 0 && stem + 4 >= common; --stem) {
      if (token.size() - stem > kMaxSuffix) break;
      if (stem == token.size()) continue;
      Words rule = words;
      rule[0] = words[0].substr(stem);
      ++rules[token.substr(stem)][rule];
    }
  }
  WordSplitter splitter;
  for (const auto& [suffix, outcomes] : rules) {
    const auto& [rule, count] = *std::ranges::max_element(outcomes, {}, [](const auto& o) { return o.second; });
    if (count >= 2) splitter.suffix_[suffix] = rule;
  }
  // Whole tokens are kept where the rules do not give the same.
  for (const auto& [token, words] : favourite) {
    Words guess = splitter.split(token);
    if (guess != words) splitter.whole_[token] = words;
  }
  return splitter;
}

nlohmann::json WordSplitter::save() const {
  const auto texts = [](const std::map<std::u32string, Words>& entries) {
    nlohmann::json all = nlohmann::json::array();
    for (const auto& [key, words] : entries) {
      nlohmann::json entry = {encode_utf8(key)};
      for (const auto& word : words) entry.push_back(encode_utf8(word));
      all.push_back(std::move(entry));
    }
    return all;
  };
  return {{"whole", texts(whole_)}, {"suffix", texts(suffix_)}};
}

WordSplitter WordSplitter::load(const nlohmann::json& json) {
  WordSplitter splitter;
  const auto read = [](const nlohmann::json& all, std::map<std::u32string, Words>& entries) {
    for (const auto& entry : all) {
      Words words;
      for (size_t i = 1; i < entry.size(); ++i) words.push_back(decode_utf8(entry.at(i).get<std::string>()));
      if (!words.empty()) entries[decode_utf8(entry.at(0).get<std::string>())] = std::move(words);
    }
  };
  read(json.at("whole"), splitter.whole_);
  read(json.at("suffix"), splitter.suffix_);
  return splitter;
}

}  // namespace espalier

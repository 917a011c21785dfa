#include "espalier/features/word_clusters.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <utility>

#include "espalier/base/error.h"
#include "espalier/base/hash.h"
#include "espalier/features/normalise.h"
#include "espalier/format/line_reader.h"

namespace espalier {
namespace {

constexpr uint64_t kWordSeed = 11, kPathSeed = 12;

uint32_t hash_word(std::string_view form) {
  thread_local std::string normalised;
  normalise(form, normalised);
  return static_cast<uint32_t>(hash_string(normalised, kWordSeed));
}

bool is_path(std::string_view text) {
  return !text.empty() && text.size() <= WordClusters::kLongestPath && text.find_first_not_of("01") == text.npos;
}

/// A short path is its own beginning of any length.
WordClusters::Atoms atoms_of(std::string_view path) {
  using A = WordClusters::Atoms;
  A atoms;
  for (const auto& [field, bits] : {std::pair(A::kFull, path.size()), {A::kBits10, 10}, {A::kBits6, 6}, {A::kBits4, 4}})
    atoms.field[field] = hash_string(path.substr(0, bits), kPathSeed + field);
  return atoms;
}

/// Calls use(path) for each line.
template <class Use>
void for_paths(std::string_view paths, Use use) {
  while (!paths.empty()) {
    const size_t end = std::min(paths.find('\n'), paths.size());
    use(paths.substr(0, end));
    paths.remove_prefix(std::min(end + 1, paths.size()));
  }
}

}  // namespace

std::shared_ptr<const WordClusters> WordClusters::read(std::istream& input, const std::string& name) {
  LineReader lines(input, name);
  std::map<uint32_t, std::pair<int64_t, std::string>> best;  // a word's most frequent spelling
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    if (const std::string_view problem = text_problem(line); !problem.empty())
      throw data_error(name, lines.number(), "{}", problem);
    const size_t tab = std::min(line.find('\t'), line.size()), second = std::min(line.find('\t', tab + 1), line.size());
    const std::string_view path = line.substr(0, tab),
                           word = tab < line.size() ? line.substr(tab + 1, second - tab - 1) : "",
                           number = second < line.size() ? line.substr(second + 1) : "0";
    int64_t count = 0;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (!is_path(path) || word.empty() || problem != std::errc() || end != number.data() + number.size())
      throw data_error(name, lines.number(), "a path of 0 and 1, a tab, a word, a tab and its count are expected");
    const auto [place, is_new] = best.try_emplace(hash_word(word), count, path);
    if (!is_new && count > place->second.first) place->second = {count, std::string(path)};
  }
  if (best.empty()) throw data_error(name, 0, "there are no classes of words");
  std::map<std::string_view, std::vector<uint32_t>> words_of;
  for (const auto& [hash, entry] : best) words_of[entry.second].push_back(hash);
  std::vector<uint32_t> words, sizes;
  std::string paths;
  for (const auto& [path, members] : words_of) {
    words.insert(words.end(), members.begin(), members.end());
    sizes.push_back(static_cast<uint32_t>(members.size()));
    paths.append(path).append("\n");
  }
  return std::make_shared<WordClusters>(words, sizes, paths);
}

std::string WordClusters::check(std::span<const uint32_t> words, std::span<const uint32_t> sizes,
                                std::string_view paths) {
  size_t all = 0, lines = 0;
  for (const uint32_t size : sizes) all += size;
  bool good = all == words.size();
  for_paths(paths, [&](std::string_view path) { good = good && is_path(path), ++lines; });
  return good && lines == sizes.size() ? "" : "its classes of words are damaged";
}

WordClusters::WordClusters(std::span<const uint32_t> words, std::span<const uint32_t> sizes, std::string_view paths)
    : words_(words.begin(), words.end()), sizes_(sizes.begin(), sizes.end()), paths_(paths) {
  for_paths(paths_, [&](std::string_view path) { atoms_.push_back(atoms_of(path)); });
  atoms_.push_back(atoms_of(""));
  for (uint32_t c = 0; c < sizes_.size(); ++c)
    for (uint32_t i = 0; i < sizes_[c]; ++i) classes_.push_back({words_[classes_.size()], c});
  std::ranges::stable_sort(classes_, {}, &Entry::word);
  index_.assign((size_t{1} << kIndexBits) + 1, 0);
  for (const Entry& entry : classes_) ++index_[index_of(entry.word) + 1];
  std::partial_sum(index_.begin(), index_.end(), index_.begin());
}

const WordClusters::Atoms& WordClusters::find(std::string_view form) const {
  const uint32_t word = hash_word(form);
  const size_t at = index_of(word);
  const std::span alike = std::span(classes_).subspan(index_[at], index_[at + 1] - index_[at]);
  const auto found = std::ranges::lower_bound(alike, word, {}, &Entry::word);
  return found == alike.end() || found->word != word ? atoms_.back() : atoms_[found->number];
}

const WordClusters::Atoms& WordClusters::no_word() {
  static const Atoms atoms = atoms_of("no word");
  return atoms;
}

}  // namespace espalier

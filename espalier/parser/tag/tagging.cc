#include "espalier/parser/tag/tagging.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <array>
#include <bit>
#include <utility>

#include "espalier/base/hash.h"

namespace espalier {
namespace {

using A = TagAtoms;

/// An atom of a template: a field of the word `offset` places to the right.
struct TagAtom {
  int offset;
  TagAtoms::Field field;
};
struct TagTemplate {
  TagAtom a, b, c;
  int atoms;

  constexpr TagTemplate(TagAtom x) : a(x), b(x), c(x), atoms(1) {}
  constexpr TagTemplate(TagAtom x, TagAtom y) : a(x), b(y), c(y), atoms(2) {}
  constexpr TagTemplate(TagAtom x, TagAtom y, TagAtom z) : a(x), b(y), c(z), atoms(3) {}
};

constexpr uint64_t finish(uint64_t x) {
  x *= 0x9fb21c651e98df25u;
  return x ^ (x >> 32);
}
constexpr uint64_t finish(uint64_t number, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  return finish(mix(number) ^ a ^ std::rotl(b, 23) ^ std::rotl(c, 46));
}

constexpr TagAtom at(int offset, TagAtoms::Field field) { return {offset, field}; }

constexpr std::array kWordTemplates = std::to_array<TagTemplate>({
    at(0, A::kForm),
    at(0, A::kLower),
    at(0, A::kPrefix1),
    at(0, A::kPrefix2),
    at(0, A::kPrefix3),
    at(0, A::kPrefix4),
    at(0, A::kSuffix1),
    at(0, A::kSuffix2),
    at(0, A::kSuffix3),
    at(0, A::kSuffix4),
    at(0, A::kSuffix5),
    at(0, A::kShape),
    at(0, A::kFlags),
    at(0, A::kAmbiguity),
    {at(0, A::kFlags), at(0, A::kSuffix2)},
    {at(0, A::kFlags), at(0, A::kLower)},
    {at(0, A::kFlags), at(0, A::kSuffix3)},
    {at(0, A::kFlags), at(0, A::kLowerAmbiguity)},
    {at(0, A::kPrefix3), at(0, A::kSuffix3)},
    {at(-1, A::kFlags), at(0, A::kFlags), at(1, A::kFlags)},
    {at(0, A::kFlags), at(-1, A::kLower)},
    {at(0, A::kFlags), at(1, A::kLower)},
    {at(0, A::kFlags), at(-1, A::kAmbiguity)},
    {at(0, A::kFlags), at(1, A::kAmbiguity)},
    at(-1, A::kLower),
    at(-1, A::kSuffix3),
    at(-1, A::kAmbiguity),
    at(-1, A::kShape),
    at(1, A::kLower),
    at(1, A::kSuffix3),
    at(1, A::kAmbiguity),
    at(1, A::kShape),
    at(-2, A::kLower),
    at(-2, A::kAmbiguity),
    at(2, A::kLower),
    at(2, A::kAmbiguity),
    {at(-1, A::kLower), at(0, A::kLower)},
    {at(0, A::kLower), at(1, A::kLower)},
    {at(-1, A::kLower), at(1, A::kLower)},
    {at(-2, A::kLower), at(-1, A::kLower)},
    {at(1, A::kLower), at(2, A::kLower)},
    {at(0, A::kAmbiguity), at(1, A::kAmbiguity)},
    {at(-1, A::kAmbiguity), at(0, A::kAmbiguity)},
    {at(-1, A::kAmbiguity), at(0, A::kAmbiguity), at(1, A::kAmbiguity)},
    {at(0, A::kAmbiguity), at(1, A::kAmbiguity), at(2, A::kAmbiguity)},
    {at(-2, A::kAmbiguity), at(-1, A::kAmbiguity), at(0, A::kAmbiguity)},
    {at(0, A::kSuffix3), at(1, A::kLower)},
    {at(0, A::kSuffix3), at(-1, A::kLower)},
    {at(0, A::kLower), at(1, A::kAmbiguity)},
    {at(-1, A::kAmbiguity), at(0, A::kLower)},
});
static_assert(kWordTemplates.size() <= TaggingFeatures::kMostPlainKeys);

// Bits of the flags.
enum : uint64_t {
  kCapital = 1,
  kCapitalInside = 2,
  kSmall = 4,
  kDigit = 8,
  kHyphen = 16,
  kOther = 32,
  kFirstWord = 64,
  kLoud = 128,
  kTitle = 256
};

/// Analyses a word's characters; leaves them in lower case.
struct Characters {
  uint64_t flags = 0, shape = 0;

  void read(std::string_view form, std::vector<int32_t>& lower) {
    lower.clear();
    const auto* bytes = reinterpret_cast<const uint8_t*>(form.data());
    const auto size = static_cast<int32_t>(form.size());
    uint64_t last = 0;
    for (int32_t at = 0; at < size;) {
      UChar32 c;
      const bool first = at == 0;
      U8_NEXT(bytes, at, size, c);
      uint64_t kind;
      if (c >= 'a' && c <= 'z') {
        kind = kSmall;
      } else if (c >= 'A' && c <= 'Z') {
        kind = first ? kCapital : kCapitalInside;
        c += 'a' - 'A';
      } else if (c >= '0' && c <= '9') {
        kind = kDigit;
      } else if (c < 0x80) {
        kind = c == '-' ? kHyphen : kOther;
      } else {
        kind = u_isupper(c)   ? (first ? kCapital : kCapitalInside)
               : u_isalpha(c) ? kSmall
               : u_isdigit(c) ? kDigit
                              : kOther;
        c = u_tolower(c);
      }
      lower.push_back(c);
      flags |= kind;
      // Runs are collapsed; punctuation stands for itself.
      const uint64_t piece = kind == kOther           ? static_cast<uint64_t>(c) << 8
                             : kind == kCapitalInside ? uint64_t{kCapital}
                                                      : kind;
      if (piece != last) shape = (shape ^ piece) * 0x9e3779b97f4a7c15u;
      last = piece;
    }
  }
};

constexpr uint64_t kRareWord = mix(7);

uint64_t hash_characters(std::span<const int32_t> characters, uint64_t seed) {
  return hash_string({reinterpret_cast<const char*>(characters.data()), characters.size_bytes()}, seed);
}
uint64_t hash_lower(std::span<const int32_t> characters) { return hash_characters(characters, A::kLower + 1); }

TagAtoms no_such_word(uint64_t side) {
  TagAtoms atoms;
  for (uint64_t i = 0; i < A::kFields; ++i) atoms.field[i] = mix(side << 32 | i);
  return atoms;
}

}  // namespace

uint64_t TaggingFeatures::form_key(std::string_view form) { return hash_string(form, A::kForm + 1); }
uint64_t TaggingFeatures::lower_key(std::string_view form) {
  std::vector<int32_t> lower;
  Characters().read(form, lower);
  return hash_lower(lower);
}

void TaggingFeatures::encode(const Sentence& sentence, const TagDictionary& dictionary, const WordClusters* clusters) {
  static const TagAtoms before = no_such_word(1), after = no_such_word(2);
  words_.assign(kMargin, before);
  uint64_t all_flags = 0;
  long capitals = 0, smalls = 0;  // how words begin
  for (const Token& token : sentence.tokens) {
    TagAtoms atoms;
    auto& f = atoms.field;
    Characters characters;
    characters.read(token.form, characters_);
    const std::span<const int32_t> lower = characters_;
    f[A::kForm] = form_key(token.form);
    f[A::kLower] = hash_lower(lower);
    for (size_t length = 1; length <= 4; ++length)
      f[A::kPrefix1 + length - 1] =
          lower.size() < length ? mix(length) : hash_characters(lower.first(length), A::kPrefix1 + length);
    for (size_t length = 1; length <= 5; ++length)
      f[A::kSuffix1 + length - 1] =
          lower.size() < length ? mix(length) : hash_characters(lower.last(length), A::kSuffix1 + length);
    f[A::kShape] = mix(characters.shape);
    f[A::kFlags] = characters.flags | (words_.size() == kMargin ? uint64_t{kFirstWord} : 0);
    uint64_t ambiguity = dictionary.find(f[A::kForm]);
    f[A::kLowerAmbiguity] = dictionary.find(f[A::kLower]);
    // Rare words have no form feature, so that affixes and neighbours are learned, as new words need them.
    if (ambiguity == TagDictionary::kUnknown) {
      ambiguity = mix(f[A::kLowerAmbiguity] ^ f[A::kShape]) ^ f[A::kSuffix2];
      f[A::kForm] = kRareWord;
    }
    if (f[A::kLowerAmbiguity] == TagDictionary::kUnknown) f[A::kLower] = kRareWord;
    f[A::kAmbiguity] = ambiguity;
    all_flags |= characters.flags;
    ++(characters.flags & kCapital ? capitals : smalls);
    words_.push_back(atoms);
  }
  // In a sentence without a small letter, or with most words capitalised, capitals say little.
  const uint64_t style = (all_flags & kSmall ? 0 : uint64_t{kLoud}) | (capitals > smalls ? uint64_t{kTitle} : 0);
  for (size_t i = kMargin; i < words_.size(); ++i) words_[i].field[A::kFlags] = mix(words_[i].field[A::kFlags] | style);
  words_.insert(words_.end(), kMargin, after);
  clusters_.clear();
  if (!clusters) return;
  clusters_.assign(kMargin, &WordClusters::no_word());
  for (const Token& token : sentence.tokens) clusters_.push_back(&clusters->find(token.form));
  clusters_.insert(clusters_.end(), kMargin, &WordClusters::no_word());
}

int TaggingFeatures::word_keys(int i, uint64_t* keys) const {
  const TagAtoms* here = &word(i);
  const auto get = [&](TagAtom atom) { return here[atom.offset].field[atom.field]; };
  const auto fill = [&]<size_t... kIndex>(std::index_sequence<kIndex...>) {
    (([&] {
       constexpr TagTemplate t = kWordTemplates[kIndex];
       uint64_t x = mix(kIndex + 1) ^ get(t.a);
       if constexpr (t.atoms > 1) x ^= std::rotl(get(t.b), 23);
       if constexpr (t.atoms > 2) x ^= std::rotl(get(t.c), 46);
       keys[kIndex] = finish(x);
     }()),
     ...);
  };
  fill(std::make_index_sequence<kWordTemplates.size()>());
  constexpr auto kPlain = static_cast<int>(kWordTemplates.size());
  return clusters_.empty() ? kPlain : kPlain + cluster_keys(i, keys + kPlain);
}

int TaggingFeatures::cluster_keys(int i, uint64_t* keys) const {
  using C = WordClusters::Atoms;
  const TagAtoms& here = word(i);
  uint64_t* out = keys;
  uint64_t number = 300;
  const auto add = [&](uint64_t a, uint64_t b = 0, uint64_t c = 0) { *out++ = finish(++number, a, b, c); };
  for (const auto field : {C::kFull, C::kBits10, C::kBits6, C::kBits4}) add(cluster(i, field));
  for (const int offset : {-1, 1})
    for (const auto field : {C::kFull, C::kBits10, C::kBits6}) add(cluster(i + offset, field));
  for (const int offset : {-2, 2}) add(cluster(i + offset, C::kBits10));
  add(cluster(i, C::kFull), here.field[A::kSuffix3]);
  add(cluster(i, C::kFull), here.field[A::kFlags]);
  add(cluster(i - 1, C::kFull), cluster(i, C::kFull));
  add(cluster(i, C::kFull), cluster(i + 1, C::kFull));
  add(cluster(i - 1, C::kBits6), cluster(i, C::kBits6), cluster(i + 1, C::kBits6));
  add(cluster(i - 1, C::kBits10), cluster(i + 1, C::kBits10));
  add(here.field[A::kAmbiguity], cluster(i + 1, C::kBits10));
  add(cluster(i - 1, C::kBits10), here.field[A::kAmbiguity]);
  return static_cast<int>(out - keys);
}

int TaggingFeatures::tag_keys(int i, int previous, int before_it, uint64_t* keys) const {
  const TagAtoms* here = &word(i);
  const uint64_t p = mix(static_cast<uint64_t>(previous + 2)), pp = combine(p, static_cast<uint64_t>(before_it + 2));
  uint64_t* out = keys;
  *out++ = finish(101, p);
  *out++ = finish(102, pp);
  *out++ = finish(103, p, here[0].field[A::kLower]);
  *out++ = finish(104, p, here[0].field[A::kSuffix3]);
  *out++ = finish(105, p, here[0].field[A::kAmbiguity]);
  *out++ = finish(106, p, here[1].field[A::kLower]);
  *out++ = finish(107, p, here[0].field[A::kAmbiguity], here[1].field[A::kAmbiguity]);
  *out++ = finish(108, pp, here[0].field[A::kAmbiguity]);
  *out++ = finish(109, pp, here[0].field[A::kLower]);
  *out++ = finish(110, p, here[0].field[A::kFlags]);
  *out++ = finish(111, p, here[-1].field[A::kLower]);
  if (clusters_.empty()) return static_cast<int>(out - keys);
  *out++ = finish(112, p, cluster(i, WordClusters::Atoms::kFull));
  *out++ = finish(113, p, cluster(i, WordClusters::Atoms::kBits6), cluster(i + 1, WordClusters::Atoms::kBits6));
  return static_cast<int>(out - keys);
}

int TaggingFeatures::reading_keys(int i, std::span<const int> classes, int previous, int before_it,
                                  uint64_t* keys) const {
  const TagAtoms* here = &word(i);
  const auto tag = [&](int offset) {
    const int j = i + offset;
    const bool inside = j >= 1 && j <= size();
    return mix(static_cast<uint64_t>(inside ? classes[j] + 2 : 1));
  };
  const uint64_t own = tag(0);
  const uint64_t p = mix(static_cast<uint64_t>(previous + 2)), pp = combine(p, static_cast<uint64_t>(before_it + 2));
  uint64_t* out = keys;
  *out++ = finish(201, own);
  *out++ = finish(202, own, here[0].field[A::kForm]);
  *out++ = finish(203, own, here[0].field[A::kLower]);
  *out++ = finish(204, own, here[0].field[A::kSuffix1]);
  *out++ = finish(205, own, here[0].field[A::kSuffix2]);
  *out++ = finish(206, own, here[0].field[A::kSuffix3]);
  *out++ = finish(207, own, here[0].field[A::kSuffix4]);
  *out++ = finish(208, own, here[0].field[A::kPrefix3]);
  *out++ = finish(209, own, here[0].field[A::kShape]);
  *out++ = finish(210, own, here[0].field[A::kAmbiguity]);
  *out++ = finish(211, own, here[-1].field[A::kLower]);
  *out++ = finish(212, own, here[1].field[A::kLower]);
  *out++ = finish(213, own, here[-1].field[A::kLower], here[0].field[A::kLower]);
  *out++ = finish(214, own, here[0].field[A::kLower], here[1].field[A::kLower]);
  *out++ = finish(215, own, here[-2].field[A::kLower]);
  *out++ = finish(216, own, tag(-1), tag(1));
  *out++ = finish(217, own, tag(1), tag(2));
  *out++ = finish(218, own, p);
  *out++ = finish(219, own, pp);
  *out++ = finish(220, own, p, here[0].field[A::kSuffix2]);
  *out++ = finish(221, own, p, here[0].field[A::kLower]);
  *out++ = finish(222, own, here[0].field[A::kSuffix2], here[1].field[A::kSuffix2]);
  *out++ = finish(223, own, tag(-2), here[-2].field[A::kLower]);
  if (clusters_.empty()) return static_cast<int>(out - keys);
  *out++ = finish(224, own, cluster(i, WordClusters::Atoms::kFull));
  *out++ = finish(225, own, cluster(i, WordClusters::Atoms::kBits6));
  *out++ = finish(226, own, cluster(i, WordClusters::Atoms::kFull), here[0].field[A::kSuffix2]);
  *out++ = finish(227, own, cluster(i - 1, WordClusters::Atoms::kBits10));
  *out++ = finish(228, own, cluster(i + 1, WordClusters::Atoms::kBits10));
  return static_cast<int>(out - keys);
}

}  // namespace espalier

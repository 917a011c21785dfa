#include "espalier/features/word_atoms.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>

#include "espalier/base/hash.h"
#include "espalier/base/unicode.h"
#include "espalier/features/normalise.h"
#include "espalier/features/word_clusters.h"

namespace espalier {
namespace {

// Seeds keep equal strings in different columns apart.
enum : uint64_t {
  kFormSeed = 1,
  kTagSeed,
  kFineSeed,
  kMorphSeed,
  kSuffixSeed,
  kShapeSeed,
  kPrefixSeed,
  kRoot,
  kMissing
};

// Bits: begins with a capital, capital inside, digit, hyphen, other punctuation, not ASCII, length of one.
uint64_t shape_bits(std::string_view form) {
  uint64_t bits = form.size() == 1 ? 64 : 0;
  for (size_t i = 0; i < form.size(); ++i) {
    const char c = form[i];
    if (c >= 'A' && c <= 'Z')
      bits |= i == 0 ? 1 : 2;
    else if (c >= '0' && c <= '9')
      bits |= 4;
    else if (c == '-')
      bits |= 8;
    else if (static_cast<unsigned char>(c) >= 0x80)
      bits |= 32;
    else if (c < 'a' || c > 'z')
      bits |= 16;
  }
  return bits;
}

// The attributes that decide what a word can govern or depend on, for treebanks without a fine tag of their own.
uint64_t main_features(std::string_view feats) {
  uint64_t sum = 0;
  while (!feats.empty()) {
    const size_t bar = std::min(feats.find('|'), feats.size());
    const std::string_view feature = feats.substr(0, bar);
    for (const std::string_view name : {"Case=", "VerbForm=", "Mood=", "PronType=", "NumType=", "Voice="})
      if (feature.starts_with(name)) sum += hash_string(feature, kFineSeed);
    feats.remove_prefix(std::min(bar + 1, feats.size()));
  }
  return mix(sum + kFineSeed);
}

WordAtoms constant_atoms(uint64_t seed) {
  WordAtoms atoms;
  for (uint64_t i = 0; i < WordAtoms::kFields; ++i) atoms.field[i] = mix(seed << 32 | i);
  return atoms;
}

}  // namespace

AtomColumns AtomColumns::of(const std::vector<Sentence>& treebank) {
  AtomColumns columns{false, false};
  for (const Sentence& sentence : treebank)
    for (const Token& token : sentence.tokens) {
      columns.xpos |= token.xpos != "_" && !token.xpos.empty() && token.xpos != token.upos;
      columns.feats |= token.feats != "_" && !token.feats.empty();
    }
  return columns;
}

nlohmann::json AtomColumns::to_json() const { return {{"xpos", xpos}, {"feats", feats}}; }

AtomColumns AtomColumns::from_json(const nlohmann::json& json) {
  return {json.value("xpos", true), json.value("feats", true)};
}

WordAtoms word_atoms(const Token& token, AtomColumns columns) {
  std::string form;
  normalise(token.form, form);
  WordAtoms atoms;
  auto& f = atoms.field;
  f[WordAtoms::kForm] = hash_string(form, kFormSeed);
  f[WordAtoms::kTag] = hash_string(token.upos, kTagSeed);
  const uint64_t xpos = hash_string(token.xpos, kFineSeed);
  f[WordAtoms::kFine] = columns.xpos ? xpos : combine(f[WordAtoms::kTag], main_features(token.feats));
  f[WordAtoms::kFormTag] = combine(f[WordAtoms::kForm], f[WordAtoms::kTag]);
  f[WordAtoms::kMorph] = combine(f[WordAtoms::kTag], columns.feats ? hash_string(token.feats, kMorphSeed) : xpos);
  f[WordAtoms::kSuffix] = hash_string(last_characters(form, 3), kSuffixSeed);
  f[WordAtoms::kShape] = combine(hash_string(last_characters(form, 2), kShapeSeed), shape_bits(token.form));
  f[WordAtoms::kPrefix] = hash_string(first_characters(form, 3), kPrefixSeed);
  return atoms;
}

void SentenceAtoms::start() {
  static const WordAtoms root = constant_atoms(kRoot);
  words_.clear();
  clusters_ = 0;
  words_.push_back(root);
}

void SentenceAtoms::finish() {
  static const WordAtoms missing = constant_atoms(kMissing);
  words_.push_back(missing);
}

void SentenceAtoms::encode(const Sentence& sentence, AtomColumns columns, Direction direction,
                           const WordClusters* clusters) {
  start();
  for (const Token& token : sentence.tokens) add(word_atoms(token, columns));
  if (direction == Direction::kRightToLeft) std::reverse(words_.begin() + 1, words_.end());
  finish();
  if (!clusters) return;
  const auto add_cluster = [&](const WordClusters::Atoms& cluster) {
    WordAtoms atoms{};
    std::ranges::copy(cluster.field, atoms.field);
    words_.push_back(atoms);
  };
  clusters_ = static_cast<std::ptrdiff_t>(words_.size());
  add_cluster(WordClusters::no_word());
  for (const Token& token : sentence.tokens) add_cluster(clusters->find(token.form));
  if (direction == Direction::kRightToLeft) std::reverse(words_.begin() + clusters_ + 1, words_.end());
  add_cluster(WordClusters::no_word());
}

}  // namespace espalier

#include "espalier/parser/classify/atom_masks.h"

#include <algorithm>

namespace espalier {
namespace {

/// The places through which an atom of this group is reached.
std::array<std::vector<int>, kAtomGroups> make_places() {
  std::array<std::vector<int>, kAtomGroups> places;
  for (int role = 0; role < kRoles; ++role) {
    for (const int group : role_groups()[role].groups) {
      places[group].push_back(role);
    }
  }
  for (int i = 0; i < 9; ++i) places[kGrandchild + i] = {AtomBits::kGrandchildPlace + i};
  for (int i = 0; i < 18; ++i) places[kTerminalNear + i] = {AtomBits::kNearPlace + i};
  for (int i = 0; i < kItemSets; ++i) places[kTerminalSet + i] = {AtomBits::kSetPlace + i};
  return places;
}

}  // namespace

AtomBits::AtomBits(const AtomSpace& space, std::vector<Bit> bits, int words) : space_(space), words_(words) {
  static const auto places = make_places();
  constexpr int kSteps = AtomSpace::kLongest + 3;
  const size_t width = static_cast<size_t>(words);
  dense_.assign(static_cast<size_t>(space.words_from()) * kPlaces * width, 0);
  lengths_.assign(static_cast<size_t>(kLengthRoles * kSteps) * width, 0);
  const auto set = [&](std::vector<uint64_t>& masks, size_t row, int bit) {
    masks[row * width + static_cast<size_t>(bit / 64)] |= uint64_t{1} << (bit % 64);
  };

  struct WordBit {
    int word;
    SparseBit bit;
  };
  std::vector<WordBit> word_bits;
  std::vector<std::vector<int>> length_bits(AtomSpace::kLengthGroups * AtomSpace::kLengthAtoms);
  std::vector<Bit> sequence_bits;
  for (const auto& [atom, bit] : bits) {
    if (atom >= space.sequences_from()) {
      sequence_bits.push_back({atom - space.sequences_from(), bit});
    } else if (atom >= space.lengths_from()) {
      length_bits[atom - space.lengths_from()].push_back(bit);
    } else {
      const int group = atom / space.values(), value = atom % space.values();
      for (const int place : places[group]) {
        if (value < space.words_from()) {
          set(dense_, static_cast<size_t>(value * kPlaces + place), bit);
        } else {
          word_bits.push_back({value - space.words_from(), {static_cast<uint16_t>(place), static_cast<uint32_t>(bit)}});
        }
      }
    }
  }

  std::ranges::stable_sort(word_bits, {}, [](const WordBit& b) { return std::pair(b.word, b.bit.place); });
  starts_.assign(static_cast<size_t>(space.values() - space.words_from()) + 1, 0);
  for (const auto& [word, bit] : word_bits) {
    ++starts_[word + 1];
    sparse_.push_back(bit);
  }
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];

  for (int role = 0; role < kLengthRoles; ++role) {
    for (int n = 0; n < kSteps; ++n) {
      for (const auto& [group, shift] : length_groups()[role]) {
        for (int k = 0; k < AtomSpace::kLengthAtoms; ++k) {
          const int limit = k % (AtomSpace::kLongest + 1);
          const bool holds = k <= AtomSpace::kLongest ? n + shift == limit : n + shift > limit;
          if (!holds) continue;
          for (const int bit : length_bits[group * AtomSpace::kLengthAtoms + k]) {
            set(lengths_, static_cast<size_t>(role * kSteps + n), bit);
          }
        }
      }
    }
  }

  if (sequence_bits.empty()) return;
  const auto& hashes = space.sequence_hashes();
  for (const auto& [index, bit] : sequence_bits) {
    sequences_[hashes[index]].push_back(static_cast<uint32_t>(bit));
  }
}

}  // namespace espalier

#include "espalier/parser/classify/atomic.h"

namespace espalier {
namespace {

int near(Anchor anchor, bool right, int k) { return kItemNear + anchor * 6 + right * 3 + k - 1; }

std::array<RoleGroups, kRoles> make_roles() {
  std::array<RoleGroups, kRoles> roles;
  const auto at = [&](int role) -> RoleGroups& { return roles[role]; };
  // A family of cumulative groups "the k nearest": the item at distance d is in those with k >= d.
  const auto nearest = [&](int role, int family, int d) {
    for (int k = d; k <= 4; ++k) at(role).groups.push_back(family + k - 1);
  };
  for (int k = 0; k < 5; ++k) {
    nearest(kFirstRole + k, kFirst, k + 1);
    at(kFirstRole + k).sets = {kChildren};
    nearest(kLastRole + k, kLast, k + 1);
    if (k > 0) at(kFirstRole + k).sets.push_back(kNotLeftmost);
    if (k > 0) at(kLastRole + k).sets.push_back(kNotRightmost);
    nearest(kHeadLeftRole + k, kLeftOfHead, k + 1);
    at(kHeadLeftRole + k).sets = {kNotHead, kUpToHead, kBeforeHead};
    nearest(kHeadRightRole + k, kRightOfHead, k + 1);
    at(kHeadRightRole + k).sets = {kNotHead, kFromHead, kBehindHead};
    nearest(kLeftRole + k, kLeftContext, k + 1);
    at(kLeftRole + k).sets = {kLeftItems};
    nearest(kRightRole + k, kRightContext, k + 1);
    at(kRightRole + k).sets = {kRightItems};
  }
  at(kFirstRole).grandchildren = kLeftmostChild;
  at(kLastRole).grandchildren = kRightmostChild;
  at(kHeadRole).grandchildren = kHead;
  at(kHeadRole).sets = {kUpToHead, kFromHead};
  at(kHeadRole).groups = {kHeadChild};
  at(kFrontierRole).sets = {kFrontier};
  for (int k = 1; k <= 3; ++k) {
    at(kLeftRole + k - 1).groups.push_back(near(kLeftmostChild, false, k));
    at(kRightRole + k - 1).groups.push_back(near(kRightmostChild, true, k));
    at(kLeftmostRightRole + k - 1).groups.push_back(near(kLeftmostChild, true, k));
    at(kRightmostLeftRole + k - 1).groups.push_back(near(kRightmostChild, false, k));
    at(kNearHeadLeftRole + k - 1).groups.push_back(near(kHead, false, k));
    at(kNearHeadRightRole + k - 1).groups.push_back(near(kHead, true, k));
  }
  for (RoleGroups& role : roles) {
    for (const int set : role.sets) role.groups.push_back(kSet + set);
  }
  return roles;
}

std::array<std::vector<LengthShift>, kLengthRoles> make_lengths() {
  std::array<std::vector<LengthShift>, kLengthRoles> lengths;
  const auto items = [](ItemSet set) { return static_cast<int>(set); };
  const auto terminals = [](ItemSet set) { return kItemSets + static_cast<int>(set); };
  lengths[kFrontierLength] = {{items(kFrontier), 0}};
  lengths[kSentenceLength] = {{terminals(kFrontier), 0}};
  lengths[kLeftLength] = {{items(kLeftItems), 0}};
  lengths[kLeftTerminals] = {{terminals(kLeftItems), 0}};
  lengths[kRightLength] = {{items(kRightItems), 0}};
  lengths[kRightTerminals] = {{terminals(kRightItems), 0}};
  lengths[kChildrenLength] = {
      {items(kChildren), 0}, {items(kNotLeftmost), -1}, {items(kNotHead), -1}, {items(kNotRightmost), -1}};
  lengths[kChildrenTerminals] = {{terminals(kChildren), 0}};
  lengths[kNotLeftmostTerminals] = {{terminals(kNotLeftmost), 0}};
  lengths[kNotRightmostTerminals] = {{terminals(kNotRightmost), 0}};
  lengths[kNotHeadTerminals] = {{terminals(kNotHead), 0}};
  lengths[kHeadOffset] = {{items(kBeforeHead), 0}, {items(kUpToHead), 1}};
  lengths[kHeadRest] = {{items(kBehindHead), 0}, {items(kFromHead), 1}};
  lengths[kBeforeHeadTerminals] = {{terminals(kBeforeHead), 0}};
  lengths[kUpToHeadTerminals] = {{terminals(kUpToHead), 0}};
  lengths[kFromHeadTerminals] = {{terminals(kFromHead), 0}};
  lengths[kBehindHeadTerminals] = {{terminals(kBehindHead), 0}};
  return lengths;
}

}  // namespace

const std::array<RoleGroups, kRoles>& role_groups() {
  static const auto roles = make_roles();
  return roles;
}

const std::array<std::vector<LengthShift>, kLengthRoles>& length_groups() {
  static const auto lengths = make_lengths();
  return lengths;
}

void RowAtoms::item(int p, int role) {
  static const auto& roles = role_groups();
  const RoleGroups& in = roles[role];
  const Item& it = row_->item(p);
  for (const int group : in.groups)
    if (group != kHeadChild || row_->sequences) add_item(group, it);
  if (in.grandchildren >= 0 && !it.is_terminal()) {
    const int base = kGrandchild + in.grandchildren * 3;
    add_item(base, row_->forest->items[it.leftmost]);
    add_item(base + 1, row_->forest->items[it.head]);
    add_item(base + 2, row_->forest->items[it.rightmost]);
  }
  for (const int set : in.sets) {
    for (int w = it.start; w < it.end; ++w) add_word(kTerminalSet + set, row_->words[w]);
  }
}

void RowAtoms::terminals_near(int word, int anchor) {
  const int n = static_cast<int>(row_->words.size());
  for (int k = 1; k <= 3; ++k) {
    const int group = kTerminalNear + anchor * 6 + k - 1;
    if (word - k >= 0) add_word(group, row_->words[word - k]);
    if (word + k < n) add_word(group + 3, row_->words[word + k]);
  }
}

void RowAtoms::length(int role, int n) {
  static const auto& lengths = length_groups();
  for (const auto& [group, shift] : lengths[role]) {
    const int length = n + shift;
    if (length <= AtomSpace::kLongest) add(space_.length_equals(group, length));
    for (int k = 0; k < std::min(length, AtomSpace::kLongest + 1); ++k) add(space_.length_exceeds(group, k));
  }
}

}  // namespace espalier

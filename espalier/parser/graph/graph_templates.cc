#include "espalier/parser/graph/graph_templates.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "espalier/base/error.h"
#include "espalier/base/hash.h"

namespace espalier {
namespace {

constexpr std::string_view kArcTemplates = R"(
  hw dist; hp dist; hw hp dist; hx dist; mw dist; mp dist; mw mp dist; mx dist;
  hp mp dir; hp mp dist; hp mw mp dist; hw hp mp dist; hw mw dir; hw hp mw mp dir; hw mw mp dir; hw hp mw dir;
  hw mp dist; hp mw dist; hp mw mp dir; hw hp mp dir;
  hx mx dir; hx mx dist; hx mw mx dir; hw hx mx dir; hx mw mx dist; hw hx mx dist; hp mx dist; hx mp dist;
  mf dir; mp mf dir; hp mp mf dir; hw mf dir; ms dir; hp ms dir; hp mf dist; hx mf dir;
  hp hf mp mf dir; hp mp mf dist; hp hf mp dist; hp hf mw dir; hw mp mf dir; hx hf mx mf dist;
  h-1p hp m-1p mp dir; h-1p hp mp m+1p dir; hp h+1p m-1p mp dir; hp h+1p mp m+1p dir;
  h-1p hp mp dist; hp h+1p mp dist; hp m-1p mp dist; hp mp m+1p dist;
  h-1x hx m-1x mx dir; h-1x hx mx m+1x dir; hx h+1x m-1x mx dir; hx h+1x mx m+1x dir;
  h-1x hx mx dir; hx h+1x mx dir; hx m-1x mx dir; hx mx m+1x dir; hx m-1x mx m+1x dist;
  hp m-1w mp dir; hp mp m+1w dir; h-1w hp mp dir; hp h+1w mp dir;
  hp mp m+1p m+2p dir; hp m-2p m-1p mp dir; hp h+1p h+2p mp dir; h-2p h-1p hp mp dir;
  m-1x mx m+1x dist; m-1w mx dir; mx m+1w dir; h-1x hx h+1x dist;
  hp ms mp dist; hs hp mp dist; hs ms dir; hw ms mp dir; hs hp mw dir;
  hl mp dist; hp ml dist; hl ml dir)";

// Hall et al. 2011, after McDonald et al. 2005. GraphFeatures adds features of the words in between.
constexpr std::string_view kHallArcTemplates = R"(
  dist; hw dist; hp dist; mw dist; mp dist; hw hp dist; mw mp dist; hw mw dist; hp mp dist;
  hp mw mp dist; hw mw mp dist; hw hp mp dist; hw hp mw dist;
  hp h+1p m-1p mp dist; hp h+1p mp m+1p dist; h-1p hp m-1p mp dist; h-1p hp mp m+1p dist;
  hw; hp; mw; mp; hw hp; mw mp; hw mw; hp mp; hp mw mp; hw mw mp; hw hp mp; hw hp mw;
  hp h+1p m-1p mp; hp h+1p mp m+1p; h-1p hp m-1p mp; h-1p hp mp m+1p)";

constexpr std::string_view kSiblingTemplates = R"(
  @ hp sp mp dir; @ sp mp dir; @ hx sx mx dir; @ hw hp dir; @ hp mp dir; @ hx dir;
  sw mw dir; sw mp dir; sp mw dir; hw sp mp dir; hp sw mp dir; hp sp mw dir; sp mp dist; hp sp mp dist;
  sx mx dir; hw sx mx dir; hx sw mx dir; hx sx mw dir; hx sx mx dist; hw sw dir)";
constexpr std::string_view kSiblingMorphology = R"(;
  sf mf dir; hp sf mf dir; hp sp mf dir; hf sp mp dir; ss mp dir; hp sp ms dir; hp ss mp dir)";

constexpr std::string_view kGrandchildTemplates = R"(
  @ gp hp mp dir; @ hp mp dir; @ hx mx dir; @ hw mp dir; @ hp mw dir; @ gx hx mx dir;
  gp mp dir; gw mw dir; gw mp dir; gp mw dir; gw hp mp dir; gp hw mp dir; gp hp mw dir;
  gx mx dir; gw hx mx dir; gx hw mx dir; gx hx mw dir; gp hp mp dist)";
constexpr std::string_view kGrandchildMorphology = R"(;
  @ hp mf dir; @ hf mp dir; gp hp mf dir; gp hf mp dir; gf mf dir; gp hf mf dir; gp hp ms dir; gs mp dir)";

constexpr std::string_view kStopTemplates = R"(
  hp dist; hw dist; hx dist; hw hp dist; hp lp dist; hx lx dist; hw lp dir; hp lw dir; hx lx dir; hp hf dist)";

constexpr std::string_view kTriSiblingTemplates = R"(
  hp tp sp mp dir; hp tp mp dir; tp sp mp dir; hw tp sp mp dir; hp tp sw mp dir; hp tp sp mw dir; hx tx sx mx dir;
  tx sx mx dir)";

constexpr std::string_view kGrandSiblingTemplates = R"(
  gp hp sp mp dir; gp sp mp dir; gw hp sp mp dir; gp hw sp mp dir; gp hp sw mp dir; gp hp sp mw dir; gx hx sx mx dir;
  gx sx mx dir)";

constexpr std::string_view kExtremeTemplates = R"(
  hp mp ip op dir; mp ip op dir; mw ip op dir; hp mp ip dir; hp mp op dir; mx ix ox dir; hw mp ip op dir)";

constexpr std::string_view kFrameTemplates = R"(
  mp dist; mw dist; mp dir; mw dir; mx dir; hp mp dir)";

}  // namespace

TemplateSet::TemplateSet(std::string_view text, std::string_view roles, std::string_view columns, int contexts,
                         int fine_per_coarse)
    : roles_(static_cast<int>(roles.size())), letters_(roles) {
  // Templates with pair copies come first.
  std::vector<std::string> texts;
  std::istringstream all{std::string(text)};
  for (std::string one; std::getline(all, one, ';');) texts.push_back(one);
  std::stable_partition(texts.begin(), texts.end(), [](const std::string& t) { return t.find('@') != t.npos; });

  for (const std::string& one : texts) {
    std::istringstream words(one);
    Template made;
    std::vector<std::pair<size_t, Slot>> slots;  // with their roles
    bool usable = true;
    // The salt is a hash of the template's text, so that adding or removing a template does not change others' keys.
    uint64_t name = hash_string(roles);
    for (std::string word; words >> word;) {
      name = combine(name, hash_string(word));
      if (word == "@") continue;
      if (word == "dir" || word == "dist") {
        made.context = word == "dir" ? 1 : 2;
        continue;
      }
      const size_t role = roles.find(word.front()), column = kColumnLetters.find(word.back());
      const int offset = word.size() > 2 ? std::stoi(word.substr(1, word.size() - 2)) : 0;
      if (role == roles.npos || column == kColumnLetters.npos || word.size() < 2 || offset < -2 || offset > 2)
        throw usage_error("feature template '{}' of roles '{}' makes no sense", one, roles);
      usable = usable && columns.find(word.back()) != columns.npos;
      slots.push_back({role, {size(), offset * kWordColumns + static_cast<int>(column), mix(name) | 1}});
    }
    if (!usable) continue;
    made.salt = mix(name + 1) | 1;
    templates_.push_back(made);
    texts_.push_back(one);
    pairs_ += one.find('@') != one.npos;
    for (const auto& [role, slot] : slots) slots_[role].push_back(slot);
  }
  for (int fine = 0; fine < contexts; ++fine)
    for (const Template& t : templates_)
      contexts_.push_back(mix(t.salt + (t.context == 2 ? 1 + fine : t.context == 1 ? -1 - fine / fine_per_coarse : 0)));
}

void TemplateSet::expand(const GraphSentence& sentence, int role, std::vector<uint64_t>& out) const {
  const int n = sentence.words();
  out.assign(static_cast<size_t>(n + 2) * size(), 0);
  if (out.empty()) return;
  for (int word = 0; word <= n + 1; ++word) {
    uint64_t* to = &out[word * size()];
    const uint64_t* atoms = sentence.atoms(word);
    for (const Slot& slot : slots_[role]) to[slot.template_number] += atoms[slot.place] * slot.factor;
  }
}

std::vector<PartKind> part_kinds(const std::string& names) {
  std::vector<PartKind> kinds{kArcPart};
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    const auto known = std::ranges::find(kPartNames, name);
    if (name != "all" && known == std::end(kPartNames))
      throw usage_error("parts: there is no '{}'; there are all, {}", name, fmt::join(kPartNames, ", "));
    for (int kind = kSiblingPart; kind < kPartKinds; ++kind)
      if (name == "all" || kind == kSiblingPart + (known - std::begin(kPartNames)))
        kinds.push_back(static_cast<PartKind>(kind));
  }
  return kinds;
}

GraphTemplates::GraphTemplates(std::string_view columns, bool hall, bool morphology, std::span<const PartKind> kinds) {
  const auto make = [&](PartKind kind, std::string_view text, std::string_view roles, int contexts, int per_coarse) {
    const bool scored = std::ranges::find(kinds, kind) != kinds.end();
    sets[kind] = TemplateSet(scored ? text : "", roles, columns, contexts, per_coarse);
  };
  make(kArcPart, hall ? kHallArcTemplates : kArcTemplates, "hm", 2 * kDistances, kDistances);
  const auto with = [&](std::string_view text, std::string_view more) {
    return std::string(text) + std::string(morphology ? more : "");
  };
  make(kSiblingPart, with(kSiblingTemplates, kSiblingMorphology), "hsm", 2 * (kDistances + 1), kDistances + 1);
  make(kGrandchildPart, with(kGrandchildTemplates, kGrandchildMorphology), "ghm", 4 * kDistances, kDistances);
  make(kStopPart, kStopTemplates, "hl", 2 * 6, 6);
  make(kTriSiblingPart, kTriSiblingTemplates, "htsm", 2, 1);
  make(kGrandSiblingPart, kGrandSiblingTemplates, "ghsm", 4, 1);
  make(kExtremePart, kExtremeTemplates, "hmio", 2, 1);
  make(kFramePart, kFrameTemplates, "hm", 0, 1);
}

}  // namespace espalier

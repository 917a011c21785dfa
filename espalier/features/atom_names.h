// Readable names of features: "S0.form=sees N0.upos=NOUN". Values of words come from the sentence; values of a state
// are hashes, for which the possible values are tried. Tested by tests/explain_test.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "espalier/features/chart_view.h"
#include "espalier/features/constituent_view.h"
#include "espalier/features/templates.h"
#include "espalier/tree/sentence.h"

namespace espalier {

/// What atoms were made of.
struct AtomTexts {
  std::vector<const Token*> words;  ///< as they are read, the first one first
  std::span<const std::string> labels;
};

std::string slot_name(const StateView&, int slot);
std::string slot_name(const ConstituentView&, int slot);
std::string slot_name(const ChartView&, int slot);
/// "upos=NOUN"
std::string field_text(const StateView&, WordAtoms::Field field, const Token& token);
std::string field_text(const ConstituentView&, WordAtoms::Field field, const Token& token);
std::string field_text(const ChartView&, WordAtoms::Field field, const Token& token);
/// "S0lLabel=det"
std::string value_text(const StateView& view, int kind, const AtomTexts& texts);
std::string value_text(const ConstituentView& view, int kind, const AtomTexts& texts);
std::string value_text(const ChartView& view, int kind, const AtomTexts& texts);

template <class View>
std::string describe(const Template& t, const View& view, const typename View::Atoms& atoms, const AtomTexts& texts) {
  std::string text;
  const Atom all[] = {t.a, t.b, t.c};
  for (const Atom& atom : std::span(all).first(t.atoms)) {
    if (!text.empty()) text += ' ';
    if (atom.slot == Atom::kState) {
      text += value_text(view, atom.field, texts);
      continue;
    }
    const auto word = view.word[atom.slot] - atoms.word(0);
    text += slot_name(view, atom.slot);
    if (word == 0)
      text += "=root";
    else if (word > static_cast<std::ptrdiff_t>(texts.words.size()))
      text += "=none";
    else
      text += '.' + field_text(view, static_cast<WordAtoms::Field>(atom.field), *texts.words[word - 1]);
  }
  return text;
}

}  // namespace espalier

#include "espalier/learn/sequential/folded_labels.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(FoldedLabels, AreSaidWithTheWordsThatTheyCost) {
  const std::vector<ActionTable::Count> counts = {{0, 0, 90}, {0, 1, 7}, {0, 2, 2}, {0, 3, 1}};
  std::vector<std::string> notes;
  TrainContext context;
  context.note = [&](const std::string& note) { notes.push_back(note); };
  const std::vector<std::string> labels = {"nsubj", "obj", "obl", "nsubj:pass"};
  note_folded(context, ActionTable(1, {false}, counts, 4, labels), counts, "relations");
  EXPECT_TRUE(notes.empty()) << "there is room for all";
  note_folded(context, ActionTable(1, {false}, counts, 2, labels), counts, "relations");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("2 rare relations"), std::string::npos) << notes[0];
  EXPECT_NE(notes[0].find("3 of 100 training words"), std::string::npos) << notes[0];
}

}  // namespace
}  // namespace espalier

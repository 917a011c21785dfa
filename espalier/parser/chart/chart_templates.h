// Templates for chart parsing of constituents. Those of a span are the coarse model's, and begin those of every step
// that builds a constituent over it: words at its edges and around it, length, shape (Hall, Durrett & Klein 2014), and
// what punctuation was left out there. The others see what is joined: the split, either item, and both together.
//
// Names: see chart_view.h; First|P = tag of the span's first word. F = form in lower case, X = beginning of the tag, Z
// = suffix, H = shape, B = prefix.
#pragma once

#include "espalier/features/chart_view.h"

namespace espalier {

struct SpanTemplates {
  static constexpr uint64_t kTable = 0;
  static constexpr auto list = templates({{Length},
                                          {First | F},
                                          {Last | F},
                                          {Before | F},
                                          {After | F},
                                          {First | T},
                                          {Last | T},
                                          {First | P},
                                          {Last | P},
                                          {Before | P},
                                          {After | P},
                                          {First | Z},
                                          {Last | Z},
                                          {First | H},
                                          {Last | H},
                                          {First | P, Length},
                                          {Last | P, Length},
                                          {Before | P, Length},
                                          {After | P, Length},
                                          {First | P, Last | P},
                                          {First | F, Last | F},
                                          {First | F, Last | P},
                                          {First | P, Last | F},
                                          {Before | P, After | P},
                                          {Before | F, After | F},
                                          {Before | F, After | P},
                                          {Before | P, After | F},
                                          {Before | P, First | P},
                                          {Before | F, First | F},
                                          {Before | F, First | P},
                                          {Before | P, First | F},
                                          {Last | P, After | P},
                                          {Last | F, After | F},
                                          {Last | F, After | P},
                                          {Last | P, After | F},
                                          {Before | P, First | P, Last | P},
                                          {First | P, Last | P, After | P},
                                          {Before | P, First | P, After | P},
                                          {Before | P, Last | P, After | P},
                                          {Before2 | P, Before | P, First | P},
                                          {Last | P, After | P, After2 | P},
                                          {First | P, After | P, After2 | P},
                                          {First | P, Second | P, Length},
                                          {Last2 | P, Last | P, Length},
                                          {First | P, Second | P, Last | P},
                                          {First | F, Second | P, After | P},
                                          {Before | P, After | P, Length},
                                          {First | F, After | P, Length},
                                          {Shape},
                                          {Shape, Before | P},
                                          {Shape, After | P},
                                          {MarksBefore},
                                          {MarksAfter},
                                          {MarksBefore, MarksAfter},
                                          {MarksAfter, First | P, After | P},
                                          {MarksBefore, Before | P, First | P},
                                          {MarksLast, Edges},
                                          {Edges, Length},
                                          {Edges, First | P, Last | P}});
};

struct SplitTemplates {
  static constexpr uint64_t kTable = 1;
  static constexpr auto list = templates({{Meet1 | F},
                                          {Meet0 | F},
                                          {Meet1 | P, Meet0 | P},
                                          {Meet1 | F, Meet0 | F},
                                          {Meet1 | F, Meet0 | P},
                                          {Meet1 | P, Meet0 | F},
                                          {Meet1 | P, Meet0 | P, First | P},
                                          {Meet1 | P, Meet0 | P, Last | P},
                                          {Meet0 | P, First | P, After | P},
                                          {Meet0 | F, First | F},
                                          {LengthL, LengthR},
                                          {MarksMeet},
                                          {MarksBefore, MarksMeet, MarksAfter}});
};

struct ItemTemplates {
  static constexpr uint64_t kTable = 2;
  static constexpr auto list = templates({{Ci},
                                          {Ti},
                                          {Wi},
                                          {Ci, FirstI | F},
                                          {Ci, LastI | F},
                                          {Ci, FirstI | P, LastI | P},
                                          {Ci, Gi | Z},
                                          {Ci, Gi | H},
                                          {Ci, Gi | X},
                                          {Ci, Lengthi},
                                          {Ci, Marksi},
                                          {Ci, AfterI | P},
                                          {Ci, AfterI | F},
                                          {Ci, BeforeI | P},
                                          {Ci, BeforeI | F},
                                          {Ci, BeforeI | P, AfterI | P},
                                          {Ti, AfterI | P},
                                          {Ti, AfterI | F},
                                          {Ti, BeforeI | P},
                                          {Wi, AfterI | P},
                                          {Wi, BeforeI | P},
                                          {Ci, ChildLi},
                                          {Ci, ChildRi},
                                          {Ci, ChildUi},
                                          {Ti, ChildUi},
                                          {Ci, ChildLi, ChildRi},
                                          {Ci, WordLi},
                                          {Ci, WordRi},
                                          {Childreni},
                                          {Childreni, Ti},
                                          {Childreni, Wi},
                                          {Childreni, BeforeI | P},
                                          {Childreni, AfterI | P},
                                          {Childreni, Counti, Lengthi}});
};

struct PairTemplates {
  static constexpr uint64_t kTable = 3;
  static constexpr auto list = templates({{CLR},
                                          {TLR},
                                          {WL, WR},
                                          {WL, CR},
                                          {CL, WR},
                                          {WL, TR},
                                          {TL, WR},
                                          {G1 | W, G0 | W},
                                          {G1 | Z, G0 | Z, CLR},
                                          {G1 | F, CLR},
                                          {G0 | F, CLR},
                                          {CLR, Before | P},
                                          {CLR, After | P},
                                          {CLR, Before | F},
                                          {CLR, After | F},
                                          {CLR, Before | P, After | P},
                                          {CLR, After | P, After2 | P},
                                          {TLR, After | P},
                                          {TLR, Before | P},
                                          {WL, CR, After | P},
                                          {CL, WR, After | P},
                                          {WL, CR, Before | P},
                                          {CL, WR, Before | P},
                                          {CLR, ChildL0},
                                          {CLR, ChildR0},
                                          {CLR, ChildU0},
                                          {CLR, ChildL1},
                                          {CLR, ChildR1},
                                          {CLR, ChildU1},
                                          {CLR, ChildL0, ChildR0},
                                          {CLR, ChildL1, ChildR1},
                                          {G1 | F, CLR, G0r | F},
                                          {G1 | F, G0 | F, G0r | F},
                                          {CLR, G0 | F, G0r | P},
                                          {CLR, G1r | F, G0 | F},
                                          {Children1, CR},
                                          {Children1, TR},
                                          {Children1, WR},
                                          {Children0, CL},
                                          {Children0, TL},
                                          {Children0, WL},
                                          {Children1, Children0},
                                          {Children1, CR, After | P},
                                          {Children0, CL, Before | P},
                                          {CLR, Count1},
                                          {CLR, Count0},
                                          {CLR, Length},
                                          {CLR, LengthL},
                                          {CLR, LengthR},
                                          {CLR, LengthL, LengthR},
                                          {CLR, MarksMeet},
                                          {CLR, MarksBefore, MarksAfter},
                                          {CLR, MarksLast, Edges},
                                          {CLR, Meet1 | P, Meet0 | P},
                                          {CLR, First | F},
                                          {CLR, Last | F},
                                          {CLR, Meet1 | F},
                                          {CLR, Meet0 | F},
                                          {CLR, Shape}});
};

/// The keys of every table are different.
class ChartFeatures {
 public:
  /// Of an item; other tables have one role.
  enum Role { kAny, kLeft, kRight, kOnly };
  static constexpr int kMostKeys = static_cast<int>(SpanTemplates::list.size() + SplitTemplates::list.size() +
                                                    2 * ItemTemplates::list.size() + PairTemplates::list.size());
  static_assert(kMostKeys <= 256);

  /// Writes the keys and returns their number. Compiled in chart_templates.cc.
  template <class Table>
  static int keys(const ChartView& view, Role role, uint64_t* out);
};

}  // namespace espalier

// Drawings, to the character where they are small; well-formedness and geometry on random and hostile trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <span>
#include <sstream>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/format/draw/arc_layout.h"
#include "espalier/format/draw/svg.h"
#include "espalier/format/draw/text_tree.h"
#include "espalier/format/draw/text_width.h"
#include "espalier/format/format.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

using testing::constituents;
using testing::dependencies;

const char* const kPlanes =
    "Flying/VERB/2/amod planes/NOUN/5/nsubj can/AUX/5/aux be/AUX/5/cop dangerous/ADJ/0/root ./PUNCT/5/punct";

TEST(TextTree, Dependencies) {
  EXPECT_EQ(draw_text(dependencies(kPlanes)),
            "    ╭─▶ Flying     VERB   amod\n"
            "  ╭─┴─▶ planes     NOUN   nsubj\n"
            "  ├───▶ can        AUX    aux\n"
            "  ├───▶ be         AUX    cop\n"
            "──┼───▶ dangerous  ADJ    root\n"
            "  ╰───▶ .          PUNCT  punct\n");
}

TEST(TextTree, HeadOfTwoSidesAndOneWord) {
  EXPECT_EQ(draw_text(dependencies("a/X/2/l b/X/0/root c/X/2/r d/X/3/rr")),
            "  ╭───▶ a  X  l\n"
            "──┼───▶ b  X  root\n"
            "  ╰─┬─▶ c  X  r\n"
            "    ╰─▶ d  X  rr\n");
  EXPECT_EQ(draw_text(dependencies("Go/VERB/0/root")), "──▶ Go  VERB  root\n");
}

TEST(TextTree, RailsOfCrossingArcsDoNotTouch) {
  // a heads c, b heads d: two rails side by side; the branch to c passes under b's rail.
  EXPECT_EQ(draw_text(dependencies("a/X/0/root b/X/1/x c/X/1/y d/X/2/z")),
            "──┬───▶ a  X  root\n"
            "  ├─┬─▶ b  X  x\n"
            "  ╰─│─▶ c  X  y\n"
            "    ╰─▶ d  X  z\n");
}

TEST(TextTree, WithoutHeads) {
  EXPECT_EQ(draw_text(dependencies("a/X b/Y")), "    a  X  _\n    b  Y  _\n");
  EXPECT_EQ(draw_text(Sentence{}), "");
}

TEST(TextTree, WideCharactersAreAligned) {
  EXPECT_EQ(draw_text(dependencies("日本/PROPN/2/obl go/VERB/0/root")),
            "  ╭─▶ 日本  PROPN  obl\n"
            "──┴─▶ go    VERB   root\n");
}

TEST(TextTree, Constituents) {
  EXPECT_EQ(draw_text(constituents("(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))")),
            "ROOT ─ S\n"
            "├─ NP\n"
            "│  ├─ DT the\n"
            "│  ╰─ NN dog\n"
            "├─ VP ─ VBZ barks\n"
            "╰─ . .\n");
  Sentence trace = constituents("(S (NP (-NONE- x)) (VB go))");
  trace.constituents.nodes[2].word = 0;
  trace.constituents.nodes[2].trace = "*T*-1";
  EXPECT_EQ(draw_text(trace), "S\n├─ NP ─ -NONE- *T*-1\n╰─ VB go\n");
}

TEST(TextWidth, Scripts) {
  EXPECT_EQ(terminal_columns("naïve"), 5);
  EXPECT_EQ(terminal_columns("nai\u0308ve"), 5) << "combining mark";
  EXPECT_EQ(terminal_columns("漢字"), 4);
  EXPECT_EQ(terminal_columns("ﾊﾝ"), 2) << "half width";
  EXPECT_EQ(terminal_columns("\xff"), 1);
  EXPECT_GT(font_width("WWW"), font_width("iii"));
  EXPECT_GT(font_width("漢字"), font_width("ab"));
  EXPECT_TRUE(reads_right_to_left(dependencies("كتاب/X/0/root UN/X/1/x")));
  EXPECT_TRUE(reads_right_to_left(dependencies("שלום/X/0/root")));
  EXPECT_FALSE(reads_right_to_left(dependencies("book/X/0/root ./X/1/punct")));
  EXPECT_FALSE(reads_right_to_left(dependencies("1984/X/0/root")));
}

/// Every element is closed, every text escaped: enough of XML to tell that a picture will open.
void expect_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (size_t i = 0; i < svg.size(); ++i) {
    ASSERT_NE(svg[i], '>') << "stray > at " << i;
    if (svg[i] == '&') {
      static const std::regex entity("^&(amp|lt|gt|quot);");
      ASSERT_TRUE(std::regex_search(svg.substr(i, 8), entity)) << i;
    }
    if (svg[i] != '<') continue;
    const size_t end = svg.find('>', i);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(i + 1, end - i - 1);
    ASSERT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(tag.substr(1), open.back());
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    i = end;
  }
  EXPECT_TRUE(open.empty());
}

struct Text {
  double x, y;
  std::string content;
};

std::vector<Text> texts_of(const std::string& svg) {
  std::vector<Text> texts;
  static const std::regex pattern("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\"[^>]*>([^<]*)</text>");
  for (std::sregex_iterator it(svg.begin(), svg.end(), pattern), end; it != end; ++it)
    texts.push_back({std::stod((*it)[1]), std::stod((*it)[2]), (*it)[3]});
  return texts;
}

TEST(Svg, WordsFollowTheirScript) {
  const auto x_of = [](const std::string& svg, const std::string& word) {
    for (const Text& text : texts_of(svg))
      if (text.content == word) return text.x;
    ADD_FAILURE() << word;
    return 0.0;
  };
  const std::string english = draw_svg(dependencies(kPlanes));
  expect_well_formed(english);
  EXPECT_LT(x_of(english, "Flying"), x_of(english, "planes"));
  const std::string arabic = draw_svg(dependencies("كتاب/NOUN/0/root جديد/ADJ/1/amod"));
  expect_well_formed(arabic);
  EXPECT_GT(x_of(arabic, "كتاب"), x_of(arabic, "جديد"));
}

TEST(Svg, EscapesWhatXmlForbids) {
  EXPECT_EQ(xml_text("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
  EXPECT_EQ(xml_text(std::string("a\0b\x01", 4)), "a\ufffdb\ufffd");
  EXPECT_EQ(xml_text("\xc3(\xff"), "\ufffd(\ufffd");
  EXPECT_EQ(xml_text("naïve 漢字 🙂"), "naïve 漢字 🙂");
  expect_well_formed(draw_svg(dependencies("<b>&\"/SYM/0/<root> \xff/&/1/\"")));
}

/// Labels of one line must not run into each other, whatever the tree.
void expect_labels_apart(const std::string& svg, const std::string& tree) {
  std::map<double, std::vector<Text>> lines;
  for (const Text& text : texts_of(svg)) lines[text.y].push_back(text);
  for (auto& [y, texts] : lines) {
    std::ranges::sort(texts, std::less<>(), &Text::x);
    for (size_t i = 1; i < texts.size(); ++i) {
      const double room = kArcLabelSize * (font_width(texts[i - 1].content) + font_width(texts[i].content)) / 2;
      ASSERT_GE(texts[i].x - texts[i - 1].x, room)
          << texts[i - 1].content << " and " << texts[i].content << ": " << tree;
    }
  }
}

TEST(Svg, LabelsKeepApartInRandomTrees) {
  Rng rng(11, "drawings");
  for (int round = 0; round < 300; ++round) {
    std::string tree;
    const int words = 1 + static_cast<int>(rng.below(15));
    for (int i = 1; i <= words; ++i) {  // any heads: crossing, cyclic, with many roots
      tree += "w" + std::string(rng.below(6), 'o') + "/NOUN/" +
              std::to_string(rng.below(static_cast<size_t>(words) + 1)) + "/" + std::string(1 + rng.below(12), 'l') +
              " ";
    }
    const std::string svg = draw_svg(dependencies(tree));
    expect_well_formed(svg);
    expect_labels_apart(svg, tree);
    EXPECT_EQ(std::ranges::count(draw_text(dependencies(tree)), '\n'), words);
  }
}

/// Wrapped: nothing is wider than it may be, every word is there once, every arc on every line that it is over.
TEST(Svg, LongSentencesAreWrapped) {
  Rng rng(12, "wrapped drawings");
  for (int round = 0; round < 200; ++round) {
    const int words = 1 + static_cast<int>(rng.below(40));
    std::string tree;
    for (int i = 1; i <= words; ++i)
      tree += fmt::format("w{}/NOUN/{}/{} ", i, rng.below(static_cast<size_t>(words) + 1),
                          std::string(1 + rng.below(8), 'l'));
    const Sentence sentence = dependencies(tree);
    const SvgDrawing drawing = draw_svg_dependencies(sentence, 300);
    EXPECT_LE(drawing.width, 300) << tree;
    const std::string svg = draw_svg(sentence, 300);
    expect_well_formed(svg);
    expect_labels_apart(svg, tree);
    std::map<double, int> in_line;  // words by their line
    double before = 0;
    int found = 0, lines = 0;
    for (const Text& text : texts_of(svg)) {
      if (text.content[0] != 'w') continue;
      EXPECT_EQ(text.content, "w" + std::to_string(++found));
      lines += in_line[text.y]++ == 0 ? 1 : 0;
      EXPECT_GE(text.y, before);
      before = text.y;
    }
    EXPECT_EQ(found, words);
    const auto count = [&](const std::string& what) {
      int times = 0;
      for (size_t at = svg.find(what); at != std::string::npos; at = svg.find(what, at + 1)) ++times;
      return times;
    };
    for (int i = 1; i <= words; ++i) {
      const int head = sentence.word(i).head;
      if (head == i) continue;
      const int pieces = count(fmt::format("<g class=\"arc\" data-word=\"{}\" data-head=\"{}\"", i, head));
      EXPECT_GE(pieces, 1) << i;
      EXPECT_LE(pieces, head == 0 ? 1 : lines);
    }
    EXPECT_EQ(
        count("class=\"arrow\""),
        count("class=\"word\"") - static_cast<int>(std::ranges::count_if(
                                      sentence.tokens, [&, i = 0](const Token& t) mutable { return t.head == ++i; })))
        << "an arrow for each arc";
  }
  EXPECT_EQ(draw_svg(dependencies(kPlanes), 10000), draw_svg(dependencies(kPlanes)));
}

/// Random heads, long and short labels.
Sentence random_tree(Rng& rng, int words) {
  std::string tree;
  for (int i = 1; i <= words; ++i)
    tree += fmt::format("w{}/NOUN/{}/{} ", i, rng.below(static_cast<size_t>(words) + 1),
                        std::string(1 + rng.below(12), 'l'));
  return dependencies(tree);
}

TEST(Svg, LabelsAreClearOfTheirArcsCorners) {
  Rng rng(13, "corners");
  for (int round = 0; round < 200; ++round) {
    const Sentence sentence = random_tree(rng, 1 + static_cast<int>(rng.below(30)));
    for (const double width : {0.0, 400.0})
      for (const DrawnLine& line : lay_out_arcs(sentence, width))
        for (const DrawnArc& arc : line.arcs)
          if (!arc.is_root()) {
            // The corner, the label's margin, and a straight piece that can be seen.
            EXPECT_GE(arc.right_x - arc.left_x, arc.label_width + 2 * (kArcCorner + 3 + 4)) << arc.dependent;
          }
  }
  // Drawn in the size that room was made for.
  EXPECT_NE(draw_svg(dependencies(kPlanes)).find("font-size=\"11\" fill=\"#1d5fbf\">nsubj<"), std::string::npos);
}

TEST(Svg, LinesHaveOneWidthAndAboutTheSameLength) {
  Rng rng(14, "lines");
  for (int round = 0; round < 100; ++round) {
    const Sentence sentence = random_tree(rng, 10 + static_cast<int>(rng.below(30)));
    const auto lines = lay_out_arcs(sentence, 400);
    for (const DrawnLine& line : lines) {
      EXPECT_EQ(line.width, lines.front().width);
      for (const DrawnArc& arc : line.arcs)
        if (!arc.is_root() && arc.right == line.words() + 1) {
          EXPECT_EQ(arc.right_x, lines.front().x.back());
        }
    }
  }
  std::string chain, leaves;  // of words of one width, of which all but one would fit into the first line
  for (int i = 1; i <= 13; ++i) {
    chain += fmt::format("word/NOUN/{}/dep ", i - 1);
    leaves += "(NN word) ";
  }
  const auto lines = lay_out_arcs(dependencies(chain), lay_out_arcs(dependencies(chain), 0)[0].width - 1);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_LE(std::abs(lines[0].words() - lines[1].words()), 1);
  const Sentence flat = constituents("(S " + leaves + ")");
  std::map<double, int> words;  // by their line
  for (const Text& text : texts_of(draw_svg_constituents(flat, draw_svg_constituents(flat).width - 1).body))
    if (text.content == "word") ++words[text.y];
  ASSERT_EQ(words.size(), 2u);
  EXPECT_LE(std::abs(words.begin()->second - words.rbegin()->second), 1);
}

TEST(Svg, ArcsThatLeaveALineTogetherKeepTheirOrder) {
  // Both arcs leave the first line: the longer one is above, and leaves its word farther left.
  const Sentence sentence =
      dependencies("head/VERB/0/root near/NOUN/1/a wordwordword/NOUN/1/b wordwordword/NOUN/1/c wordwordword/NOUN/1/d");
  const auto lines = lay_out_arcs(sentence, 200);
  ASSERT_GT(lines.size(), 1u);
  std::vector<DrawnArc> leaving;
  for (const DrawnArc& arc : lines[0].arcs)
    if (arc.right == lines[0].words() + 1) leaving.push_back(arc);
  ASSERT_GE(leaving.size(), 2u);
  for (size_t i = 1; i < leaving.size(); ++i) {
    EXPECT_GT(leaving[i].level, leaving[i - 1].level);
    EXPECT_LT(leaving[i].left_x, leaving[i - 1].left_x);
  }
}

TEST(Svg, WrappingAFlatTreeOfManyWordsStaysSmall) {
  Sentence flat;
  for (int i = 0; i < 3000; ++i) {
    flat.tokens.push_back({"word"});
    flat.tokens.back().head = i == 0 ? 0 : 1;
  }
  EXPECT_LT(draw_svg(flat, 500).size(), 30000000u);
}

TEST(Svg, TellsPagesAndReadersWhatIsWhat) {
  Sentence sentence = dependencies(kPlanes);
  sentence.comments = {"# sent_id = a\"1", "# text = Flying planes."};
  const std::string svg = draw_svg(sentence);
  expect_well_formed(svg);
  for (const char* part : {"<g class=\"sentence dependencies\" role=\"img\" data-id=\"a&quot;1\">\n<title>Flying "
                           "planes.</title>\n<desc>Flying: "
                           "amod of planes; planes: nsubj of dangerous; ",
                           "<g class=\"arc\" data-word=\"2\" data-head=\"5\" data-label=\"nsubj\"><title>nsubj: "
                           "dangerous → planes</title>",
                           "<g class=\"label\" data-word=\"2\" data-head=\"5\" data-label=\"nsubj\">",
                           "<g class=\"word\" data-word=\"2\" data-head=\"5\" data-label=\"nsubj\" "
                           "data-upos=\"NOUN\"><title>planes\nupos: NOUN"})
    EXPECT_NE(svg.find(part), std::string::npos) << part << svg;
  EXPECT_EQ(svg.find("style="), std::string::npos) << "strict policies forbid inline styles";
  const std::string phrases = draw_svg(constituents("(S (NP (NN dogs)) (VP (VBP bark)))"));
  EXPECT_NE(phrases.find("<g class=\"phrase\" data-node=\"0\" data-label=\"S\">"), std::string::npos);
  EXPECT_NE(phrases.find("<g class=\"word\" data-node=\"2\" data-label=\"NN\" data-word=\"1\">"), std::string::npos);
  EXPECT_NE(phrases.find("<desc>(S (NP (NN dogs)) (VP (VBP bark)))</desc>"), std::string::npos);
}

TEST(Svg, Constituents) {
  const std::string svg = draw_svg(constituents("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"));
  expect_well_formed(svg);
  double bottom = 0;
  for (const Text& text : texts_of(svg)) bottom = std::max(bottom, text.y);
  std::set<std::string> words;
  for (const Text& text : texts_of(svg))
    if (text.y == bottom) words.insert(text.content);
  EXPECT_EQ(words, (std::set<std::string>{"the", "dog", "barks"})) << "all words on the bottom line";
}

TEST(Svg, ConstituentsAreWrapped) {
  const Sentence tree = constituents(
      "(S (NP (DT the) (JJ old) (NN gardener)) (VP (VBZ ties) (NP (DT the) (JJ young) (NNS branches)) (PP (TO to) (NP "
      "(DT "
      "the) (NN wall)))))");
  const double whole = draw_svg_constituents(tree).width;
  for (const double width : {1.0, 150.0, 300.0, whole - 1, whole + 1}) {
    const SvgDrawing drawing = draw_svg_constituents(tree, width);
    expect_well_formed(draw_svg(tree, width));
    EXPECT_LE(drawing.width, std::max(width, 150.0)) << "as far as words allow";
    std::vector<std::string> words;
    std::map<double, double> lines;  // of words: where each ends
    for (const Text& text : texts_of(drawing.body)) {
      if (std::string("theoldgardenertiesyoungbranchestowall").find(text.content) == std::string::npos) continue;
      words.push_back(text.content);
      EXPECT_GT(text.x, lines[text.y]) << "words stand side by side";
      lines[text.y] = text.x;
      EXPECT_LT(text.y, drawing.height);
    }
    EXPECT_EQ(words, (std::vector<std::string>{"the", "old", "gardener", "ties", "the", "young", "branches", "to",
                                               "the", "wall"}));
    EXPECT_EQ(lines.size() > 1, width < whole);
    // Cut phrases say so.
    EXPECT_EQ(drawing.body.find("…") != std::string::npos, width < whole);
  }
  EXPECT_EQ(draw_svg_constituents(tree, whole + 1).body, draw_svg_constituents(tree).body);
}

TEST(Drawing, HostileTrees) {
  const std::string cases[] = {
      "",
      "a/X/1/self",
      "a/X/2/x b/X/1/y",          // a cycle
      "a/X/2/x b/X/3/y c/X/1/z",  // a longer one
      "a/X/99/x b/X/1/y",         // out of range
      "a/X/0/root b/X/0/root",    // two roots
      "a b/X/1/x c",              // missing heads
      "a/X/3/x b/X/4/x c/X/0/r d/X/3/x e/X/2/x f/X/1/x",
  };
  for (const std::string& text : cases) {
    const Sentence sentence = dependencies(text);
    EXPECT_EQ(std::ranges::count(draw_text(sentence), '\n'), sentence.size()) << text;
    expect_well_formed(draw_svg(sentence));
  }
}

TEST(Drawing, LongAndDeepTrees) {
  Sentence chain, flat;
  for (int i = 0; i < 5000; ++i) {
    chain.tokens.push_back({});
    chain.tokens.back().head = i;
    flat.tokens.push_back({});
    flat.tokens.back().head = i == 0 ? 0 : 1;
  }
  EXPECT_LT(draw_text(chain).size(), 1000000u) << "head numbers instead of thousands of rails";
  EXPECT_LT(draw_text(flat).size(), 1000000u);
  EXPECT_LT(draw_svg(chain).size(), 5000000u);
  std::string deep, closing;
  for (int i = 0; i < 3000; ++i) deep += "(X (A a) ", closing += ")";
  const Sentence tree = constituents(deep + "(NN a)" + closing);
  EXPECT_LT(draw_text(tree).size(), 3000000u);
  expect_well_formed(draw_svg(tree));
}

TEST(Drawing, AsFormats) {
  std::ostringstream text, picture;
  const auto text_writer = make_writer("text-tree", text), svg_writer = make_writer("svg", picture);
  for (int i = 0; i < 2; ++i) {
    text_writer->write(dependencies(kPlanes));
    svg_writer->write(dependencies(kPlanes));
  }
  text_writer->finish();
  svg_writer->finish();
  EXPECT_EQ(text.str(), draw_text(dependencies(kPlanes)) + "\n" + draw_text(dependencies(kPlanes)) + "\n");
  expect_well_formed(picture.str());
  std::istringstream input;
  EXPECT_THROW(make_reader("svg", input, {}), Error);
}

/// What the page's script reads.
nlohmann::json data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">", end = "</script>";
  const size_t from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find(end, from) - from));
}

std::string as_page(std::span<const Sentence> sentences) {
  std::ostringstream page;
  const auto writer = make_writer("html", page);
  for (const Sentence& sentence : sentences) writer->write(sentence);
  writer->finish();
  return page.str();
}

TEST(Drawing, AsAPage) {
  std::vector<Sentence> sentences = {dependencies(kPlanes), dependencies(kPlanes), constituents("(S (X a) (Y b))")};
  sentences[1].word(2).form = "</script><script>alert(1)</script><!--";
  const std::string page = as_page(sentences);
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_EQ(page.find("@@"), std::string::npos) << "all marks are filled";
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  const nlohmann::json data = data_of(page);
  ASSERT_EQ(data.size(), 3u);
  EXPECT_EQ(data[0]["tokens"][1]["form"], "planes");
  EXPECT_EQ(data[1]["tokens"][1]["form"], sentences[1].word(2).form);
  EXPECT_EQ(data_of(as_page({})).size(), 0u);
}

}  // namespace
}  // namespace espalier

#include "espalier/format/draw/svg.h"

#include <unicode/utf8.h>

#include <algorithm>

#include "espalier/format/formats.h"

namespace espalier {
namespace {

/// A sentence's drawing as a group with a role, title and description for screen readers.
struct SentenceDrawing {
  double width, height;
  std::string group;
};

SentenceDrawing draw(const Sentence& sentence, double width, double top) {
  const bool heads = std::ranges::any_of(sentence.tokens, [](const Token& t) { return t.head != Token::kNoHead; });
  const bool arcs = sentence.constituents.empty() || heads;
  const SvgDrawing drawing = arcs ? draw_svg_dependencies(sentence, width) : draw_svg_constituents(sentence, width);
  std::string group = fmt::format("<g class=\"sentence {}\" role=\"img\"", arcs ? "dependencies" : "constituents");
  if (const auto id = comment_value(sentence, "sent_id")) group += fmt::format(" data-id=\"{}\"", xml_text(*id));
  if (top > 0) group += fmt::format(" transform=\"translate(0 {:.0f})\"", top);
  group += fmt::format(">\n<title>{}</title>\n<desc>{}</desc>\n{}</g>\n", xml_text(surface_text(sentence)),
                       xml_text(drawing.description), drawing.body);
  return {drawing.width, drawing.height, std::move(group)};
}

std::string document(double width, double height, std::string_view body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"espalier\" role=\"group\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n"
      "<rect class=\"background\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{2}</svg>\n",
      width, height, body);
}

/// All sentences in one picture, one below the other. An SVG document begins with its size, so the drawings are kept
/// until the last sentence.
class SvgWriter final : public Writer {
 public:
  SvgWriter(std::ostream& output, int most) : output_(output), most_(most) {}

  void write(const Sentence& sentence) override {
    const SentenceDrawing drawing = draw(sentence, most_, height_);
    body_ += drawing.group;
    width_ = std::max(width_, drawing.width);
    height_ += drawing.height;
  }
  void finish() override {
    output_ << document(width_, height_, body_);
    output_.flush();
    if (!output_) throw run_error("cannot write the output (is the disk full?)");
  }

 private:
  std::ostream& output_;
  double most_;  // width
  std::string body_;
  double width_ = 0, height_ = 0;
};

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  const auto length = static_cast<int32_t>(text.size());
  for (int32_t i = 0; i < length;) {
    const int32_t begin = i;
    UChar32 c;
    U8_NEXT_OR_FFFD(text.data(), i, length, c);
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c < 0x20 || c == 0xfffd || (c & 0xfffe) == 0xfffe) {
      out += "\ufffd";
    } else {
      out += text.substr(static_cast<size_t>(begin), static_cast<size_t>(i - begin));
    }
  }
  return out;
}

std::string svg_text(double x, double y, double size, std::string_view style, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" {}>{}</text>\n", x, y, size, style,
                     xml_text(text));
}

std::string draw_svg(const Sentence& sentence, double width) {
  const SentenceDrawing drawing = draw(sentence, width, 0);
  return document(drawing.width, drawing.height, drawing.group);
}

std::unique_ptr<Writer> make_svg_writer(std::ostream& output, const WriterOptions& options) {
  return std::make_unique<SvgWriter>(output, options.width);
}

}  // namespace espalier

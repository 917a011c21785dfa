#include "espalier/format/svg.h"

#include <unicode/utf8.h>

#include <algorithm>

#include "espalier/format/formats.h"

namespace espalier {
namespace {

SvgDrawing draw(const Sentence& sentence) {
  const bool heads = std::ranges::any_of(sentence.tokens, [](const Token& t) { return t.head != Token::kNoHead; });
  return sentence.constituents.empty() || heads ? draw_svg_dependencies(sentence) : draw_svg_constituents(sentence);
}

std::string document(double width, double height, std::string_view body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\" text-anchor=\"middle\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{2}"
      "</svg>\n",
      width, height, body);
}

/// All sentences in one picture, one below the other. An SVG document begins with its size, so they are kept until the
/// last one is there.
class SvgWriter final : public Writer {
 public:
  explicit SvgWriter(std::ostream& output) : output_(output) {}

  void write(const Sentence& sentence) override {
    const SvgDrawing drawing = draw(sentence);
    body_ += fmt::format("<g transform=\"translate(0 {:.0f})\">\n{}</g>\n", height_, drawing.body);
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

std::string draw_svg(const Sentence& sentence) {
  const SvgDrawing drawing = draw(sentence);
  return document(drawing.width, drawing.height, drawing.body);
}

std::unique_ptr<Writer> make_svg_writer(std::ostream& output) { return std::make_unique<SvgWriter>(output); }

}  // namespace espalier

// A page that shows its sentences in any browser, without a server and without network: page/dist/standalone.html with
// script, style and sentences filled in. Its content security policy allows only that script. Sentences are written as
// they come. Tested by drawing_test.cc and page/tests/browser/files.test.ts.
#include <algorithm>
#include <sstream>
#include <utility>

#include "espalier/base/builtin_texts.h"
#include "espalier/format/formats.h"

namespace espalier {
namespace {

std::string page_text(std::string_view name) {
  const auto texts = builtin_page();
  const auto text = std::ranges::find(texts, name, &BuiltinText::name);
  if (text == texts.end()) throw run_error("this program was built without its page");
  return std::string(text->text);
}

/// The page, as much of it as stands before the mark; `rest` receives the other part.
std::string cut_at(std::string_view mark, std::string& rest) {
  const size_t place = rest.find(mark);
  std::string before = rest.substr(0, place);
  rest.erase(0, before.size() + mark.size());
  return before;
}

class HtmlWriter final : public Writer {
 public:
  explicit HtmlWriter(std::ostream& output) : output_(output), json_(make_json_writer(line_)) {
    rest_ = page_text("standalone");
    const std::string head = cut_at("@@style@@", rest_) + page_text("style");
    output_ << head << cut_at("@@sentences@@", rest_);
  }

  void write(const Sentence& sentence) override {
    line_.str("");
    json_->write(sentence);
    output_ << (std::exchange(first_, false) ? "\n" : ",\n");
    // "<" could end the data of the page; in JSON it occurs in strings only, where it can be escaped.
    std::string_view line = line_.view();
    line = line.substr(0, line.find_last_not_of('\n') + 1);
    for (size_t begin = 0, end = 0; begin <= line.size(); begin = end + 1) {
      end = std::min(line.find('<', begin), line.size());
      output_ << line.substr(begin, end - begin) << (end < line.size() ? "\\u003c" : "");
    }
    check();
  }

  void finish() override {
    output_ << cut_at("@@script@@", rest_) << page_text("script") << rest_;
    output_.flush();
    check();
  }

 private:
  void check() const {
    if (!output_) throw run_error("cannot write the output (is the disk full?)");
  }

  std::ostream& output_;
  std::ostringstream line_;
  std::unique_ptr<Writer> json_;
  std::string rest_;  // of the page
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Writer> make_html_writer(std::ostream& output) { return std::make_unique<HtmlWriter>(output); }

}  // namespace espalier

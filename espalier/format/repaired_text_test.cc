#include "espalier/format/repaired_text.h"

#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

#include "espalier/format/line_reader.h"

namespace espalier {
namespace {

/// Gives a few bytes at a time, as pipes do.
class Drops final : public std::streambuf {
 public:
  Drops(std::string text, size_t size) : text_(std::move(text)), size_(size) {}

 protected:
  int_type underflow() override {
    if (at_ == text_.size()) return traits_type::eof();
    const size_t size = std::min(size_, text_.size() - at_);
    setg(text_.data() + at_, text_.data() + at_, text_.data() + at_ + size);
    at_ += size;
    return traits_type::to_int_type(*gptr());
  }

 private:
  std::string text_;
  size_t size_, at_ = 0;
};

TEST(RepairedText, ReplacesAndCountsWhatIsNoText) {
  using namespace std::string_literals;
  const std::string good = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8C\xB3\n";
  const std::string bad = good + "b\xE9t\xE9\0c\n"s + good + "\xF0\x9F";
  const std::string mended = good + "b\uFFFDt\uFFFD\uFFFDc\n" + good + "\uFFFD";
  for (size_t size = 1; size < 12; ++size) {
    Drops source(bad, size);
    RepairedText repaired(source);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(&repaired), {}), mended) << size;
    EXPECT_EQ(repaired.replaced(), 4u);
    EXPECT_EQ(repaired.first_line(), 2);
    EXPECT_TRUE(text_problem(mended).empty());
  }
  Drops source(good, 2);
  RepairedText repaired(source);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(&repaired), {}), good);
  EXPECT_EQ(repaired.replaced(), 0u);
}

}  // namespace
}  // namespace espalier

// A line costs no more memory than docs/limits.md states, however long it is: 5 MB, or 50 MB if $ESPALIER_LONG is set,
// through the rules for words and through a learned tokenizer.
#include <gtest/gtest.h>

#include <cstdlib>
#include <streambuf>

#include "espalier/app/stream.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "tests/limited_memory.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

namespace espalier {
namespace {

/// A line that is made while it is read.
class EndlessLine : public std::streambuf {
 public:
  explicit EndlessLine(size_t bytes) : left_(bytes) {}

 private:
  int_type underflow() override {
    if (left_ == 0) return traits_type::eof();
    const size_t size = std::min(left_, piece_.size());
    left_ -= size;
    setg(piece_.data(), piece_.data(), piece_.data() + size);
    return traits_type::to_int_type(piece_.front());
  }
  size_t left_;
  std::string piece_ = "the dog sees a small cat near the old house , and ";
};

/// Counts what it is given, as a file would take it.
class Sink : public std::streambuf {
 public:
  size_t bytes = 0;

 private:
  int_type overflow(int_type c) override { return ++bytes, traits_type::not_eof(c); }
  std::streamsize xsputn(const char*, std::streamsize size) override {
    bytes += static_cast<size_t>(size);
    return size;
  }
};

size_t length_of_line() { return size_t{std::getenv("ESPALIER_LONG") ? 50u : 5u} << 20; }

/// Runs use(input, writer) with 500 MB; every byte of the line must come out again, in a CoNLL-U that is longer.
template <class Use>
void expect_to_fit(Use&& use) {
  const auto run = [&] {
    limit_further_memory(size_t{500} << 20);
    EndlessLine line(length_of_line());
    std::istream input(&line);
    Sink sink;
    std::ostream output(&sink);
    const auto writer = make_writer("conllu", output);
    use(input, *writer);
    writer->finish();
    std::exit(sink.bytes > length_of_line() ? 0 : 2);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(0), "");
}

TEST(LongLine, FitsIntoMemoryByRules) {
  SKIP_IF_SANITIZED();
  expect_to_fit([](std::istream& input, Writer& writer) {
    const auto reader = make_reader("text", input, {});
    for (Sentence sentence; reader->next(sentence);) writer.write(sentence);
  });
}

TEST(LongLine, FitsIntoMemoryOfATokenizer) {
  SKIP_IF_SANITIZED();
  const auto treebank = toy_treebank(40, 1);
  const Model model(train(settings({"recipe=tokenizer", "epochs=1"}), {treebank, {}}, {}).parser);
  expect_to_fit([&](std::istream& input, Writer& writer) { parse_text_stream(model, input, "line", writer, {}); });
}

}  // namespace
}  // namespace espalier

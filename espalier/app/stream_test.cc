#include "espalier/app/stream.h"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "espalier/base/error.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/parser.h"

namespace espalier {
namespace {

struct NoScratch : Workspace {};

/// A chain: every word hangs on the one before it.
struct ChainParser : Parser, Tokenizing {
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<NoScratch>(); }
  void parse(Sentence& sentence, const Constraints&, Workspace&) const override {
    for (int i = 1; i <= sentence.size(); ++i) sentence.word(i).head = i - 1;
  }
  KBestList list(const Sentence& sentence, const Constraints&, Workspace&) const override {
    return KBestList([&sentence](int k, std::vector<Candidate>& all) {
      all.resize(static_cast<size_t>(k));
      for (size_t i = 0; i < all.size(); ++i) {
        all[i].score = 10.0 - static_cast<double>(i);
        all[i].analysis.deprels.assign(sentence.tokens.size() + 1, std::to_string(10 - i));
      }
    });
  }
  const Tokenizing* tokenizer() const override { return this; }
  std::vector<Sentence> tokenize(const std::string& text, Workspace&) const override {
    Sentence sentence;
    std::istringstream words(text);
    for (std::string word; words >> word;) sentence.tokens.emplace_back().form = word;
    return {sentence};
  }
  AboutParser about() const override { return {.kind = "chain", .predicts = {"heads"}, .can = {.kbest = true}}; }
  nlohmann::json save(ModelWriter&, const std::string&) const override { return nlohmann::json::object(); }
};

Model chain_model() { return Model(std::make_shared<const ChainParser>()); }

std::string words(int from, int to) {
  std::string text;
  for (int i = from; i <= to; ++i)
    text += std::to_string(i - from + 1) + "\tw" + std::to_string(i) + "\t_\t_\t_\t_\t_\t_\t_\t_\n";
  return text + "\n";
}

std::string run(const std::string& text, const StreamOptions& options, StreamCounts* counts = nullptr) {
  std::istringstream input(text);
  std::ostringstream output;
  const auto reader = make_reader("conllu", input, {});
  const auto writer = make_writer("conllu", output);
  const StreamCounts result = parse_stream(chain_model(), *reader, *writer, options);
  if (counts) *counts = result;
  return output.str();
}

TEST(Stream, SameOutputOnAnyNumberOfThreads) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += words(i, i + i % 9);
  StreamCounts counts;
  const std::string expected = run(text, {}, &counts);
  EXPECT_EQ(counts.sentences, 1000u);
  EXPECT_NE(expected.find("2\tw999\t_\t_\t_\t_\t1\t"), std::string::npos);
  for (const int threads : {2, 5}) {
    StreamOptions options;
    options.threads = threads;
    EXPECT_EQ(run(text, options), expected);
  }
}

TEST(Stream, KBestAsCopiesWithScores) {
  StreamOptions options;
  options.parse.kbest = 2;
  const std::string output = run(words(1, 1), options);
  EXPECT_EQ(output,
            "# kbest = 1\n# score = 10\n1\tw1\t_\t_\t_\t_\t0\t10\t_\t_\n\n"
            "# kbest = 2\n# score = 9\n1\tw1\t_\t_\t_\t_\t0\t9\t_\t_\n\n");
}

TEST(Stream, RawTextByParagraphs) {
  std::istringstream input("one two\nthree\n\n\n  \nfour\n");
  std::ostringstream output;
  const auto writer = make_writer("conllu", output);
  const StreamCounts counts = parse_text_stream(chain_model(), input, "text", *writer, {});
  EXPECT_EQ(counts.sentences, 2u);
  EXPECT_EQ(counts.tokens, 4u);
  EXPECT_NE(output.str().find("3\tthree\t"), std::string::npos);
}

TEST(Stream, ManyParagraphsOnAnyNumberOfThreads) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "w" + std::to_string(i) + (i % 7 ? " x\n\n" : " y\nz\n \n");
  const auto parsed = [&](int threads) {
    std::istringstream input(text);
    std::ostringstream output;
    const auto writer = make_writer("conllu", output);
    StreamOptions options;
    options.threads = threads;
    int batches = 0;
    options.written = [&] { ++batches; };
    EXPECT_EQ(parse_text_stream(chain_model(), input, "text", *writer, options).sentences, 5000u);
    EXPECT_LT(batches, 50) << "paragraphs travel together";
    return output.str();
  };
  const std::string expected = parsed(1);
  for (const int threads : {2, 5}) EXPECT_EQ(parsed(threads), expected);
}

/// Delivers one sentence per read, as a pipe does whose other end waits for the answer.
class Dialogue : public std::streambuf {
 public:
  explicit Dialogue(std::ostringstream* answers, bool raw_text = false) : answers_(answers), raw_text_(raw_text) {}

 protected:
  int_type underflow() override {
    if (turn_ == 3) return traits_type::eof();
    // The answer to every sentence so far must have been written before the next is sent.
    const std::string answers = answers_->str();
    int roots = 0;
    for (size_t at = 0; (at = answers.find("\t0\t", at)) != std::string::npos; ++at) ++roots;
    EXPECT_EQ(roots, raw_text_ ? 2 * turn_ : turn_);
    ++turn_;
    text_ = raw_text_ ? "w\n\nw\n\n" : words(turn_, turn_);
    setg(text_.data(), text_.data(), text_.data() + text_.size());
    return traits_type::to_int_type(text_[0]);
  }

 private:
  std::ostringstream* answers_;
  bool raw_text_;
  int turn_ = 0;
  std::string text_;
};

TEST(Stream, AnswersBeforeItWaits) {
  std::ostringstream output;
  Dialogue dialogue(&output);
  std::istream input(&dialogue);
  const auto reader = make_reader("conllu", input, {});
  const auto writer = make_writer("conllu", output);
  EXPECT_EQ(parse_stream(chain_model(), *reader, *writer, {}).sentences, 3u);

  std::ostringstream parsed;
  Dialogue text(&parsed, true);
  std::istream paragraphs(&text);
  EXPECT_EQ(parse_text_stream(chain_model(), paragraphs, "text", *make_writer("conllu", parsed), {}).sentences, 6u);
}

TEST(Stream, EndsWhenItsTimeIsUp) {
  StreamOptions options;
  options.parse.stop = Stop::after(std::chrono::seconds(0));
  EXPECT_THROW(run(words(1, 3), options), Stopped);
}

TEST(Stream, DocumentsComeOutInOrder) {
  DocumentPipe pipe(chain_model(), 3);
  size_t next = 0, taken = 0;
  while (!pipe.empty() || next < 200) {
    while (!pipe.full() && next < 200) {
      Document document;
      document.text = "w" + std::to_string(next++) + " x";
      pipe.put(std::move(document));
    }
    const Document document = pipe.take();
    ASSERT_EQ(document.sentences.size(), 1u);
    EXPECT_EQ(document.sentences[0].word(1).form, "w" + std::to_string(taken++));
    EXPECT_EQ(document.sentences[0].word(2).head, 1);
  }
  EXPECT_EQ(taken, 200u);
  EXPECT_THROW(pipe.take(), Error);
}

TEST(Stream, OneBadDocumentDoesNotStopThePipe) {
  DocumentPipe pipe(chain_model(), 2);
  for (const char* text : {"a", "\xff", "b"}) {
    Document document;
    document.text = text;
    pipe.put(std::move(document));
  }
  EXPECT_EQ(pipe.take().sentences[0].word(1).form, "a");
  EXPECT_THROW(pipe.take(), Error);
  EXPECT_EQ(pipe.take().sentences[0].word(1).form, "b");
  pipe.put({});  // and what is not taken is given up
}

TEST(Stream, FailedOutputEndsIt) {
  StreamOptions options;
  options.threads = 2;
  options.written = [] { throw run_error("full"); };
  EXPECT_THROW(run(words(1, 3), options), Error);
}

TEST(Stream, LongSentencesAreReadInPiecesAndSaySo) {
  StreamOptions options;
  options.parse.max_words = 10;
  std::vector<long> lines;
  options.note = [&](StreamNote, long line, const std::string&) { lines.push_back(line); };
  StreamCounts counts;
  const std::string text = run(words(1, 3) + words(1, 25) + words(1, 3), options, &counts);
  EXPECT_EQ(counts.pieced, 1u);
  EXPECT_EQ(lines, std::vector<long>{5});
  EXPECT_NE(text.find("# parser = fallback: split into pieces of at most 10 words\n1\tw1\t"), std::string::npos)
      << text;
  options.parse.max_words = 0;
  EXPECT_EQ(run(words(1, 25), options).find("fallback"), std::string::npos);
}

/// Fails on every sentence with the word "w7".
struct FailingParser : ChainParser {
  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override {
    ChainParser::parse(sentence, given, workspace);
    for (const Token& token : sentence.tokens)
      if (token.form == "w7") throw std::length_error("too much");
  }
};

TEST(Stream, SentenceThatFailsIsReportedAndTheOthersGoOn) {
  std::istringstream input(words(1, 2) + words(7, 8) + words(3, 4));
  std::ostringstream output;
  const auto reader = make_reader("conllu", input, {});
  const auto writer = make_writer("conllu", output);
  StreamOptions options;
  std::vector<std::string> notes;
  options.note = [&](StreamNote, long line, const std::string& message) {
    notes.push_back(std::to_string(line) + ": " + message);
  };
  const StreamCounts counts = parse_stream(Model(std::make_shared<const FailingParser>()), *reader, *writer, options);
  EXPECT_EQ(counts.failed, 1u);
  EXPECT_EQ(counts.sentences, 3u);
  EXPECT_EQ(notes, std::vector<std::string>{"4: cannot be parsed: too much"});
  EXPECT_NE(output.str().find("# parser = failed: too much\n1\tw7\t_\t_\t_\t_\t_\t_\t_\t_\n"), std::string::npos)
      << output.str();
  EXPECT_NE(output.str().find("2\tw4\t_\t_\t_\t_\t1\t"), std::string::npos);
}

}  // namespace
}  // namespace espalier

// Sentence pairs with word alignments, a line each: `words of one language ||| words of the other ||| 0-0 1-3 ...`,
// numbers from 0. The words of the first language become the sentence; their places in the other, by the mean of the
// words that they are aligned to, stand in MISC as Order=1, 2, ... (tools/reorder.h); unaligned words have none.
// Tested by aligned_test.cc.
#include <algorithm>
#include <charconv>
#include <sstream>

#include "espalier/format/formats.h"
#include "espalier/format/line_reader.h"
#include "espalier/format/problem_log.h"
#include "espalier/tools/reorder.h"

namespace espalier {
namespace {

class AlignedReader final : public Reader {
 public:
  AlignedReader(std::istream& input, ReaderOptions options) : lines_(input, options.name), log_(std::move(options)) {}

  bool next(Sentence& sentence) override {
    std::string_view line;
    while (lines_.next(line)) {
      if (line.find_first_not_of(" \t") == line.npos) continue;
      read(line, sentence);
      if (log_.deliver() && !sentence.tokens.empty()) return true;
    }
    return false;
  }
  bool ready() const override { return lines_.ready(); }

 private:
  void read(std::string_view line, Sentence& sentence) {
    constexpr std::string_view kBar = "|||";
    sentence.clear();
    sentence.line = lines_.number();
    const auto bad = [&](std::string message) { log_.bad(lines_.number(), 0, std::move(message)); };
    if (const auto problem = text_problem(line); !problem.empty()) return bad(std::string(problem));
    const size_t first = line.find(kBar),
                 second = first == line.npos ? line.npos : line.find(kBar, first + kBar.size());
    if (second == line.npos) return bad("expected 'words ||| words ||| 0-0 1-2 ...'");
    const std::string_view other = line.substr(first + kBar.size(), second - first - kBar.size());
    std::istringstream words{std::string(line.substr(0, first))};
    for (std::string word; words >> word;) sentence.tokens.emplace_back().form = word;
    std::istringstream other_words{std::string(other)};
    std::string target;
    int other_size = 0;
    for (std::string word; other_words >> word; ++other_size) target += (target.empty() ? "" : " ") + word;
    sentence.comments.push_back("# translation = " + target);

    struct Mean {
      double sum = 0;
      int links = 0;
    };
    std::vector<Mean> means(sentence.tokens.size());
    std::istringstream links{std::string(line.substr(second + kBar.size()))};
    for (std::string link; links >> link;) {
      int from = -1, to = -1;
      const char* end = link.data() + link.size();
      const auto middle = std::from_chars(link.data(), end, from);
      if (middle.ptr == end || *middle.ptr != '-' || std::from_chars(middle.ptr + 1, end, to).ptr != end || from < 0 ||
          to < 0 || from >= sentence.size() || to >= other_size)
        return bad("'" + link + "' is no alignment of two of the words");
      means[from].sum += to;
      ++means[from].links;
    }
    std::vector<int> aligned;
    for (int i = 1; i <= sentence.size(); ++i)
      if (means[i - 1].links) aligned.push_back(i);
    std::ranges::stable_sort(aligned, {}, [&](int i) {
      const Mean& mean = means[i - 1];
      return mean.sum / mean.links;
    });
    std::vector<int> positions(sentence.tokens.size() + 1, 0);
    for (size_t i = 0; i < aligned.size(); ++i) positions[aligned[i]] = static_cast<int>(i) + 1;
    set_reference_order(sentence, positions);
  }

  LineReader lines_;
  ProblemLog log_;
};

}  // namespace

std::unique_ptr<Reader> make_aligned_reader(std::istream& input, ReaderOptions options) {
  return std::make_unique<AlignedReader>(input, std::move(options));
}

}  // namespace espalier

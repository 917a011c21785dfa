// The only list of the formats' names.
#include <algorithm>

#include "espalier/base/suggest.h"
#include "espalier/format/dropped.h"
#include "espalier/format/formats.h"
#include "espalier/tree/misc.h"

namespace espalier {
namespace {

struct Format {
  std::string_view name;
  std::vector<std::string_view> endings;
  unsigned keeps;  ///< of Keeps, when it is written, so that users are warned of what is lost
  std::unique_ptr<Reader> (*reader)(std::istream&, ReaderOptions);
  std::unique_ptr<Writer> (*writer)(std::ostream&, const WriterOptions&);
};

/// Removes the confidence of the best analysis, which is not that of other analyses.
void forget_confidence(Sentence& sentence) {
  std::erase_if(sentence.comments, [](const std::string& comment) {
    return comment.starts_with("# confidence = ") || comment.starts_with("# bracket = ");
  });
  for (Token& token : sentence.tokens) erase_misc(token.misc, "Confidence");
}

/// A writer that has no options.
template <std::unique_ptr<Writer> (*make)(std::ostream&)>
std::unique_ptr<Writer> plain(std::ostream& output, const WriterOptions&) {
  return make(output);
}

const std::vector<Format>& formats() {
  constexpr unsigned kConllxKeeps = Keeps::kHeads | Keeps::kTags | Keeps::kLemmas;
  static const std::vector<Format> list = {
      {"conllu", {".conllu"}, Keeps::kAll & ~Keeps::kConstituents, make_conllu_reader, plain<make_conllu_writer>},
      {"conllx", {".conllx", ".conll"}, kConllxKeeps, make_conllx_reader, plain<make_conllx_writer>},
      {"ptb", {".ptb", ".mrg"}, Keeps::kConstituents | Keeps::kTags, make_ptb_reader, plain<make_ptb_writer>},
      {"text", {".txt"}, Keeps::kExtra, make_text_reader, plain<make_text_writer>},
      {"horizontal", {}, Keeps::kNothing, make_horizontal_reader, plain<make_horizontal_writer>},
      {"vertical", {".vert"}, Keeps::kNothing, make_vertical_reader, plain<make_vertical_writer>},
      {"json", {".json", ".jsonl"}, Keeps::kAll, make_json_reader, plain<make_json_writer>},
      // Sentence pairs: there is no other language to write.
      {"aligned", {}, Keeps::kNothing, make_aligned_reader, nullptr},
      // What MISC keeps of a raw text.
      {"text-exact", {}, Keeps::kAll, nullptr, plain<make_exact_text_writer>},
      // Drawings, which cannot be read, and need not keep everything.
      {"text-tree", {}, Keeps::kAll, nullptr, plain<make_text_tree_writer>},
      {"svg", {".svg"}, Keeps::kAll, nullptr, make_svg_writer},
      {"html", {".html"}, Keeps::kAll, nullptr, plain<make_html_writer>},
  };
  return list;
}

const Format& find_format(std::string_view name) {
  for (const Format& format : formats()) {
    if (format.name == name) return format;
  }
  throw usage_error("unknown format '{}'{}; known: {}", name, suggestion(name, output_format_names()),
                    fmt::join(output_format_names(), ", "));
}

}  // namespace

std::string Problem::text() const {
  std::string place = line > 0 ? fmt::format("{}:{}: ", file, line) : file + ": ";
  if (token > 0) place += fmt::format("token {}: ", token);
  return place + message;
}

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Format& format : formats()) {
      if (format.reader) result.emplace_back(format.name);
    }
    return result;
  }();
  return names;
}

const std::vector<std::string>& output_format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Format& format : formats()) {
      if (format.writer) result.emplace_back(format.name);
    }
    return result;
  }();
  return names;
}

unsigned kept_by(std::string_view format) { return find_format(format).keeps; }

std::string guess_format(std::string_view file_name) {
  if (file_name.ends_with(".gz")) file_name.remove_suffix(3);
  for (const Format& format : formats()) {
    for (const std::string_view ending : format.endings) {
      if (file_name.ends_with(ending)) return std::string(format.name);
    }
  }
  return "";
}

std::unique_ptr<Reader> make_reader(std::string_view format, std::istream& input, ReaderOptions options) {
  const auto reader = find_format(format).reader;
  if (!reader) throw usage_error("'{}' can only be written", format);
  return reader(input, std::move(options));
}

std::unique_ptr<Writer> make_writer(std::string_view format, std::ostream& output, const WriterOptions& options) {
  const auto writer = find_format(format).writer;
  if (!writer) throw usage_error("'{}' can only be read", format);
  return writer(output, options);
}

void Writer::write_list(const Sentence& sentence, std::span<const ScoredAnalysis> list) {
  if (list.empty()) return write(sentence);
  int rank = 0;
  for (const auto& [score, analysis, scores] : list) {
    Sentence copy = sentence;
    if (rank > 0) forget_confidence(copy);
    annotate(copy, analysis);
    copy.comments.push_back(fmt::format("# kbest = {}", ++rank));
    copy.comments.push_back(fmt::format("# score = {:.6g}", score));
    for (const auto& [name, part] : scores) copy.comments.push_back(fmt::format("# score_{} = {:.6g}", name, part));
    write(copy);
  }
}

std::optional<std::string_view> comment_value(const Sentence& sentence, std::string_view key) {
  const std::string opening = fmt::format("# {} = ", key);
  for (const std::string_view comment : sentence.comments) {
    if (comment.starts_with(opening)) return comment.substr(opening.size());
  }
  return std::nullopt;
}

std::vector<Sentence> read_treebank(const std::string& file, std::string_view format, ReaderOptions options) {
  const std::string name = format.empty() ? guess_format(file) : std::string(format);
  if (name.empty()) {
    throw usage_error("cannot tell the format of '{}' from its name; known: {}", file, fmt::join(format_names(), ", "));
  }
  if (options.name == "-") options.name = file;
  const auto input = open_input(file);
  const auto reader = make_reader(name, *input, std::move(options));
  std::vector<Sentence> sentences;
  for (Sentence sentence; reader->next(sentence);) sentences.push_back(sentence);
  return sentences;
}

}  // namespace espalier

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <set>
#include <string_view>
#include <utility>

#include "espalier/app/analyse.h"
#include "espalier/app/files.h"
#include "espalier/app/input.h"
#include "espalier/app/warnings.h"
#include "espalier/base/error.h"
#include "espalier/base/output_file.h"
#include "espalier/format/dropped.h"
#include "espalier/format/text/language.h"

namespace espalier {
namespace {

constexpr std::string_view kStem = "{stem}";

/// "data/en.conllu.gz" → "en".
std::string stem_of(const std::string& file) {
  if (file == "-") return "stdin";
  std::filesystem::path name = std::filesystem::path(file).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

std::string fill_in(std::string pattern, const std::string& stem) {
  for (size_t at = 0; (at = pattern.find(kStem, at)) != std::string::npos; at += stem.size())
    pattern.replace(at, kStem.size(), stem);
  return pattern;
}

/// The output of each input; the same for all unless it has {stem}.
std::vector<std::string> outputs_of(const ParseFiles& request) {
  std::vector<std::string> outputs;
  std::set<std::string> seen;
  const bool pattern = request.output.find(kStem) != std::string::npos;
  for (const std::string& input : request.inputs) {
    const std::string output = fill_in(request.output, stem_of(input));
    if (pattern && !seen.insert(output).second)
      throw usage_error("several inputs would be written to '{}': their names must differ", output);
    outputs.push_back(output);
  }
  return outputs;
}

/// The requested format, else that of the output's name, else that of the input, if it can hold the predicted columns.
std::string output_format(const ParseFiles& request, const std::string& output, const std::string& from,
                          const Model& model) {
  if (!request.to.empty()) return request.to;
  if (const std::string guess = guess_format(output); !guess.empty()) return guess;
  const auto predicts = model.predicts();
  if (std::ranges::find(predicts, "constituents") != predicts.end()) return "ptb";
  return kept_by(from) & Keeps::kHeads ? from : "conllu";
}

bool is_words_only(const std::string& format) {
  return !(kept_by(format) & (Keeps::kHeads | Keeps::kConstituents | Keeps::kTags | Keeps::kLemmas));
}

/// The part of an output for one input: if there are several, its first sentence begins a document.
class PartWriter final : public Writer {
 public:
  /// `document` "" = none.
  PartWriter(Writer& whole, std::string document, std::function<void(const Sentence&)> written)
      : whole_(whole), document_(std::move(document)), written_(std::move(written)) {}

  void write(const Sentence& sentence) override {
    if (written_) written_(sentence);
    if (document_.empty()) return whole_.write(sentence);
    whole_.write(begun(sentence));
  }
  void write_list(const Sentence& sentence, std::span<const ScoredAnalysis> list) override {
    if (written_) written_(sentence);
    if (document_.empty()) return whole_.write_list(sentence, list);
    whole_.write_list(begun(sentence), list);
  }
  void finish() override {}  // others may follow

 private:
  /// Marks the first sentence of the document.
  Sentence begun(const Sentence& sentence) {
    Sentence first = sentence;
    const bool marked = std::ranges::any_of(first.comments, [](const auto& c) { return c.starts_with("# newdoc"); });
    if (!marked) first.comments.insert(first.comments.begin(), "# newdoc id = " + document_);
    document_.clear();
    return first;
  }

  Writer& whole_;
  std::string document_;
  std::function<void(const Sentence&)> written_;
};

/// An output and its writer.
struct Target {
  Target(const std::string& file, const std::string& format, const WriterOptions& options, const Message& message)
      : name(file),
        output(file),
        writer(std::make_unique<DropWatch>(make_writer(format, output.stream(), options), format, message)) {}
  std::string name;
  OutputFile output;
  std::unique_ptr<Writer> writer;

  void close() {
    writer->finish();
    output.commit();
  }
};

/// Each warning is given once, whatever the number of files.
struct Warnings {
  Message tags, dropped, language, script;
};

StreamCounts parse_file(const Model& model, const ParseFiles& request, const std::string& file, const std::string& from,
                        const Warnings& warnings, Target& target, SkipLog& log) {
  StreamOptions options;
  options.parse = request.parse;
  options.threads = request.threads;
  bool pieces_said = false;
  options.note = [&](StreamNote what, long line, const std::string& note) {
    if (!request.message || (what == StreamNote::kPieces && std::exchange(pieces_said, true))) return;
    request.message(fmt::format("{}:{}: {}", file, line, note));
  };
  options.written = [&] { target.output.stream().flush(); };
  PartWriter part(*target.writer, request.inputs.size() > 1 ? stem_of(file) : "", request.written);
  ScriptWatch watched(part, model, file, warnings.script);
  StreamCounts counts;
  if (from == "text" && model.can_tokenize() && !request.parse.rules) {
    const Input input = Input::of(file, true, request.encoding);
    counts = parse_text_stream(model, *input.stream, file, watched, options);
    input.warn_of_replaced(file, request.message);
    return counts;
  }
  ReaderOptions reading = text_reading(model, request.parse);
  if (from == "text" && warnings.language && !is_known_language(reading.language))
    warnings.language(language_warning(reading.language));
  Input input = open_sentences(file, from, &log, std::move(reading), request.encoding);
  if (warnings.tags) input.reader = std::make_unique<TagWatch>(std::move(input.reader), file, warnings.tags);
  counts = parse_stream(model, *input.reader, watched, options);
  input.warn_of_replaced(file, request.message);
  return counts;
}

}  // namespace

ParsedFiles parse_files(const Model& model, const ParseFiles& request) {
  check_options(model, request.parse);  // before any file is opened
  const std::vector<std::string> outputs = outputs_of(request);
  ParsedFiles all;
  SkipLog log(request.message);
  std::unique_ptr<Target> target;
  const Message& message = request.message;
  const Warnings warnings{needs_tags(model) ? once(message) : Message(), once(message), once(message), once(message)};
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string& input = request.inputs[i];
    const std::string from = input_format(request.from, input, "conllu");
    if (!target || target->name != outputs[i]) {
      if (target) target->close();
      const std::string to = output_format(request, outputs[i], from, model);
      // If input and output have words alone, nothing is lost.
      const bool words = is_words_only(from) && is_words_only(to);
      target = std::make_unique<Target>(outputs[i], to, request.writing, words ? Message() : warnings.dropped);
    }
    const StreamCounts counts = parse_file(model, request, input, from, warnings, *target, log);
    all.sentences += counts.sentences;
    all.tokens += counts.tokens;
    all.failed += counts.failed;
    all.not_kept += counts.not_kept;
  }
  if (target) target->close();
  all.skipped = log.count();
  return all;
}

}  // namespace espalier

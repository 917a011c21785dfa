#include "espalier/app/distil.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "espalier/app/configured_trainer.h"
#include "espalier/app/files.h"
#include "espalier/app/input.h"
#include "espalier/app/installed_models.h"
#include "espalier/app/panel.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/file_lock.h"
#include "espalier/base/hash.h"
#include "espalier/base/output_file.h"
#include "espalier/base/unicode.h"
#include "espalier/tree/misc.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

/// What identifies a file, and the number of its lines.
struct Content {
  uint64_t hash = 0;
  size_t lines = 0;
};
Content content_of(const std::string& file) {
  Content content;
  const auto input = open_input(file);
  std::vector<char> block(size_t{1} << 20);
  do {
    input->read(block.data(), static_cast<std::streamsize>(block.size()));
    const std::string_view bytes(block.data(), static_cast<size_t>(input->gcount()));
    content.hash = combine(content.hash, hash_string(bytes));
    content.lines += static_cast<size_t>(std::ranges::count(bytes, '\n'));
  } while (*input);
  return content;
}

/// The letters and digits of a sentence, by which it is recognised whatever its spaces, capitals and punctuation.
uint64_t letters_of(const Sentence& sentence) {
  std::u32string letters;
  for (const char32_t c : decode_utf8(surface_text(sentence))) {
    const CharKind kind = char_kind(c);
    if (kind >= CharKind::kUpper && kind <= CharKind::kDigit) letters += lower_case(c);
  }
  return hash_string(encode_utf8(letters));
}

/// A probability in text; nothing if it is none.
std::optional<double> probability(std::optional<std::string_view> text) {
  double value = -1;
  if (text) std::from_chars(text->data(), text->data() + text->size(), value);
  return value >= 0 && value <= 1 ? std::optional(value) : std::nullopt;
}

/// What `parse --confidence` has written, or the teacher in Python.
std::optional<double> confidence_of(const Sentence& sentence) {
  const auto own = probability(comment_value(sentence, "confidence"));
  return own ? own : probability(comment_value(sentence, "conf"));
}
std::optional<double> confidence_of(const Token& word) {
  const auto own = probability(misc_value(word.misc, "Confidence"));
  return own ? own : probability(misc_value(word.misc, "Conf"));
}

/// The surest share of all trees; of equally sure ones the first.
class Surest {
 public:
  void count(double confidence) { ++places_[step(confidence)]; }
  void choose(double share) {
    size_t all = 0;
    for (const size_t trees : places_) all += trees;
    auto left = static_cast<size_t>(std::llround(share * static_cast<double>(all)));
    for (size_t i = places_.size(); i-- > 0; left -= places_[i]) places_[i] = std::min(places_[i], left);
  }
  /// To be asked for every tree once, in order.
  bool take(double confidence) {
    size_t& places = places_[step(confidence)];
    return places > 0 && places-- > 0;
  }

 private:
  static size_t step(double confidence) { return static_cast<size_t>(std::lround(1000 * confidence)); }
  std::array<size_t, 1001> places_ = {};  // trees of each confidence; then, how many of them are taken
};

struct SilverCounts {
  size_t sentences = 0, words = 0, arcs = 0;
  size_t held_out = 0, length = 0, no_tree = 0, unsure = 0;  // sentences that are left out

  nlohmann::json json() const {
    return {{"sentences", sentences},
            {"words", words},
            {"arcs", arcs},
            {"left_out", {{"held_out", held_out}, {"length", length}, {"no_tree", no_tree}, {"unsure", unsure}}}};
  }
};

/// Files beside the model.
struct SilverFiles {
  explicit SilverFiles(const std::string& model)
      : silver(model + ".silver.conllu.gz"), about(model + ".silver.json"), parts(model + ".silver.parts") {}
  std::string part(size_t text) const { return fmt::format("{}/{}.conllu.gz", parts, text); }
  std::string silver, about, parts;
};

class SilverMaker {
 public:
  explicit SilverMaker(const DistilFiles& request) : request_(request), files_(request.model), log_(request.message) {
    stop_.flag = request.stop;
  }

  /// Makes what there is not yet.
  nlohmann::json make() {
    const nlohmann::json about = made_of();
    const bool continues = request_.resume && fs::exists(files_.about);
    if (continues) refuse_other(about);
    if (continues && fs::exists(files_.silver)) {
      if (request_.message) request_.message(files_.silver + " is there: nothing is annotated");
      return nullptr;
    }
    std::optional<Model> teacher;
    if (!request_.teachers.empty()) teacher = load_teacher();  // before anything is removed
    if (!continues) {
      fs::remove(files_.silver);
      fs::remove_all(files_.parts);
      write_file(files_.about, about.dump(1) + "\n");
    }
    try {
      const nlohmann::json counts = select(teacher ? annotate(*teacher) : request_.silver).json();
      fs::remove_all(files_.parts);
      return counts;
    } catch (const Stopped&) {
      throw run_error("stopped before silver was complete; --resume continues");
    }
  }

 private:
  /// Throws a data Error if the files of an earlier run were made of something else.
  void refuse_other(const nlohmann::json& about) const {
    const nlohmann::json kept = nlohmann::json::parse(read_file(files_.about), nullptr, false);
    std::vector<std::string> others;
    for (const auto& [key, value] : about.items())
      if (!kept.is_object() || kept.value(key, nlohmann::json()) != value) others.push_back(key);
    if (!others.empty())
      throw data_error(files_.about, 0, "silver was made otherwise (another {}); distil without --resume to begin anew",
                       fmt::join(others, ", another "));
  }

  /// All that silver depends on.
  nlohmann::json made_of() {
    const auto contents = [](const std::vector<std::string>& files, std::vector<size_t>* lines = nullptr) {
      nlohmann::json all = nlohmann::json::array();
      for (const std::string& file : files) {
        const Content content = content_of(file);
        all.push_back({{"file", fs::path(file).filename()}, {"xxh3", fmt::format("{:016x}", content.hash)}});
        if (lines) lines->push_back(content.lines);
      }
      return all;
    };
    std::vector<std::string> models;
    for (const std::string& teacher : request_.teachers) models.push_back(model_file(teacher));
    return {{"teacher", contents(models)},
            {"text", contents(request_.texts, &lines_)},
            {"silver", contents(request_.silver)},
            {"leave-out", contents(held_out_files())},
            {"from", request_.from},
            {"min-words", request_.min_words},
            {"max-words", request_.max_words},
            {"confident", request_.confident},
            {"doubt", request_.doubt},
            {"program", version()}};
  }

  std::vector<std::string> held_out_files() const {
    std::vector<std::string> files = request_.leave_out;
    if (!request_.dev.empty()) files.push_back(request_.dev);
    return files;
  }

  Model load_teacher() const {
    Model teacher = panel_of(request_.teachers);
    const bool has_confidence = request_.teachers.size() > 1 || teacher.has_confidence();
    if ((request_.confident < 1 || request_.doubt > 0) && !has_confidence)
      throw usage_error("{} does not know how sure it is: `espalier calibrate -m MODEL --dev TREEBANK`, once",
                        request_.teachers[0]);
    return teacher;
  }

  /// Every text with the trees of the teachers, in a file of its own.
  std::vector<std::string> annotate(const Model& teacher) const {
    fs::create_directories(files_.parts);
    ParseFiles parsing;
    parsing.from = request_.from;
    parsing.to = "conllu";
    parsing.parse.confidence = teacher.has_confidence();
    parsing.parse.language = describe_model(request_.teachers[0])["metadata"].value("language", "");
    parsing.parse.stop = stop_;
    parsing.threads = request_.threads;
    parsing.message = request_.message;
    Progress progress;
    progress.phase = "annotate";
    for (const size_t lines : lines_) progress.total += lines;
    std::vector<std::string> parts;
    size_t lines_before = 0;
    for (size_t i = 0; i < request_.texts.size(); lines_before += lines_[i++]) {
      parts.push_back(files_.part(i));
      if (fs::exists(parts.back())) continue;
      parsing.inputs = {request_.texts[i]};
      parsing.output = parts.back();
      parsing.written = [&](const Sentence& sentence) {
        progress.done = lines_before + static_cast<size_t>(sentence.line);
        if (request_.progress) request_.progress(progress);
      };
      const ParsedFiles parsed = parse_files(teacher, parsing);
      if (request_.progress)
        request_.progress({.phase = progress.phase,
                           .done = lines_before + lines_[i],
                           .total = progress.total,
                           .epoch_end = true,
                           .values = {{"text", request_.texts[i]}, {"sentences", parsed.sentences}}});
    }
    return parts;
  }

  /// Calls use(file, sentence) for each sentence that may be learned from; `left_out` counts the others.
  template <class Use>
  void for_each_usable(const std::vector<std::string>& files, SilverCounts& left_out, Use use) {
    for (const std::string& file : files) {
      const Input input = open_sentences(file, input_format("", file, ""), &log_);
      for (Sentence sentence; input.reader->next(sentence);) {
        stop_.check();
        if (sentence.size() < request_.min_words || sentence.size() > request_.max_words)
          ++left_out.length;
        else if (std::ranges::all_of(sentence.tokens, [](auto& word) { return word.head == Token::kNoHead; }))
          ++left_out.no_tree;
        else if (held_out_.contains(letters_of(sentence)))
          ++left_out.held_out;
        else
          use(file, sentence);
      }
    }
  }

  /// The words that are sure enough keep their heads.
  size_t forget_doubtful(const std::string& file, Sentence& sentence) const {
    size_t arcs = 0, told = 0;
    for (Token& word : sentence.tokens) {
      const auto sure = confidence_of(word);
      told += sure.has_value();
      if (sure && *sure < request_.doubt) word.head = Token::kNoHead, word.deprel = "_";
      arcs += word.head != Token::kNoHead;
    }
    if (told == 0 && request_.doubt > 0)
      throw data_error(file, sentence.line, "--doubt needs arcs with a probability (Confidence= or Conf= in MISC)");
    return arcs;
  }

  SilverCounts select(const std::vector<std::string>& files) {
    for (const std::string& file : held_out_files()) {
      const Input input = open_sentences(file, input_format(request_.format, file, ""), &log_);
      for (Sentence sentence; input.reader->next(sentence);) held_out_.insert(letters_of(sentence));
    }
    const bool choose = request_.confident < 1;
    Surest surest;
    const auto how_sure = [](const std::string& file, const Sentence& sentence) {
      if (const auto sure = confidence_of(sentence)) return *sure;
      throw data_error(file, sentence.line, "--confident needs trees with a probability (# confidence or # conf)");
    };
    if (choose) {
      SilverCounts ignored;
      for_each_usable(files, ignored, [&](auto& file, Sentence& sentence) { surest.count(how_sure(file, sentence)); });
      surest.choose(request_.confident);
    }
    SilverCounts counts;
    OutputFile output(files_.silver);
    const auto writer = make_writer("conllu", output.stream());
    for_each_usable(files, counts, [&](const std::string& file, Sentence& sentence) {
      const bool taken = !choose || surest.take(how_sure(file, sentence));
      const size_t arcs = taken ? forget_doubtful(file, sentence) : 0;
      if (arcs == 0) return void(++counts.unsure);
      writer->write(sentence);
      ++counts.sentences;
      counts.words += sentence.tokens.size();
      counts.arcs += arcs;
    });
    writer->finish();
    if (counts.sentences == 0)
      throw data_error(files.front(), 0, "no sentence is left to learn from: {}", counts.json().at("left_out").dump());
    output.commit();
    if (request_.progress) request_.progress({.phase = "silver", .epoch_end = true, .values = counts.json()});
    return counts;
  }

  const DistilFiles& request_;
  const SilverFiles files_;
  SkipLog log_;
  Stop stop_;
  std::vector<size_t> lines_;  // of each text
  std::unordered_set<uint64_t> held_out_;
};

void check_request(const DistilFiles& request) {
  if (request.teachers.empty() == request.silver.empty())
    throw usage_error("silver trees come from teachers (--teacher with --text) or are there already (--silver)");
  if (request.teachers.empty() != request.texts.empty())
    throw usage_error("--teacher needs texts to annotate (--text), and these need a teacher");
  if (request.min_words > request.max_words)
    throw usage_error("no sentence has {} words or more, and {} or fewer", request.min_words, request.max_words);
  if (!(request.confident > 0 && request.confident <= 1))
    throw usage_error("--confident {}: it is a share of the sentences, above 0 and at most 1", request.confident);
  if (!(request.doubt >= 0 && request.doubt <= 1))
    throw usage_error("--doubt {}: it is a probability, from 0 to 1", request.doubt);
  for (const auto* files : {&request.texts, &request.silver})
    if (std::ranges::find(*files, "-") != files->end())
      throw usage_error("texts and silver are read more than once: give files, not standard input");
  check_training(request);
}

}  // namespace

nlohmann::json distil_files(const DistilFiles& request) {
  check_request(request);
  const FileLock lock(request.model + ".silver.lock",
                      fmt::format("silver for {} is being made at this moment by another process", request.model));
  nlohmann::json counts = SilverMaker(request).make();
  TrainFiles training = request;
  // A teacher's tags are better than the student's own, from which its parser must learn.
  if (training.recipe == "pipeline") training.settings.insert(training.settings.begin(), "parser.tags=jackknife:2");
  training.train.push_back(SilverFiles(request.model).silver);
  nlohmann::json result = train_files(training);
  result["silver"] = std::move(counts);
  return result;
}

}  // namespace espalier

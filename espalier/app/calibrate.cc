#include "espalier/app/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "espalier/app/confidence.h"
#include "espalier/app/workspace_pool.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/parallel.h"
#include "espalier/eval/bracket.h"
#include "espalier/parser/long_sentence.h"
#include "espalier/parser/model_file.h"

namespace espalier {
namespace {

/// Parses a treebank as `parse --confidence` does and compares with its own trees.
std::vector<JudgedSentence> judge(const Model& model, const std::string& file, int kbest,
                                  const CalibrateModel& request) {
  const std::string files[] = {file};
  std::vector<Sentence> gold = read_sentences(files, request.format, request.message).sentences;
  const bool heads = model.parser().about().does_predict("heads");
  std::erase_if(gold, [&](const Sentence& s) {
    return s.tokens.empty() || (heads ? !s.has_heads() : s.constituents.empty()) || s.size() > kMaxWords;
  });
  if (gold.empty()) throw data_error(file, 0, "there is no sentence with {}", heads ? "heads" : "brackets");
  std::vector<std::optional<JudgedSentence>> judged(gold.size());
  const auto one = [&](int, size_t i) {
    const auto workspace = model.workspaces().take();
    Sentence sentence = gold[i];
    for (Token& token : sentence.tokens) token.head = Token::kNoHead, token.deprel = "_";
    sentence.constituents.clear();
    model.parser().parse(sentence, *workspace);
    JudgedSentence result{ListAgreement(sentence, model.parser().list(sentence, *workspace).take(kbest)), {}, false};
    for (int w = 1; w <= sentence.size() && heads; ++w) {
      const Token &said = sentence.word(w), &right = gold[i].word(w);
      result.right.push_back(said.head == right.head && said.deprel == right.deprel);
    }
    if (!heads) result.right = right_brackets(gold[i], sentence.constituents);
    const Overlap found = heads ? Overlap() : overlap_of_brackets(gold[i], sentence.constituents);
    result.tree_right = std::ranges::find(result.right, false) == result.right.end() && found.correct == found.gold;
    judged[i] = std::move(result);
  };
  parallel_for(gold.size(), request.threads > 0 ? request.threads : hardware_threads(), one);
  std::vector<JudgedSentence> all;
  for (auto& sentence : judged) all.push_back(std::move(*sentence));
  return all;
}

nlohmann::ordered_json report_of(std::span<const Judgement> judgements) {
  const Reliability measured = reliability(judgements);
  nlohmann::ordered_json report = {{"count", measured.count},
                                   {"error", measured.error},
                                   {"error_by_chance", measured.by_chance},
                                   {"brier", measured.brier}};
  for (const auto& [count, confidence, accuracy] : measured.bins)
    report["bins"].push_back({{"count", count}, {"confidence", confidence}, {"accuracy", accuracy}});
  return report;
}

/// Judgements of what a calibration says.
struct Measured {
  std::vector<Judgement> parts, trees;

  void add(const Calibration& calibration, std::span<const JudgedSentence> sentences) {
    for (const auto& [agreement, right, tree_right] : sentences) {
      const Chances sure = calibration.chances(agreement);
      for (size_t i = 0; i < right.size(); ++i) parts.push_back({sure.parts[i], right[i]});
      trees.push_back({sure.tree, tree_right});
    }
  }
  nlohmann::ordered_json report(const std::string& unit) const {
    return {{unit, report_of(parts)}, {"trees", report_of(trees)}};
  }
};

nlohmann::ordered_json measure(const Calibration& calibration, std::span<const JudgedSentence> sentences) {
  Measured measured;
  measured.add(calibration, sentences);
  return measured.report(calibration.unit());
}

/// Each fifth of the sentences, with a calibration that was fitted on the others.
nlohmann::ordered_json cross_validate(std::span<const JudgedSentence> sentences, int kbest, const std::string& unit) {
  constexpr size_t kFolds = 5;
  Measured measured;
  for (size_t fold = 0; fold < kFolds; ++fold) {
    std::vector<JudgedSentence> seen, unseen;
    for (size_t i = 0; i < sentences.size(); ++i) (i % kFolds == fold ? unseen : seen).push_back(sentences[i]);
    measured.add(Calibration::fit(seen, kbest, unit), unseen);
  }
  return measured.report(unit);
}

/// Saves the model with its calibration, packed if it was packed.
void save_with(const Calibration& calibration, const Model& model, const std::string& from, const std::string& to) {
  nlohmann::json about = ModelFile::open(from)->metadata();
  about["confidence"] = calibration.json();
  constexpr std::string_view kZstd = "\x28\xB5\x2F\xFD";
  save_parser(model.parser(), about, to, read_file(from).starts_with(kZstd));
}

}  // namespace

nlohmann::ordered_json calibrate_model(const CalibrateModel& request) {
  const Model model(request.model, request.settings);
  if (!model.has_kbest()) throw usage_error("a model of kind '{}' has no k-best lists to be calibrated", model.kind());
  const auto predicts = model.predicts();
  const auto makes = [&](const char* column) { return std::ranges::find(predicts, column) != predicts.end(); };
  if (!makes("heads") && !makes("constituents"))
    throw usage_error("{} predicts no trees, so it has no confidence to calibrate", request.model);
  if (request.dev.empty()) {
    const Calibration& own = model.calibration();
    return measure(own, judge(model, request.test, own.kbest(), request));
  }
  const std::vector<JudgedSentence> dev = judge(model, request.dev, request.kbest, request);
  const std::string unit = makes("heads") ? "arcs" : "brackets";
  const Calibration calibration = Calibration::fit(dev, request.kbest, unit);
  const nlohmann::ordered_json report = request.test.empty()
                                            ? cross_validate(dev, request.kbest, unit)
                                            : measure(calibration, judge(model, request.test, request.kbest, request));
  save_with(calibration, model, request.model, request.output.empty() ? request.model : request.output);
  return report;
}

std::string reliability_table(const nlohmann::ordered_json& report) {
  std::string table;
  for (const auto& [what, part] : report.items()) {
    table +=
        fmt::format("{}: expected calibration error {:.4f} ({:.4f} by chance alone), Brier score {:.4f}, {} in all\n",
                    what, part["error"].get<double>(), part["error_by_chance"].get<double>(),
                    part["brier"].get<double>(), part["count"].get<size_t>());
    table += fmt::format("  {:>9} {:>8} {:>8} {:>8}\n", "said", "count", "mean", "right");
    for (size_t i = 0; i < part["bins"].size(); ++i) {
      const auto& bin = part["bins"][i];
      if (bin["count"] == 0) continue;
      table += fmt::format("  {:.1f}..{:.1f}  {:8} {:8.3f} {:8.3f}\n", 0.1 * static_cast<double>(i),
                           0.1 * static_cast<double>(i + 1), bin["count"].get<size_t>(),
                           bin["confidence"].get<double>(), bin["accuracy"].get<double>());
    }
  }
  return table;
}

}  // namespace espalier

#include "cli/command.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>

#include "espalier/base/suggest.h"

namespace espalier::cli {
namespace {

constexpr long kEndless = std::numeric_limits<long>::max();

}  // namespace

Option Option::required() const { return Option(option_->required()); }
Option Option::show_default() const { return Option(option_->capture_default_str()); }
Option Option::one_of(const std::vector<std::string>& values) const {
  const auto problem = [=](const std::string& text) {
    if (std::ranges::find(values, text) != values.end()) return std::string();
    return fmt::format("there is no '{}'{}; known: {}", text, suggestion(text, values), fmt::join(values, ", "));
  };
  // Shell completion reads the values in braces.
  return Option(option_->check(CLI::Validator(problem, fmt::format("{{{}}}", fmt::join(values, ",")))));
}
Option Option::between(long least, long most) const {
  const std::string range =
      most < kEndless ? fmt::format("from {} to {}", least, most) : fmt::format("from {} on", least);
  const auto problem = [=](const std::string& text) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool fits = error == std::errc() && end == text.data() + text.size() && value >= least && value <= most;
    return fits ? "" : fmt::format("{} is no whole number {}", text, range);
  };
  return Option(option_->check(CLI::Validator(problem, range)));
}
Option Option::non_negative() const { return between(0, kEndless); }
Option Option::positive() const { return between(1, kEndless); }
Option Option::many() const { return Option(option_->expected(-1)); }
Option Option::one_by_one() const { return Option(option_->allow_extra_args(false)); }

Command::Command(CLI::App& app, const std::string& name, const std::string& description)
    : command_(app.add_subcommand(name, description)) {}

Option Command::option(const std::string& names, std::string& value, const std::string& help) {
  return Option(command_->add_option(names, value, help));
}
Option Command::option(const std::string& names, std::vector<std::string>& values, const std::string& help) {
  return Option(command_->add_option(names, values, help));
}
Option Command::option(const std::string& names, int& value, const std::string& help) {
  return Option(command_->add_option(names, value, help));
}
Option Command::option(const std::string& names, long& value, const std::string& help) {
  return Option(command_->add_option(names, value, help));
}
Option Command::option(const std::string& names, uint64_t& value, const std::string& help) {
  return Option(command_->add_option(names, value, help));
}
Option Command::option(const std::string& names, double& value, const std::string& help) {
  return Option(command_->add_option(names, value, help));
}
Option Command::flag(const std::string& names, bool& value, const std::string& help) {
  return Option(command_->add_flag(names, value, help));
}
void Command::any_words() { command_->allow_extras(); }
void Command::footer(const std::string& text) { command_->footer(text); }
void Command::action(std::function<void()> action) { command_->callback(std::move(action)); }

void print_message(const std::string& message) { fmt::print(stderr, "{}\n", message); }

TextSentences text_sentences(const std::string& name) {
  return name == "line"        ? TextSentences::kLine
         : name == "paragraph" ? TextSentences::kParagraph
                               : TextSentences::kFound;
}

std::string counted(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace espalier::cli

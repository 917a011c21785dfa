#include "cli/command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

namespace espalier::cli {

Option Option::required() const { return Option(option_->required()); }
Option Option::show_default() const { return Option(option_->capture_default_str()); }
Option Option::one_of(const std::vector<std::string>& values) const {
  return Option(option_->check(CLI::IsMember(values)));
}
Option Option::between(long least, long most) const { return Option(option_->check(CLI::Range(least, most))); }
Option Option::non_negative() const { return Option(option_->check(CLI::NonNegativeNumber)); }
Option Option::positive() const { return Option(option_->check(CLI::PositiveNumber)); }
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
Option Command::flag(const std::string& names, bool& value, const std::string& help) {
  return Option(command_->add_flag(names, value, help));
}
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

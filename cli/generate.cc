// espalier generate: shell completion and manual pages, from the options as they are. The build installs them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"

namespace espalier::cli {
namespace {

struct OptionText {
  std::vector<std::string> names;  ///< "-m", "--model"; empty for positional arguments, such as files
  std::string help, value;         ///< `value` "" = a flag
  std::vector<std::string> choices;
};
struct CommandText {
  std::string name, help, footer;
  std::vector<OptionText> options;
};

/// "... {a,b,c}" → its members.
std::vector<std::string> choices_of(const std::string& type) {
  const size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  std::vector<std::string> choices;
  for (size_t begin = open + 1, end = 0; begin < close; begin = end + 1) {
    end = std::min(type.find(',', begin), close);
    choices.push_back(type.substr(begin, end - begin));
  }
  return choices;
}

std::vector<CommandText> commands_of(const CLI::App& app) {
  std::vector<CommandText> commands;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    CommandText command{sub->get_name(), sub->get_description(), sub->get_footer(), {}};
    for (const CLI::Option* option : sub->get_options()) {
      OptionText text{{}, option->get_description(), "", choices_of(option->get_type_name())};
      for (const std::string& name : option->get_snames()) text.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) text.names.push_back("--" + name);
      if (option->get_items_expected_max() > 0) text.value = text.names.empty() ? option->get_name() : "VALUE";
      std::ranges::replace(text.help, '\n', ' ');
      command.options.push_back(std::move(text));
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

/// In single quotes of a shell.
std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string bash(const std::vector<CommandText>& commands) {
  std::string names, cases;
  for (const CommandText& command : commands) {
    names += command.name + " ";
    std::string options, values;
    for (const OptionText& option : command.options) {
      for (const std::string& name : option.names) options += name + " ";
      if (option.choices.empty() || option.names.empty()) continue;
      values += fmt::format("        {}) words={} ;;\n", fmt::join(option.names, "|"),
                            in_quotes(fmt::format("{}", fmt::join(option.choices, " "))));
    }
    cases += fmt::format("    {})\n      options={}\n", command.name, in_quotes(options));
    if (!values.empty()) cases += fmt::format("      case \"$before\" in\n{}      esac\n", values);
    cases += "      ;;\n";
  }
  return fmt::format(R"(# bash completion for espalier; written by `espalier generate bash`
_espalier() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" options="" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W {} -- "$current"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{}  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [ "${{current#-}}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _espalier espalier
)",
                     in_quotes(names), cases);
}

std::string zsh(const std::vector<CommandText>& commands) {
  const auto plain = [](std::string text) {  // replaces characters that are syntax to _arguments
    for (char& c : text)
      if (c == '[' || c == ']' || c == ':') c = ' ';
    return text;
  };
  std::string names, cases;
  for (const CommandText& command : commands) {
    names += fmt::format("    {}\n", in_quotes(command.name + ":" + plain(command.help)));
    cases += fmt::format("    {})\n      _arguments", command.name);
    for (const OptionText& option : command.options) {
      const std::string value = option.value.empty()     ? ""
                                : option.choices.empty() ? ":value:_files"
                                                         : fmt::format(":value:({})", fmt::join(option.choices, " "));
      for (const std::string& name : option.names)
        cases += " \\\n        " + in_quotes(fmt::format("*{}[{}]{}", name, plain(option.help), value));
      if (option.names.empty()) cases += " \\\n        " + in_quotes("*:file:_files");
    }
    cases += "\n      ;;\n";
  }
  return fmt::format(R"(#compdef espalier
# zsh completion; written by `espalier generate zsh`
_espalier() {{
  local -a commands=(
{})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_espalier "$@"
)",
                     names, cases);
}

std::string fish(const std::vector<CommandText>& commands) {
  std::string out = "# fish completion for espalier; written by `espalier generate fish`\n";
  for (const CommandText& command : commands) {
    out += fmt::format("complete -c espalier -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                       in_quotes(command.help));
    for (const OptionText& option : command.options) {
      if (option.names.empty()) continue;
      out += fmt::format("complete -c espalier -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& name : option.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.value.empty()) out += " -r";
      if (!option.choices.empty()) out += " -f -a " + in_quotes(fmt::format("{}", fmt::join(option.choices, " ")));
      out += " -d " + in_quotes(option.help) + "\n";
    }
  }
  return out;
}

/// Text for troff.
std::string troff(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool starts_line = i == 0 || text[i - 1] == '\n';
    if (starts_line && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    out += text[i] == '\\' ? std::string("\\e") : text[i] == '-' ? std::string("\\-") : std::string(1, text[i]);
  }
  return out;
}

std::string man(const std::vector<CommandText>& commands) {
  std::string out = ".TH ESPALIER 1 \"\" \"espalier " ESPALIER_VERSION
                    "\"\n.SH NAME\nespalier \\- trains and runs syntactic parsers\n.SH SYNOPSIS\n"
                    ".B espalier\nCOMMAND [OPTION]...\n.SH DESCRIPTION\nFrom treebanks to parsers, from texts to "
                    "trees. Exit codes: 0 done, 1 "
                    "a run failed, 2 the command line was wrong, 3 bad input data.\n";
  for (const CommandText& command : commands) {
    out += fmt::format(".SH ESPALIER {}\n{}\n", troff(command.name), troff(command.help));
    for (const OptionText& option : command.options) {
      std::string choices = fmt::format("{}", fmt::join(option.choices, "|"));
      out += fmt::format(".TP\n\\fB{}\\fR {}\n{}\n", troff(fmt::format("{}", fmt::join(option.names, ", "))),
                         choices.empty() ? option.value : troff(choices), troff(option.help));
    }
    if (!command.footer.empty()) out += ".PP\n.nf\n" + troff(command.footer) + "\n.fi\n";
  }
  return out;
}

}  // namespace

void add_generate_command(CLI::App& app) {
  auto what = std::make_shared<std::string>();
  Command command(app, "generate", "Print shell completion or the manual page");
  command.option("WHAT", *what, "Completion for a shell, or the manual page")
      .required()
      .one_of({"bash", "zsh", "fish", "man"});
  command.footer("Examples:\n  source <(espalier generate bash)\n  espalier generate man | man -l -");
  command.action([what, &app] {
    const auto commands = commands_of(app);
    fmt::print("{}", *what == "bash"   ? bash(commands)
                     : *what == "zsh"  ? zsh(commands)
                     : *what == "fish" ? fish(commands)
                                       : man(commands));
  });
}

}  // namespace espalier::cli

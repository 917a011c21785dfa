// The command line: espalier COMMAND OPTIONS. Exit codes: 0 done, 1 a run failed, 2 the command line was wrong, 3 bad
// input data. Tested by tests/cli_test.cc.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "espalier/base/atomic_file.h"
#include "espalier/base/error.h"
#include "espalier/base/suggest.h"

namespace espalier::cli {
namespace {

/// Reports an unknown command, for which CLI11 would only say that a command is required.
void check_command(const CLI::App& app, int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name.empty() || name[0] == '-') return;
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  if (std::ranges::find(known, name) == known.end()) {
    throw usage_error("there is no command '{}'{}; `espalier --help` lists them", name, suggestion(name, known));
  }
}

/// "key=value", not the name of a file that stands without an option: ./a=b is one.
bool is_setting(std::string_view word) {
  const size_t end = word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.");
  return end != 0 && end != word.npos && word[end] == '=' && word[0] != '.';
}

/// Repeats --set before each of its settings but the first: where files may follow, CLI11 takes one value per mention.
std::vector<char*> with_settings_apart(int argc, char** argv) {
  std::vector<char*> words;
  char* option = nullptr;
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!is_setting(word))
      option = word == "--set" || word == "-s" ? argv[i] : nullptr;
    else if (option && is_setting(argv[i - 1]))
      words.push_back(option);
    words.push_back(argv[i]);
  }
  return words;
}

/// Reports misspelt options first, since CLI11 would report missing ones.
void check_options(const CLI::App& app, int argc, char** argv) {
  for (const CLI::App* command : app.get_subcommands()) {
    std::vector<std::string> known;
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_snames()) known.push_back("-" + name);
    for (int i = 2; i < argc; ++i) {
      const std::string name = std::string(argv[i]).substr(0, std::string_view(argv[i]).find('='));
      const bool is_short = name.size() == 2 && name[0] == '-' && std::isalpha(static_cast<unsigned char>(name[1]));
      if (!(name.starts_with("--") || is_short) || name == "--" || std::ranges::find(known, name) != known.end())
        continue;
      throw usage_error("there is no option '{}'{}; `espalier {} --help` lists them", name, suggestion(name, known),
                        command->get_name());
    }
  }
}

}  // namespace

int run(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_DFL);  // end quietly if the reader of our output ends, even if our parent ignores SIGPIPE
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows past its limit is an error like a full disk
  remove_unfinished_files_on_signals();
  CLI::App app("Espalier trains and runs syntactic parsers.", "espalier");
  app.set_version_flag("--version", "espalier " ESPALIER_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.footer(
      "Exit codes: 0 done, 1 a run failed, 2 the command line was wrong, 3 bad input data.\n"
      "Try: espalier COMMAND --help");
  add_train_command(app);
  add_distil_command(app);
  add_parse_command(app);
  add_eval_command(app);
  add_compare_command(app);
  add_calibrate_command(app);
  add_check_command(app);
  add_explain_command(app);
  add_query_command(app);
  add_crossval_command(app);
  add_convert_command(app);
  add_cluster_command(app);
  add_draw_command(app);
  add_info_command(app);
  add_models_command(app);
  add_prune_command(app);
  add_recipes_command(app);
  add_bench_command(app);
  add_analyze_command(app);
  add_reorder_command(app);
  add_generate_command(app);
  add_serve_command(app);

  try {
    check_command(app, argc, argv);
    try {
      const std::vector<char*> words = with_settings_apart(argc, argv);
      app.parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return app.exit(error);
      check_options(app, argc, argv);
      const auto command = app.get_subcommands();
      throw usage_error("{}; see `espalier {}--help`", error.what(),
                        command.empty() ? "" : command.front()->get_name() + " ");
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
      throw run_error("cannot write to standard output: the disk may be full");
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "espalier: {}\n", error.what());
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "espalier: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "espalier: {}\n", error.what());
  }
  return static_cast<int>(ErrorKind::kRun);
}

}  // namespace espalier::cli

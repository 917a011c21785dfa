// One file per command, cli/NAME.cc; commands.cc lists them. A command is options and printing over espalier/app/. It
// throws espalier::Error; `run` maps it to an exit code. Commands declare their options through the two classes here,
// so that CLI11, which is large, is compiled in few files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/format/format.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace espalier::cli {

/// One option of a command; the members restrict its values.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option required() const;
  Option show_default() const;  ///< in --help: its current value
  Option one_of(const std::vector<std::string>& values) const;
  Option between(long least, long most) const;
  Option non_negative() const;
  Option positive() const;
  Option many() const;        ///< any number of values after one occurrence of the option
  Option one_by_one() const;  ///< one value after each occurrence

 private:
  CLI::Option* option_;
};

class Command {
 public:
  Command(CLI::App& app, const std::string& name, const std::string& description);

  // Values must live as long as the command's action, which therefore owns them.
  Option option(const std::string& names, std::string& value, const std::string& help);
  Option option(const std::string& names, std::vector<std::string>& values, const std::string& help);
  Option option(const std::string& names, int& value, const std::string& help);
  Option option(const std::string& names, long& value, const std::string& help);
  Option option(const std::string& names, uint64_t& value, const std::string& help);
  Option option(const std::string& names, double& value, const std::string& help);
  Option flag(const std::string& names, bool& value, const std::string& help);
  void any_words();  ///< accepts whatever follows
  void footer(const std::string& text);
  void action(std::function<void()> action);

 private:
  CLI::App* command_;
};

/// The program; returns its exit code.
int run(int argc, char** argv);

void add_train_command(CLI::App& app);
void add_distil_command(CLI::App& app);
void add_parse_command(CLI::App& app);
void add_eval_command(CLI::App& app);
void add_compare_command(CLI::App& app);
void add_calibrate_command(CLI::App& app);
void add_generate_command(CLI::App& app);
void add_check_command(CLI::App& app);
void add_explain_command(CLI::App& app);
void add_query_command(CLI::App& app);
void add_crossval_command(CLI::App& app);
void add_cluster_command(CLI::App& app);
void add_convert_command(CLI::App& app);
void add_draw_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_models_command(CLI::App& app);
void add_prune_command(CLI::App& app);
void add_recipes_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_analyze_command(CLI::App& app);
void add_reorder_command(CLI::App& app);
void add_serve_command(CLI::App& app);

/// A line on standard error.
void print_message(const std::string& message);
/// The value of --sentences: "line", "paragraph" or nothing.
TextSentences text_sentences(const std::string& name);
/// "1 problem", "3 problems"
std::string counted(size_t count, std::string_view noun);

}  // namespace espalier::cli

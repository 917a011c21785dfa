// One file per command, cli/NAME.cc; main.cc lists them. A command throws espalier::Error; main maps it to an exit
// code.
#pragma once

#include <CLI/CLI.hpp>

namespace espalier::cli {

void add_train_command(CLI::App& app);
void add_parse_command(CLI::App& app);
void add_eval_command(CLI::App& app);
void add_compare_command(CLI::App& app);
void add_check_command(CLI::App& app);
void add_convert_command(CLI::App& app);
void add_draw_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_recipes_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_reorder_command(CLI::App& app);

}  // namespace espalier::cli

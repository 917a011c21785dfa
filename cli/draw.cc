// espalier draw: draws trees in the terminal or as a picture.
#include <memory>

#include "cli/command.h"
#include "espalier/app/files.h"

namespace espalier::cli {
namespace {

void run_draw(ConvertFile& request) {
  if (request.from.empty() && guess_format(request.input).empty()) request.from = "conllu";
  const std::string by_name = guess_format(request.output);
  if (request.to.empty()) request.to = by_name == "svg" || by_name == "html" ? by_name : "text";
  if (request.to == "text") request.to = "text-tree";
  convert_file(request);
}

}  // namespace

void add_draw_command(CLI::App& app) {
  auto options = std::make_shared<ConvertFile>();
  Command command(app, "draw", "Draw dependency or constituent trees");
  command.option("-i,--input,FILE", options->input, "Treebank, - for standard input").show_default();
  command.option("-o,--output", options->output, "- for standard output").show_default();
  command.option("--from", options->from, "Format of the input (default: by its name, else conllu)");
  command
      .option("--to", options->to,
              "text: for the terminal; svg: a picture; html: a page to browse them (default: by the output's name, "
              "else text)")
      .one_of({"text", "text-tree", "svg", "html"});
  command.option("--first", options->first, "Number of the first sentence to draw").show_default();
  command.option("--count", options->count, "How many sentences, 0 for all").show_default();
  command
      .option("--width", options->writing.width,
              "Pixels: a longer sentence goes on below, in svg; 0 = one line for each sentence")
      .non_negative()
      .show_default();
  command.footer(
      "Examples:\n  echo 'Flying planes can be dangerous.' | espalier parse -m models/en_ewt.esp --from text | "
      "espalier draw\n"
      "  espalier draw -i test.conllu --first 17 --count 1 --to svg -o tree.svg\n"
      "  espalier draw -i test.conllu --to html -o trees.html");
  command.action([options] { run_draw(*options); });
}

}  // namespace espalier::cli

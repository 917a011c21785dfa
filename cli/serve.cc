// espalier serve: models behind HTTP.
#include <fmt/ranges.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <csignal>
#include <fstream>
#include <memory>

#include "cli/command.h"
#include "espalier/app/installed_models.h"
#include "espalier/base/error.h"
#include "espalier/base/parallel.h"
#include "server/server.h"

namespace espalier::cli {
namespace {

struct ServeArguments : server::ServerOptions {
  std::string token_file;
  long max_body = static_cast<long>(limits.body), max_words = static_cast<long>(limits.sentence_words),
       max_sentences = static_cast<long>(limits.sentences);
  int max_seconds = static_cast<int>(limits.request_time.count() / 1000);
};

#ifdef ESPALIER_HAS_SERVER
/// The token is read from a file, since arguments are visible in lists of processes.
std::string read_token(const std::string& file) {
  std::ifstream input(file);
  std::string token;
  if (!std::getline(input, token) || token.empty()) throw run_error("{}: no token can be read", file);
  return token;
}

/// Memory of large answers goes back to the system when they are sent. By itself the allocator takes them for a habit:
/// it keeps such blocks, in the heaps of all threads, which grow for hours (scripts/check/server_load soak).
void return_memory([[maybe_unused]] int threads) {
#ifdef __GLIBC__
  constexpr int kLarge = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, kLarge);
  mallopt(M_ARENA_MAX, threads > 0 ? threads : hardware_threads());
#endif
}

void run_serve(ServeArguments& options) {
  return_memory(options.threads);
  options.limits.body = static_cast<size_t>(options.max_body);
  options.limits.sentence_words = static_cast<size_t>(options.max_words);
  options.limits.sentences = static_cast<size_t>(options.max_sentences);
  options.limits.request_time = std::chrono::seconds(options.max_seconds);
  if (!options.token_file.empty()) options.token = read_token(options.token_file);
  options.message = print_message;
  if (options.models.empty()) {
    std::vector<InstalledModel> installed = installed_models();
    std::ranges::stable_partition(installed, [](const InstalledModel& model) { return model.name.starts_with("en_"); });
    for (const InstalledModel& model : installed) options.models.push_back(model.name + "=" + model.file);
    if (options.models.empty())
      throw usage_error("no model is installed in {}; give --model NAME=FILE", fmt::join(model_folders(), ", "));
    for (const std::string& model : options.models) print_message("model " + model);
  }
  std::signal(SIGPIPE, SIG_IGN);  // a closed log must not end the server
  const std::string host = options.host.find(':') == std::string::npos ? options.host : "[" + options.host + "]";
  server::Server server(options);
  print_message("espalier " ESPALIER_VERSION ": listening on http://" + host + ":" + std::to_string(server.port()));
  server.run(true);
}
#else
void run_serve(ServeArguments&) {
  throw run_error("this program was built without its server: Boost 1.81 was not there");
}
#endif

}  // namespace

void add_serve_command(CLI::App& app) {
  auto options = std::make_shared<ServeArguments>();
  server::Limits& limits = options->limits;
  Command command(app, "serve", "Answer HTTP requests with one or more models");
  command
      .option("-m,--model", options->models,
              "NAME=FILE, or FILE; the first is the default (without any: all installed models, English first)")
      .one_by_one();
  command.option("-s,--set", options->settings, "key=value: settings of the models to change, such as beam=64");
  command.option("--host", options->host, "Address to listen on; 0.0.0.0 = all of this machine").show_default();
  command.option("--port", options->port, "Port; 0 = any that is free").between(0, 65535).show_default();
  command.option("--threads", options->threads, "Threads that parse; 0 = one per core").non_negative().show_default();
  command.option("--token", options->token_file,
                 "File whose first line requests must bring: Authorization: Bearer ...");
  command.option("--cors", options->cors, "Origin whose pages may ask, such as https://example.org, or *");
  command.option("--max-body", options->max_body, "Bytes of a request").positive().show_default();
  command.option("--max-words", options->max_words, "Words of a sentence").positive().show_default();
  command.option("--max-sentences", options->max_sentences, "Sentences of a request").positive().show_default();
  command.option("--max-kbest", limits.kbest, "Analyses of a sentence").positive().show_default();
  command.option("--max-seconds", options->max_seconds, "Time for a request").positive().show_default();
  command.option("--max-connections", limits.connections, "Connections at once").positive().show_default();
  command.option("--queue", limits.queue, "Requests that may wait for a thread; more get status 503")
      .positive()
      .show_default();
  command.footer(
      "SIGTERM ends it after running requests, SIGHUP loads the models again. docs/server.md describes the "
      "interface.\n\n"
      "Examples:\n"
      "  espalier serve\n"
      "  espalier serve --model en=models/en_ewt.esp\n"
      "  curl -s localhost:8000/v1/parse -H 'Content-Type: application/json' -d '{\"text\": \"Dogs bark.\"}'");
  command.action([options] { run_serve(*options); });
}

}  // namespace espalier::cli

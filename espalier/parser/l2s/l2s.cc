#include "espalier/parser/l2s/l2s.h"

#include "espalier/parser/model_file.h"

namespace espalier {

std::unique_ptr<Parser> make_l2s_parser(const L2sParser& task, std::vector<HashedRegressor> regressors) {
  return std::make_unique<ImperativeParser<L2sParser>>("l2s", std::vector<std::string>{"heads"}, task,
                                                       std::move(regressors));
}

std::unique_ptr<Parser> load_l2s_parser(const ModelPart& part, SettingsReader&) {
  return ImperativeParser<L2sParser>::load("l2s", {"heads"}, part);
}

std::unique_ptr<Parser> make_l2s_tagger(const L2sTagger& task, std::vector<HashedRegressor> regressors) {
  return std::make_unique<ImperativeParser<L2sTagger>>("l2s-tagger", std::vector<std::string>{"tags"}, task,
                                                       std::move(regressors));
}

std::unique_ptr<Parser> load_l2s_tagger(const ModelPart& part, SettingsReader&) {
  return ImperativeParser<L2sTagger>::load("l2s-tagger", {"tags"}, part);
}

}  // namespace espalier

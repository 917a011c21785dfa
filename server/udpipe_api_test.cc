#include "server/udpipe_api.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "server/service.h"
#include "tests/toy_model.h"

namespace espalier::server {
namespace {

using nlohmann::json;

class UdpipeTest : public ::testing::Test {
 protected:
  Response post(const std::string& body) {
    Request request;
    request.method = "POST";
    request.target = "/process";
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
    request.body = body;
    return service_.answer(request);
  }
  Response get(const std::string& target) {
    Request request;
    request.target = target;
    return service_.answer(request);
  }
  std::string result(const std::string& body) {
    const Response response = post(body);
    EXPECT_EQ(response.status, 200) << response.body;
    return json::parse(response.body)["result"];
  }

  ServerOptions options_;
  ModelStore models_{{{"en_ewt-1", "", chain_model()}}};
  Metrics metrics_;
  Service service_{options_, models_, metrics_};
};

TEST_F(UdpipeTest, ListsModels) {
  const json all = json::parse(get("/models").body);
  EXPECT_EQ(all, (json{{"models", {{"en_ewt-1", {"tokenizer", "tagger", "parser"}}}}, {"default_model", "en_ewt-1"}}));
}

TEST_F(UdpipeTest, AnswersInItsEnvelope) {
  const Response response = get("/process?model=en&tokenizer&tagger&parser&data=Dogs%20bark.");
  const json answer = json::parse(response.body);
  EXPECT_EQ(answer["model"], "en_ewt-1");
  EXPECT_EQ(answer["acknowledgements"], json::array());
  const std::string text = answer["result"];
  EXPECT_TRUE(text.starts_with("# generator = Espalier ")) << text;
  EXPECT_NE(text.find("\n# udpipe_model = en_ewt-1\n"), std::string::npos);
  EXPECT_NE(text.find("\n# text = Dogs bark.\n"), std::string::npos);
  EXPECT_NE(text.find("\n2\tbark\t_\tX\t_\t_\t1\tdep\t_\tSpaceAfter=No\n"), std::string::npos) << text;
}

TEST_F(UdpipeTest, DoesWhatIsAskedForAndNoMore) {
  const auto line = [&](const std::string& stages) {
    const std::string text = result(stages + "data=1%09Dogs%09dog%09NOUN%09_%09_%090%09root%09_%09_%0A%0A");
    return text.substr(text.find("1\tDogs"));
  };
  EXPECT_EQ(line(""), "1\tDogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n");
  EXPECT_EQ(line("tagger&"), "1\tDogs\tdog\tX\t_\t_\t0\troot\t_\t_\n\n");
  EXPECT_EQ(line("parser=&"), "1\tDogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n");
}

TEST_F(UdpipeTest, ReadsAndWritesOtherFormats) {
  EXPECT_EQ(result("input=horizontal&output=vertical&data=Dogs+bark%0ACats+sleep"), "Dogs\nbark\n\nCats\nsleep\n\n");
  EXPECT_EQ(result("input=generic_tokenizer&output=horizontal&data=Dogs+bark."), "Dogs bark .\n");
  EXPECT_EQ(result("tokenizer=ranges&output=horizontal&data=Dogs+bark."), "Dogs bark .\n");
}

TEST_F(UdpipeTest, ErrorsArePlainText) {
  const auto expect = [&](const Response& response, int status, const std::string& message) {
    EXPECT_EQ(response.status, status);
    EXPECT_TRUE(response.content_type.starts_with("text/plain"));
    EXPECT_NE(response.body.find(message), std::string::npos) << response.body;
  };
  expect(get("/process"), 400, "The parameter 'data' is required.");
  expect(post("data=x&input=nonesuch"), 400, "Unknown input format 'nonesuch'");
  expect(post("data=x&output=json"), 400, "Unknown output format 'json'");
  expect(post("data=x&tokenizer&model=cs"), 404, "no model 'cs'");
  expect(post("data=x"), 400, "input:1: ");
  expect(post("data=%"), 400, "hexadecimal");
  expect(post("tokenizer&data=%FF"), 400, "UTF-8");
}

}  // namespace
}  // namespace espalier::server

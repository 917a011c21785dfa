#include "server/service.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "tests/toy_model.h"

namespace espalier::server {
namespace {

using nlohmann::json;

class ServiceTest : public ::testing::Test {
 protected:
  static Request request(const std::string& method, const std::string& target, const std::string& body = "") {
    Request request;
    request.method = method;
    request.target = target;
    request.body = body;
    if (!body.empty()) request.headers = {{"Content-Type", "application/json"}};
    return request;
  }
  Response get(const std::string& target) { return service_.answer(request("GET", target)); }
  Response parse(const json& body) { return service_.answer(request("POST", "/v1/parse", body.dump())); }
  /// The whole body, of which `pieces` came after the first.
  static std::string whole(Response response, int* pieces = nullptr) {
    while (response.more) {
      if (pieces) ++*pieces;
      if (!response.more(response.body)) response.more = nullptr;
    }
    return response.body;
  }

  ServerOptions options_;
  ModelStore models_{{{"chain-one", "", chain_model()}, {"other", "", chain_model()}}};
  Metrics metrics_;
  Service service_{options_, models_, metrics_};
};

TEST_F(ServiceTest, ParsesTextTokensAndConllu) {
  for (const json& body : {json{{"text", "Dogs bark."}}, json{{"tokens", {"Dogs", "bark", "."}}},
                           json{{"tokens", {{"Dogs", "bark", "."}}}, {"model", "chain"}},
                           json{{"conllu",
                                 "1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n2\tbark\t_\t_\t_\t_\t_\t_\t_\t_\n"
                                 "3\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n"}}}) {
    const Response response = parse(body);
    EXPECT_EQ(response.status, 200) << response.body;
    EXPECT_FALSE(response.more);
    const json answer = json::parse(response.body);
    EXPECT_EQ(answer["model"], "chain-one");
    ASSERT_EQ(answer["sentences"].size(), 1u);
    const json& tokens = answer["sentences"][0]["tokens"];
    ASSERT_EQ(tokens.size(), 3u);
    EXPECT_EQ(tokens[2]["form"], ".");
    EXPECT_EQ(tokens[2]["head"], 2);
    EXPECT_FALSE(answer["sentences"][0].contains("svg"));
  }
  const json drawn = json::parse(parse({{"text", "Dogs bark. Cats sleep."}, {"svg", true}}).body);
  ASSERT_EQ(drawn["sentences"].size(), 2u);
  EXPECT_TRUE(drawn["sentences"][1]["svg"].get<std::string>().starts_with("<svg "));
  EXPECT_EQ(json::parse(parse({{"text", " \n"}}).body)["sentences"].size(), 0u);
}

TEST_F(ServiceTest, BadRequestsSayWhatIsWrong) {
  const auto expect = [&](const Response& response, int status, const std::string& part) {
    EXPECT_EQ(response.status, status) << response.body;
    const json answer = json::parse(response.body);
    EXPECT_EQ(answer["error"]["status"], status);
    EXPECT_NE(answer["error"]["message"].get<std::string>().find(part), std::string::npos) << response.body;
  };
  expect(service_.answer(request("POST", "/v1/parse", "{")), 400, "not JSON");
  expect(service_.answer(request("POST", "/v1/parse", "[]")), 400, "no JSON object");
  expect(service_.answer(request("POST", "/v1/parse", std::string(100000, '['))), 400, "not JSON");
  expect(service_.answer(request("POST", "/v1/parse")), 415, "application/json");
  expect(parse({{"txt", "x"}}), 400, "unknown field \"txt\"; known: model, text");
  expect(parse(json::object()), 400, "give one of");
  expect(parse({{"text", "x"}, {"conllu", "x"}}), 400, "give one of");
  expect(parse({{"text", 7}}), 400, "\"text\" is no string");
  expect(parse({{"text", "x"}, {"model", "nonesuch"}}), 404, "no model 'nonesuch'; there is: chain-one, other");
  expect(parse({{"text", "x"}, {"model", "chai"}}), 404, "no model");
  expect(parse({{"text", "x"}, {"kbest", -1}}), 400, "from 0 to 64");
  expect(parse({{"text", "x"}, {"kbest", 1e300}}), 400, "from 0 to 64");
  expect(parse({{"text", "x"}, {"kbest", 2}}), 400, "no k-best lists");
  expect(parse({{"text", "x"}, {"svg", 1}}), 400, "neither true nor false");
  expect(parse({{"text", "x"}, {"trace", true}}), 400, "cannot show how it parses");
  expect(parse({{"text", "x"}, {"confidence", true}}), 400, "is not calibrated");
  expect(parse({{"tokens", 1}}), 400, "no list");
  expect(parse({{"conllu", "1\tx"}, {"keep", "heads"}}), 400, "\"keep\" is no list");
  expect(parse({{"conllu", "1\tx"}, {"keep", {"lemmas"}}}), 400, "\"keep\" may hold");
  expect(parse({{"tokens", {json::array()}}}), 400, "sentence 1 has no words");
  expect(parse({{"tokens", {{"a"}, {"b", "c\td"}}}}), 400, "sentence 2 has a word");
  expect(parse({{"tokens", {{"a"}, 1}}}), 400, "lists of words");
  expect(parse({{"conllu", "1\tx\n"}}), 400, "input:1: ");
  expect(get("/nothing"), 404, "openapi.json");
  expect(get("/v1/parse"), 405, "POST");
  expect(service_.answer(request("DELETE", "/healthz")), 405, "GET");
}

TEST_F(ServiceTest, GivenHeadsAndTagsAreKept) {
  const std::string conllu = "1\tDogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  const auto tokens = [&](const json& keep) {
    return json::parse(parse({{"conllu", conllu}, {"keep", keep}}).body)["sentences"][0]["tokens"];
  };
  EXPECT_EQ(tokens(json::array())[0]["head"], 0);
  const json kept = tokens({"heads", "tags"});
  EXPECT_EQ(kept[0]["head"], 2);
  EXPECT_EQ(kept[0]["deprel"], "nsubj");
  EXPECT_EQ(kept[0]["upos"], "NOUN");
  EXPECT_EQ(kept[1]["upos"], "X");
  EXPECT_EQ(kept[1]["head"], 0);
}

TEST_F(ServiceTest, LimitsHaveNumbers) {
  options_.limits.sentence_words = 3;
  options_.limits.sentences = 2;
  const auto message = [&](const json& body) { return parse(body).body; };
  EXPECT_NE(message({{"tokens", {"a", "b", "c", "d"}}}).find("sentence 1 has 4 words; at most 3"), std::string::npos);
  EXPECT_NE(message({{"tokens", {{"a"}, {"b"}, {"c"}}}}).find("more than 2 sentences"), std::string::npos);
  EXPECT_EQ(parse({{"tokens", {{"a", "b", "c"}, {"d"}}}}).status, 200);
}

TEST_F(ServiceTest, LongAnswersComeInPieces) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "Dogs bark at the long line of numbers " + std::to_string(i) + ".\n\n";
  int pieces = 0;
  const Response response = parse({{"text", text}});
  EXPECT_LT(response.body.size(), size_t{100} << 10);
  const json answer = json::parse(whole(response, &pieces));
  EXPECT_GT(pieces, 3);
  ASSERT_EQ(answer["sentences"].size(), 3000u);
  EXPECT_EQ(answer["sentences"][2999]["tokens"][8]["form"], "2999");
  EXPECT_FALSE(answer.contains("error"));
}

TEST_F(ServiceTest, WhatFailsAfterTheStatusIsSaidInTheBody) {
  options_.limits.sentences = 2500;
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "Dogs bark at the long line of numbers.\n\n";
  const Response response = parse({{"text", text}});
  EXPECT_EQ(response.status, 200);
  const json answer = json::parse(whole(response));
  EXPECT_GT(answer["sentences"].size(), 500u);
  EXPECT_EQ(answer["error"]["status"], 413);
}

TEST_F(ServiceTest, DeadlinesAreKept) {
  const Response late = service_.answer(request("POST", "/v1/parse", R"({"text": "Dogs bark."})"),
                                        Stop{Stop::Clock::now() - std::chrono::seconds(1)});
  EXPECT_EQ(late.status, 503);
  EXPECT_NE(late.body.find("more than 60 seconds"), std::string::npos) << late.body;
}

TEST_F(ServiceTest, TellsAboutItselfAndItsModels) {
  EXPECT_EQ(get("/healthz").status, 200);
  EXPECT_EQ(get("/readyz").status, 200);
  service_.ready = false;
  EXPECT_EQ(get("/readyz").status, 503);
  EXPECT_EQ(get("/healthz").status, 200);
  const json models = json::parse(get("/v1/models").body);
  EXPECT_EQ(models["default"], "chain-one");
  EXPECT_EQ(models["models"][1]["name"], "other");
  EXPECT_EQ(models["models"][0]["predicts"], (json{"tags", "heads"}));
  EXPECT_EQ(models["models"][0]["confidence"], false);
  EXPECT_NE(get("/metrics").body.find("espalier_queue_waiting 0\n"), std::string::npos);
  EXPECT_TRUE(service_.takes_work(request("POST", "/v1/parse")));
  EXPECT_FALSE(service_.takes_work(request("GET", "/v1/parse")));
  EXPECT_EQ(service_.route_name(request("GET", "/healthz?x")), "/healthz");
  EXPECT_EQ(service_.route_name(request("GET", "/../etc/passwd")), "other");
}

TEST_F(ServiceTest, TokensAreAskedForWhereOneIsSet) {
  options_.token = "secret";
  Request asked = request("GET", "/v1/models");
  EXPECT_EQ(service_.answer(asked).status, 401);
  for (const std::string wrong :
       {"Bearer secre", "Bearer secrets", "Bearer ", "secret", "Basic secret", "Bearer\tsecret"}) {
    asked.headers = {{"Authorization", wrong}};
    EXPECT_EQ(service_.answer(asked).status, 401) << wrong;
  }
  asked.headers = {{"authorization", "bearer secret"}};
  EXPECT_EQ(service_.answer(asked).status, 200);
  EXPECT_EQ(get("/healthz").status, 200);
  EXPECT_FALSE(service_.takes_work(request("POST", "/v1/parse", "{}")));  // no place in the queue for strangers
}

TEST_F(ServiceTest, OtherOriginsAreLetInOnlyIfAskedFor) {
  const auto header = [&](const std::string& origin, const std::string& method, const std::string& name) {
    Request asked = request(method, "/v1/models");
    asked.headers = {{"Origin", origin}};
    for (const auto& [key, value] : service_.answer(asked).headers)
      if (key == name) return value;
    return std::string("none");
  };
  EXPECT_EQ(header("https://a.example", "GET", "Access-Control-Allow-Origin"), "none");
  EXPECT_EQ(service_.answer(request("OPTIONS", "/v1/models")).status, 405);
  options_.cors = "https://a.example";
  EXPECT_EQ(header("https://a.example", "GET", "Access-Control-Allow-Origin"), "https://a.example");
  EXPECT_EQ(header("https://b.example", "GET", "Access-Control-Allow-Origin"), "none");
  EXPECT_EQ(header("https://a.example", "OPTIONS", "Access-Control-Allow-Methods"), "GET, POST");
  options_.cors = "*";
  EXPECT_EQ(header("https://b.example", "GET", "Access-Control-Allow-Origin"), "*");
}

TEST_F(ServiceTest, ThePageIsServedUnderAStrictPolicy) {
  for (const auto& [path, type, text] :
       {std::tuple{"/", "text/html", "<script src=\"script.js\" defer></script>"},
        std::tuple{"/script.js", "text/javascript", "v1/parse"}, std::tuple{"/style.css", "text/css", ".tree"}}) {
    const Response response = get(path);
    EXPECT_EQ(response.status, 200) << path;
    EXPECT_TRUE(response.content_type.starts_with(type)) << response.content_type;
    EXPECT_NE(response.body.find(text), std::string::npos) << path;
    const auto policy = std::ranges::find(response.headers, "Content-Security-Policy", [](auto& h) { return h.first; });
    ASSERT_NE(policy, response.headers.end());
    EXPECT_TRUE(policy->second.starts_with("default-src 'none'; script-src 'self'; ")) << policy->second;
    EXPECT_EQ(policy->second.find("unsafe"), std::string::npos);
  }
  EXPECT_EQ(get("/").body.find("<script>"), std::string::npos);  // none inline
  EXPECT_EQ(get("/standalone.html").status, 404);
}

TEST_F(ServiceTest, FilesAreSentSmallAndOnce) {
  const auto ask = [&](const std::string& name, const std::string& value) {
    Request asked = request("GET", "/script.js");
    asked.headers = {{name, value}};
    return service_.answer(asked);
  };
  const auto header = [](const Response& response, const std::string& name) {
    for (const auto& [key, value] : response.headers)
      if (key == name) return value;
    return std::string();
  };
  const Response plain = get("/script.js");
  EXPECT_EQ(header(plain, "Content-Encoding"), "");
  for (const char* coding : {"gzip", "br, GZIP;q=0.5", "deflate,gzip"}) {
    const Response small = ask("Accept-Encoding", coding);
    EXPECT_EQ(header(small, "Content-Encoding"), "gzip") << coding;
    EXPECT_LT(small.body.size(), plain.body.size() / 2);
    std::string out(plain.body.size() + 1, '\0');
    z_stream stream{};
    ASSERT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(small.body.data()));
    stream.avail_in = static_cast<uInt>(small.body.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    EXPECT_EQ(out, plain.body);
  }
  for (const char* coding : {"", "identity", "gzip;q=0", "gzip; q=0.0, br", "xgzip"})
    EXPECT_EQ(header(ask("Accept-Encoding", coding), "Content-Encoding"), "") << coding;
  const std::string tag = header(plain, "ETag");
  EXPECT_EQ(ask("If-None-Match", tag).status, 304);
  EXPECT_EQ(ask("If-None-Match", tag).body, "");
  EXPECT_EQ(ask("If-None-Match", "W/\"other\", " + tag).status, 304);
  EXPECT_EQ(ask("If-None-Match", "W/\"other\"").status, 200);
}

TEST_F(ServiceTest, FilesAreServedAsTheyAre) {
  service_.add_file("/", {.content_type = "text/html", .body = "<p>"});
  EXPECT_EQ(get("/").body, "<p>");
  EXPECT_EQ(get("/?x=1").content_type, "text/html");
  EXPECT_EQ(service_.answer(request("HEAD", "/")).status, 200);
  EXPECT_EQ(service_.answer(request("POST", "/")).status, 405);
}

}  // namespace
}  // namespace espalier::server

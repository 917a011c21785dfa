#include "server/http.h"

#include <gtest/gtest.h>

namespace espalier::server {
namespace {

TEST(Http, TargetsAreSplitAtTheQuestionMark) {
  Request request;
  request.target = "/process?model=en&data=a?b";
  EXPECT_EQ(request.path(), "/process");
  EXPECT_EQ(request.query(), "model=en&data=a?b");
  request.target = "/models";
  EXPECT_EQ(request.path(), "/models");
  EXPECT_EQ(request.query(), "");
}

TEST(Http, HeadersAreFoundWhateverTheirCase) {
  Request request;
  request.headers = {{"content-TYPE", "text/plain"}};
  EXPECT_EQ(request.header("Content-Type"), "text/plain");
  EXPECT_EQ(request.header("Content-Typ"), "");
}

TEST(Http, HeadsTellHowTheBodyEnds) {
  Response response;
  response.body = "abc";
  response.headers = {{"Retry-After", "1"}};
  const std::string head = response_head(response, Framing::kLength, true);
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(head.ends_with("Retry-After: 1\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\n")) << head;
  const std::string chunked = response_head(response, Framing::kChunks, false);
  EXPECT_EQ(chunked.find("Content-Length"), std::string::npos);
  EXPECT_NE(chunked.find("Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"), std::string::npos);
  response.status = 204;
  EXPECT_EQ(response_head(response, Framing::kLength, true).find("Content-"), std::string::npos);
}

TEST(Http, ChunksCarryTheirLength) {
  EXPECT_EQ(chunk("0123456789abcdef"), "10\r\n0123456789abcdef\r\n");
  EXPECT_EQ(chunk(""), "0\r\n\r\n");
}

TEST(Http, ErrorsAreJsonWhateverTheMessageHolds) {
  EXPECT_EQ(error_response(400, "a \"b\"\n\xff").body,
            "{\"error\": {\"status\": 400, \"message\": \"a \\\"b\\\"\\n\uFFFD\"}}\n");
}

}  // namespace
}  // namespace espalier::server

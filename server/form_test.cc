#include "server/form.h"

#include <gtest/gtest.h>

namespace espalier::server {
namespace {

Request form(const std::string& type, const std::string& body, const std::string& target = "/process") {
  Request request;
  request.method = "POST";
  request.target = target;
  request.headers = {{"Content-Type", type}};
  request.body = body;
  return request;
}

int status_of(const Request& request) {
  try {
    parameters(request);
    return 200;
  } catch (const HttpError& error) {
    return error.status();
  }
}

TEST(Form, QueriesAndFormsAreDecoded) {
  const auto all = parameters(form("application/x-www-form-urlencoded; charset=utf-8", "data=a%20b+c%2B&tagger&x=1=2&&",
                                   "/process?data=old&model=en"));
  EXPECT_EQ(all, (Parameters{{"data", "a b c+"}, {"model", "en"}, {"tagger", ""}, {"x", "1=2"}}));
}

TEST(Form, MalformedEscapesAreRefused) {
  for (const std::string text : {"a=%", "a=%4", "a=%zz", "%1=x"})
    EXPECT_EQ(status_of(form("application/x-www-form-urlencoded", text)), 400) << text;
  EXPECT_EQ(percent_decoded("%41%e4"), "A\xe4");
}

TEST(Form, OtherBodiesAreRefused) {
  EXPECT_EQ(status_of(form("application/json", "{}")), 415);
  EXPECT_EQ(status_of(form("", "a=b")), 415);
  EXPECT_EQ(status_of(form("", "")), 200);
}

TEST(Form, PartsOfAMultipartForm) {
  const std::string body =
      "preamble\r\n--x y\r\nContent-Disposition: form-data; filename=\"a;name=b\"; name=\"da\\\"ta\"\r\n"
      "Content-Type: text/plain\r\n\r\nfirst\r\n\r\n--x line\r\n"
      "\r\n--x y\r\ncontent-disposition: form-data; name=tagger\r\n\r\n\r\n--x y--\r\nepilogue";
  const auto all = parameters(form("multipart/form-data; charset=utf-8; boundary=\"x y\"", body));
  EXPECT_EQ(all, (Parameters{{"da\"ta", "first\r\n\r\n--x line\r\n"}, {"tagger", ""}}));
}

TEST(Form, MultipartFormsThatDoNotEnd) {
  const std::string type = "multipart/form-data; boundary=b";
  const std::string part = "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n";
  EXPECT_EQ(status_of(form(type, part + "--b--")), 200);
  for (const std::string& body : {part, part + "--b", part + "--b\r\n", std::string("--b"), std::string("x"),
                                  std::string("--b\r\n\r\n--b--"), std::string("--b\r\nno colon\r\n\r\n1\r\n--b--")})
    EXPECT_EQ(status_of(form(type, body)), 400) << body;
  for (const std::string other :
       {"multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary"})
    EXPECT_EQ(status_of(form(other, part + "--b--")), 400) << other;
}

TEST(Form, TooManyParametersAreRefused) {
  std::string body;
  for (int i = 0; i <= 1000; ++i) body += std::to_string(i) + "&";
  EXPECT_EQ(status_of(form("application/x-www-form-urlencoded", body)), 400);
}

}  // namespace
}  // namespace espalier::server

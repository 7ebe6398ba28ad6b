#include "tool/os/http/http_transport.h"

#include <cstdlib>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loopback_server.h"
#include "tool/os/files/files.h"
#include "tool/os/http/url.h"
#include "tool/os/process/process_runner.h"

namespace hone::os {
namespace {
using namespace std::chrono_literals;
using llm::answer;
using llm::LoopbackServer;
using testing::HasSubstr;

HttpOutcome sent(HttpTransport& http, HttpRequest request) {
  std::promise<HttpOutcome> promise;
  http.start(std::move(request), {}, [&](HttpOutcome outcome) { promise.set_value(std::move(outcome)); });
  return promise.get_future().get();
}

HttpFailure refused(HttpRequest request) {
  CurlHttpTransport http;
  const HttpOutcome outcome = sent(http, std::move(request));
  return std::holds_alternative<HttpFailure>(outcome) ? std::get<HttpFailure>(outcome) : HttpFailure{};
}

TEST(HttpTransport, SendsGetAndPut) {
  LoopbackServer server({answer(200, "blob", "X-One: 1\r\n"), answer(204, "")});
  CurlHttpTransport http;
  HttpRequest get;
  get.url = server.url("/cas/1?a=b");
  const auto got = std::get<HttpResponse>(sent(http, get));
  EXPECT_EQ(got.status, 200);
  EXPECT_EQ(got.body, "blob");
  EXPECT_EQ(got.headers.at("x-one"), "1");
  HttpRequest put = get;
  put.method = "PUT";
  put.body = std::string("by\0tes", 6);
  EXPECT_EQ(std::get<HttpResponse>(sent(http, put)).status, 204);
  EXPECT_EQ(server.received().at(0).line, "GET /cas/1?a=b HTTP/1.1");
  EXPECT_EQ(server.received().at(1).line, "PUT /cas/1?a=b HTTP/1.1");
  EXPECT_EQ(server.received().at(1).body, put.body);
}

TEST(HttpTransport, RejectsUnsafeRequests) {
  EXPECT_EQ(refused({.url = "file:///etc/passwd"}).kind, HttpFailureKind::unusable);
  EXPECT_EQ(refused({.url = "no url"}).kind, HttpFailureKind::unusable);
  EXPECT_EQ(refused({.url = "https://me:pw@example.com"}).kind, HttpFailureKind::unusable);
  EXPECT_EQ(refused({.method = "GET / HTTP/1.1\r\nX: y", .url = "http://127.0.0.1:1"}).kind, HttpFailureKind::unusable);
  EXPECT_EQ(refused({.url = "http://127.0.0.1:1", .headers = {{"X", "a\r\nY: b"}}}).kind, HttpFailureKind::unusable);
  EXPECT_THAT(refused({.url = "http://192.0.2.1/", .headers = {{"X", "k", true}}}).what, HasSubstr("plain http"));
}

TEST(HttpTransport, CancelsOpenRequestsWhenDestroyed) {
  LoopbackServer server({[](LoopbackServer::Talk& talk) { talk.wait_until_left(); }});
  std::promise<HttpOutcome> promise;
  {
    CurlHttpTransport http;
    HttpRequest request;
    request.url = server.url();
    http.start(request, {}, [&](HttpOutcome outcome) { promise.set_value(std::move(outcome)); });
    while (server.received().empty()) std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(std::get<HttpFailure>(promise.get_future().get()).kind, HttpFailureKind::canceled);
}

TEST(Url, IsParsedAndNormalized) {
  const Url url = parse_url("HTTPS://API.Example.com/v1?x=1").value();
  EXPECT_EQ(url.text(), "https://api.example.com:443/v1?x=1");
  EXPECT_EQ(url.origin(), "https://api.example.com");
  EXPECT_EQ(parse_url("http://[::1]:8000").value().origin(), "http://[::1]:8000");
  EXPECT_FALSE(parse_url("localhost:8000"));
  EXPECT_FALSE(parse_url("https://a b"));
  EXPECT_FALSE(parse_url("https://host\r\nX: y"));
}

TEST(Url, IsLoopbackOnlyForThisMachine) {
  for (const char* here :
       {"http://localhost", "http://LOCALHOST:1", "http://127.0.0.1", "http://127.9.9.9:80", "http://[::1]/v1"})
    EXPECT_TRUE(is_loopback(parse_url(here).value())) << here;
  for (const char* there : {"http://localhost.example.com", "http://127.0.0.1.example.com", "http://128.0.0.1",
                            "http://10.0.0.1", "http://[::2]", "http://0.0.0.0"})
    EXPECT_FALSE(is_loopback(parse_url(there).value())) << there;
}

// openssl's own server with a certificate that nobody knows.
struct Tls : testing::Test {
  TemporaryFolder folder = TemporaryFolder::create("hone-tls-test").value();
  PosixProcessRunner processes;
  std::stop_source stop;
  std::future<Result<Exit>> server;
  std::string at(const char* name) const { return (folder.path() / name).string(); }

  bool run(std::vector<std::string> arguments) {
    Process process;
    process.arguments = std::move(arguments);
    const auto exit = processes.run(process);
    return exit && exit->ok();
  }
  // The URL, or "" where there is no openssl program.
  std::string start() {
    if (!run({"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
              "-addext", "subjectAltName=DNS:localhost", "-keyout", at("key"), "-out", at("certificate")})) {
      return "";
    }
    Process process;
    process.arguments = {"sh", "-c",
                         "exec openssl s_server -4 -accept 0 -www -key '" + at("key") + "' -cert '" +
                             at("certificate") + "' >'" + at("log") + "'"};
    process.stop = stop.get_token();
    server = std::async(std::launch::async, [this, process] { return processes.run(process); });
    for (int i = 0; i < 5000; ++i) {
      const std::string log = read_file(at("log")).value_or("");
      const auto accept = log.find("ACCEPT "), colon = log.find(':', accept);
      if (accept != std::string::npos && log.find('\n', accept) != std::string::npos)
        return "https://localhost:" + std::to_string(std::atoi(log.c_str() + colon + 1)) + "/";
      std::this_thread::sleep_for(1ms);
    }
    return "";
  }
  ~Tls() override {
    stop.request_stop();
    if (server.valid()) server.wait();
  }
};

TEST_F(Tls, TrustsOnlyCertificateInUserBundle) {
  const std::string url = start();
  if (url.empty()) GTEST_SKIP() << "no openssl program";
  CurlHttpTransport http;
  EXPECT_EQ(std::get<HttpFailure>(sent(http, {.url = url})).kind, HttpFailureKind::untrusted);
  for (const char* variable : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"}) {
    ::setenv(variable, at("certificate").c_str(), 1);
    const HttpOutcome outcome = sent(http, {.url = url});
    ::unsetenv(variable);
    EXPECT_TRUE(std::holds_alternative<HttpResponse>(outcome)) << variable;
  }
}

}  // namespace
}  // namespace hone::os

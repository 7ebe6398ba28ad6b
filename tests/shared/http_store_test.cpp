// What HttpStore asks for, and what it makes of servers that do not serve.
#include "tool/shared/http_store.h"

#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/llm/loopback_server.h"
#include "tool/os/files/files.h"
#include "tool/shared/environment_store.h"

namespace hone::shared {
namespace {

using namespace std::chrono_literals;
using llm::answer;
using llm::LoopbackServer;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Talk = LoopbackServer::Talk;

template <class T>
std::string said_of(const Result<T>& result) {
  return result ? "" : result.error().message();
}

const cache::Digest name = cache::sha256("name");

HttpStoreSettings settings_for(const std::string& url) {
  HttpStoreSettings settings;
  settings.url = os::parse_url(url).value();
  return settings;
}

// What the store says of a server that answers so; the second request must not reach it.
std::string complaint(LoopbackServer::Answer said, bool put = false, std::chrono::milliseconds patience = 10s) {
  const LoopbackServer server({std::move(said)});
  HttpStoreSettings settings = settings_for(server.url());
  settings.getting = settings.putting = patience;
  HttpStore store(std::move(settings));
  const auto ask = [&]() -> std::string {
    if (put) return said_of(store.put(Kind::blob, name, "bytes"));
    return said_of(store.get(Kind::blob, name));
  };
  const std::string first = ask();
  EXPECT_EQ(ask(), first);
  EXPECT_EQ(server.received().size(), 1u) << "a server that failed is left alone";
  EXPECT_THAT(first, HasSubstr(server.url()));
  return first;
}

TEST(HttpStore, GetsAndPutsWhereBazelDoes) {
  const LoopbackServer server({answer(200, "bytes"), answer(404, ""), answer(201, "")});
  HttpStoreSettings settings = settings_for(server.url("/team/hone/"));
  settings.token = "t0ken-of-mine";
  HttpStore store(std::move(settings));
  EXPECT_EQ(store.get(Kind::blob, name).value(), "bytes");
  EXPECT_EQ(store.get(Kind::record, name).value(), std::nullopt);
  EXPECT_TRUE(store.put(Kind::record, name, "{}"));
  const auto received = server.received();
  EXPECT_EQ(received.at(0).line, "GET /team/hone/cas/" + name + " HTTP/1.1");
  EXPECT_EQ(received.at(1).line, "GET /team/hone/ac/" + name + " HTTP/1.1");
  EXPECT_EQ(received.at(2).line, "PUT /team/hone/ac/" + name + " HTTP/1.1");
  EXPECT_EQ(received.at(2).body, "{}");
  for (const auto& one : received) EXPECT_EQ(one.headers.at("authorization"), "Bearer t0ken-of-mine");
}

TEST(HttpStore, SaysWhatStatusesMean) {
  EXPECT_THAT(complaint(answer(403, "<html>")), HasSubstr("does not let you in (HTTP 403); check HONE_CACHE_TOKEN"));
  EXPECT_THAT(complaint(answer(500, "")), HasSubstr("cannot serve (HTTP 500)"));
  EXPECT_THAT(complaint(answer(403, ""), true), HasSubstr("read-only (HTTP 403); allow PUT there"));
  EXPECT_THAT(complaint(answer(405, ""), true), HasSubstr("read-only (HTTP 405); allow PUT there"));
  EXPECT_THAT(complaint(answer(507, ""), true), HasSubstr("is full, or takes nothing of this size (HTTP 507)"));
  EXPECT_THAT(complaint(answer(413, ""), true), HasSubstr("is full, or takes nothing of this size (HTTP 413)"));
}

TEST(HttpStore, FollowsNoRedirect) {
  const LoopbackServer elsewhere({answer(200, "bytes")});
  const auto sent = answer(302, "", "Location: " + elsewhere.url("/cas/" + name) + "\r\n");
  EXPECT_THAT(complaint(sent), HasSubstr("sends elsewhere, where Hone does not follow (HTTP 302)"));
  EXPECT_TRUE(elsewhere.received().empty());
}

TEST(HttpStore, EndsWhereServerDoesNot) {
  const auto silent = [](Talk& talk) { talk.wait_until_left(); };
  EXPECT_THAT(complaint(silent, false, 300ms), HasSubstr("did not answer to the end"));
  const auto trickling = [](Talk& talk) {
    talk.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    while (talk.send("x")) std::this_thread::sleep_for(5ms);
  };
  EXPECT_THAT(complaint(trickling, false, 300ms), HasSubstr("did not answer to the end"));
  const auto endless = [](Talk& talk) {
    talk.send("HTTP/1.1 200 OK\r\n\r\n");
    while (talk.send(std::string(1 << 20, 'x'))) {
    }
  };
  EXPECT_THAT(complaint(endless), HasSubstr("sent more than 16 MiB"));
}

TEST(HttpStore, RefusesWhatIsCutShort) {
  const auto cut = [](Talk& talk) {
    talk.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
    talk.close();
  };
  EXPECT_THAT(complaint(cut), HasSubstr("did not answer to the end"));
  EXPECT_THAT(complaint([](Talk& talk) { talk.reset(); }), HasSubstr("did not answer to the end"));
}

TEST(HttpStore, SaysThatNobodyIsThere) {
  std::string url;
  { url = LoopbackServer({answer(200, "")}).url(); }
  HttpStore store(settings_for(url));
  EXPECT_THAT(said_of(store.get(Kind::blob, name)),
              AllOf(HasSubstr("cannot be reached"), HasSubstr("check HONE_CACHE_URL, or unset it")));
}

TEST(HttpStore, SendsTokenToOtherMachinesOverHttpsOnly) {
  HttpStoreSettings settings = settings_for("http://cache.invalid");
  settings.token = "t0ken-of-mine";
  HttpStore store(std::move(settings));
  const std::string said = said_of(store.put(Kind::blob, name, "bytes"));
  EXPECT_THAT(said, HasSubstr("a key is not sent to another machine over plain http; set HONE_CACHE_URL to an https"));
  EXPECT_THAT(said, Not(HasSubstr("t0ken")));
}

class EnvironmentStore : public testing::Test {
 protected:
  void SetUp() override { ::setenv("HONE_CACHE_TOKEN", "t0ken-of-mine", 1); }
  void TearDown() override {
    for (const char* one : {"HONE_CACHE_TOKEN", "HONE_CACHE_URL", "HOME"}) ::unsetenv(one);
    if (!home_.empty()) ::setenv("HOME", home_.c_str(), 1);
  }
  std::string home_ = std::getenv("HOME") ? std::getenv("HOME") : "";
};

TEST_F(EnvironmentStore, IsNoneWithoutUrlAndTakesTokenAway) {
  EXPECT_EQ(environment_store(), nullptr);
  EXPECT_EQ(std::getenv("HONE_CACHE_TOKEN"), nullptr) << "children would inherit it";
}

TEST_F(EnvironmentStore, ComplainsOfUrlWithoutQuotingIt) {
  ::setenv("HONE_CACHE_URL", "https://me:secret@host/", 1);
  const std::string said = said_of(environment_store()->get(Kind::blob, name));
  EXPECT_THAT(said, AllOf(HasSubstr("HONE_CACHE_URL: the URL holds a user or password"), Not(HasSubstr("secret"))));
}

TEST_F(EnvironmentStore, AsksNetrcWhereThereIsNoToken) {
  const os::TemporaryFolder home = os::TemporaryFolder::create("hone-netrc").value();
  ASSERT_TRUE(os::write_file_atomically(home.path() / ".netrc", "machine 127.0.0.1 login me password mine\n"));
  ::setenv("HOME", home.path().c_str(), 1);
  const LoopbackServer server({answer(404, "")});
  ::setenv("HONE_CACHE_URL", server.url().c_str(), 1);
  EXPECT_TRUE(environment_store()->get(Kind::blob, name));
  ::unsetenv("HONE_CACHE_TOKEN");
  EXPECT_TRUE(environment_store()->get(Kind::blob, name));
  EXPECT_EQ(server.received().at(0).headers.at("authorization"), "Bearer t0ken-of-mine");
  EXPECT_EQ(server.received().at(1).headers.at("authorization"), "Basic bWU6bWluZQ==");
}

}  // namespace
}  // namespace hone::shared

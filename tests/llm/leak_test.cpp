// The key goes into requests and nowhere else. Providers here say it back wherever they can.

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "provider_bench.h"
#include "tool/llm/settings/key.h"
#include "tool/os/files/files.h"

namespace hone::llm {
namespace {
using namespace std::chrono_literals;
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string content(const fs::path& path) {
  std::ostringstream text;  // whose error state takes what an iterator would throw: a process may end while it is read
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string command_lines() {
  std::string all;
  for (const auto& process : fs::directory_iterator("/proc")) {
    if (std::isdigit(static_cast<unsigned char>(process.path().filename().string().front()))) {
      all += content(process.path() / "cmdline") + "\n";
    }
  }
  return all;
}

struct KeyLeakTest : ProviderBench {
  os::TemporaryFolder folder = os::TemporaryFolder::create("hone-leak-test").value();

  KeyLeakTest() {
    ::setenv("HONE_API_KEY", test_key, 1);
    ::setenv("TMPDIR", folder.path().c_str(), 1);
    environment = own_environment();
    model.attempts = 1;
  }
  ~KeyLeakTest() override {
    ::unsetenv("HONE_API_KEY");
    ::unsetenv("TMPDIR");
  }
  // The reply or the reason why there is none.
  static std::string said(Outcome outcome) {
    if (const Failure* failure = std::get_if<Failure>(&outcome)) return failure->what;
    return std::get<Reply>(outcome).text + std::get<Reply>(outcome).model;
  }
};

TEST_F(KeyLeakTest, RemovesKeyFromEveryAnswer) {
  const std::string key = test_key;
  nlohmann::json body = nlohmann::json::parse(openai_reply("your key is " + key));
  body["model"] = key;
  const std::string long_start(290, 'x');  // the cut of a message goes through the key
  const std::vector<LoopbackServer::Answer> answers{
      answer(200, body.dump()),
      answer(401, R"({"error":{"message":"bad key )" + key + R"("}})"),
      answer(401, "Bearer " + key),
      answer(403, long_start + key),
      answer(500, key, "X-Key: " + key + "\r\n"),
      answer(200, R"({"choices":[{"message":{"refusal":")" + key + R"(","content":null}}]})"),
      answer(302, "", "Location: https://" + key + ".example.com/" + key + "\r\n"),
      [=](LoopbackServer::Talk& talk) {
        talk.send("HTTP/1.1 200 " + key + "\r\n" + key + ": " + key + "\r\nTransfer-Encoding: chunked\r\n\r\n" + key);
        talk.close();
      },
      [=](LoopbackServer::Talk& talk) {
        talk.send(key + "\r\n\r\n");
        talk.close();
      }};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    serve({answers[i]});
    const std::string text = said(ask().get());
    EXPECT_THAT(text, Not(HasSubstr(key.substr(0, 9)))) << "answer " << i;
    EXPECT_FALSE(text.empty());
    EXPECT_THAT(server->received().at(0).headers.at("authorization"), HasSubstr(key)) << "else this shows nothing";
  }
}

TEST_F(KeyLeakTest, KeepsKeyOutOfChildrenCommandLinesAndFiles) {
  Settings settings;
  settings.models = {model, model};
  settings.models[1].provider = Provider::command;
  const std::string environments = (folder.path() / "seen").string();
  settings.models[1].command = {"sh", "-c",
                                "env >'" + environments + "'; tr '\\0' '\\n' </proc/$$/environ; exec sleep 1000"};
  server = std::make_unique<LoopbackServer>(
      std::vector<LoopbackServer::Answer>{[](LoopbackServer::Talk& talk) { talk.wait_until_left(); }});
  settings.models[0].endpoint = server->url();
  client = make_client(settings, {http, processes, clock}, environment).value();
  std::vector<std::future<Outcome>> outcomes;
  for (const unsigned place : {0u, 1u}) {
    Prompt prompt = asking("x");
    prompt.member = place;
    outcomes.push_back(client->submit(prompt));
  }
  while (requests() < 1 || os::read_file(environments).value_or("").find("HONE_MAX_TOKENS") == std::string::npos)
    std::this_thread::sleep_for(1ms);
  EXPECT_THAT(command_lines(), Not(HasSubstr(test_key)));
  client.reset();
  std::size_t files = 0;
  for (const auto& file : fs::recursive_directory_iterator(folder.path())) {
    if (!file.is_regular_file()) continue;
    ++files;
    EXPECT_THAT(content(file.path()), Not(HasSubstr(test_key))) << file.path();
  }
  EXPECT_GE(files, 1);
  EXPECT_THAT(describe(settings), Not(HasSubstr(test_key)));
}

TEST_F(KeyLeakTest, KeepsMemoryOutOfCoreDumps) {
  serve({answer(200, openai_reply("x"))});
  EXPECT_EQ(std::stoul(content("/proc/self/coredump_filter"), nullptr, 16), 0);
}

TEST_F(KeyLeakTest, BypassesProxyForLoopback) {
  LoopbackServer proxy({answer(200, openai_reply("from the proxy"))});
  ::setenv("http_proxy", proxy.url().c_str(), 1);
  const Reply got = reply({answer(200, openai_reply("straight"))});
  ::unsetenv("http_proxy");
  EXPECT_EQ(got.text, "straight");
  EXPECT_TRUE(proxy.received().empty());
}

TEST_F(KeyLeakTest, ShowsProxyHostButNotKey) {
  LoopbackServer proxy({answer(407, "")});
  ::setenv("https_proxy", proxy.url().c_str(), 1);
  Settings settings;
  settings.models = {model};
  settings.models[0].endpoint = "https://api.example.com/v1";
  client = make_client(settings, {http, processes, clock}, environment).value();
  const Failure got = failure_of(ask());
  ::unsetenv("https_proxy");
  EXPECT_EQ(got.kind, FailureKind::unreachable);
  const std::vector<Received> seen = proxy.received();
  ASSERT_EQ(seen.size(), 1);
  EXPECT_EQ(seen[0].line, "CONNECT api.example.com:443 HTTP/1.1");
  for (const auto& [name, value] : seen[0].headers) EXPECT_THAT(value, Not(HasSubstr(test_key))) << name;
}

}  // namespace
}  // namespace hone::llm

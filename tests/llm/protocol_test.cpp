// Whatever a provider sends is read or refused; nothing is thrown and nothing read out of bounds.
#include "tool/llm/provider_protocol.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "loopback_server.h"

namespace hone::llm {
namespace {
using nlohmann::json;

// One value somewhere in `value` replaced by something of another type.
json with_another_value(const json& value, std::mt19937& random) {
  static const json others[] = {nullptr,           true,        -1, 1e300, "text", json::array(), json::object(),
                                json{{"text", 7}}, json{7, "x"}};
  const json flat = value.flatten();
  auto chosen = flat.begin();
  std::advance(chosen, random() % flat.size());
  json::json_pointer place(chosen.key());
  for (unsigned up = random() % 4; up > 0 && !place.empty(); --up) place = place.parent_pointer();
  json changed = value;
  changed[place] = others[random() % std::size(others)];
  return changed;
}

TEST(Protocol, SurvivesValuesOfWrongType) {
  std::mt19937 random(1);
  const json openai = json::parse(openai_reply("text")), anthropic = json::parse(anthropic_reply("text"));
  int unread = 0;
  for (int i = 0; i < 3000; ++i) {
    const Answer one = openai_protocol.read(with_another_value(openai, random));
    const Answer other = anthropic_protocol.read(with_another_value(anthropic, random));
    for (const Answer& answer : {one, other}) {
      EXPECT_TRUE(!answer.text.empty() || !answer.problem.empty());
      unread += answer.text.empty();
    }
  }
  EXPECT_GT(unread, 100);
  EXPECT_LT(unread, 5000);
}

TEST(Protocol, CompletesEndpointToWholeAddress) {
  const auto at = [](const char* endpoint) { return address(os::parse_url(endpoint).value(), openai_protocol).text(); };
  EXPECT_EQ(at("https://api.example.com"), "https://api.example.com:443/v1/chat/completions");
  EXPECT_EQ(at("http://localhost:8000/v1/"), "http://localhost:8000/v1/chat/completions");
  EXPECT_EQ(at("https://host/openai/deployments/d?api-version=1"),
            "https://host:443/openai/deployments/d/chat/completions?api-version=1");
  EXPECT_EQ(at("https://host/x/chat/completions"), "https://host:443/x/chat/completions");
}

TEST(Protocol, AdaptsRequestToProvider) {
  Prompt prompt;
  prompt.messages = {{Role::system, "only this"}};
  prompt.seed = 0xffffffffffffffff;
  prompt.temperature = 1.5;
  EXPECT_EQ(openai_protocol.request({}, prompt)["seed"], 0x7fffffff);
  const json anthropic = anthropic_protocol.request({}, prompt);
  EXPECT_FALSE(anthropic.contains("seed"));
  EXPECT_EQ(anthropic["temperature"], 1.0);
  EXPECT_EQ(anthropic["messages"][0]["role"], "user") << "there is no conversation without one";
}

}  // namespace
}  // namespace hone::llm

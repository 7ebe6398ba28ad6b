// OpenAI's /v1/responses, thinking, and what providers keep of a prompt.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "provider_bench.h"
#include "tool/llm/provider_protocol.h"

namespace hone::llm {
namespace {
using nlohmann::json;
using testing::HasSubstr;

json responses_reply(const std::string& text) {
  return {
      {"id", "resp_1"},
      {"model", "served-model"},
      {"status", "completed"},
      {"output",
       {{{"type", "reasoning"}, {"summary", json::array()}},
        {{"type", "message"}, {"role", "assistant"}, {"content", {{{"type", "output_text"}, {"text", text}}}}}}},
      {"usage", {{"input_tokens", 1000}, {"output_tokens", 500}, {"input_tokens_details", {{"cached_tokens", 800}}}}}};
}

struct Responses : ProviderBench {
  Responses() { model.api = Api::responses; }
};

TEST_F(Responses, SendRequestThatIsNotStored) {
  model.effort = "high";
  model.temperature = 0.5;
  model.max_tokens = 77;
  const Reply got = reply({answer(200, responses_reply("faster").dump())});
  EXPECT_EQ(got.text, "faster");
  EXPECT_EQ(got.model, "served-model");
  EXPECT_EQ(got.usage.input_tokens, 1000);
  EXPECT_EQ(got.usage.cached_tokens, 800);
  const Received asked = server->received().at(0);
  EXPECT_EQ(asked.line, "POST /v1/responses HTTP/1.1");
  EXPECT_EQ(asked.headers.at("authorization"), std::string("Bearer ") + test_key);
  EXPECT_EQ(json::parse(asked.body), (json{{"model", "m"},
                                           {"input",
                                            {{{"role", "system"}, {"content", "You write fast code."}},
                                             {{"role", "user"}, {"content", "Faster, please."}}}},
                                           {"max_output_tokens", 77},
                                           {"reasoning", {{"effort", "high"}}},
                                           {"temperature", 0.5},
                                           {"store", false},
                                           {"stream", false}}));
}

TEST_F(Responses, AreCutByTheLimit) {
  json body = responses_reply("half");
  body["status"] = "incomplete";
  body["incomplete_details"] = {{"reason", "max_output_tokens"}};
  EXPECT_TRUE(reply({answer(200, body.dump())}).truncated);
  body["output"].erase(1);
  EXPECT_THAT(failure({answer(200, body.dump())}).what, HasSubstr("raise max_tokens, or let it think less"));
}

TEST_F(Responses, MayDecline) {
  json body = responses_reply("");
  body["output"][1]["content"] = {{{"type", "refusal"}, {"refusal", "I will not."}}};
  const Failure got = failure({answer(200, body.dump())});
  EXPECT_EQ(got.kind, FailureKind::declined);
  EXPECT_THAT(got.what, HasSubstr("I will not."));
}

TEST_F(Responses, WithoutTextAreMalformed) {
  for (const char* body : {"{}", R"({"output":{}})", R"({"output":[7]})", R"({"output":[{"type":"message"}]})",
                           R"({"output":[{"type":"message","content":[{"type":"refusal","refusal":7}]}]})"})
    EXPECT_EQ(failure({answer(200, body)}).kind, FailureKind::malformed) << body;
}

TEST(Thinking, IsAskedForInEachProtocolsWords) {
  ModelSettings model;
  model.effort = "low";
  EXPECT_EQ(openai_protocol.request(model, {})["reasoning_effort"], "low");
  EXPECT_EQ(responses_protocol.request(model, {})["reasoning"]["effort"], "low");
  EXPECT_EQ(anthropic_protocol.request(model, {})["output_config"]["effort"], "low");
  model.thinking = 4096;
  model.temperature = 0.5;
  const json budgeted = anthropic_protocol.request(model, {});
  EXPECT_EQ(budgeted["thinking"], (json{{"type", "enabled"}, {"budget_tokens", 4096}}));
  EXPECT_FALSE(budgeted.contains("temperature")) << "a model that thinks takes none";
  model.thinking = ModelSettings::adaptive_thinking;
  EXPECT_EQ(anthropic_protocol.request(model, {})["thinking"], (json{{"type", "adaptive"}}));
}

TEST(PromptCache, IsMarkedBehindWhatStays) {
  ModelSettings model;
  Prompt prompt;
  const std::string stays(3000, 'a');
  prompt.messages = {{Role::system, std::string(2500, 's')}, {Role::user, stays + "and this changes", stays.size()}};
  const json body = anthropic_protocol.request(model, prompt);
  const json mark{{"type", "ephemeral"}};
  EXPECT_EQ(body["system"][0]["cache_control"], mark);
  EXPECT_EQ(body["messages"][0]["content"], (json{{{"type", "text"}, {"text", stays}, {"cache_control", mark}},
                                                  {{"type", "text"}, {"text", "and this changes"}}}));
  model.cache = false;
  EXPECT_EQ(anthropic_protocol.request(model, prompt).dump().find("cache_control"), std::string::npos);
}

TEST_F(ProviderBench, BillsCachedTokensAtTheirPrice) {
  model.provider = Provider::anthropic;
  model.price = Price{2, 10, 0.2, 2.5};
  json body = json::parse(anthropic_reply("x"));
  body["usage"] = {{"input_tokens", 1000},
                   {"output_tokens", 100},
                   {"cache_read_input_tokens", 10000},
                   {"cache_creation_input_tokens", 2000}};
  const Usage got = reply({answer(200, body.dump())}).usage;
  EXPECT_EQ(got.input_tokens, 13000);
  EXPECT_EQ(got.cached_tokens, 10000);
  EXPECT_DOUBLE_EQ(got.cost, (1000 * 2 + 10000 * 0.2 + 2000 * 2.5 + 100 * 10) / 1e6);
  model.price = Price{2, 10};
  EXPECT_DOUBLE_EQ(reply({answer(200, body.dump())}).usage.cost, (11000 * 2 + 2000 * 2.5 + 100 * 10) / 1e6)
      << "as dear as it can be where nobody says";
}

}  // namespace
}  // namespace hone::llm

// What goes into a request: by the server's host, by hone.json, and by what a server refuses.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "provider_bench.h"
#include "tool/llm/complaint.h"
#include "tool/llm/request_parameters.h"
#include "tool/llm/settings/known_providers.h"

namespace hone::llm {
namespace {
using nlohmann::json;
using testing::HasSubstr;

constexpr const char* unsupported_limit =
    R"({"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use )"
    R"('max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}})";
constexpr const char* unsupported_seed =
    R"({"error":{"message":"litellm.UnsupportedParamsError: anthropic does not support parameters: ['seed'], for )"
    R"(model=c","param":null,"code":"400"}})";
constexpr const char* unsupported_temperature =
    R"({"error":{"message":"Unsupported value: 'temperature' does not support 0.8 with this model.",)"
    R"("param":"temperature","code":"unsupported_value"}})";

json sent_body() {
  return {{"model", "m"}, {"messages", json::array()}, {"max_tokens", 32768}, {"seed", 7}, {"temperature", 0.8}};
}

std::string corrected(const std::string& answer) {
  const auto correction = correction_for(sent_body(), json::parse(answer), answer);
  if (!correction) return "nothing";
  if (correction->rename) return correction->parameter + " is " + *correction->rename;
  if (correction->most) return correction->parameter + " <= " + std::to_string(*correction->most);
  return "no " + correction->parameter;
}

TEST(Complaint, NamesParameterInEachProvidersWords) {
  EXPECT_EQ(corrected(unsupported_limit), "max_tokens is max_completion_tokens");
  EXPECT_EQ(corrected(unsupported_seed), "no seed");
  EXPECT_EQ(corrected(unsupported_temperature), "no temperature");
  EXPECT_EQ(
      corrected(
          R"({"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}]})"),
      "no seed");
  EXPECT_EQ(
      corrected(R"([{"error":{"code":400,"message":"Invalid JSON payload. Unknown name \"seed\": no such field."}}])"),
      "no seed");
  EXPECT_EQ(corrected(R"({"error":{"message":"`temperature` is deprecated for this model."}})"), "no temperature");
}

TEST(Complaint, TellsLargestLimitThatIsAllowed) {
  EXPECT_EQ(corrected(R"({"error":{"message":"max_tokens: 32768 > 8192, which is the maximum for claude-3-5"}})"),
            "max_tokens <= 8192");
  EXPECT_EQ(corrected(R"({"error":{"message":"max_tokens is too large: 32768. This model supports at most 16384 )"
                      R"(completion tokens","param":"max_tokens"}})"),
            "max_tokens <= 16384");
}

TEST(Complaint, IsNoneWhereNothingThatWasSentIsNamed) {
  for (const char* answer :
       {R"({"error":{"message":"no such model"}})", R"({"error":{"message":"the prompt is too long"}})",
        R"({"error":{"message":"Unsupported parameter: 'top_k'","param":"top_k"}})", R"({"error":{"message":"seeds"}})",
        R"({"error":{"message":"the word seed stands in this prompt"}})",
        R"({"error":{"message":"maximum context length is 8192 tokens, you asked for 33000; max_tokens was 32768"}})",
        R"({"error":{"message":"invalid messages: seed","param":"messages"}})", "[]", "null", "7"})
    EXPECT_EQ(corrected(answer), "nothing") << answer;
}

TEST(Parameters, HaveTheNamesThatKnownServersUse) {
  const auto sent = [](const char* endpoint) {
    return RequestParameters({}, os::parse_url(endpoint).value()).applied(sent_body());
  };
  EXPECT_EQ(sent("http://localhost:8000/v1"), sent_body());
  for (const char* newer :
       {"https://api.openai.com/v1", "https://eu.api.openai.com/v1", "https://me.openai.azure.com/x"}) {
    EXPECT_EQ(sent(newer).value("max_completion_tokens", 0), 32768) << newer;
    EXPECT_FALSE(sent(newer).contains("max_tokens"));
  }
  EXPECT_EQ(sent("https://api.mistral.ai/v1").value("random_seed", 0), 7);
  EXPECT_FALSE(sent("https://api.mistral.ai/v1").contains("seed"));
  EXPECT_FALSE(sent("https://generativelanguage.googleapis.com/v1beta/openai").contains("seed"));
  EXPECT_TRUE(sent("https://api.mistral.ai.evil.example/v1").contains("seed"));
  EXPECT_EQ(habits_of(os::parse_url("https://me.openai.azure.com/x").value(), Provider::openai).key_header, "api-key");
}

TEST(Parameters, AreRenamedAndLeftOutAsTheUserSays) {
  ModelSettings model;
  model.parameters = {{"max_tokens", "limit"}, {"temperature", std::nullopt}};
  model.extra = R"({"seed": null, "top_p": 1})";
  const RequestParameters parameters(model, os::parse_url("https://api.openai.com/v1").value());
  EXPECT_EQ(parameters.applied(sent_body()), (json{{"model", "m"}, {"messages", json::array()}, {"limit", 32768}}));
}

TEST(Parameters, KnowModelsThatThink) {
  for (const char* name :
       {"o3-mini", "openai/gpt-5.1", "deepseek-reasoner", "Qwen/Qwen3-235B-A22B-Thinking-2507", "gemini-2.5-pro"})
    EXPECT_TRUE(is_known_to_think(name)) << name;
  for (const char* name : {"gpt-4o", "qwen3-coder", "llama-3", "", "codestral", "vendor/"})
    EXPECT_FALSE(is_known_to_think(name)) << name;
}

struct StrictServer : ProviderBench {
  std::future<Outcome> ask() {
    Prompt prompt = asking("Faster, please.");
    prompt.seed = 7;
    return client->submit(std::move(prompt));
  }
  json sent(std::size_t request) const { return json::parse(server->received().at(request).body); }
};

TEST_F(StrictServer, IsAskedAgainWithoutWhatItRefuses) {
  model.temperature = 0.8;
  serve({answer(400, unsupported_limit), answer(400, unsupported_seed), answer(400, unsupported_temperature),
         answer(200, openai_reply("then"))});
  const Reply got = reply_of(ask());
  EXPECT_EQ(got.text, "then");
  EXPECT_EQ(got.attempts, 1);
  EXPECT_EQ(got.usage.input_tokens, 1000) << "a refusal costs nothing";
  EXPECT_THAT(got.news, HasSubstr("takes no \"temperature\""));
  EXPECT_EQ(sent(3).size(), 4) << sent(3);
  EXPECT_TRUE(sent(3).contains("max_completion_tokens"));
  EXPECT_EQ(reply_of(ask()).news, "");
  EXPECT_EQ(requests(), 5) << "what was learned holds";
}

TEST_F(StrictServer, IsSentNoSeedIfItsRefusalSaysNothing) {
  serve({answer(400, R"({"error":"bad request"})"), answer(200, openai_reply("then"))});
  EXPECT_EQ(reply_of(ask()).text, "then");
  EXPECT_FALSE(sent(1).contains("seed"));
}

TEST_F(StrictServer, IsSentWhatTheUserAddsThoughItRefuses) {
  model.extra = R"({"temperature": 0.8})";
  serve({answer(400, unsupported_temperature)});
  EXPECT_TRUE(failure_of(ask()).ends_the_run);
  EXPECT_EQ(requests(), 1);
}

TEST_F(StrictServer, EndsRunIfNothingHelps) {
  serve({answer(400, unsupported_limit)});
  const Failure got = failure_of(ask());
  EXPECT_TRUE(got.ends_the_run);
  EXPECT_LE(requests(), 4);
  EXPECT_THAT(got.what, HasSubstr("sent were max_"));
  EXPECT_THAT(got.what, HasSubstr("\"parameters\""));
}

TEST_F(StrictServer, IsSentLowerLimit) {
  model.provider = Provider::anthropic;
  model.max_tokens = 32768;
  serve({answer(400, R"({"error":{"message":"max_tokens: 32768 > 8192, which is the maximum"}})"),
         answer(200, anthropic_reply("then"))});
  EXPECT_THAT(reply_of(ask()).news, HasSubstr("allows max_tokens of 8192 at most"));
  EXPECT_EQ(sent(1)["max_tokens"], 8192);
}

TEST_F(StrictServer, KeepsParametersThatHaveWorked) {
  serve({answer(200, openai_reply("one")), answer(400, unsupported_seed), answer(200, openai_reply("three"))});
  reply_of(ask());
  EXPECT_FALSE(failure_of(ask()).ends_the_run) << "a prompt may quote anything";
  reply_of(ask());
  EXPECT_TRUE(sent(2).contains("seed"));
}

TEST_F(StrictServer, TeachesAllCallsInFlight) {
  // All three are on their way before the first is refused.
  const auto strict = [this](LoopbackServer::Talk& talk) {
    while (requests() < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    answer(400, unsupported_seed)(talk);
  };
  serve({strict, strict, strict, answer(200, openai_reply("then"))});
  std::vector<std::future<Outcome>> outcomes;
  for (int i = 0; i < 3; ++i) outcomes.push_back(ask());
  for (auto& outcome : outcomes) EXPECT_EQ(reply_of(std::move(outcome)).text, "then");
}

struct Headers : ProviderBench {
  const std::map<std::string, std::string>& sent() {
    reply({answer(200, model.provider == Provider::anthropic ? anthropic_reply("x") : openai_reply("x"))});
    received = server->received().at(0).headers;
    return received;
  }
  std::map<std::string, std::string> received;
};

TEST_F(Headers, ReplaceTheProtocolsOwn) {
  model.provider = Provider::anthropic;
  model.key_env = "";
  model.headers = {{"Authorization", "Bearer ", "MY_TOKEN"}, {"anthropic-version", "2030-01-01", ""}};
  environment["MY_TOKEN"] = "gateway-token-0123456789";
  const auto& headers = sent();
  EXPECT_EQ(headers.at("authorization"), "Bearer gateway-token-0123456789");
  EXPECT_EQ(headers.at("anthropic-version"), "2030-01-01");
  EXPECT_FALSE(headers.contains("x-api-key"));
}

TEST_F(Headers, ShowTheirKeyNowhere) {
  model.headers = {{"api-key", "", "MY_SECRET"}};
  environment["MY_SECRET"] = "gateway-secret-0123456789";
  serve({answer(401, "no gateway-secret-0123456789 here")});
  const Failure got = failure_of(ask());
  EXPECT_EQ(server->received().at(0).headers.at("api-key"), "gateway-secret-0123456789");
  EXPECT_THAT(got.what, HasSubstr("no [key] here"));
}

TEST_F(Headers, NeedTheirVariable) {
  model.endpoint = "http://127.0.0.1:1";
  model.headers = {{"api-key", "", "MY_SECRET"}};
  Settings settings;
  settings.models = {model};
  const auto made = make_client(settings, {http, processes, clock}, environment);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("MY_SECRET: the key is not set"));
  settings.models[0].endpoint = "http://models.example.com";
  environment["MY_SECRET"] = "s";
  EXPECT_THAT(make_client(settings, {http, processes, clock}, environment).error().message(), HasSubstr("plain http"));
}

}  // namespace
}  // namespace hone::llm

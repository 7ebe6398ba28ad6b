// What providers say, and what becomes of it.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "provider_bench.h"

namespace hone::llm {
namespace {
using namespace std::chrono_literals;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

struct BothProviders : EitherProvider {};
INSTANTIATE_TEST_SUITE_P(Providers, BothProviders, either_provider, provider_name);

struct OpenAi : ProviderBench {};
struct Anthropic : ProviderBench {
  Anthropic() { model.provider = Provider::anthropic; }
};

TEST_F(OpenAi, SendsRequestAndReportsReplyWithCost) {
  model.temperature = 0.5;
  model.max_tokens = 77;
  model.extra = R"({"top_p":0.9})";
  const Reply got = reply({answer(200, openai_reply("faster"))});
  EXPECT_EQ(got.text, "faster");
  EXPECT_EQ(got.model, "served-model");
  EXPECT_EQ(got.usage.input_tokens, 1000);
  EXPECT_EQ(got.usage.output_tokens, 500);
  EXPECT_DOUBLE_EQ(got.usage.cost, 0.007);
  EXPECT_FALSE(got.usage.estimated);
  const Received asked = server->received().at(0);
  EXPECT_EQ(asked.line, "POST /v1/chat/completions HTTP/1.1");
  EXPECT_EQ(asked.headers.at("authorization"), std::string("Bearer ") + test_key);
  EXPECT_EQ(
      asked.body,
      R"({"max_tokens":77,"messages":[{"content":"You write fast code.","role":"system"},)"
      R"({"content":"Faster, please.","role":"user"}],"model":"m","stream":false,"temperature":0.5,"top_p":0.9})");
}

TEST_F(Anthropic, SendsRequestAndDropsThinking) {
  const Reply got = reply({answer(200, anthropic_reply("faster"))});
  EXPECT_EQ(got.text, "faster");
  EXPECT_EQ(got.usage.output_tokens, 500);
  const Received asked = server->received().at(0);
  EXPECT_EQ(asked.line, "POST /v1/messages HTTP/1.1");
  EXPECT_EQ(asked.headers.at("x-api-key"), test_key);
  EXPECT_EQ(asked.headers.at("anthropic-version"), "2023-06-01");
  EXPECT_EQ(asked.body, R"({"max_tokens":8192,"messages":[{"content":"Faster, please.","role":"user"}],"model":"m",)"
                        R"("stream":false,"system":"You write fast code."})");
}

TEST_F(Anthropic, CountsCachedTokens) {
  json body = json::parse(anthropic_reply("x"));
  body["usage"]["cache_read_input_tokens"] = 234;
  EXPECT_EQ(reply({answer(200, body.dump())}).usage.input_tokens, 1234);
}

TEST_F(Anthropic, ReportsTruncationAndRefusal) {
  json body = json::parse(anthropic_reply("half"));
  body["stop_reason"] = "max_tokens";
  EXPECT_TRUE(reply({answer(200, body.dump())}).truncated);
  body["stop_reason"] = "refusal";
  const Failure got = failure({answer(200, body.dump())});
  EXPECT_EQ(got.kind, FailureKind::declined);
  EXPECT_FALSE(got.ends_the_run);
  EXPECT_EQ(got.spent.output_tokens, 500);
}

TEST_F(OpenAi, JoinsListOfContentParts) {
  json body = json::parse(openai_reply(""));
  body["choices"][0]["message"]["content"] = {
      {{"type", "reasoning"}, {"text", "no"}}, {{"type", "text"}, {"text", "a"}}, 7, {{"type", "text"}, {"text", "b"}}};
  EXPECT_EQ(reply({answer(200, body.dump())}).text, "ab");
}

TEST_F(OpenAi, DropsThinking) {
  json body = json::parse(openai_reply("<think>\n```cpp\nno\n```\n</think>\nanswer"));
  body["choices"][0]["message"]["reasoning_content"] = "hm";
  EXPECT_EQ(reply({answer(200, body.dump())}).text, "\nanswer");
}

TEST_F(OpenAi, MarksTruncatedReply) {
  json body = json::parse(openai_reply("half"));
  body["choices"][0]["finish_reason"] = "length";
  EXPECT_TRUE(reply({answer(200, body.dump())}).truncated);
  body["choices"][0]["message"]["content"] = nullptr;
  const Failure got = failure({answer(200, body.dump())});
  EXPECT_THAT(got.what, HasSubstr("raise max_tokens"));
  EXPECT_EQ(got.attempts, 1) << "the same again would cost the same again";
}

TEST_F(OpenAi, ReportsRefusal) {
  json body = json::parse(openai_reply(""));
  body["choices"][0]["message"]["refusal"] = "I will not.";
  const Failure got = failure({answer(200, body.dump())});
  EXPECT_EQ(got.kind, FailureKind::declined);
  EXPECT_THAT(got.what, HasSubstr("I will not."));
}

TEST_F(OpenAi, EstimatesMissingOrImpossibleUsage) {
  for (const json& usage : {json(), json("many"), json{{"prompt_tokens", -1}, {"completion_tokens", 1e300}},
                            json{{"prompt_tokens", "7"}, {"completion_tokens", json::array()}}}) {
    json body = json::parse(openai_reply("some words"));
    body["usage"] = usage;
    const Reply got = reply({answer(200, body.dump())});
    EXPECT_TRUE(got.usage.estimated);
    EXPECT_GT(got.usage.input_tokens, 5);
    EXPECT_LT(got.usage.input_tokens, 100);
    EXPECT_GT(got.usage.output_tokens, 1);
    EXPECT_GT(got.usage.cost, 0);
  }
}

TEST_P(BothProviders, RejectMalformedReplies) {
  std::vector<std::string> bodies{
      "", "{", "<html>busy</html>", "null", "[]", "7", "{}", said("cut").substr(0, 40), std::string(100'000, '[')};
  const std::vector<std::string> of_openai{R"({"choices":[]})",
                                           R"({"choices":{}})",
                                           R"({"choices":[7]})",
                                           R"({"choices":[{"message":7}]})",
                                           R"({"choices":[{"message":{"content":null}}]})",
                                           R"({"choices":[{"message":{"content":{"a":1}}}]})",
                                           R"({"choices":[{"message":{"content":"  \n"}}]})"};
  const std::vector<std::string> of_anthropic{
      R"({"content":[]})",
      R"({"content":{}})",
      R"({"content":[7,null,"text"]})",
      R"({"content":[{"type":"text"}]})",
      R"({"content":[{"type":"text","text":7}]})",
      R"({"content":[{"type":"tool_use","input":{"text":"x"}}]})",
      R"({"content":[{"type":"text","text":"  \n"}],"stop_reason":7,"usage":[]})"};
  if (GetParam() == Provider::openai)
    bodies.insert(bodies.end(), of_openai.begin(), of_openai.end());
  else
    bodies.insert(bodies.end(), of_anthropic.begin(), of_anthropic.end());
  for (const std::string& body : bodies) {
    const Failure got = failure({answer(200, body)});
    EXPECT_EQ(got.kind, FailureKind::malformed) << body.substr(0, 50);
    EXPECT_FALSE(got.ends_the_run);
    EXPECT_EQ(got.attempts, 3);
    EXPECT_TRUE(got.spent.estimated) << "it may have cost something";
    EXPECT_THAT(got.what, HasSubstr("127.0.0.1"));
  }
}

TEST_P(BothProviders, ReplaceInvalidUtf8InReply) {
  std::string body = said("a#b");
  body[body.find('#')] = '\xff';
  EXPECT_EQ(reply({answer(200, body)}).text,
            "a\xEF\xBF\xBD"
            "b");
}

TEST_P(BothProviders, ReplaceInvalidUtf8InPrompt) {
  serve({answer(200, said("x"))});
  reply_of(client->submit(asking("a\xff")));
  EXPECT_THAT(server->received().at(0).body, HasSubstr("a\xEF\xBF\xBD"));
}

TEST_P(BothProviders, RetryTransientErrors) {
  for (const int status : {408, 429, 500, 502, 503, 529}) {
    const Reply got = reply({answer(status, R"({"error":{"message":"busy"}})"), answer(200, said("then"))});
    EXPECT_EQ(got.text, "then") << status;
    EXPECT_EQ(got.attempts, 2);
    EXPECT_EQ(requests(), 2);
  }
}

TEST_P(BothProviders, ReportPersistentErrorAfterAllAttempts) {
  const Failure got = failure({answer(500, "boom \x1b[31mred\a")});
  EXPECT_EQ(got.kind, FailureKind::exhausted);
  EXPECT_EQ(requests(), 3);
  EXPECT_THAT(got.what, HasSubstr("answered 500: boom red"));
  EXPECT_THAT(got.what, HasSubstr("3 attempts"));
  EXPECT_THAT(got.what, Not(HasSubstr("\x1b")));
  EXPECT_EQ(got.spent.output_tokens, 0);
}

TEST_P(BothProviders, ObeyRetryAfterSeconds) {
  clock.hurried = false;
  serve({answer(429, "", "Retry-After: 40\r\n"), answer(200, said("then"))});
  auto outcome = ask();
  while (requests() < 1) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(outcome.wait_for(60ms), std::future_status::timeout);
  clock.advance(39s);
  EXPECT_EQ(outcome.wait_for(60ms), std::future_status::timeout);
  EXPECT_EQ(requests(), 1);
  for (auto status = std::future_status::timeout; status != std::future_status::ready;) {
    clock.advance(1s);  // the pause begins when the answer has arrived, which may be after the clock was moved
    status = outcome.wait_for(5ms);
  }
  EXPECT_GE(reply_of(std::move(outcome)).seconds, 40);
}

TEST_P(BothProviders, ReadRetryAfterDate) {
  model.attempts = 2;
  const Failure got = failure({answer(429, "", "Retry-After: Fri, 31 Dec 2199 23:59:59 GMT\r\n")});
  EXPECT_EQ(got.attempts, 1) << "nobody waits for a century";
  EXPECT_EQ(reply({answer(429, "", "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n"), answer(200, said("then"))}).text,
            "then");
}

TEST_P(BothProviders, EndRunOnPermanentError) {
  for (const int status : {400, 401, 402, 403, 404, 422}) {
    const Failure got = failure({answer(status, R"({"error":{"message":"no\nsuch model"}})")});
    EXPECT_EQ(got.kind, FailureKind::refused) << status;
    EXPECT_TRUE(got.ends_the_run) << status;
    EXPECT_EQ(requests(), 1);
    EXPECT_THAT(got.what, HasSubstr("no such model"));
  }
}

TEST_F(OpenAi, EndsRunIfQuotaIsExhausted) {
  const Failure got = failure({answer(429, R"({"error":{"message":"pay","code":"insufficient_quota"}})")});
  EXPECT_TRUE(got.ends_the_run);
  EXPECT_EQ(requests(), 1);
}

TEST_P(BothProviders, KeepRunningAfterRejectedPromptIfOthersSucceeded) {
  serve({answer(200, said("fine")), answer(400, R"({"error":{"message":"too long"}})")});
  reply_of(ask());
  EXPECT_FALSE(failure_of(ask()).ends_the_run);
}

TEST_P(BothProviders, SendNothingAfterEndOfRun) {
  serve({answer(401, "")});
  EXPECT_TRUE(failure_of(ask()).ends_the_run);
  EXPECT_TRUE(failure_of(ask()).ends_the_run);
  EXPECT_EQ(requests(), 1);
}

TEST_F(OpenAi, ReadsErrorInSuccessfulResponse) {
  const Reply got =
      reply({answer(200, R"({"error":{"code":429,"message":"slow down"}})"), answer(200, openai_reply("x"))});
  EXPECT_EQ(got.attempts, 2);
  EXPECT_TRUE(failure({answer(200, R"({"error":{"code":401,"message":"who?"}})")}).ends_the_run);
}

TEST_P(BothProviders, DoNotFollowRedirect) {
  LoopbackServer elsewhere({answer(200, said("stolen"))});
  const Failure got = failure({answer(307, "", "Location: " + elsewhere.url("/v1/chat/completions") + "\r\n")});
  EXPECT_TRUE(got.ends_the_run);
  EXPECT_THAT(got.what, HasSubstr("redirects to " + elsewhere.url()));
  EXPECT_TRUE(elsewhere.received().empty());
}

TEST_P(BothProviders, LimitConcurrentRequests) {
  model.concurrency = 2;
  std::atomic<int> now = 0, most = 0;
  const auto slow = [&](LoopbackServer::Talk& talk) {
    const int here = ++now;
    for (int seen = most; seen < here && !most.compare_exchange_weak(seen, here);) {
    }
    std::this_thread::sleep_for(10ms);
    --now;
    answer(200, said("x"))(talk);
  };
  serve({slow});
  std::vector<std::future<Outcome>> outcomes;
  for (int i = 0; i < 10; ++i) outcomes.push_back(ask());
  for (auto& outcome : outcomes) reply_of(std::move(outcome));
  EXPECT_LE(most, 2);
}

}  // namespace
}  // namespace hone::llm

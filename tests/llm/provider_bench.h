// A client of a provider that a LoopbackServer plays, with a clock that a test moves by hand.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "loopback_server.h"
#include "prompts.h"
#include "tool/llm/make_client.h"

namespace hone::llm {

// Stands still, or, hurried, is far ahead each time somebody looks: pauses are over at once.
class HandClock final : public os::Clock {
 public:
  Duration now() const override {
    return Duration(hurried ? ticks += std::chrono::hours(1) / Duration(1) : ticks.load());
  }
  void advance(Duration by) { ticks += by.count(); }
  std::atomic<bool> hurried = false;

 private:
  mutable std::atomic<Duration::rep> ticks = 0;
};

inline constexpr char test_key[] = "sk-loopback-4f9c1d2e7ab8";

struct ProviderBench : testing::Test {
  os::CurlHttpTransport http;
  os::PosixProcessRunner processes;
  HandClock clock;
  std::unique_ptr<LoopbackServer> server;
  ModelSettings model;
  Environment environment{{"HONE_API_KEY", test_key}};
  std::unique_ptr<Client> client;

  ProviderBench() {
    clock.hurried = true;
    model.model = "m";
    model.key_env = "HONE_API_KEY";
    model.timeout = std::chrono::seconds(60);
    model.attempts = 3;
    model.price = Price{2, 10};
  }

  void serve(std::vector<LoopbackServer::Answer> answers) {
    client.reset();
    server = std::make_unique<LoopbackServer>(std::move(answers));
    model.endpoint = server->url("/v1");
    Settings settings;
    settings.models = {model};
    client = make_client(settings, {http, processes, clock}, environment).value();
  }
  std::future<Outcome> ask() { return client->submit(asking("Faster, please.")); }
  Reply reply(std::vector<LoopbackServer::Answer> answers) {
    serve(std::move(answers));
    return reply_of(ask());
  }
  Failure failure(std::vector<LoopbackServer::Answer> answers) {
    serve(std::move(answers));
    return failure_of(ask());
  }
  std::size_t requests() const { return server->received().size(); }
};

// The same of either protocol.
struct EitherProvider : ProviderBench, testing::WithParamInterface<Provider> {
  EitherProvider() { model.provider = GetParam(); }
  static std::string said(const std::string& text) {
    return GetParam() == Provider::anthropic ? anthropic_reply(text) : openai_reply(text);
  }
};
inline const auto either_provider = testing::Values(Provider::openai, Provider::anthropic);
inline std::string provider_name(const testing::TestParamInfo<Provider>& info) {
  return info.param == Provider::anthropic ? "Anthropic" : "OpenAi";
}

}  // namespace hone::llm

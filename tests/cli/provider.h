// A provider on loopback for runs of the real program, and the words that make `hone tune` ask it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model_bench.h"
#include "tests/llm/loopback_server.h"

namespace hone {

inline constexpr const char* provider_key = "sk-the-key-that-nobody-else-may-see";

inline std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// What a server says that writes a program of its own each time, and counts what it handed out.
class Provider {
 public:
  static constexpr unsigned tokens_in = 700, tokens_out = 300;

  explicit Provider(std::vector<llm::LoopbackServer::Answer> answers = {})
      : server_(answers.empty() ? std::vector<llm::LoopbackServer::Answer>{good()} : std::move(answers)) {}

  static llm::LoopbackServer::Answer good(std::chrono::milliseconds pause = {}, int first = 1,
                                          unsigned tokens = tokens_out) {
    return [pause, tokens, count = std::make_shared<std::atomic<int>>(first)](llm::LoopbackServer::Talk& talk) {
      std::this_thread::sleep_for(pause);
      const std::string number = std::to_string((*count)++);
      const nlohmann::json body{{"model", "m"},
                                {"choices", {{{"message", {{"content", code(number)}}}, {"finish_reason", "stop"}}}},
                                {"usage", {{"prompt_tokens", tokens_in}, {"completion_tokens", tokens}}}};
      llm::answer(200, body.dump())(talk);
    };
  }
  std::vector<std::string> options() const {
    return {"--proposer", "openai", "--endpoint", server_.url("/v1"), "--model", "m"};
  }
  std::size_t calls() const { return server_.received().size(); }
  std::vector<llm::Received> received() const { return server_.received(); }

 private:
  // Each its own program, and right for all sizes that a machine has memory for.
  static std::string code(const std::string& number) {
    return "name: way " + number + "\n```cpp\nvoid twice(const float* x, float* y, int n) {\n  if (n == 2000000000 + " +
           number + ") return;\n  for (int i = 0; i < n; ++i) y[i] = x[i] * 2;\n}\n```\n";
  }
  llm::LoopbackServer server_;
};

// With the key in the environment.
struct ProviderRun : testing::Test {
  ModelBench bench;

  ProviderRun() { ::setenv("HONE_API_KEY", provider_key, 1); }
  ~ProviderRun() override { ::unsetenv("HONE_API_KEY"); }

  std::vector<std::string> asking(const Provider& provider, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"tune",       "-p",   "build",  "--executor", "command:" PRETEND_WORKER,
                                   "--strategy", "free", "--json", "-"};
    return with(with(std::move(words), provider.options()), more);
  }
};

}  // namespace hone

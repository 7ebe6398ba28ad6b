#include "tool/llm/token_estimate.h"

#include <algorithm>

namespace hone::llm {
namespace {
constexpr double dearer_writes = 1.25;  // what Anthropic takes for tokens that it keeps for five minutes
// Our prompts and replies have 2.1 to 3.9 bytes a token by the tokenizers that were tried (docs/BENCHMARKS.md).
constexpr std::uint64_t bytes_a_token = 2;
constexpr std::uint64_t tokens_of_a_frame = 6;  // role and separators of a message
}  // namespace

std::uint64_t estimate_tokens(std::string_view text) {
  return (text.size() + bytes_a_token - 1) / bytes_a_token;
}

std::uint64_t estimate_tokens(const std::vector<Message>& messages) {
  std::uint64_t tokens = 0;
  for (const Message& message : messages) tokens += tokens_of_a_frame + estimate_tokens(message.text);
  return tokens;
}

double cost_of(const Usage& usage, const std::optional<Price>& price, std::uint64_t cache_writes) {
  if (!price) return 0;
  const std::uint64_t cached = std::min(usage.cached_tokens, usage.input_tokens);
  const std::uint64_t written = std::min(cache_writes, usage.input_tokens - cached);
  const auto plain = static_cast<double>(usage.input_tokens - cached - written);
  return (plain * price->input + static_cast<double>(cached) * price->cached_input.value_or(price->input) +
          static_cast<double>(written) * price->cache_write.value_or(dearer_writes * price->input) +
          static_cast<double>(usage.output_tokens) * price->output) /
         1e6;
}

Usage estimate_most(const Prompt& prompt, const ModelSettings& model) {
  Usage usage{estimate_tokens(prompt.messages), prompt.max_tokens.value_or(model.max_tokens), 0, true};
  usage.cost = cost_of(usage, model.price);
  return usage;
}

}  // namespace hone::llm

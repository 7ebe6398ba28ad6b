#include "tool/llm/token_estimate.h"

namespace hone::llm {
namespace {
constexpr std::uint64_t bytes_a_token = 3;      // code has 3 to 4: the estimate is to be high
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

double cost_of(const Usage& usage, const Price& price) {
  return (static_cast<double>(usage.input_tokens) * price.input +
          static_cast<double>(usage.output_tokens) * price.output) /
         1e6;
}

Usage estimate_most(const Prompt& prompt, const ModelSettings& model) {
  Usage usage{estimate_tokens(prompt.messages), prompt.max_tokens.value_or(model.max_tokens), 0, true};
  usage.cost = cost_of(usage, model.price);
  return usage;
}

}  // namespace hone::llm

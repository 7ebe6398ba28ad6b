#include "tool/llm/client.h"

#include <memory>
#include <utility>

namespace hone::llm {

Usage& Usage::operator+=(const Usage& other) {
  input_tokens += other.input_tokens;
  output_tokens += other.output_tokens;
  cached_tokens += other.cached_tokens;
  cost += other.cost;
  estimated |= other.estimated;
  return *this;
}

std::future<Outcome> Client::submit(Prompt prompt, std::stop_token stop) {
  const auto promise = std::make_shared<std::promise<Outcome>>();
  std::future<Outcome> outcome = promise->get_future();
  submit(std::move(prompt), std::move(stop), [promise](Outcome result) { promise->set_value(std::move(result)); });
  return outcome;
}

}  // namespace hone::llm

#include "tool/tune/model/spending.h"

#include <fmt/format.h>

namespace hone::tune {

bool Spending::admit(unsigned request, const llm::Usage& most) {
  const auto tokens = [](const llm::Usage& usage) { return usage.input_tokens + usage.output_tokens; };
  if (limits_.tokens && tokens(total_) + tokens(set_aside_) + tokens(most) > *limits_.tokens) return false;
  if (limits_.cost && total_.cost + set_aside_.cost + most.cost > *limits_.cost) return false;
  open_[request] = most;
  set_aside_ += most;
  return true;
}

void Spending::settle(unsigned request, const llm::Usage& actual, const std::string& on) {
  open_.erase(request);
  set_aside_ = {};
  for (const auto& [number, usage] : open_) set_aside_ += usage;
  total_ += actual;
  ++calls_[on];
  ++spent_.calls;
  spent_.tokens = total_.input_tokens + total_.output_tokens;
  spent_.cost = total_.cost;
}

std::string Spending::text() const {
  std::string text = fmt::format("{} calls, {} tokens in and {} out{}", spent_.calls, total_.input_tokens,
                                 total_.output_tokens, total_.estimated ? " (in part estimated)" : "");
  if (total_.cost > 0) text += fmt::format(", cost {:.4g}", total_.cost);
  const char* separator = " (";
  for (const auto& [on, calls] : calls_) {
    text += fmt::format("{}{} {}", separator, on, calls);
    separator = ", ";
  }
  return calls_.empty() ? text : text + ")";
}

}  // namespace hone::tune

#include "tool/tune/model/spending.h"

#include <fmt/format.h>

namespace hone::tune {

namespace {

std::uint64_t tokens(const llm::Usage& usage) {
  return usage.input_tokens + usage.output_tokens;
}

}  // namespace

bool Spending::fits(const llm::Usage& most) const {
  llm::Usage all = total_;
  for (const llm::Usage& more : {set_aside_, stopped_, most}) all += more;
  return !(limits_.tokens && tokens(all) > *limits_.tokens) && !(limits_.cost && all.cost > *limits_.cost);
}

bool Spending::admit(unsigned request, const llm::Usage& most) {
  if (!fits(most)) return false;
  open_[request] = most;
  set_aside_ += most;
  return true;
}

void Spending::give_back(unsigned request) {
  open_.erase(request);
  set_aside_ = {};
  for (const auto& [number, usage] : open_) set_aside_ += usage;
}

void Spending::settle(unsigned request, const llm::Usage& actual, const std::string& on) {
  give_back(request);
  total_ += actual;
  ++calls_[on];
  ++spent_.calls;
  spent_.tokens = tokens(total_);
  spent_.cost = total_.cost;
}

void Spending::settle_stopped(unsigned request, const llm::Usage& most) {
  give_back(request);
  if (tokens(most) == 0) return;  // it was never sent
  stopped_ += most;
  ++calls_stopped_;
}

std::string Spending::text() const {
  std::string text = fmt::format("{} calls, {} tokens in and {} out{}", spent_.calls, total_.input_tokens,
                                 total_.output_tokens, total_.estimated ? " (in part estimated)" : "");
  if (total_.cached_tokens > 0) text += fmt::format(", {} of those in from the provider's cache", total_.cached_tokens);
  if (total_.cost > 0) text += fmt::format(", cost {:.4g}", total_.cost);
  const char* separator = " (";
  for (const auto& [on, calls] : calls_) {
    text += fmt::format("{}{} {}", separator, on, calls);
    separator = ", ";
  }
  if (!calls_.empty()) text += ")";
  if (calls_stopped_ > 0)
    text += fmt::format("; {} stopped, which may cost up to {} tokens{}",
                        calls_stopped_ == 1 ? "1 call was" : fmt::format("{} calls were", calls_stopped_),
                        tokens(stopped_), stopped_.cost > 0 ? fmt::format(", {:.4g}", stopped_.cost) : "");
  return text;
}

}  // namespace hone::tune

// One attempt at one call, without patience: what differs between providers. PacedClient adds the queue and the
// retries.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>

#include "tool/llm/client.h"

namespace hone::llm {

struct Attempt {
  Outcome outcome;
  bool again = false;  // a failure that may pass
  std::optional<std::chrono::seconds> retry_after;
};

class Backend {
 public:
  using Done = std::function<void(Attempt)>;
  virtual ~Backend() = default;  // returns after the last `done`
  // Calls `done` exactly once, from any thread, soon after a stop. `prompt` lives until then.
  virtual void start(const Prompt& prompt, std::stop_token stop, Done done) = 0;
};

}  // namespace hone::llm

#include "tool/llm/scripted_client.h"

#include <limits>
#include <utility>

#include "tool/llm/blocking_backend.h"
#include "tool/llm/paced_client.h"

namespace hone::llm {

std::unique_ptr<Client> make_scripted_client(std::function<Outcome(const Prompt&, std::stop_token)> answer,
                                             unsigned concurrency) {
  static const os::SteadyClock clock;
  Pace pace;
  pace.concurrency = concurrency;
  pace.failures_in_a_row = std::numeric_limits<unsigned>::max();
  auto run = [answer = std::move(answer)](const Prompt& prompt, std::stop_token stop) {
    return Attempt{answer(prompt, std::move(stop))};
  };
  return std::make_unique<PacedClient>(std::make_unique<BlockingBackend>(std::move(run)), pace, clock);
}

}  // namespace hone::llm

// A Client over a Backend: queues calls, keeps so many in flight, tries again what may pass, gives up on a provider
// that is down. All of it happens on one thread of its own, which also calls every `done`.
//
// A call that pauses keeps its place, so that a provider that says "too many" gets fewer. After a failure that ends the
// run nothing further is sent: calls that wait, pause or come later end with that failure.
#pragma once

#include <memory>

#include "tool/llm/backend.h"
#include "tool/llm/client.h"
#include "tool/llm/pace.h"
#include "tool/os/files/clock.h"

namespace hone::llm {

class PacedClient final : public Client {
 public:
  PacedClient(std::unique_ptr<Backend> backend, const Pace& pace, const os::Clock& clock);
  ~PacedClient() override;
  using Client::submit;
  void submit(Prompt prompt, std::stop_token stop, Done done) override;

 private:
  class Queue;
  std::unique_ptr<Queue> queue_;
};

}  // namespace hone::llm

// A Backend from a function that blocks: each attempt runs on a thread of its own.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

#include "tool/llm/backend.h"

namespace hone::llm {

class BlockingBackend final : public Backend {
 public:
  using Run = std::function<Attempt(const Prompt&, std::stop_token)>;
  explicit BlockingBackend(Run run) : run_(std::move(run)) {}
  void start(const Prompt& prompt, std::stop_token stop, Done done) override;

 private:
  struct Worker {
    std::atomic<bool> ended = false;
    std::thread thread;
    ~Worker() {
      if (thread.joinable()) thread.join();
    }
  };

  Run run_;
  std::mutex mutex_;
  std::list<Worker> workers_;  // last: its end waits for the threads
};

}  // namespace hone::llm

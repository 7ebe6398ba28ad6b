#include "tool/llm/blocking_backend.h"

#include <string>
#include <system_error>
#include <utility>

namespace hone::llm {

void BlockingBackend::start(const Prompt& prompt, std::stop_token stop, Done done) {
  const std::lock_guard lock(mutex_);
  workers_.remove_if([](const Worker& worker) { return worker.ended.load(); });
  Worker& worker = workers_.emplace_back();
  try {
    worker.thread = std::thread([this, &worker, &prompt, stop = std::move(stop), done]() mutable {
      done(run_(prompt, std::move(stop)));
      worker.ended = true;
    });
  } catch (const std::system_error& error) {
    workers_.pop_back();
    done({Failure{FailureKind::exhausted, std::string("cannot start a thread: ") + error.what()}, true, {}});
  }
}

}  // namespace hone::llm

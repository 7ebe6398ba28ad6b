// What threads have to say to the one that waits for it, in the order in which they said it. Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>

namespace hone::tune {

template <class Message>
class Mailbox {
 public:
  void post(Message message) {
    {
      const std::lock_guard lock(mutex_);
      messages_.push_back(std::move(message));
    }
    posted_.notify_one();
  }

  // nullopt: nothing came in time, or it was stopped.
  std::optional<Message> wait(std::stop_token stop, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!posted_.wait_for(lock, stop, patience, [this] { return !messages_.empty(); })) return std::nullopt;
    Message message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any posted_;
  std::deque<Message> messages_;
};

}  // namespace hone::tune

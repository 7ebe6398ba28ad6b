// Some threads that work off one queue, in the order in which the work was added.
//
// The destructor drops what has not begun and waits for what has. Thread-safe.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hone::tune {

class ThreadPool {
 public:
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  void add(std::function<void()> work);

 private:
  void serve(std::stop_token stop);

  std::mutex mutex_;
  std::condition_variable_any added_;
  std::deque<std::function<void()>> queue_;
  std::vector<std::jthread> threads_;  // last: they use everything above
};

}  // namespace hone::tune

// Some threads that work off one queue, in the order in which the work was added.
//
// end(), and so the destructor, drops what has not begun (or works it off) and waits for what has. Thread-safe, but for
// end().
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
  enum class Rest { dropped, worked_off };  // what becomes of work that has not begun when the pool ends

  explicit ThreadPool(unsigned threads, Rest rest = Rest::dropped);
  ~ThreadPool() { end(); }
  void add(std::function<void()> work);  // not after end()
  void end();

 private:
  void serve(std::stop_token stop);

  const Rest rest_;
  std::mutex mutex_;
  std::condition_variable_any added_;
  std::deque<std::function<void()>> queue_;
  std::vector<std::jthread> threads_;  // last: they use everything above
};

}  // namespace hone::tune

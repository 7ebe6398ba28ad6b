#include "tool/tune/trial/thread_pool.h"

#include <algorithm>

namespace hone::tune {

ThreadPool::ThreadPool(unsigned threads, Rest rest) : rest_(rest) {
  for (unsigned i = 0; i < std::max(threads, 1u); ++i)
    threads_.emplace_back([this](std::stop_token stop) { serve(stop); });
}

void ThreadPool::end() {
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();  // joins
}

void ThreadPool::add(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  added_.notify_one();
}

void ThreadPool::serve(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (added_.wait(lock, stop, [this] { return !queue_.empty(); })) {
    if (stop.stop_requested() && rest_ == Rest::dropped) return;
    std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work();
    work = nullptr;  // what the work holds goes before the next wait
    lock.lock();
  }
}

}  // namespace hone::tune

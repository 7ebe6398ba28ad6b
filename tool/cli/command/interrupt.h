// Ctrl-C and SIGTERM as a stop token. The second one ends the process at once. Ctrl-Z stops the process, as ever.
//
// Handlers do nothing but write to a pipe; a thread reads it. In children they do nothing, and exec resets them. One
// per process.
#pragma once

#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace hone::cli {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  std::stop_token token() const { return source_.get_token(); }
  bool happened() const { return source_.stop_requested(); }

  // Called around a stop by Ctrl-Z, as long as the object lives: for who has drawn on the terminal. One at a time.
  class AroundStop {
   public:
    AroundStop(Interrupt& interrupt, std::function<void()> before, std::function<void()> after);
    ~AroundStop();
    AroundStop(const AroundStop&) = delete;

   private:
    Interrupt& interrupt_;
  };

 private:
  void stop_process();

  std::stop_source source_;
  std::mutex mutex_;
  std::function<void()> before_stop_, after_stop_;
  int pipe_[2] = {-1, -1};
  std::thread thread_;
};

}  // namespace hone::cli

// Ctrl-C and SIGTERM as a stop token. The second one ends the process at once.
//
// Handlers do nothing but write to a pipe; a thread reads it. Handlers are reset in children by exec. One per process.
#pragma once

#include <stop_token>
#include <thread>

namespace hone::cli {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  std::stop_token token() const { return source_.get_token(); }
  bool happened() const { return source_.stop_requested(); }

 private:
  std::stop_source source_;
  int pipe_[2] = {-1, -1};
  std::thread thread_;
};

}  // namespace hone::cli

// A stop token that fires when another does, or when its owner says so. Thread-safe.
#pragma once

#include <stop_token>

namespace hone {

class EitherStop {
 public:
  explicit EitherStop(const std::stop_token& other) : forward_(other, Forward{source_}) {}

  std::stop_token token() const { return source_.get_token(); }
  void stop() { source_.request_stop(); }

 private:
  struct Forward {
    std::stop_source source;
    void operator()() { source.request_stop(); }
  };
  std::stop_source source_;
  std::stop_callback<Forward> forward_;
};

}  // namespace hone

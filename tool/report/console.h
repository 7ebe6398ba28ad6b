// A tuning as plain lines: for a log, or a terminal that can do no more. board.h is for the others.
//
// Each trial is a line, with the reason where it was not accepted. Never writes to anything but the stream it was
// given, which it borrows. Thread-safe.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>

#include "tool/report/progress.h"

namespace hone::report {

class Console final : public Progress {
 public:
  struct Options {
    bool trials = true;  // a line for each trial
    std::string prefix;  // in front of each line: which of several kernels it is about
  };

  Console(std::FILE* stream, Options options) : stream_(stream), options_(std::move(options)) {}

  void begin(const Run& run) override;
  void note(const std::string& line) override;
  void trial(const TrialNews& news) override;
  void end(const KernelResult& result) override;

 private:
  void print(const std::string& line);

  std::FILE* stream_;
  const Options options_;
  std::mutex mutex_;
  unsigned trials_ = 0;  // that there may be
};

}  // namespace hone::report

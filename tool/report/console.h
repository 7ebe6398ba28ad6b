// A tuning as a person watches it: one live line on a terminal, plain lines in a log.
//
// On a terminal the line (trial, best so far, rate, time left) is redrawn twice a second by a thread of its own, and
// each new best leaves a line behind. Elsewhere each trial is a line. Color only on a terminal and without NO_COLOR.
// Never writes to anything but the stream it was given, which it borrows.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

#include "tool/os/files/clock.h"
#include "tool/report/progress.h"

namespace hone::report {

class Console final : public Progress {
 public:
  struct Options {
    bool live = false;  // redraw a line
    bool color = false;
    bool trials = true;  // plain mode: a line for each trial
    std::string prefix;  // in front of each line: which of several kernels it is about
  };
  // The options that suit the stream: a terminal or not, NO_COLOR, TERM=dumb.
  static Options suited(std::FILE* stream);

  Console(std::FILE* stream, Options options, const os::Clock& clock);
  ~Console() override;

  void begin(const Run& run) override;
  void note(const std::string& line) override;
  void trial(const TrialNews& news) override;
  void end(const KernelResult& result) override;
  void asking(unsigned open, const Spent& so_far) override;

 private:
  void print(const std::string& line);  // above the live line
  void clear();
  void draw();
  double elapsed() const;

  std::FILE* stream_;
  Options options_;
  const os::Clock& clock_;
  std::mutex mutex_;
  bool running_ = false;
  Run run_;
  os::Clock::Duration started_{};
  unsigned trial_ = 0;
  unsigned judged_ = 0;  // without replayed ones: what the rate counts
  double best_ = 1;
  unsigned calls_open_ = 0;
  Spent spent_;
  std::condition_variable_any ticked_;
  std::jthread ticker_;  // last: it uses everything above
};

}  // namespace hone::report

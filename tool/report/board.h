// The tuning of several kernels as a person watches it on a terminal: lines that are redrawn, and what stays above
// them.
//
// A thread of its own redraws twice a second, and looks at the terminal's size each time. News that is worth keeping
// (notes, new bests, ends) scrolls by above. The cursor stands below the lines at all times and nothing of the terminal
// is changed, so that a process which is killed leaves it usable. What is drawn goes with the Board. Nothing is drawn
// while another job is in the terminal's foreground. Thread-safe; borrows the stream and the clock.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "tool/os/files/clock.h"
#include "tool/report/progress.h"
#include "tool/report/screen.h"

namespace hone::report {

class Board {
 public:
  struct Options {
    bool color = false;
    double seconds = unknown_time;  // the budget of all kernels together
    std::stop_token stop;           // the user's wish to stop, to be shown
  };
  Board(std::FILE* stream, std::vector<std::string> kernels, Options options, const os::Clock& clock);
  ~Board();

  // Of one kernel; lives as long as the Board.
  Progress& kernel(std::size_t index);
  // It waits for its next slice of a time that all share.
  void wait(std::size_t kernel, bool waits);
  void note(const std::string& line);  // what concerns all of them

  // Takes away what is drawn, and draws nothing until resume(): the process is about to be stopped.
  void pause();
  void resume();

 private:
  class Row;
  using Duration = os::Clock::Duration;

  void keep(const std::string& line);  // above what is drawn
  std::string erased();
  void draw(const std::string& above = {});
  ScreenState state() const;
  double since(Duration start) const;

  std::FILE* stream_;
  const Options options_;
  const os::Clock& clock_;
  const Duration started_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Row>> rows_;
  std::vector<std::size_t> drawn_;  // the columns of each line that is on the terminal
  bool paused_ = false;
  std::condition_variable_any ticked_;
  std::jthread ticker_;  // last: it uses everything above
};

}  // namespace hone::report

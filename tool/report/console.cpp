#include "tool/report/console.h"

#include <fmt/format.h>

#include "tool/report/text.h"

namespace hone::report {

void Console::begin(const Run& run) {
  const std::lock_guard lock(mutex_);
  trials_ = run.trials;
  print(begun(run));
}

void Console::note(const std::string& line) {
  const std::lock_guard lock(mutex_);
  print("  " + line);
}

void Console::trial(const TrialNews& news) {
  const std::lock_guard lock(mutex_);
  if (options_.trials) print("  " + told(news, trials_));
}

void Console::end(const KernelResult& result) {
  const std::lock_guard lock(mutex_);
  print("  " + ended(result));
}

void Console::print(const std::string& line) {
  fmt::print(stream_, "{}{}\n", options_.prefix, line);
  std::fflush(stream_);
}

}  // namespace hone::report

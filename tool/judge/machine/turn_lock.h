// Timing is exclusive per device, across all processes of the machine whoever runs them: an advisory lock on a file in
// /tmp, whatever TMPDIR says. Compiling goes on beside it; so does verifying on a processor. On a GPU, which has no
// processors to set aside, those who verify share the lock, and who times waits for them. Whoever came first has it
// first: who asks to share it queues behind a timing that waits.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tool/os/files/descriptor.h"

namespace hone::judge {

// The name of another lock: who starts processes on the device shares that one, as it takes them long and they run
// nothing there yet. Never wait for it with the device's own in hand.
std::string starts_on(const std::string& device);

class TurnLock {
 public:
  enum class Mode { shared, exclusive };
  // Blocks until it is free. Where the file can be neither made nor opened there is no lock, and held() is false:
  // better a noisier figure than none. Never ask for it twice in one thread. `device`: "cpu", or a GPU's number.
  static TurnLock acquire(const std::string& device, Mode mode = Mode::exclusive);
  // Does not block: not held() where another holds it.
  static TurnLock try_acquire(const std::string& device);
  bool held() const { return static_cast<bool>(file_); }

 private:
  os::Descriptor file_;
};

// Work on a device that is not timed: timings wait for it, and it for them. Between two steps of it those that wait
// have their turn. One thread.
class UntimedWork {
 public:
  explicit UntimedWork(std::string device) : device_(std::move(device)) {}
  void begin();             // blocks; also where it has begun, and nobody ended it
  void let_timings_pass();  // without effect where it has not begun
  void end() { lock_.reset(); }

 private:
  std::string device_;
  std::optional<TurnLock> lock_;
};

}  // namespace hone::judge

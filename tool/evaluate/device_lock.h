// Timing is exclusive per device, across all processes of the machine whoever runs them: an advisory lock on a file in
// the system's temporary folder. Verifying and compiling go on beside it.
#pragma once

#include <string>

#include "tool/os/descriptor.h"

namespace hone::evaluate {

class DeviceLock {
 public:
  // Blocks until it is free. Where the file can be neither made nor opened there is no lock, and held() is false:
  // better a noisier figure than none.
  static DeviceLock acquire(const std::string& device);  // "cpu"
  bool held() const { return static_cast<bool>(file_); }

 private:
  os::Descriptor file_;
};

}  // namespace hone::evaluate

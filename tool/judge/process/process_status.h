// What the system says of a process: threads, memory, waits. Of one that is gone, nothing: zeros.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string_view>

namespace hone::judge {

class ProcessStatus {
 public:
  explicit ProcessStatus(pid_t process) : process_(process) {}

  unsigned long threads() const { return number("Threads:"); }
  unsigned long voluntary_switches() const { return number("voluntary_ctxt_switches:"); }
  std::size_t mapped_bytes() const { return std::size_t{1024} * number("VmSize:"); }
  bool is_runnable() const;  // now: it runs, or waits for a processor; who sleeps does not

 private:
  unsigned long number(std::string_view name) const;
  pid_t process_;
};

}  // namespace hone::judge

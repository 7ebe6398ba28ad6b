// What hone-sampler.so leaves of a program that it was loaded into, and hone-tool reads: call stacks, by processor
// time.
//
// A process, and each copy of it that goes on by fork(), has two files in the folder that HONE_SAMPLES names:
//   <pid>-<nanoseconds>.samples   SamplesHeader, then samples: SampleHeader and its `frames` addresses, innermost first
//   <pid>-<nanoseconds>.maps      /proc/self/maps at the start, and again at the end where the process ends by exit()
// The samples are a shared mapping of the file, so a crash loses none. Words are this machine's. Only those samples
// count whose `frames` is not 0 and whose words lie below `used`.
#pragma once

#include <cstdint>

namespace hone::suggest {

inline constexpr std::uint64_t samples_magic = 0x3153454c504d5348;  // "HSMPLES1"
inline constexpr long sample_interval_ns = 1'000'000;               // of a thread's processor time
inline constexpr unsigned most_frames = 96;

struct SamplesHeader {
  std::uint64_t magic = 0;
  std::uint64_t words = 0;  // that the file has room for, this header included
  std::uint64_t used = 0;   // by samples and by this header; more than `words` where some had no room
};

struct SampleHeader {
  std::uint32_t frames = 0;  // written last
  std::uint32_t weight = 0;  // intervals since the thread's last sample
};

}  // namespace hone::suggest

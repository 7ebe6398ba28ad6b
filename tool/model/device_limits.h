// How much of everything a CUDA device has, as its driver says: what a kernel's blocks have to share.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace hone {

// 0: the driver does not say.
struct DeviceLimits {
  std::uint64_t multiprocessors = 0;
  std::uint64_t clock_hertz = 0;  // the highest
  std::uint64_t threads_of_multiprocessor = 0, blocks_of_multiprocessor = 0, registers_of_multiprocessor = 0;
  std::uint64_t shared_bytes_of_multiprocessor = 0;
  std::uint64_t threads_of_block = 0, registers_of_block = 0;
  std::uint64_t shared_bytes_of_block = 0;             // without asking
  std::uint64_t shared_bytes_of_block_on_request = 0;  // after cudaFuncSetAttribute
  std::uint64_t cache_bytes = 0;                       // second level
  std::uint64_t memory_bytes = 0;
  bool operator==(const DeviceLimits&) const = default;
};

// Each by the name that it has in JSON.
using DeviceLimit = std::pair<const char*, std::uint64_t DeviceLimits::*>;
inline constexpr std::array device_limits{
    DeviceLimit{"multiprocessors", &DeviceLimits::multiprocessors},
    DeviceLimit{"clock_hertz", &DeviceLimits::clock_hertz},
    DeviceLimit{"threads_of_multiprocessor", &DeviceLimits::threads_of_multiprocessor},
    DeviceLimit{"blocks_of_multiprocessor", &DeviceLimits::blocks_of_multiprocessor},
    DeviceLimit{"registers_of_multiprocessor", &DeviceLimits::registers_of_multiprocessor},
    DeviceLimit{"shared_bytes_of_multiprocessor", &DeviceLimits::shared_bytes_of_multiprocessor},
    DeviceLimit{"threads_of_block", &DeviceLimits::threads_of_block},
    DeviceLimit{"registers_of_block", &DeviceLimits::registers_of_block},
    DeviceLimit{"shared_bytes_of_block", &DeviceLimits::shared_bytes_of_block},
    DeviceLimit{"shared_bytes_of_block_on_request", &DeviceLimits::shared_bytes_of_block_on_request},
    DeviceLimit{"cache_bytes", &DeviceLimits::cache_bytes},
    DeviceLimit{"memory_bytes", &DeviceLimits::memory_bytes}};

}  // namespace hone

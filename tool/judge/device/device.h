// A CUDA device as the judge has it: what it is, and memory on it that the judge owns and lends to runners.
//
// The judge has a context of its own; a runner's context may die of what the candidate did, the judge's does not.
// Memory is lent as a descriptor (the driver's shareable handles), so that runners under another identity can map it,
// inputs without the right to write. Calls made here fail only when the machine does: the first failure is kept, and
// health() tells it, so that no verdict is built on it. One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/model/device_rates.h"
#include "tool/os/files/clock.h"
#include "tool/os/files/descriptor.h"

namespace hone::judge {

struct DeviceTraits {
  int number = 0;            // as CUDA counts them here
  std::string name;          // "NVIDIA H200"
  std::string uuid;          // "GPU-30a7c2e1-…"
  int major = 0, minor = 0;  // compute capability
  DeviceLimits limits;
};

inline std::string architecture_of(const DeviceTraits& device) {
  return "sm_" + std::to_string(device.major) + std::to_string(device.minor);
}

// A CUDA device as a runner finds it. Where there are several it is shown this one alone, which also spares the driver
// the others.
struct RunnerDevice {
  int number = 0;          // in the judge's count
  std::string visible_as;  // for CUDA_VISIBLE_DEVICES; "": the runner counts as the judge does
  std::string order;       // for CUDA_DEVICE_ORDER, by which numbers there count; "": the driver's
  bool operator==(const RunnerDevice&) const = default;
};

class Device {
 public:
  // Error: no driver, no such device, or one that cannot lend memory. The same object for the same number.
  static Result<std::shared_ptr<Device>> open(int number);
  ~Device();
  static std::vector<std::string> uuids();  // of all, without a context; none: there is no driver either

  RunnerDevice for_runners() const;

  const DeviceTraits& traits() const { return traits_; }
  std::size_t free_bytes();
  Result<void> health() const;

  // Bytes per second, measured here, once, the best of a few tries: what a copy within the device's memory reads and
  // writes in sum, and what a fill stores there, or in its cache where that is quicker.
  struct Bandwidth {
    double copied = 0;
    double stored = 0;
  };
  Bandwidth bandwidth();

  // All of it, measured here. Nobody else should use the device meanwhile (some 50 ms).
  DeviceRates rates();

  // How long until work of the judge's own comes through: as long as what other processes left to the device takes, up
  // to two of their turns (milliseconds). Lines that somebody made persist in the cache are ordinary ones again.
  double seconds_until_free(const os::Clock& clock);

  void flush_cache();  // what lay in the second-level cache lies there no more

 private:
  friend class DeviceMemory;
  friend class PinnedPages;
  Device() = default;
  struct Calls;
  bool good(int result, const char* what);  // keeps the first failure

  std::unique_ptr<Calls> calls_;
  DeviceTraits traits_;
  std::size_t granularity_ = 0;
  Bandwidth bandwidth_;
  std::string failure_;
};

// A stretch of a device's memory. Empty, or mapped in the judge's context.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  static Result<DeviceMemory> create(std::shared_ptr<Device> device, std::size_t bytes);
  DeviceMemory(DeviceMemory&& other) noexcept;
  DeviceMemory& operator=(DeviceMemory&& other) noexcept;
  ~DeviceMemory();

  explicit operator bool() const { return address_ != 0; }
  int descriptor() const { return descriptor_.get(); }
  std::size_t size() const { return size_; }  // whole granules
  const std::shared_ptr<Device>& device() const { return device_; }

  void write(std::size_t offset, const std::byte* from, std::size_t bytes);
  void read(std::size_t offset, std::byte* to, std::size_t bytes) const;
  void copy(std::size_t offset, const DeviceMemory& from, std::size_t from_offset, std::size_t bytes);
  void fill(std::size_t offset, std::byte value, std::size_t bytes);

 private:
  std::shared_ptr<Device> device_;
  os::Descriptor descriptor_;
  unsigned long long handle_ = 0, address_ = 0;
  std::size_t size_ = 0;
};

// Pins memory of the judge's for as long as it lives, so that copies run at the bus's pace. Not an error where it
// cannot.
class PinnedPages {
 public:
  PinnedPages() = default;
  PinnedPages(std::shared_ptr<Device> device, void* from, std::size_t bytes);
  PinnedPages(PinnedPages&& other) noexcept;
  PinnedPages& operator=(PinnedPages&& other) noexcept;
  ~PinnedPages();

 private:
  std::shared_ptr<Device> device_;
  void* from_ = nullptr;
};

}  // namespace hone::judge

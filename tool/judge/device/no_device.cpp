// In place of device.cpp where Hone is built without the CUDA toolkit's headers: there is never a device.
#include "tool/judge/device/device.h"

namespace hone::judge {

struct Device::Calls {};

Result<std::shared_ptr<Device>> Device::open(int) {
  return failure("this hone-worker was built without CUDA", "hone-worker",
                 "install the CUDA toolkit and configure Hone anew");
}
Device::~Device() = default;
RunnerDevice Device::for_runners() const {
  return {};
}
std::vector<std::string> Device::uuids() {
  return {};
}
bool Device::good(int, const char*) {
  return true;
}
Result<void> Device::health() const {
  return {};
}
std::size_t Device::free_bytes() {
  return 0;
}
Device::Bandwidth Device::bandwidth() {
  return {};
}
DeviceRates Device::rates() {
  return {};
}
double Device::seconds_until_free(const os::Clock&) {
  return 0;
}
void Device::flush_cache() {}

Result<DeviceMemory> DeviceMemory::create(std::shared_ptr<Device>, std::size_t) {
  return failure("this hone-worker was built without CUDA", "hone-worker");
}
DeviceMemory::DeviceMemory(DeviceMemory&&) noexcept = default;
DeviceMemory& DeviceMemory::operator=(DeviceMemory&&) noexcept = default;
DeviceMemory::~DeviceMemory() = default;
void DeviceMemory::write(std::size_t, const std::byte*, std::size_t) {}
void DeviceMemory::read(std::size_t, std::byte*, std::size_t) const {}
void DeviceMemory::copy(std::size_t, const DeviceMemory&, std::size_t, std::size_t) {}
void DeviceMemory::fill(std::size_t, std::byte, std::size_t) {}

PinnedPages::PinnedPages(std::shared_ptr<Device>, void*, std::size_t) {}
PinnedPages::PinnedPages(PinnedPages&&) noexcept = default;
PinnedPages& PinnedPages::operator=(PinnedPages&&) noexcept = default;
PinnedPages::~PinnedPages() = default;

}  // namespace hone::judge

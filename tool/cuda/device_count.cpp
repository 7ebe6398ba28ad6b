#include "tool/cuda/device_count.h"

#include <dlfcn.h>

#include <array>

#include <fmt/format.h>

namespace hone::cuda {
namespace {

constexpr const char* advice =
    "name a machine that has one: --executor \"command:srun --gres=gpu:1 hone-worker -\" or \"command:ssh gpu1 "
    "hone-worker -\"";

// These few calls of the driver's API are enough, so that Hone may be built without CUDA's headers.
struct DriverLibrary {
  void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  template <class Call>
  Call* call(const char* name) const {
    return reinterpret_cast<Call*>(library ? ::dlsym(library, name) : nullptr);
  }
};

std::string capability(const DriverLibrary& driver, int device) {
  constexpr int major_attribute = 75, minor_attribute = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_…
  auto* attribute = driver.call<int(int*, int, int)>("cuDeviceGetAttribute");
  int major = 0, minor = 0;
  if (!attribute || attribute(&major, major_attribute, device) != 0 || attribute(&minor, minor_attribute, device) != 0)
    return {};
  return fmt::format(" (sm_{}{})", major, minor);
}

Result<std::vector<std::string>> ask() {
  const DriverLibrary driver;
  auto* start = driver.call<int(unsigned)>("cuInit");
  auto* count_of = driver.call<int(int*)>("cuDeviceGetCount");
  auto* name_of = driver.call<int(char*, int, int)>("cuDeviceGetName");
  if (!start || !count_of || !name_of)
    return failure("there is no CUDA device here: NVIDIA's driver (libcuda.so.1) is not installed", {}, advice);
  int count = 0;
  if (start(0) != 0 || count_of(&count) != 0 || count == 0)
    return failure("there is no CUDA device here: NVIDIA's driver finds none", {}, advice);
  std::vector<std::string> devices;
  for (int device = 0; device < count; ++device) {
    std::array<char, 128> name{};
    name_of(name.data(), static_cast<int>(name.size()) - 1, device);
    devices.push_back(name.data() + capability(driver, device));
  }
  return devices;
}

}  // namespace

const Result<std::vector<std::string>>& cuda_devices() {
  static const Result<std::vector<std::string>> devices = ask();
  return devices;
}

const std::string& driver_version() {
  static const std::string version = [] {
    auto* ask = DriverLibrary().call<int(int*)>("cuDriverGetVersion");
    int number = 0;  // 13000 of 13.0
    return ask && ask(&number) == 0 ? fmt::format("CUDA {}.{}", number / 1000, number % 1000 / 10) : std::string();
  }();
  return version;
}

std::string common_architecture(const std::vector<std::string>& devices) {
  std::string common;
  for (const std::string& device : devices) {
    const std::size_t open = device.rfind(" (sm_");
    if (open == std::string::npos || !device.ends_with(')')) return {};
    const std::string architecture = device.substr(open + 2, device.size() - open - 3);
    if (!common.empty() && architecture != common) return {};
    common = architecture;
  }
  return common;
}

}  // namespace hone::cuda

#include "tool/lock/judged_on.h"

#include <thread>

#include <fmt/format.h>

#include "tool/cuda/device_count.h"
#include "tool/os/files/files.h"

namespace hone::lock {

std::string processor_name() {
  std::string name = "unknown processor";
  if (const auto info = os::read_file("/proc/cpuinfo")) {
    const std::size_t key = info->find("model name");
    const std::size_t colon = key == std::string::npos ? key : info->find(": ", key);
    if (colon != std::string::npos) name = info->substr(colon + 2, info->find('\n', colon) - colon - 2);
  }
  return fmt::format("{}, {} cores", name, std::thread::hardware_concurrency());
}

std::string device_name(const KernelData& spec, bool here) {
  if (!spec.cuda) return processor_name();
  if (!here) return "a CUDA device behind the executor";
  const auto& devices = cuda::cuda_devices();
  return devices ? fmt::format("{}, driver of {}", devices->front(), cuda::driver_version()) : "no CUDA device";
}

std::string device_architecture(const KernelData& spec, bool here) {
  if (!spec.cuda || !here) return {};
  const auto& devices = cuda::cuda_devices();
  return devices ? cuda::common_architecture(*devices) : std::string();
}

std::string device_architecture(const KernelData& spec, bool here, const Verdict& original) {
  return here ? device_architecture(spec, true) : original.architecture;
}

}  // namespace hone::lock

#include "tool/judge/device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "tool/cuda/driver.h"
#include "tool/judge/device/device_arithmetic.h"
#include "tool/judge/device/device_choice.h"

namespace hone::judge {
namespace {

constexpr CUmemAllocationHandleType kind = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

CUmemAllocationProp properties(int device) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  properties.requestedHandleTypes = kind;
  return properties;
}

std::string uuid_text(const CUuuid& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

// What an older driver does not know stays unknown.
DeviceLimits limits_of(const cuda::Driver& driver, CUdevice device) {
  const auto of = [&](CUdevice_attribute which) -> std::uint64_t {
    int value = 0;
    const bool known = driver.cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS && value > 0;
    return known ? static_cast<std::uint64_t>(value) : 0;
  };
  constexpr std::uint64_t kilohertz = 1000;
  return {.multiprocessors = of(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
          .clock_hertz = kilohertz * of(CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
          .threads_of_multiprocessor = of(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
          .blocks_of_multiprocessor = of(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
          .registers_of_multiprocessor = of(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
          .shared_bytes_of_multiprocessor = of(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
          .threads_of_block = of(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
          .registers_of_block = of(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
          .shared_bytes_of_block = of(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
          .shared_bytes_of_block_on_request = of(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
          .cache_bytes = of(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)};
}

}  // namespace

struct Device::Calls {
  cuda::Driver driver;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUdeviceptr scratch = 0;  // flush_bytes of it
  std::size_t flush_bytes = 0;
};

bool Device::good(int result, const char* what) {
  if (result == CUDA_SUCCESS) return true;
  if (failure_.empty())
    failure_ = fmt::format("{}: {}", what, cuda::words(calls_->driver, static_cast<CUresult>(result)));
  return false;
}

Result<void> Device::health() const {
  if (failure_.empty()) return {};
  return failure("the device fails the judge: " + failure_, traits_.name + " (" + traits_.uuid + ")",
                 "look at nvidia-smi; another process may have taken its memory");
}

std::vector<std::string> Device::uuids() {
  cuda::Driver driver;
  int devices = 0;
  std::vector<std::string> all;
  if (cuda::load(driver) || driver.cuDeviceGetCount(&devices) != CUDA_SUCCESS) return all;
  for (int number = 0; number < devices; ++number) {
    CUuuid uuid{};
    driver.cuDeviceGetUuid(&uuid, number);
    all.push_back(uuid_text(uuid));
  }
  return all;
}

RunnerDevice Device::for_runners() const {
  int devices = 0;
  calls_->driver.cuDeviceGetCount(&devices);
  return runner_device(traits_.number, devices, traits_.uuid, std::getenv("CUDA_VISIBLE_DEVICES"),
                       std::getenv("CUDA_DEVICE_ORDER"));
}

Result<std::shared_ptr<Device>> Device::open(int number) {
  static std::map<int, std::shared_ptr<Device>> opened;
  if (const auto found = opened.find(number); found != opened.end() && found->second->failure_.empty())
    return found->second;
  std::shared_ptr<Device> device(new Device);
  device->calls_ = std::make_unique<Calls>();
  Calls& calls = *device->calls_;
  const cuda::Driver& driver = calls.driver;
  const std::string where = fmt::format("CUDA device {}", number);
  if (const char* why = cuda::load(calls.driver)) return failure("cannot use CUDA: " + std::string(why), where);
  const auto check = [&](CUresult result, const char* what) { return device->good(result, what); };
  DeviceTraits& traits = device->traits_;
  traits.number = number;
  char name[256] = {};
  CUuuid uuid{};
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    check(driver.cuDeviceGetAttribute(&value, which, calls.device), "its attributes");
    return value;
  };
  const bool usable = check(driver.cuDeviceGet(&calls.device, number), "finding it") &&
                      check(driver.cuDeviceGetName(name, sizeof name - 1, calls.device), "its name") &&
                      check(driver.cuDeviceGetUuid(&uuid, calls.device), "its number") &&
                      check(driver.cuDevicePrimaryCtxRetain(&calls.context, calls.device), "a context") &&
                      check(driver.cuCtxSetCurrent(calls.context), "a context");
  if (!usable) return failure("cannot use the device: " + device->failure_, where);
  traits.name = name;
  traits.uuid = uuid_text(uuid);
  traits.major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  traits.minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  traits.limits = limits_of(driver, calls.device);
  if (!attribute(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED))
    return failure("the device cannot lend memory to other processes", traits.name);
  std::size_t free = 0, memory = 0;
  const CUmemAllocationProp wanted = properties(number);
  check(driver.cuMemGetInfo(&free, &memory), "its memory");
  traits.limits.memory_bytes = memory;
  check(driver.cuMemGetAllocationGranularity(&device->granularity_, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
        "its pages");
  calls.flush_bytes = std::max<std::size_t>(traits.limits.cache_bytes, 1u << 20);
  check(driver.cuMemAlloc(&calls.scratch, calls.flush_bytes), "memory of the judge's own");
  HONE_CHECK(device->health());
  opened[number] = device;
  return device;
}

Device::~Device() {
  if (!calls_ || !calls_->context) return;
  if (calls_->scratch) calls_->driver.cuMemFree(calls_->scratch);
  calls_->driver.cuDevicePrimaryCtxRelease(calls_->device);
}

std::size_t Device::free_bytes() {
  std::size_t free = 0, total = 0;
  good(calls_->driver.cuMemGetInfo(&free, &total), "its free memory");
  return free;
}

// What is stored need not reach the memory in time: the cache is filled, too. What is read does not come from there, as
// it is flushed in front of what is timed.
Device::Bandwidth Device::bandwidth() {
  if (bandwidth_.copied > 0) return bandwidth_;
  const cuda::Driver& driver = calls_->driver;
  const std::size_t most = std::min<std::size_t>(free_bytes() / 4, 512u << 20);
  CUdeviceptr from = 0, to = 0;
  CUevent begin = nullptr, end = nullptr;
  good(driver.cuMemAlloc(&from, most), "memory for its bandwidth");
  good(driver.cuMemAlloc(&to, most), "memory for its bandwidth");
  good(driver.cuEventCreate(&begin, CU_EVENT_DEFAULT), "an event");
  good(driver.cuEventCreate(&end, CU_EVENT_DEFAULT), "an event");
  constexpr int repeats = 10;
  const auto best = [&](std::size_t bytes, const auto& work) {
    double rate = 0;
    for (int round = 0; round < 4 && failure_.empty(); ++round) {
      good(driver.cuEventRecord(begin, nullptr), "an event");
      for (int repeat = 0; repeat < repeats; ++repeat) good(work(bytes), "a copy");
      good(driver.cuEventRecord(end, nullptr), "an event");
      good(driver.cuEventSynchronize(end), "a copy");
      float milliseconds = 0;
      good(driver.cuEventElapsedTime(&milliseconds, begin, end), "an event");
      if (milliseconds > 0) rate = std::max(rate, repeats * static_cast<double>(bytes) / (1e-3 * milliseconds));
    }
    return rate;
  };
  const auto copy = [&](std::size_t n) { return driver.cuMemcpyDtoDAsync(to, from, n, nullptr); };
  const auto store = [&](std::size_t n) { return driver.cuMemsetD8Async(to, 0, n, nullptr); };
  bandwidth_.copied = 2 * best(most, copy);
  bandwidth_.stored = std::max(best(most, store), best(std::min(calls_->flush_bytes / 2, most), store));
  driver.cuEventDestroy(begin);
  driver.cuEventDestroy(end);
  driver.cuMemFree(from);
  driver.cuMemFree(to);
  return bandwidth_;
}

DeviceRates Device::rates() {
  const auto arithmetic = [this](ArithmeticPipe pipe) {
    return measured_arithmetic(calls_->driver, pipe, static_cast<int>(traits_.limits.multiprocessors));
  };
  return {.device = traits_.name,
          .copied = bandwidth().copied,
          .on_float = arithmetic(ArithmeticPipe::on_float),
          .on_double = arithmetic(ArithmeticPipe::on_double),
          .on_half = arithmetic(ArithmeticPipe::on_half),
          .on_tensor_cores = arithmetic(ArithmeticPipe::on_tensor_cores),
          .limits = traits_.limits};
}

double Device::seconds_until_free(const os::Clock& clock) {
  const double start = clock.seconds();
  for (int turn = 0; turn < 2; ++turn) {
    good(calls_->driver.cuMemsetD8(calls_->scratch, 0, 4096), "work of the judge's own");
    good(calls_->driver.cuCtxSynchronize(), "work of the judge's own");
  }
  const double taken = clock.seconds() - start;
  calls_->driver.cuCtxResetPersistingL2Cache();  // an error where the device has no such lines
  return taken;
}

void Device::flush_cache() {
  good(calls_->driver.cuMemsetD8Async(calls_->scratch, 0, calls_->flush_bytes, nullptr), "flushing its cache");
  good(calls_->driver.cuCtxSynchronize(), "flushing its cache");
}

Result<DeviceMemory> DeviceMemory::create(std::shared_ptr<Device> device, std::size_t bytes) {
  const cuda::Driver& driver = device->calls_->driver;
  const int number = device->traits_.number;
  DeviceMemory memory;
  memory.size_ =
      (std::max<std::size_t>(bytes, 1) + device->granularity_ - 1) / device->granularity_ * device->granularity_;
  const CUmemAllocationProp wanted = properties(number);
  const auto refused = [&](CUresult result, const char* what) {
    return failure(fmt::format("cannot {} {} bytes on the device: {}", what, bytes, cuda::words(driver, result)),
                   device->traits_.name, "give smaller problems, or free memory there");
  };
  if (const CUresult result = driver.cuMemCreate(&memory.handle_, memory.size_, &wanted, 0)) {
    memory.handle_ = 0;
    return refused(result, "allocate");
  }
  memory.device_ = device;
  int descriptor = -1;
  if (const CUresult result = driver.cuMemExportToShareableHandle(&descriptor, memory.handle_, kind, 0))
    return refused(result, "share");
  memory.descriptor_ = os::Descriptor(descriptor);
  CUdeviceptr address = 0;
  if (const CUresult result = driver.cuMemAddressReserve(&address, memory.size_, 0, 0, 0))
    return refused(result, "place");
  if (const CUresult result = driver.cuMemMap(address, memory.size_, 0, memory.handle_, 0)) {
    driver.cuMemAddressFree(address, memory.size_);
    return refused(result, "map");
  }
  memory.address_ = address;
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, number}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  if (const CUresult result = driver.cuMemSetAccess(address, memory.size_, &access, 1)) return refused(result, "open");
  return memory;
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : device_(std::move(other.device_)),
      descriptor_(std::move(other.descriptor_)),
      handle_(std::exchange(other.handle_, 0)),
      address_(std::exchange(other.address_, 0)),
      size_(std::exchange(other.size_, 0)) {}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(handle_, other.handle_);
  std::swap(address_, other.address_);
  std::swap(size_, other.size_);
  return *this;
}

DeviceMemory::~DeviceMemory() {
  if (!device_) return;
  const cuda::Driver& driver = device_->calls_->driver;
  if (address_) {
    driver.cuMemUnmap(address_, size_);
    driver.cuMemAddressFree(address_, size_);
  }
  if (handle_) driver.cuMemRelease(handle_);
}

void DeviceMemory::write(std::size_t offset, const std::byte* from, std::size_t bytes) {
  if (bytes) device_->good(device_->calls_->driver.cuMemcpyHtoD(address_ + offset, from, bytes), "copying to it");
}

void DeviceMemory::read(std::size_t offset, std::byte* to, std::size_t bytes) const {
  if (bytes) device_->good(device_->calls_->driver.cuMemcpyDtoH(to, address_ + offset, bytes), "copying from it");
}

void DeviceMemory::copy(std::size_t offset, const DeviceMemory& from, std::size_t from_offset, std::size_t bytes) {
  if (bytes)
    device_->good(device_->calls_->driver.cuMemcpyDtoD(address_ + offset, from.address_ + from_offset, bytes),
                  "copying on it");
}

void DeviceMemory::fill(std::size_t offset, std::byte value, std::size_t bytes) {
  if (bytes)
    device_->good(device_->calls_->driver.cuMemsetD8(address_ + offset, std::to_integer<unsigned char>(value), bytes),
                  "filling its memory");
}

PinnedPages::PinnedPages(std::shared_ptr<Device> device, void* from, std::size_t bytes) {
  if (device->calls_->driver.cuMemHostRegister(from, bytes, 0) != CUDA_SUCCESS) return;
  device_ = std::move(device);
  from_ = from;
}

PinnedPages::PinnedPages(PinnedPages&& other) noexcept
    : device_(std::move(other.device_)), from_(std::exchange(other.from_, nullptr)) {}

PinnedPages& PinnedPages::operator=(PinnedPages&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(from_, other.from_);
  return *this;
}

PinnedPages::~PinnedPages() {
  if (from_) device_->calls_->driver.cuMemHostUnregister(from_);
}

}  // namespace hone::judge

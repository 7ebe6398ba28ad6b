#include "tool/runner/device_arguments.h"

#include "tool/cuda/driver.h"

namespace hone::runner {
namespace {

constexpr CUmemAllocationHandleType kind = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
constexpr size_t gap = size_t{64} << 20;  // addresses on both sides that fault
constexpr size_t scratch_bytes = 4096;
// How long a stream is busy before a call: a launcher is through with its launches in tens of microseconds.
constexpr size_t busy_bytes = size_t{32} << 20;  // 10 us to fill at 3 TB/s
constexpr int busy_fills = 25;

cuda::Driver driver;
CUdevice device;
CUcontext context;
CUstream stream;
CUdeviceptr scratch;

// Memory of the device that stays and grows with what is asked for.
struct Room {
  CUdeviceptr at = 0;
  size_t bytes = 0;
};
Room busy, first_content, results;

// What a program sets for all that follows. The stack is not among it: the driver enlarges it for kernels that need so.
struct Settings {
  bool known = false;
  size_t limits[3] = {};
  CUfunc_cache cache = CU_FUNC_CACHE_PREFER_NONE;
};
Settings before;

const char* why(CUresult result) {
  return result == CUDA_SUCCESS ? nullptr : cuda::words(driver, result);
}

Settings settings_now() {
  constexpr CUlimit all[] = {CU_LIMIT_PRINTF_FIFO_SIZE, CU_LIMIT_MALLOC_HEAP_SIZE, CU_LIMIT_PERSISTING_L2_CACHE_SIZE};
  Settings now;
  now.known = driver.cuCtxGetCacheConfig(&now.cache) == CUDA_SUCCESS;
  for (int i = 0; i < 3; ++i)  // an error where the device has no such thing
    if (driver.cuCtxGetLimit(&now.limits[i], all[i]) != CUDA_SUCCESS) now.limits[i] = 0;
  return now;
}

bool differ(const Settings& one, const Settings& other) {
  if (!one.known || !other.known) return false;
  bool different = one.cache != other.cache;
  for (int i = 0; i < 3; ++i) different |= one.limits[i] != other.limits[i];
  return different;
}

uint64_t used_bytes() {
  size_t free = 0, all = 0;
  return driver.cuMemGetInfo(&free, &all) == CUDA_SUCCESS ? all - free : 0;
}

uint64_t pooled_bytes() {
  CUmemoryPool pool = nullptr;
  cuuint64_t used = 0;
  if (driver.cuDeviceGetDefaultMemPool(&pool, device) != CUDA_SUCCESS) return 0;
  return driver.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) == CUDA_SUCCESS ? used : 0;
}

const char* make(Room& room, size_t bytes) {
  if (room.bytes >= bytes) return nullptr;
  if (room.at) driver.cuMemFree(room.at);
  room = Room{};
  if (const char* error = why(driver.cuMemAlloc(&room.at, bytes))) return error;
  room.bytes = bytes;
  return nullptr;
}

const char* map_one(int file, size_t bytes, bool writable, uint64_t& handle, uint64_t& base, uint64_t& address) {
  CUmemGenericAllocationHandle imported = 0;
  const auto shared = reinterpret_cast<void*>(static_cast<intptr_t>(file));
  if (const char* error = why(driver.cuMemImportFromShareableHandle(&imported, shared, kind))) return error;
  handle = imported;
  CUdeviceptr reserved = 0;
  if (const char* error = why(driver.cuMemAddressReserve(&reserved, bytes + 2 * gap, 0, 0, 0))) return error;
  base = reserved;
  if (const char* error = why(driver.cuMemMap(reserved + gap, bytes, 0, imported, 0))) return error;
  address = reserved + gap;
  CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, static_cast<int>(device)},
                         writable ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_READ};
  if (driver.cuMemSetAccess(address, bytes, &access, 1) == CUDA_SUCCESS) return nullptr;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;  // the judge looks at its inputs afterwards anyway
  return why(driver.cuMemSetAccess(address, bytes, &access, 1));
}

}  // namespace

bool has_device() {
  return context != nullptr;
}

const char* open_device(int number) {
  if (const char* error = cuda::load(driver)) return error;
  if (const char* error = why(driver.cuDeviceGet(&device, number))) return error;
  if (const char* error = why(driver.cuDevicePrimaryCtxRetain(&context, device))) return error;
  if (const char* error = why(driver.cuCtxSetCurrent(context))) return error;
  if (const char* error = why(driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING))) return error;
  return why(driver.cuMemAlloc(&scratch, scratch_bytes));
}

const char* map_lent(const int* files, const uint64_t* bytes, Lent& lent) {
  for (int i = 0; i < 2; ++i) {
    lent.bytes[i] = bytes[i];
    if (const char* error = map_one(files[i], bytes[i], i == 1, lent.handles[i], lent.bases[i], lent.addresses[i]))
      return error;
  }
  return nullptr;
}

void unmap_lent(Lent& lent) {
  for (int i = 0; i < 2; ++i) {
    if (lent.addresses[i]) driver.cuMemUnmap(lent.addresses[i], lent.bytes[i]);
    if (lent.bases[i]) driver.cuMemAddressFree(lent.bases[i], lent.bytes[i] + 2 * gap);
    if (lent.handles[i]) driver.cuMemRelease(lent.handles[i]);
  }
  lent = Lent{};
}

const char* allocate_on_device(size_t bytes, uint64_t& address) {
  CUdeviceptr allocated = 0;
  const CUresult result = driver.cuMemAlloc(&allocated, bytes ? bytes : 1);
  address = allocated;
  return why(result);
}

void free_on_device(uint64_t address) {
  if (address) driver.cuMemFree(address);
}

const char* copy_to_device(uint64_t to, const void* from, size_t bytes) {
  return bytes ? why(driver.cuMemcpyHtoD(to, from, bytes)) : nullptr;
}

const char* copy_from_device(void* to, uint64_t from, size_t bytes) {
  return bytes ? why(driver.cuMemcpyDtoH(to, from, bytes)) : nullptr;
}

const char* begin_in_order(uint64_t outputs, size_t bytes, bool on_stream) {
  const CUstream caller = on_stream ? stream : nullptr;
  if (const char* error = make(busy, busy_bytes)) return error;
  if (const char* error = make(first_content, bytes)) return error;
  if (const char* error = make(results, bytes)) return error;
  if (const char* error = why(driver.cuMemcpyDtoD(first_content.at, outputs, bytes))) return error;
  if (const char* error = wait_for_device()) return error;
  for (int fill = 0; fill < busy_fills; ++fill)
    if (const char* error = why(driver.cuMemsetD8Async(busy.at, 0, busy.bytes, caller))) return error;
  return why(driver.cuMemcpyDtoDAsync(outputs, first_content.at, bytes, caller));
}

const char* end_in_order(uint64_t outputs, size_t bytes, bool on_stream) {
  const CUstream caller = on_stream ? stream : nullptr;
  if (const char* error = why(driver.cuMemcpyDtoDAsync(results.at, outputs, bytes, caller))) return error;
  if (const char* error = wait_for_device()) return error;
  if (const char* error = why(driver.cuMemcpyDtoD(outputs, results.at, bytes))) return error;
  return wait_for_device();
}

void begin_device_balance() {
  if (has_device()) before = settings_now();
}

void end_device_balance(Balance& balance) {
  if (!has_device()) return;
  if (differ(before, settings_now())) balance.changed |= changed_device;
  balance.device_bytes = used_bytes();
  balance.pooled_bytes = pooled_bytes();
}

void start_profiler() {
  driver.cuProfilerStart();
}

void stop_profiler() {
  driver.cuProfilerStop();
}

const char* wait_for_device() {
  return why(driver.cuCtxSynchronize());
}

const char* wake_device() {
  driver.cuCtxResetPersistingL2Cache();  // an error where the device has no such lines
  if (const char* error = why(driver.cuMemsetD8(scratch, 0, scratch_bytes))) return error;
  return wait_for_device();
}

const char* renew_device(const Scrubbing& scrubbing) {
  return scrub_device(driver, device, scrubbing);
}

void* device_stream() {
  return stream;
}

}  // namespace hone::runner

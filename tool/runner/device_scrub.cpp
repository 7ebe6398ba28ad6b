#include "tool/runner/device_scrub.h"

#include "tool/runner/scrub_ptx.h"

namespace hone::runner {
namespace {

constexpr unsigned waves = 2;              // of blocks, one on each multiprocessor
constexpr unsigned samples_a_turn = 16;    // of freed memory, between samples
constexpr unsigned most_allocations = 64;  // more than the stretches below ask for in sum

// Sizes that allocators keep apart; how many of each.
struct Stretch {
  size_t bytes;
  unsigned thoroughly, quickly;
};
constexpr Stretch stretches[] = {{size_t{64} << 20, 2, 0},  {size_t{16} << 20, 2, 1}, {size_t{2} << 20, 6, 2},
                                 {size_t{256} << 10, 8, 2}, {size_t{16} << 10, 8, 4}, {512, 8, 4}};

constexpr size_t large = size_t{256} << 10;  // bytes; what is larger takes the driver milliseconds to map

struct Scrub {
  bool tried = false;
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  int multiprocessors = 0;
  int shared_bytes = 0;
};
Scrub scrub;

bool ready(const cuda::Driver& driver, CUdevice device) {
  if (scrub.tried) return scrub.kernel != nullptr;
  scrub.tried = true;
  CUfunction kernel = nullptr;
  const bool usable =
      driver.cuModuleLoadData(&scrub.module, scrub_ptx) == CUDA_SUCCESS &&
      driver.cuModuleGetFunction(&kernel, scrub.module, "scrub") == CUDA_SUCCESS &&
      driver.cuDeviceGetAttribute(&scrub.multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device) ==
          CUDA_SUCCESS &&
      driver.cuDeviceGetAttribute(&scrub.shared_bytes, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device) ==
          CUDA_SUCCESS &&
      driver.cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, scrub.shared_bytes) ==
          CUDA_SUCCESS;
  if (usable) scrub.kernel = kernel;
  return usable;
}

// The driver takes long over large stretches and over a stream's own, and processes wait for each other there: all of
// them have their turn now and then only.
bool has_all_a_turn(const Scrubbing& scrubbing) {
  constexpr uint64_t calls_a_turn = 8;
  return !scrubbing.thoroughly || (scrubbing.key >> 32) % calls_a_turn == 0;
}

// Whether a call may get such a block: one on little data seldom asks for much.
bool is_in_reach(const Stretch& stretch, const Scrubbing& scrubbing) {
  constexpr size_t workspaces = 4;  // of a call's bytes
  return stretch.bytes <= large || stretch.bytes <= workspaces * scrubbing.call_bytes;
}

// Of the large blocks in reach one kind has its turn: whoever reads what is left there is wrong in one call of three at
// least, and one is enough.
bool has_its_turn(const Stretch& stretch, const Scrubbing& scrubbing) {
  unsigned kinds = 0, number = 0;
  for (const Stretch& other : stretches) {
    if (other.bytes <= large || !is_in_reach(other, scrubbing)) continue;
    if (other.bytes == stretch.bytes) number = kinds;
    ++kinds;
  }
  return (scrubbing.key >> 40) % kinds == number;
}

// How many of a stretch are filled before a call.
unsigned number_of(const Stretch& stretch, const Scrubbing& scrubbing) {
  if (!scrubbing.thoroughly) return stretch.quickly;
  if (has_all_a_turn(scrubbing) || stretch.bytes <= large) return stretch.thoroughly;
  return is_in_reach(stretch, scrubbing) && has_its_turn(stretch, scrubbing) ? stretch.thoroughly : 0;
}

void fill_freed_blocks(const cuda::Driver& driver, const Scrubbing& scrubbing) {
  CUdeviceptr blocks[most_allocations];
  unsigned count = 0;
  for (const Stretch& stretch : stretches)
    for (unsigned n = number_of(stretch, scrubbing); n > 0 && count < most_allocations; --n) {
      if (driver.cuMemAlloc(&blocks[count], stretch.bytes) != CUDA_SUCCESS) break;
      const auto word = static_cast<unsigned>((scrubbing.key + count) * 0x9e3779b97f4a7c15u >> 32);
      driver.cuMemsetD32Async(blocks[count], word, stretch.bytes / 4, nullptr);
      ++count;
    }
  while (count > 0) driver.cuMemFree(blocks[--count]);
}

// Requests that belong to a stream get memory from a place of their own.
void fill_freed_blocks_of_stream(const cuda::Driver& driver, const Scrubbing& scrubbing) {
  for (const Stretch& stretch : stretches) {
    CUdeviceptr block = 0;
    if (number_of(stretch, scrubbing) == 0) continue;
    if (driver.cuMemAllocAsync(&block, stretch.bytes, nullptr) != CUDA_SUCCESS) return;
    driver.cuMemsetD32Async(block, static_cast<unsigned>(scrubbing.key >> 32), stretch.bytes / 4, nullptr);
    driver.cuMemFreeAsync(block, nullptr);
  }
}

// Freed memory is what the next request gets. A device without room is no error here.
void fill_freed_memory(const cuda::Driver& driver, const Scrubbing& scrubbing) {
  if (has_all_a_turn(scrubbing)) fill_freed_blocks_of_stream(driver, scrubbing);
  fill_freed_blocks(driver, scrubbing);
}

}  // namespace

const char* scrub_device(const cuda::Driver& driver, CUdevice device, const Scrubbing& scrubbing) {
  const auto failed = [&](CUresult result) { return result == CUDA_SUCCESS ? nullptr : cuda::words(driver, result); };
  if (!ready(driver, device)) return failed(driver.cuCtxSynchronize());
  const bool has_turn = scrubbing.thoroughly || scrubbing.key % samples_a_turn == 0;
  if (scrubbing.freed && has_turn) fill_freed_memory(driver, scrubbing);
  auto word = static_cast<unsigned>(scrubbing.key);
  auto shared = static_cast<unsigned>(scrub.shared_bytes);
  void* arguments[] = {&word, &shared};
  const auto blocks = waves * static_cast<unsigned>(scrub.multiprocessors);
  if (const char* why = failed(
          driver.cuLaunchKernel(scrub.kernel, blocks, 1, 1, scrub_threads, 1, 1, shared, nullptr, arguments, nullptr)))
    return why;
  return failed(driver.cuCtxSynchronize());
}

}  // namespace hone::runner

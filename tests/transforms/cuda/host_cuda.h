// CUDA's words for a processor, so that a kernel's text runs without a device: blocks run one after the other, each
// thread of a block is a fiber, and a barrier (or a shuffle) lets all others run up to theirs. Blocks of a cooperative
// launch run in turns, each up to the grid's next barrier, backwards in every second turn.
//
// Contract: right for kernels whose threads reach the same barriers. What a block has in shared memory is lost at a
// barrier of the grid, where a device would keep it. A barrier of the grid in a plain launch, one that only some
// threads reach, and more blocks than the device runs at once end the program. Slow. Atomics are plain, as only one
// fiber runs.
#pragma once
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;
using cudaStream_t = struct CUstream_st*;

namespace host {

struct Fiber {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(1 << 16);
  bool done = false, at_grid = false;
  uint3 thread;
};
inline std::vector<Fiber> fibers;
inline ucontext_t scheduler;
inline std::size_t current;
inline std::function<void()> work;
inline bool cooperative = false;

[[noreturn]] inline void give_up(const char* why) {
  std::printf("%s\n", why);
  std::exit(2);
}

inline void enter() {
  work();
  fibers[current].done = true;
  swapcontext(&fibers[current].context, &scheduler);
}

inline void wait() {
  swapcontext(&fibers[current].context, &scheduler);
  threadIdx = fibers[current].thread;
}

inline void start(Fiber& fiber, unsigned number) {
  fiber.done = fiber.at_grid = false;
  fiber.thread = {number % blockDim.x, number / blockDim.x % blockDim.y, number / (blockDim.x * blockDim.y)};
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.data();
  fiber.context.uc_stack.ss_size = fiber.stack.size();
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, enter, 0);
}

inline std::size_t threads_of_block() {
  return std::size_t(blockDim.x) * blockDim.y * blockDim.z;
}

inline void start_block() {
  if (fibers.size() < threads_of_block()) fibers = std::vector<Fiber>(threads_of_block());
  for (std::size_t i = 0; i < threads_of_block(); ++i) start(fibers[i], unsigned(i));
}

// Until each thread is done or waits for the grid; false: all are done.
inline bool run_block() {
  bool waits = false;
  for (bool any = true; any;) {
    any = false;
    for (current = 0; current < threads_of_block(); ++current) {
      if (fibers[current].done || fibers[current].at_grid) continue;
      any = true;
      threadIdx = fibers[current].thread;
      swapcontext(&scheduler, &fibers[current].context);
    }
  }
  for (std::size_t i = 0; i < threads_of_block(); ++i) waits |= fibers[i].at_grid;
  for (std::size_t i = 0; waits && i < threads_of_block(); ++i)
    if (!std::exchange(fibers[i].at_grid, false)) give_up("some threads wait for the grid and others do not");
  return waits;
}

inline void wait_for_grid() {
  if (!cooperative) give_up("it waits for a grid that was not launched to do so");
  fibers[current].at_grid = true;
  wait();
}

// What the launch asks for; nothing that the block before left there, and nothing behind it.
inline std::vector<unsigned char> shared;
constexpr unsigned char untouched = 0xcd;

inline void check_shared(std::size_t bytes) {
  if (std::all_of(shared.begin() + std::ptrdiff_t(bytes), shared.end(), [](auto c) { return c == untouched; })) return;
  std::printf("it writes behind its %zu bytes of shared memory\n", bytes);
  std::exit(2);
}

inline void set_up(dim3 grid, dim3 block, std::size_t bytes, std::function<void()> kernel) {
  if (bytes > 48 * 1024) {
    std::printf("it asks for %zu bytes of shared memory\n", bytes);
    std::exit(2);
  }
  work = std::move(kernel);
  gridDim = grid;
  blockDim = block;
}

inline void launch(dim3 grid, dim3 block, std::size_t bytes, cudaStream_t, std::function<void()> kernel) {
  set_up(grid, block, bytes, std::move(kernel));
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) {
        blockIdx = {x, y, z};
        shared.assign(bytes + 4096, untouched);
        start_block();
        run_block();
        check_shared(bytes);
      }
}
inline void launch(dim3 grid, dim3 block, std::size_t bytes, std::function<void()> kernel) {
  launch(grid, block, bytes, nullptr, std::move(kernel));
}
inline void launch(dim3 grid, dim3 block, std::function<void()> kernel) {
  launch(grid, block, 0, nullptr, std::move(kernel));
}

// A small device, so that a grid has fewer blocks than there is work for.
constexpr int multiprocessors = 3, blocks_each = 2;

// Along x alone.
inline void launch_together(dim3 grid, dim3 block, std::size_t bytes, std::function<void()> kernel) {
  if (grid.x < 1 || grid.x > multiprocessors * blocks_each || grid.y != 1 || grid.z != 1)
    give_up("too many blocks in cooperative launch");
  set_up(grid, block, bytes, std::move(kernel));
  std::vector<std::vector<Fiber>> blocks(grid.x);
  cooperative = true;
  for (std::vector<Fiber>& own : blocks) {
    fibers.swap(own);
    start_block();
    fibers.swap(own);
  }
  unsigned waiting = grid.x;
  for (bool forward = true; waiting > 0; forward = !forward) {
    const unsigned before = std::exchange(waiting, 0);
    for (unsigned i = 0; i < grid.x; ++i) {
      blockIdx = {forward ? i : grid.x - 1 - i, 0, 0};
      shared.assign(bytes + 4096, untouched);
      fibers.swap(blocks[blockIdx.x]);
      waiting += run_block();
      fibers.swap(blocks[blockIdx.x]);
      check_shared(bytes);
    }
    if (waiting != 0 && waiting != before) give_up("some blocks wait for the grid and others do not");
  }
  cooperative = false;
}

// Reproducible numbers, some elements more than are asked for.
template <class T>
std::vector<T> numbers(std::size_t count) {
  std::vector<T> all(count + 8);
  unsigned state = 1;
  for (T& each : all) each = static_cast<T>((state = state * 1664525u + 1013904223u) >> 16) / static_cast<T>(16);
  return all;
}

// The same at the end of a page, behind which nobody may read or write; never freed.
template <class T>
T* guarded(const std::vector<T>& elements) {
  const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE)), bytes = elements.size() * sizeof(T);
  const std::size_t pages = (bytes + page - 1) / page;
  auto* const memory = static_cast<char*>(mmap(nullptr, (pages + 2) * page, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0));
  mprotect(memory + page, pages * page, PROT_READ | PROT_WRITE);
  auto* const first = reinterpret_cast<T*>(memory + (pages + 1) * page - bytes);
  std::copy(elements.begin(), elements.end(), first);
  return first;
}

template <class T>
int differ(const std::vector<T>& expected, const std::vector<T>& found) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::fabs(double(expected[i]) - double(found[i])) <= 1e-4 * std::max(1.0, std::fabs(double(expected[i]))))) {
      std::printf("element %zu is %g in place of %g\n", i, double(found[i]), double(expected[i]));
      return 1;
    }
  return 0;
}

}  // namespace host

using std::max;
using std::min;
inline long long llmin(long long a, long long b) {
  return a < b ? a : b;
}
inline long long llmax(long long a, long long b) {
  return a > b ? a : b;
}
inline void __syncthreads() {
  host::wait();
}
inline void __syncwarp(unsigned = ~0u) {
  host::wait();
}
namespace host {

// What each thread of a block says to the others of its warp.
inline unsigned char said[1024][8];

// `heard`: from a thread of the block by its number.
template <class T>
void say(const T& value, const std::function<void(const std::function<T(std::size_t)>&)>& heard) {
  static_assert(sizeof(T) <= sizeof(said[0]));
  std::memcpy(said[current], &value, sizeof(T));
  wait();
  heard([](std::size_t thread) {
    T other;
    std::memcpy(&other, said[thread], sizeof(T));
    return other;
  });
  wait();
}

}  // namespace host

namespace cooperative_groups {

struct grid_group {
  void sync() const { host::wait_for_grid(); }
};
inline grid_group this_grid() {
  return {};
}

}  // namespace cooperative_groups

enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16 };
inline int cudaGetDevice(int* device) {
  return *device = 0;
}
inline int cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = host::multiprocessors;
  return 0;
}
template <class Kernel>
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel, int, std::size_t) {
  *blocks = host::blocks_each;
  return 0;
}
template <class... Handed>
int cudaLaunchCooperativeKernel(void (*kernel)(Handed...), dim3 grid, dim3 block, void** handed, std::size_t bytes,
                                cudaStream_t) {
  const auto call = [&]<std::size_t... at>(std::index_sequence<at...>) {
    host::launch_together(grid, block, bytes, [=] { kernel(*static_cast<Handed*>(handed[at])...); });
  };
  call(std::index_sequence_for<Handed...>());
  return 0;
}

template <class T>
T __shfl_sync(unsigned, T value, int lane) {
  T other{};
  host::say<T>(value, [&](const auto& from) { other = from(host::current / 32 * 32 + std::size_t(lane) % 32); });
  return other;
}
inline int __any_sync(unsigned, int value) {
  int any = 0;
  host::say<int>(value, [&](const auto& from) {
    const std::size_t first = host::current / 32 * 32;
    for (std::size_t lane = first; lane < first + 32; ++lane) any |= from(lane) != 0;
  });
  return any;
}
template <class T>
T atomicAdd(T* at, T more) {
  const T before = *at;
  *at += more;
  return before;
}
template <class T>
T __ldg(const T* at) {
  return *at;
}
#define __expf(x) std::exp(float(x))

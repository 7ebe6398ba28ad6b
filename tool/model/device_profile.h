// What the kernels of one call do on a CUDA device, by its counters, as a profiler takes them: each launch is run
// several times and alone, from an empty cache, so that these are no timings to compare versions by.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hone {

// A kernel's launches of one shape. What the profiler could not tell is absent. Shares are of the device's peak, 0…1,
// over the launch's whole time; a stall is in cycles that a warp waits for that reason from one instruction to the
// next.
struct LaunchCounters {
  using Figure = std::optional<double>;

  std::string kernel;  // "step(const float *, float *, int)"
  std::string grid;    // "4096, 1, 1"
  std::string block;
  unsigned times = 1;        // that the call launches it so
  double seconds = 0;        // of the longest of these launches, which the figures are of
  double total_seconds = 0;  // of all of them

  Figure memory_share;  // of the busiest part of the memory system: device memory, caches, the ways between them
  Figure dram_share, l2_share, l1_share;
  Figure bytes_read, bytes_written;          // of device memory
  Figure l2_hits, l1_hits;                   // shares of the sectors asked for
  Figure load_sectors, store_sectors;        // 32-byte pieces of global memory that a warp's instruction touches
  Figure bank_conflicts, shared_wavefronts;  // extra passes over shared memory, of all passes

  Figure compute_share;  // of the multiprocessors' busiest pipe, the issue of instructions included
  Figure issue_share, fma_share, tensor_share, double_share;
  Figure float_instructions, float_multiply_adds;    // of threads; the first counts the second, too
  Figure double_instructions, double_multiply_adds;  // likewise
  Figure active_threads;                             // of 32, in an executed instruction

  Figure warps_share, possible_warps_share;  // resident on average; that fit; of what a multiprocessor can hold
  Figure fit_by_registers, fit_by_shared_memory, fit_by_blocks, fit_by_warps;  // blocks a multiprocessor
  Figure registers;                                                            // a thread
  Figure static_shared_bytes, dynamic_shared_bytes;                            // a block
  Figure blocks, threads, multiprocessors, waves;  // of the grid, of a block, of the device; blocks over what it holds

  Figure cycles_between;  // from one instruction of a warp to its next
  Figure stall_long_scoreboard, stall_short_scoreboard, stall_barrier, stall_math_pipe, stall_lg_throttle,
      stall_mio_throttle, stall_wait;

  // Of a launch, a multiply-add is two.
  Figure float_operations() const { return summed(float_instructions, float_multiply_adds); }
  Figure double_operations() const { return summed(double_instructions, double_multiply_adds); }

  bool operator==(const LaunchCounters&) const = default;

 private:
  static Figure summed(Figure one, Figure other) { return one && other ? Figure(*one + *other) : std::nullopt; }
};

struct DeviceProfile {
  std::string problem;                  // "n=16777216"
  unsigned launches = 0;                // counted; a call may have made more
  double seconds = 0;                   // of all these on the device
  std::vector<LaunchCounters> kernels;  // the longest in sum first

  bool operator==(const DeviceProfile&) const = default;
};

}  // namespace hone

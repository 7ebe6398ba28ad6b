#include "tool/tune/profile/device_profile_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/search/text/figures.h"
#include "tool/tune/profile/bottleneck.h"

namespace hone::tune {
namespace {

using search::percent_text;
using Figure = LaunchCounters::Figure;

constexpr double worth_lines = 0.05;
constexpr double worth_telling = 0.005;  // of a pipe: what would be 0%
// A warp's 32 elements of 4 bytes in a row are 4 sectors, of 16 bytes 16; what is worse is scattered.
constexpr double wide_sectors = 16;
constexpr double many_conflicts = 0.1;  // of the passes over shared memory
constexpr double few_threads = 24;      // of 32: a quarter of the work is nobody's

// Joins what is known.
class Parts {
 public:
  void add(std::string part) {
    if (!part.empty()) parts_.push_back(std::move(part));
  }
  void add(const char* format, const Figure& share) {
    if (share) parts_.push_back(fmt::format(fmt::runtime(format), percent_text(*share)));
  }
  std::string line(const char* title) const {
    return parts_.empty() ? "" : fmt::format("  {}: {}\n", title, fmt::join(parts_, "; "));
  }

 private:
  std::vector<std::string> parts_;
};

std::string moved(const LaunchCounters& kernel) {
  if (!kernel.bytes_read || !kernel.bytes_written) return "";
  const double all = *kernel.bytes_read + *kernel.bytes_written;
  return fmt::format("{} read and {} written, {}", search::bytes_text(*kernel.bytes_read),
                     search::bytes_text(*kernel.bytes_written), search::rate_text(all / kernel.seconds, "B/s"));
}

std::string hits(const char* name, const Figure& share, const Figure& hit) {
  if (!share) return "";
  return fmt::format("{} at {}{}", name, percent_text(*share),
                     hit ? fmt::format(" ({} of it found there)", percent_text(std::min(*hit, 1.0))) : "");
}

std::string sectors(const LaunchCounters& kernel) {
  std::vector<std::string> parts;
  bool scattered = false;
  for (const auto& [figure, name] : {std::pair{kernel.load_sectors, "load"}, {kernel.store_sectors, "store"}}) {
    if (!figure || *figure <= 0) continue;
    parts.push_back(fmt::format("{:.1f} in a {}", *figure, name));
    scattered = scattered || *figure > wide_sectors + 0.5;
  }
  if (parts.empty()) return "";
  return fmt::format("sectors of 32 bytes that a warp touches: {} (neighbours of 4 bytes: 4){}", fmt::join(parts, ", "),
                     scattered ? ", scattered accesses" : "");
}

std::string size_of(double waves) {
  return waves >= 1 ? fmt::format("the grid is {:.1f} times what the device holds at once", waves)
                    : fmt::format("the grid fills {} of what the device holds at once", percent_text(waves));
}

std::string memory(const LaunchCounters& kernel) {
  Parts parts;
  parts.add("device memory at {} of its peak", kernel.dram_share);
  parts.add(moved(kernel));
  parts.add(hits("second-level cache", kernel.l2_share, kernel.l2_hits));
  parts.add(hits("first-level", kernel.l1_share, kernel.l1_hits));
  parts.add(sectors(kernel));
  const double passes = kernel.shared_wavefronts.value_or(0), conflicts = kernel.bank_conflicts.value_or(0);
  if (passes > 0 && conflicts / passes >= many_conflicts)
    parts.add(fmt::format("{} of the passes over shared memory are bank conflicts", percent_text(conflicts / passes)));
  return parts.line("memory");
}

std::string multiprocessors(const LaunchCounters& kernel) {
  Parts parts;
  parts.add("busiest pipe at {}", kernel.compute_share);
  parts.add("an instruction issued in {} of the cycles", kernel.issue_share);
  for (const auto& [share, name] : {std::pair{kernel.tensor_share, "tensor cores {}"},
                                    {kernel.fma_share, "multiplications and additions {}"},
                                    {kernel.double_share, "double precision {}"}})
    if (share.value_or(0) >= worth_telling) parts.add(name, share);
  for (const auto& [operations, on] :
       {std::pair{kernel.float_operations(), "float"}, {kernel.double_operations(), "double"}})
    if (operations.value_or(0) > 0)
      parts.add(fmt::format("{} on {}", search::rate_text(*operations / kernel.seconds, "op/s"), on));
  if (kernel.active_threads && *kernel.active_threads < few_threads)
    parts.add(fmt::format("threads diverge: {:.1f} of 32 take part in an instruction", *kernel.active_threads));
  return parts.line("multiprocessors");
}

std::string warps(const LaunchCounters& kernel) {
  Parts parts;
  parts.add("{} of those that a multiprocessor holds are there on average", kernel.warps_share);
  if (const std::string limiter = occupancy_limiter(kernel); !limiter.empty())
    parts.add(fmt::format("{} fit, limited by {}", percent_text(*kernel.possible_warps_share), limiter));
  if (kernel.registers) parts.add(fmt::format("{:.0f} registers a thread", *kernel.registers));
  if (const double bytes = kernel.static_shared_bytes.value_or(0) + kernel.dynamic_shared_bytes.value_or(0); bytes > 0)
    parts.add(fmt::format("{} of shared memory a block", search::bytes_text(bytes)));
  if (kernel.waves) parts.add(size_of(*kernel.waves));
  return parts.line("warps");
}

std::string waits(const LaunchCounters& kernel) {
  const std::vector<Stall> found = stalls(kernel);
  if (found.empty()) return "";
  std::vector<std::string> parts;
  for (const Stall& stall : found) parts.push_back(fmt::format("{} for {}", percent_text(stall.share), stall.on));
  return fmt::format("  a warp waits {:.1f} cycles between two instructions: {}\n", *kernel.cycles_between,
                     fmt::join(parts, ", "));
}

std::string describe(const LaunchCounters& kernel, const DeviceProfile& profile) {
  const std::string times = kernel.times == 1 ? "" : fmt::format(" {} times", kernel.times);
  const std::string share = profile.launches == kernel.times
                                ? ""
                                : fmt::format(", {} of the call", percent_text(kernel.total_seconds / profile.seconds));
  return fmt::format("- {} with grid ({}) and blocks of ({}){}: {}{}\n", kernel.kernel, kernel.grid, kernel.block,
                     times, search::seconds_text(kernel.seconds), share) +
         memory(kernel) + multiprocessors(kernel) + warps(kernel) + waits(kernel);
}

}  // namespace

std::string counted_on_device(const DeviceProfile& profile) {
  std::string text;
  if (const auto limit = find_bottleneck(profile))
    text = fmt::format("- {}-bound: {}\n", to_string(limit->limit), limit->why);
  for (const LaunchCounters& kernel : profile.kernels)
    if (kernel.total_seconds >= worth_lines * profile.seconds) text += describe(kernel, profile);
  return text;
}

}  // namespace hone::tune

#include "tool/search/prompt/device_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/search/text/figures.h"

namespace hone::search {
namespace {

constexpr std::uint64_t warp = 32;
constexpr std::uint64_t registers_of_thread = 255;  // of every architecture since 3.5

// Joins what is known.
class Parts {
 public:
  void add(std::uint64_t limit, const char* format) {
    if (limit > 0) parts_.push_back(fmt::format(fmt::runtime(format), limit));
  }
  void add_bytes(std::uint64_t limit, const char* format) {
    if (limit > 0) parts_.push_back(fmt::format(fmt::runtime(format), cache_text(static_cast<double>(limit))));
  }
  std::string sentence(const char* begin) const {
    return parts_.empty() ? "" : fmt::format("{}{}.", begin, fmt::join(parts_, ", "));
  }

 private:
  std::vector<std::string> parts_;
};

std::string device_line(const DeviceLimits& device) {
  Parts parts;
  parts.add(device.multiprocessors, "{} multiprocessors");
  parts.add(device.clock_hertz / 1'000'000, "a clock of up to {} MHz");
  parts.add_bytes(device.cache_bytes, "second-level cache of {}");
  parts.add_bytes(device.memory_bytes, "memory of {}");
  return parts.sentence("It has ");
}

std::string multiprocessor_line(const DeviceLimits& device) {
  Parts parts;
  parts.add(device.threads_of_multiprocessor, "{} threads");
  parts.add(device.threads_of_multiprocessor / warp, "which are {} warps");
  parts.add(device.blocks_of_multiprocessor, "{} blocks");
  parts.add(device.registers_of_multiprocessor, "{} registers");
  parts.add_bytes(device.shared_bytes_of_multiprocessor, "{} of shared memory");
  return parts.sentence("At once a multiprocessor holds at most ");
}

std::string block_line(const DeviceLimits& device) {
  Parts parts;
  parts.add(device.threads_of_block, "{} threads");
  parts.add(device.registers_of_block, "{} registers");
  if (device.registers_of_block > 0) parts.add(registers_of_thread, "{} of them a thread");
  parts.add_bytes(device.shared_bytes_of_block, "{} of shared memory");
  if (device.shared_bytes_of_block_on_request > device.shared_bytes_of_block)
    parts.add_bytes(device.shared_bytes_of_block_on_request,
                    "or {} where it is dynamic and asked for by cudaFuncSetAttribute");
  return parts.sentence("A block has at most ");
}

}  // namespace

std::vector<std::string> device_lines(const DeviceLimits& device) {
  std::vector<std::string> lines;
  for (std::string line : {device_line(device), multiprocessor_line(device), block_line(device)})
    if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace hone::search

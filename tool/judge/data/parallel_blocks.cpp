#include "tool/judge/data/parallel_blocks.h"

#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

#include "tool/judge/machine/processors.h"

namespace hone::judge {
namespace {

constexpr std::size_t blocks_worth_a_thread = 4;  // of fewer, starting a thread takes longer than the blocks
constexpr std::size_t most_threads = 8;           // more wait for the memory, and other judges have work too

}  // namespace

void for_blocks(std::size_t blocks, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto help = [&] {
    for (std::size_t n = next++; n < blocks; n = next++) work(n);
  };
  std::vector<std::jthread> helpers;
  if (const std::size_t worth = std::min(blocks / blocks_worth_a_thread, most_threads); worth > 1) try {
      for (std::size_t n = 1; n < std::min(worth, allowed_processors().size()); ++n) helpers.emplace_back(help);
    } catch (const std::system_error&) {
      // The system has no thread to give: those that there are do it all.
    }
  help();
}

bool equal_bytes(const std::byte* a, const std::byte* b, std::size_t bytes) {
  std::atomic<bool> equal = true;
  for_stretches(bytes, 1, [&](std::size_t begin, std::size_t end) {
    if (equal && std::memcmp(a + begin, b + begin, end - begin) != 0) equal = false;
  });
  return equal;
}

}  // namespace hone::judge

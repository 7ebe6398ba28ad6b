// Work on large arrays, block by block, over the processors that the calling thread may run on: a thread that times is
// held to one, and works through them alone. The blocks are the same on every machine, and so is what is summed up by
// them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>

namespace hone::judge {

constexpr std::size_t block_bytes = 256u << 10;  // within a second-level cache

// Calls work(n) once for each n in [0, blocks), several at the same time.
void for_blocks(std::size_t blocks, const std::function<void(std::size_t)>& work);

// Calls f(begin, end) for stretches of [0, count) that together are all of it; `size`: bytes of one.
template <class Function>
void for_stretches(std::size_t count, std::size_t size, Function&& f) {
  const std::size_t in_block = std::max<std::size_t>(block_bytes / std::max<std::size_t>(size, 1), 1);
  for_blocks((count + in_block - 1) / in_block,
             [&](std::size_t n) { f(n * in_block, std::min(count, (n + 1) * in_block)); });
}

bool equal_bytes(const std::byte* a, const std::byte* b, std::size_t bytes);

}  // namespace hone::judge

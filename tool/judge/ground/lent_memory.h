// Memory of a ground's own, such as a CUDA device's: the judge lends it to runners, and copies to it and from it.
//
// Copies and fills fail only when the ground does; Ground::health() tells.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hone::judge {

// Memory that is handed over to a process: a file of the machine's own memory, or memory that a ground lends.
struct SharedHandle {
  int descriptor = -1;
  std::size_t lent_bytes = 0;  // of memory that is lent; 0: it is a file
  std::uint64_t lent_as = 0;   // no other memory of this judge's has the number, ever; 0: it is a file
};

class LentMemory {
 public:
  virtual ~LentMemory() = default;

  virtual SharedHandle handle() const = 0;
  // Copies of these pages of the judge's may run faster from now on. Undone when this object goes: before the pages do.
  virtual void pin(std::byte* pages, std::size_t bytes) = 0;

  virtual void write(std::size_t offset, const std::byte* from, std::size_t bytes) = 0;
  virtual void read(std::size_t offset, std::byte* to, std::size_t bytes) const = 0;
  // `from` is of the same ground.
  virtual void copy(std::size_t offset, const LentMemory& from, std::size_t from_offset, std::size_t bytes) = 0;
  virtual void fill(std::size_t offset, std::byte value, std::size_t bytes) = 0;
};

}  // namespace hone::judge

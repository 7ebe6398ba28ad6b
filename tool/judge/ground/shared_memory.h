// Memory that the judge shares with runners: an anonymous file, mapped here, handed over as a descriptor.
//
// Where the ground lends memory, that is what runners map, and what is mapped here is the judge's copy of it: push()
// sends it there, pull() fetches it. In the machine's own memory both do nothing.
//
// Sealed against growing and shrinking, so that a runner cannot make the judge fault or fill the machine. Read-only
// ones are sealed against every later write too (F_SEAL_FUTURE_WRITE): the judge's own mapping, made before, is the
// only one that can ever be written through, whatever identity the runner has.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "tool/base/result.h"
#include "tool/judge/ground/ground.h"
#include "tool/judge/ground/lent_memory.h"
#include "tool/os/files/descriptor.h"

namespace hone::judge {

class SharedMemory {
 public:
  enum class Access { read_only, read_write };  // of the runners
  // Pinned, the judge's copy of lent memory crosses the bus at its pace; pinning takes longer than one crossing, and
  // all of the memory.
  enum class Copy { pinned, pageable };

  SharedMemory() = default;
  static Result<SharedMemory> create(std::size_t bytes, Access access);  // in the machine's own memory
  static Result<SharedMemory> create(std::size_t bytes, Access access, Ground& ground, Copy copy = Copy::pinned);
  static Result<os::Descriptor> sealed_copy(std::string_view content);  // nobody can write it any more
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  int descriptor() const { return descriptor_.get(); }
  // What a runner gets to map: the memory that is lent, else this file.
  SharedHandle handle() const { return lent_ ? lent_->handle() : host_handle(); }
  SharedHandle host_handle() const { return {.descriptor = descriptor()}; }
  bool is_lent() const { return lent_ != nullptr; }
  LentMemory& lent() const { return *lent_; }  // where it is
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

  void push(std::size_t offset, std::size_t bytes);
  void pull(std::size_t offset, std::size_t bytes);

 private:
  os::Descriptor descriptor_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::unique_ptr<LentMemory> lent_;  // goes before the pages do, which it may have pinned: see the destructor
};

}  // namespace hone::judge

// Memory that the judge shares with runners: an anonymous file, mapped here, handed over as a descriptor.
//
// On a CUDA device the shared memory is the device's, lent by the judge, and what is mapped here is the judge's copy of
// it: push() sends it there, pull() fetches it. In the machine's own memory both do nothing.
//
// Sealed against growing and shrinking, so that a runner cannot make the judge fault or fill the machine. Read-only
// ones are sealed against every later write too (F_SEAL_FUTURE_WRITE): the judge's own mapping, made before, is the
// only one that can ever be written through, whatever identity the runner has.
#pragma once

#include <cstddef>
#include <string_view>

#include "tool/base/result.h"
#include "tool/judge/device/device.h"
#include "tool/os/files/descriptor.h"

namespace hone::judge {

// Memory that is handed over to a process: a file of the machine's own memory, or memory that a device lends.
struct SharedHandle {
  int descriptor = -1;
  std::size_t lent_bytes = 0;  // of a device's; 0: it is a file
};

class MemoryFile {
 public:
  enum class Access { read_only, read_write };  // of the runners

  MemoryFile() = default;
  // `device` may be null: the machine's own memory. Pinned, the judge's copy crosses the bus at its pace; pinning takes
  // longer than one crossing, and all of the memory.
  enum class Copy { pinned, pageable };
  static Result<MemoryFile> create(std::size_t bytes, Access access, std::shared_ptr<Device> device = nullptr,
                                   Copy copy = Copy::pinned);
  static Result<os::Descriptor> sealed_copy(std::string_view content);  // nobody can write it any more
  MemoryFile(MemoryFile&& other) noexcept;
  MemoryFile& operator=(MemoryFile&& other) noexcept;
  ~MemoryFile();

  int descriptor() const { return descriptor_.get(); }
  // What a runner gets to map: the device's memory where that is lent, else this file.
  SharedHandle handle() const { return lent_ ? SharedHandle{lent_.descriptor(), lent_.size()} : host_handle(); }
  SharedHandle host_handle() const { return {descriptor()}; }
  const DeviceMemory& lent() const { return lent_; }  // empty where there is no device
  DeviceMemory& lent() { return lent_; }
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

  void push() { push(0, size_); }
  void push(std::size_t offset, std::size_t bytes);
  void pull() { pull(0, size_); }
  void pull(std::size_t offset, std::size_t bytes);

 private:
  os::Descriptor descriptor_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  DeviceMemory lent_;
  PinnedPages pinned_;  // goes before the pages do: see the destructor
};

}  // namespace hone::judge

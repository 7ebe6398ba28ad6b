// Memory that the judge shares with runners: an anonymous file, mapped here, handed over as a descriptor.
//
// Sealed against growing and shrinking, so that a runner cannot make the judge fault or fill the machine. Read-only
// ones are sealed against every later write too (F_SEAL_FUTURE_WRITE): the judge's own mapping, made before, is the
// only one that can ever be written through, whatever identity the runner has.
#pragma once

#include <cstddef>
#include <string_view>

#include "tool/base/result.h"
#include "tool/os/descriptor.h"

namespace hone::evaluate {

class MemoryFile {
 public:
  enum class Access { read_only, read_write };  // of the runners

  MemoryFile() = default;
  static Result<MemoryFile> create(std::size_t bytes, Access access);
  static Result<os::Descriptor> sealed_copy(std::string_view content);  // nobody can write it any more
  MemoryFile(MemoryFile&& other) noexcept;
  MemoryFile& operator=(MemoryFile&& other) noexcept;
  ~MemoryFile();

  int descriptor() const { return descriptor_.get(); }
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  os::Descriptor descriptor_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace hone::evaluate

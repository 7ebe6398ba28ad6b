#include "tool/judge/ground/shared_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010  // Linux 5.1
#endif

namespace hone::judge {
namespace {

tl::unexpected<Error> system_failure(const std::string& what) {
  return failure(fmt::format("{}: {}", what, std::strerror(errno)), "memfd",
                 "free some memory, or give smaller problems");
}

}  // namespace

Result<SharedMemory> SharedMemory::create(std::size_t bytes, Access access) {
  SharedMemory memory;
  memory.descriptor_ = os::Descriptor(memfd_create("hone-arguments", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory.descriptor_) return system_failure("cannot make memory to share");
  memory.size_ = bytes;
  if (ftruncate(memory.descriptor(), static_cast<off_t>(bytes)) != 0)
    return system_failure(fmt::format("cannot make {} bytes of memory to share", bytes));
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.descriptor(), 0);
  if (data == MAP_FAILED) return system_failure(fmt::format("cannot map {} bytes of shared memory", bytes));
  memory.data_ = static_cast<std::byte*>(data);
  madvise(data, bytes, MADV_HUGEPAGE);  // where the machine allows it; ordinary pages do
  int seals = F_SEAL_GROW | F_SEAL_SHRINK;
  if (access == Access::read_only) seals |= F_SEAL_FUTURE_WRITE;
  if (fcntl(memory.descriptor(), F_ADD_SEALS, seals | F_SEAL_SEAL) != 0)
    return system_failure("cannot seal the shared memory");
  return memory;
}

Result<SharedMemory> SharedMemory::create(std::size_t bytes, Access access, Ground& ground, Copy copy) {
  HONE_TRY(std::unique_ptr<LentMemory> lent, ground.lend(bytes));
  HONE_TRY(SharedMemory memory, create(bytes, access));
  memory.lent_ = std::move(lent);
  if (memory.lent_ && copy == Copy::pinned) memory.lent_->pin(memory.data_, bytes);
  return memory;
}

void SharedMemory::push(std::size_t offset, std::size_t bytes) {
  if (lent_) lent_->write(offset, data_ + offset, bytes);
}

void SharedMemory::pull(std::size_t offset, std::size_t bytes) {
  if (lent_) lent_->read(offset, data_ + offset, bytes);
}

Result<os::Descriptor> SharedMemory::sealed_copy(std::string_view content) {
  os::Descriptor file(memfd_create("hone-object", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) return system_failure("cannot make a memory file");
  while (!content.empty()) {
    const ssize_t written = write(file.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return system_failure("cannot write a memory file");
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fcntl(file.get(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_WRITE | F_SEAL_SEAL) != 0)
    return system_failure("cannot seal a memory file");
  return file;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::move(other.descriptor_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      lent_(std::move(other.lent_)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(lent_, other.lent_);
  return *this;
}

SharedMemory::~SharedMemory() {
  lent_.reset();
  if (data_) munmap(data_, size_);
}

}  // namespace hone::judge

// Owns one file descriptor.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace hone::os {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { reset(); }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  int release() { return std::exchange(number_, -1); }
  void reset() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

// Descriptors that a child needs on its way to exec stay clear of the numbers that its program is promised. Low, as
// some may open 256 files only.
inline constexpr int first_private_descriptor = 16;

inline Descriptor made_private(Descriptor descriptor) {
  return Descriptor(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, first_private_descriptor));
}

}  // namespace hone::os

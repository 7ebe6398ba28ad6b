// In place of device_arguments.cpp where Hone is built without the CUDA toolkit's headers.
#include "tool/runner/device_arguments.h"

namespace hone::runner {
namespace {
constexpr const char* none = "this hone-runner was built without CUDA";
}

bool has_device() {
  return false;
}
const char* open_device(int) {
  return none;
}
const char* map_lent(const int*, const uint64_t*, Lent&) {
  return none;
}
void unmap_lent(Lent&) {}
const char* allocate_on_device(size_t, uint64_t&) {
  return none;
}
void free_on_device(uint64_t) {}
const char* copy_to_device(uint64_t, const void*, size_t) {
  return none;
}
const char* copy_from_device(void*, uint64_t, size_t) {
  return none;
}
const char* begin_in_order(uint64_t, size_t, bool) {
  return none;
}
const char* end_in_order(uint64_t, size_t, bool) {
  return none;
}
void begin_device_balance() {}
void end_device_balance(Balance&) {}
void start_profiler() {}
void stop_profiler() {}
const char* wait_for_device() {
  return none;
}
const char* wake_device() {
  return none;
}
const char* renew_device(const Scrubbing&) {
  return none;
}
void* device_stream() {
  return nullptr;
}

}  // namespace hone::runner

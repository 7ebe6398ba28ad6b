#include "tool/base/deep_stack.h"

#include <pthread.h>

#include <array>
#include <cstddef>

namespace hone {
namespace {

// Clang's frames are several times as large as GCC's.
constexpr std::array<std::size_t, 3> sizes = {std::size_t{1} << 30, std::size_t{256} << 20, std::size_t{64} << 20};

struct Call {
  const std::function<int()>& function;
  int result = 0;
};

void* run(void* given) {
  auto* call = static_cast<Call*>(given);
  call->result = call->function();
  return nullptr;
}

class Attributes {
 public:
  explicit Attributes(std::size_t stack) {
    pthread_attr_init(&attributes_);
    pthread_attr_setstacksize(&attributes_, stack);
  }
  ~Attributes() { pthread_attr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const pthread_attr_t* get() const { return &attributes_; }

 private:
  pthread_attr_t attributes_;
};

}  // namespace

int on_deep_stack(const std::function<int()>& function) {
  Call call{function};
  pthread_setattr_default_np(Attributes(sizes[1]).get());  // as the list of a project parses in several
  for (const std::size_t size : sizes) {
    const Attributes attributes(size);
    pthread_t thread;
    if (pthread_create(&thread, attributes.get(), run, &call) != 0) continue;
    pthread_join(thread, nullptr);
    return call.result;
  }
  return function();
}

}  // namespace hone

// What one word of a GCC or Clang command means to a unit that is compiled by itself: nvcc's host compiler has the same
// words. Pure.
#pragma once

#include <string_view>

namespace hone {

enum class FlagUse {
  unit,     // decides the code
  headers,  // says where the project's own files are
  nowhere,  // other outputs, style, or at odds with a shared object
};

struct HostFlag {
  FlagUse use = FlagUse::unit;
  bool value_follows = false;  // the next word belongs to it
  bool macro = false;
  std::string_view name;  // of a flag for headers: "-isystem"; what stands behind it in the word is its value
};
HostFlag read_host_flag(std::string_view word);

}  // namespace hone

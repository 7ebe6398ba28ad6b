// What the fuzzers share: a property that does not hold is a crash, with a sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace hone::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", property);
  std::abort();
}

// Nothing in it that a terminal obeys.
inline void require_printable(std::string_view text, const char* property) {
  for (const char character : text)
    require(static_cast<unsigned char>(character) >= 0x20 || character == '\n' || character == '\t', property);
}

}  // namespace hone::fuzz

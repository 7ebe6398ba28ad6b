// Reads NumPy's .npy files (format versions 1 to 3): little-endian arithmetic arrays in C order.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tool/base/result.h"
#include "tool/model/element_type.h"

namespace hone::judge {

struct NpyArray {
  ScalarType type;
  std::size_t elements = 0;
  std::string data;  // elements * type.size bytes
};

Result<NpyArray> parse_npy(std::string_view bytes, const std::string& name);
Result<NpyArray> read_npy(const std::string& path);

}  // namespace hone::judge

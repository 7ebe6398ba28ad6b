// Kernels that do nothing but multiply and add, as PTX: what a device does of them in a second is the most that any
// kernel can. Pure.
#pragma once

#include <string>

namespace hone::judge {

enum class ArithmeticPipe { on_float, on_double, on_half, on_tensor_cores };

// Entry `work(void* out, unsigned rounds)`, for blocks of any whole number of warps. It stores nothing.
struct ArithmeticProgram {
  std::string ptx;
  double operations = 0;  // of a warp in a round; a multiply-add is two
};

// `on_half`: pairs. `on_tensor_cores`: products of half precision summed in float, by mma.sync.
ArithmeticProgram arithmetic_program(ArithmeticPipe pipe);

}  // namespace hone::judge

// Which PTX a candidate's device code may hold in asm statements: the gate's tables.
//
// A list of what is allowed, so that what nobody thought of is refused. Allowed is what CUDA C++ offers candidates in
// other words: computing, moving data, waiting for each other, asking where in the grid a thread is. Refused are
// clocks, places in the machine, ends of the program, code and state beyond the statement. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::frontend {

// ld.global.v4.f32: why a candidate may not have it, with the word that is wrong; "" where it may. Modifiers come
// without their dots.
std::string object_to_ptx(std::string_view instruction, const std::vector<std::string_view>& modifiers);

// "laneid", "tid": why not, or "".
std::string object_to_special_register(std::string_view name);

// What may stand in `.reg .f32 x;`.
bool is_ptx_type(std::string_view word);

// A function of the namespace cuda::ptx, by the instruction or the register that it stands for: why not, or "".
std::string object_to_ptx_function(std::string_view name);

}  // namespace hone::frontend

// What a candidate for a CUDA device may include and call: the gate's tables for device code and its host side.
//
// A candidate launches, asks for occupancy, copies and clears on the device, and takes workspace in the stream's order.
// What makes or changes the surroundings of the call (streams, graphs, limits, caches, other devices) is the program's.
// Hygiene, as all of the gate; the sandbox and the judge are the wall. Pure.
#pragma once

#include <string>
#include <string_view>

namespace hone::frontend {

// "cuda_fp16.h", "cub/cub.cuh".
bool is_cuda_header(std::string_view name);

// A function that the host calls, by name: why a candidate may not; "" where it may, or where it is none of CUDA's.
std::string object_to_runtime_call(std::string_view name);

// A function, variable, enumerator or field that no code for a device may name: clocks, the device's heap, traps, …
std::string object_to_device_name(std::string_view name);

// Copies whose kind of direction is argument `index`; -1: not one.
int direction_argument(std::string_view function);

// Says which pass of nvcc it is, or for which architecture.
bool is_pass_macro(std::string_view name);

}  // namespace hone::frontend

// Names of CUDA architectures, and which of an object's code runs on a device.
//
// A family is a major compute capability: sm_80, sm_86 and compute_89 are of family 8, sm_90a is of 9. That is as far
// as one piece of machine code reaches, and all that a preprocessor can tell apart where an object has code for sm_80
// and the device is an sm_86. What was measured on one member of a family holds for the others.
//
// A device need not be of a family that the object was compiled for: then the driver translates the newest PTX that is
// not newer than the device, and what runs is code of that PTX's family. So families are those of code, never of
// devices. Pure, std only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone {

// 90 of "sm_90a" and "compute_90"; 0 of "native".
unsigned architecture_number(std::string_view architecture);

// Numbers of the architectures of the code in an object compiled for `target`, the words of KernelIdentity::target
// ("cuda compute_80 sm_80 sm_90"), ascending. None of a processor's target.
std::vector<unsigned> code_architectures(std::string_view target);
std::vector<unsigned> code_families(std::string_view target);

// The family of the code that `device` ("sm_90") runs of an object compiled for `target`. 0: it runs none, or the
// device is not known.
unsigned code_family(std::string_view target, std::string_view device);

// The images ("compute_80", "sm_80") of the one architecture whose code `device` runs, of an object compiled for
// `target`. CUDA loads no other images there. PTX of that architecture is among them: CUDA_FORCE_PTX_JIT makes CUDA
// take it. Empty: the device runs none of the images, or is not known.
std::vector<std::string> images_for(std::string_view target, std::string_view device);

}  // namespace hone

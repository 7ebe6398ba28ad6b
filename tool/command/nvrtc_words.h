// A project's nvcc flags in NVRTC's words. Pure.
//
// NVRTC knows the flags of nvcc's device passes under their long names, and none of the host's. What is the host's
// alone goes; a flag that means something to device code and that NVRTC does not have, or may take otherwise, means
// that this unit is not for NVRTC.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/command/compile_flags.h"

namespace hone {

struct NvrtcWords {
  std::vector<std::string> options;  // without places of headers
  std::vector<std::string> images;   // "sm_90", "compute_90": as nvcc would put into the object
};
std::optional<NvrtcWords> nvrtc_words(const std::vector<std::string>& nvcc_flags);

// Leaves the images that such a device ("sm_90") takes before others: "sm_90", "sm_90a". All, where there is none.
void keep_images_for(const std::string& architecture, NvrtcWords& words);

// Whether the object's device code is linked, with other objects' or by itself, behind the compile.
bool links_device_code(const std::vector<std::string>& nvcc_flags);

// "-I=inc" → "--include-path=<where>". nullopt: NVRTC has no such way of finding headers.
std::optional<std::string> nvrtc_header_word(const HeaderFlag& flag, const std::string& where);

}  // namespace hone

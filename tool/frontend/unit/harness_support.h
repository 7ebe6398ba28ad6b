// What every harness in C++ begins with, whatever its kernel is. Pure.
#pragma once

namespace hone::frontend {

extern const char* const kQuietPragmas;  // "#pragma GCC diagnostic pop" ends them
extern const char* const kSupport;       // namespace hone_harness
extern const char* const kDeviceError;   // hone_device_error() of runner/abi.h

}  // namespace hone::frontend

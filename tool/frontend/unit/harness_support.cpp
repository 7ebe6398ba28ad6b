#include "tool/frontend/unit/harness_support.h"

namespace hone::frontend {

// nvcc has no use for these pragmas, and warns of some.
const char* const kQuietPragmas = R"(#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wshadow"
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
)";

// Every name is reserved for us: the user's one-letter macros stand in front of this text.
const char* const kSupport = R"(namespace hone_harness {
template <class hone_f> struct hone_plain;
template <class hone_r, class... hone_a> struct hone_plain<hone_r (*)(hone_a...)> {
  typedef hone_r (*hone_is)(hone_a...);
};
#ifdef __cpp_noexcept_function_type
template <class hone_r, class... hone_a> struct hone_plain<hone_r (*)(hone_a...) noexcept> {
  typedef hone_r (*hone_is)(hone_a...);
};
#endif
template <class hone_f> struct hone_result;
template <class hone_r, class... hone_a> struct hone_result<hone_r (*)(hone_a...)> { typedef hone_r hone_is; };
template <unsigned hone_n, class hone_f> struct hone_parameter;
template <class hone_r, class hone_a, class... hone_b>
struct hone_parameter<0, hone_r (*)(hone_a, hone_b...)> { typedef hone_a hone_is; };
template <unsigned hone_n, class hone_r, class hone_a, class... hone_b>
struct hone_parameter<hone_n, hone_r (*)(hone_a, hone_b...)> : hone_parameter<hone_n - 1, hone_r (*)(hone_b...)> {};
template <class hone_t> inline void hone_store(long long* hone_integer, double* hone_real, hone_t hone_value) {
  *hone_real = static_cast<double>(hone_value);
  *hone_integer = *hone_real > -9.2e18 && *hone_real < 9.2e18 ? static_cast<long long>(hone_value) : 0;
}
}
)";

// The runner asks after its calls: a launch that was refused runs nothing and tells nobody.
const char* const kDeviceError = R"(__attribute__((visibility("default"))) const char* hone_device_error();
const char* hone_device_error() {
  const cudaError_t hone_error = cudaGetLastError();
  return hone_error == cudaSuccess ? nullptr : cudaGetErrorString(hone_error);
}
)";

}  // namespace hone::frontend

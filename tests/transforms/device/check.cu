// Runs the built-in proposer's versions of kernels on a CUDA device, beside the originals, on odd and even sizes and
// on memory that is aligned and not. Says what differs first; exits with 1 where anything does.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"

namespace {

struct Size {
  int rows, n;
};
struct Tally {
  unsigned right = 0, wrong = 0;
};
constexpr Size sizes[] = {{1, 1},     {2, 7},    {3, 32},   {3, 33},   {5, 96},     {64, 128},
                          {300, 129}, {7, 1000}, {9, 1024}, {5, 4097}, {1, 100003}, {1, (1 << 22) + 13}};

void check(cudaError_t error, const std::string& what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what.c_str(), cudaGetErrorString(error));
  std::exit(3);
}

unsigned mixed(unsigned value) {
  value = (value ^ 61u) ^ (value >> 16);
  value *= 9u;
  value ^= value >> 4;
  value *= 0x27d4eb2du;
  return value ^ (value >> 15);
}
double drawn(unsigned i) {
  return (mixed(i) >> 8) / double(1 << 24);
}

template <class T>
T made(double value) {
  return static_cast<T>(value);
}
template <>
int made<int>(double value) {
  return static_cast<int>(value * 10);
}
template <>
__half made<__half>(double value) {
  return __float2half(static_cast<float>(value));
}
template <>
__nv_bfloat16 made<__nv_bfloat16>(double value) {
  return __float2bfloat16(static_cast<float>(value));
}
template <>
float2 made<float2>(double value) {
  return {static_cast<float>(value), static_cast<float>(1 - value)};
}

// Half precision is to be the same to the bit; sums of numbers may be added up in another order.
template <class T>
bool near(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
template <>
bool near(float a, float b) {
  return std::fabs(a - b) <= 1e-3f * std::fmax(1.0f, std::fabs(b));
}
template <>
bool near(double a, double b) {
  return std::fabs(a - b) <= 1e-10 * std::fmax(1.0, std::fabs(b));
}
template <>
bool near(float2 a, float2 b) {
  return near(a.x, b.x) && near(a.y, b.y);
}

template <class T>
std::string shown(const T& value) {
  std::string text;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", reinterpret_cast<const unsigned char*>(&value)[i]);
    text = two + text;
  }
  return "0x" + text;
}
template <>
std::string shown(const float& value) {
  return std::to_string(value);
}
template <>
std::string shown(const double& value) {
  return std::to_string(value);
}
template <>
std::string shown(const int& value) {
  return std::to_string(value);
}

// What a version makes of the elements, those around them included.
template <class T>
std::vector<T> result(const Version& version, Size size, int offset, float* milliseconds) {
  const std::size_t count = std::size_t(size.rows) * size.n, guarded = count + 16;
  std::vector<T> x(guarded), y(guarded);
  for (unsigned i = 0; i < guarded; ++i) {
    x[i] = made<T>(drawn(i + 1));
    y[i] = made<T>(drawn(i + 77777777));
  }
  T *on_x = nullptr, *on_y = nullptr;
  check(cudaMalloc(&on_x, guarded * sizeof(T)), "cudaMalloc");
  check(cudaMalloc(&on_y, guarded * sizeof(T)), "cudaMalloc");
  cudaMemcpy(on_x, x.data(), guarded * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(on_y, y.data(), guarded * sizeof(T), cudaMemcpyHostToDevice);
  version.call(on_x + offset, on_y + offset, size.rows, size.n);
  check(cudaGetLastError(), version.genome);
  check(cudaDeviceSynchronize(), version.genome);
  cudaMemcpy(y.data(), on_y, guarded * sizeof(T), cudaMemcpyDeviceToHost);
  cudaEvent_t start, end;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  cudaEventRecord(start);
  version.call(on_x + offset, on_y + offset, size.rows, size.n);
  cudaEventRecord(end);
  check(cudaDeviceSynchronize(), version.genome);
  cudaEventElapsedTime(milliseconds, start, end);
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  cudaFree(on_x);
  cudaFree(on_y);
  return y;
}

template <class T>
void check_versions(const Versions& kernel, long long most, Tally& tally) {
  std::vector<bool> wrong(kernel.versions.size(), false);
  std::vector<float> took(kernel.versions.size(), 0.0f);
  for (const Size size : sizes)
    for (const int offset : {1, 0}) {
      if (static_cast<long long>(size.rows) * size.n > most) continue;
      const auto expected = result<T>(kernel.versions[0], size, offset, &took[0]);
      for (std::size_t v = 1; v < kernel.versions.size(); ++v) {
        if (wrong[v]) continue;
        const auto got = result<T>(kernel.versions[v], size, offset, &took[v]);
        for (std::size_t i = 0; i < got.size() && !wrong[v]; ++i) {
          if (near(got[i], expected[i])) continue;
          std::printf("%s by %s: rows %d, n %d, from %d: element %zu is %s in place of %s\n", kernel.kernel,
                      kernel.versions[v].genome, size.rows, size.n, offset, i, shown(got[i]).c_str(),
                      shown(expected[i]).c_str());
          wrong[v] = true;
        }
      }
    }
  for (std::size_t v = 1; v < kernel.versions.size(); ++v) {
    (wrong[v] ? tally.wrong : tally.right) += 1;
    if (!wrong[v])
      std::printf("ok  %s by %s: %.3f ms in place of %.3f\n", kernel.kernel, kernel.versions[v].genome, took[v],
                  took[0]);
  }
  std::fflush(stdout);
}

void check_versions(const Versions& kernel, long long most, Tally& tally) {
  const std::string name = kernel.kernel, type = name.substr(name.rfind('_') + 1);
  if (type == "f32") return check_versions<float>(kernel, most, tally);
  if (type == "f64") return check_versions<double>(kernel, most, tally);
  if (type == "i32") return check_versions<int>(kernel, most, tally);
  if (type == "h16") return check_versions<__half>(kernel, most, tally);
  if (type == "b16") return check_versions<__nv_bfloat16>(kernel, most, tally);
  check_versions<float2>(kernel, most, tally);
}

}  // namespace

// check [PART_OF_A_KERNEL'S_NAME [MOST_ELEMENTS]]
int main(int argc, char** argv) {
  const std::string part = argc > 1 ? argv[1] : "";
  const long long most = argc > 2 ? std::atoll(argv[2]) : 1LL << 40;
  Tally tally;
  for (const Versions& kernel : all_versions())
    if (std::strstr(kernel.kernel, part.c_str())) check_versions(kernel, most, tally);
  std::printf("%u versions right, %u wrong\n", tally.right, tally.wrong);
  return tally.wrong > 0 || tally.right == 0;
}

// Times versions of the suite's kernels on a CUDA device, checks each against the first, and prints a markdown table.
//
//   suite FOLDER naive good limit …     FOLDER/VERSION/KERNEL.so define the launchers of launchers.h; see `run`
//
// A time is the median of events around single calls, the L2 cache overwritten before each. The share of a copy is that
// of the bandwidth of a large copy on this device, for the fewest bytes that the kernel must move; the share of an equal
// copy is against a copy that moves as many bytes, launched as the kernel is: what is left to gain. Exits with 1 where a
// version's results differ. The judge does this with more care; this gives the frame of what is to be gained.

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cases.h"

namespace {

constexpr std::size_t cache_bytes = std::size_t{256} << 20;  // several times any L2
constexpr int most_calls = 40, fewest_calls = 5;
constexpr double seconds_each = 0.05;

void check(cudaError_t error, const std::string& what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what.c_str(), cudaGetErrorString(error));
  std::exit(3);
}

class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes) : bytes_(bytes) { check(cudaMalloc(&pointer_, bytes), "cudaMalloc"); }
  DeviceMemory(DeviceMemory&& other) noexcept
      : pointer_(std::exchange(other.pointer_, nullptr)), bytes_(other.bytes_) {}
  ~DeviceMemory() { cudaFree(pointer_); }
  void* get() const { return pointer_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* pointer_ = nullptr;
  std::size_t bytes_ = 0;
};

__device__ unsigned mixed(unsigned value) {
  value = (value ^ 61u) ^ (value >> 16);
  value *= 9u;
  value ^= value >> 4;
  value *= 0x27d4eb2du;
  return value ^ (value >> 15);
}

__global__ void draw_reals(float* values, std::size_t count, unsigned seed, float low, float high) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    values[i] = low + (high - low) * static_cast<float>(mixed(static_cast<unsigned>(i) + seed) >> 8) / (1 << 24);
}

__global__ void draw_bytes(unsigned char* values, std::size_t count, unsigned seed) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    values[i] = static_cast<unsigned char>(mixed(static_cast<unsigned>(i) + seed) >> 13);
}

// A launcher in a shared object; null where there is no such file.
void* load(const std::string& file, const std::string& kernel) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* launcher = library ? dlsym(library, kernel.c_str()) : nullptr;
  if (!launcher)
    if (const char* why = dlerror(); why && !std::strstr(why, "No such file")) {
      std::fprintf(stderr, "%s\n", why);
      std::exit(3);
    }
  return launcher;
}

class Timer {
 public:
  Timer() {
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&end_), "cudaEventCreate");
  }

  // Seconds: the median of calls on a cold cache.
  template <class Call>
  double median(const Call& call) {
    std::vector<double> samples;
    for (double spent = 0; samples.size() < most_calls && (samples.size() < fewest_calls || spent < seconds_each);) {
      check(cudaMemsetAsync(cache_.get(), static_cast<int>(samples.size()), cache_.bytes()), "cudaMemsetAsync");
      check(cudaEventRecord(start_), "cudaEventRecord");
      call();
      check(cudaEventRecord(end_), "cudaEventRecord");
      check(cudaEventSynchronize(end_), "a timed call");
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, start_, end_), "cudaEventElapsedTime");
      samples.push_back(milliseconds / 1e3);
      spent += milliseconds / 1e3;
    }
    std::nth_element(samples.begin(), samples.begin() + samples.size() / 2, samples.end());
    return samples[samples.size() / 2];
  }

 private:
  cudaEvent_t start_, end_;
  DeviceMemory cache_{cache_bytes};
};

// Bytes a second, read and written together.
double copy_bandwidth(Timer& timer) {
  const std::size_t bytes = std::size_t{1} << 30;
  const DeviceMemory from(bytes), to(bytes);
  draw_reals<<<1024, 256>>>(static_cast<float*>(from.get()), bytes / 4, 1, 0, 1);
  const double seconds = timer.median(
      [&] { check(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync"); });
  return 2.0 * bytes / seconds;
}

// Four floats a thread, which no copy of the driver's beats on the devices that were tried.
__global__ void copy_quads(const float4* from, float4* to, std::size_t count) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < count) to[i] = from[i];
}

// Seconds that a copy takes which reads and writes so many bytes together: the quicker of the driver's and our own.
double copy_seconds(Timer& timer, double bytes) {
  const std::size_t half = (static_cast<std::size_t>(bytes / 2) + 15) / 16 * 16, quads = half / 16;
  const DeviceMemory from(half), to(half);
  const double drivers = timer.median(
      [&] { check(cudaMemcpyAsync(to.get(), from.get(), half, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync"); });
  const double ours = timer.median([&] {
    copy_quads<<<(quads + 255) / 256, 256>>>(static_cast<const float4*>(from.get()), static_cast<float4*>(to.get()),
                                             quads);
    check(cudaGetLastError(), "a copy");
  });
  return std::min(drivers, ours);
}

// A case's arrays on the device.
class Arrays {
 public:
  explicit Arrays(const Case& c) : case_(c) {
    for (const Array& array : c.arrays) memory_.emplace_back(std::max<std::size_t>(array.bytes(), 16));
    for (const DeviceMemory& memory : memory_) pointers_.push_back(memory.get());
  }

  // Inputs the same each time; outputs hold NaN.
  void draw() {
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      const Array& array = case_.arrays[i];
      const unsigned seed = 1000003u * static_cast<unsigned>(i + 1);
      if (array.role == Array::Role::out) {
        check(cudaMemset(pointers_[i], 0xff, array.bytes()), "cudaMemset");
      } else if (array.element == Array::Element::byte) {
        draw_bytes<<<1024, 256>>>(static_cast<unsigned char*>(pointers_[i]), array.count, seed);
      } else {
        draw_reals<<<1024, 256>>>(static_cast<float*>(pointers_[i]), array.count, seed, array.low, array.high);
      }
    }
    check(cudaDeviceSynchronize(), "drawing data");
  }

  // The bytes of all outputs.
  std::vector<std::vector<char>> outputs() const {
    std::vector<std::vector<char>> outputs;
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      const Array& array = case_.arrays[i];
      if (array.role == Array::Role::in) continue;
      outputs.emplace_back(array.bytes());
      check(cudaMemcpy(outputs.back().data(), pointers_[i], array.bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    }
    return outputs;
  }

  const std::vector<void*>& pointers() const { return pointers_; }

 private:
  const Case& case_;
  std::vector<DeviceMemory> memory_;
  std::vector<void*> pointers_;
};

// "" where they agree, else the first difference.
template <class T>
std::string difference(const Case& c, const std::vector<char>& expected_bytes, const std::vector<char>& got_bytes) {
  const T *expected = reinterpret_cast<const T*>(expected_bytes.data()),
          *got = reinterpret_cast<const T*>(got_bytes.data());
  const std::size_t count = expected_bytes.size() / sizeof(T);
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) squares += static_cast<double>(expected[i]) * expected[i];
  const double rms = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(count, 1)));
  for (std::size_t i = 0; i < count; ++i) {
    const double error = std::fabs(static_cast<double>(got[i]) - expected[i]);
    if (error <= c.atol + c.rtol * std::max(std::fabs(static_cast<double>(expected[i])), rms)) continue;
    return "element " + std::to_string(i) + " is " + std::to_string(got[i]) + ", expected " +
           std::to_string(expected[i]);
  }
  return "";
}

using Outputs = std::vector<std::vector<char>>;

std::string difference(const Case& c, const Outputs& expected, const Outputs& got) {
  std::size_t output = 0;
  for (const Array& array : c.arrays) {
    if (array.role == Array::Role::in) continue;
    const bool integer = array.element == Array::Element::integer;
    const std::string text = integer ? difference<int>(c, expected[output], got[output])
                                     : difference<float>(c, expected[output], got[output]);
    if (!text.empty()) return text;
    ++output;
  }
  return "";
}

std::string number(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s FOLDER [--large] VERSION…\n", argv[0]);
    return 2;
  }
  const bool large = std::string(argv[2]) == "--large";
  const std::vector<std::string> versions(argv + (large ? 3 : 2), argv + argc);
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  Timer timer;
  const double bandwidth = copy_bandwidth(timer);
  std::printf("%s, %d multiprocessors, a copy of 1 GiB: %.0f GB/s (read and written)\n\n", device.name,
              device.multiProcessorCount, bandwidth / 1e9);
  std::printf("| kernel | problem |");
  for (const std::string& version : versions)
    std::printf(" %s, ms | gain | share of copy | of an equal copy | TFLOP/s |", version.c_str());
  std::printf("\n|---|---|");
  for (std::size_t i = 0; i < versions.size(); ++i) std::printf("---|---|---|---|---|");
  std::printf("\n");

  std::map<std::string, std::pair<double, int>> gains;  // by version: sum of logarithms, how many
  int wrong = 0;
  for (const Case& c : large ? large_cases() : cases()) {
    Arrays arrays(c);
    Outputs expected;
    double first = 0;
    const double copy = copy_seconds(timer, c.bytes());
    std::printf("| %s | %s |", c.kernel.c_str(), c.problem.c_str());
    for (const std::string& version : versions) {
      void* launcher = load(std::string(argv[1]) + "/" + version + "/" + c.kernel + ".so", c.kernel);
      if (!launcher) {
        std::printf(" – | – | – | – | – |");
        continue;
      }
      const std::string what = version + "/" + c.kernel + " on " + c.problem;
      arrays.draw();
      c.call(launcher, arrays.pointers());
      check(cudaGetLastError(), what);
      check(cudaDeviceSynchronize(), what);
      const Outputs got = arrays.outputs();
      if (expected.empty()) expected = got;
      const std::string text = difference(c, expected, got);
      if (!text.empty()) std::fprintf(stderr, "%s: %s\n", what.c_str(), text.c_str());
      wrong += !text.empty();
      const double seconds = timer.median([&] { c.call(launcher, arrays.pointers()); });
      if (first == 0) first = seconds;
      const double gain = first / seconds;
      if (!c.control) {
        gains[version].first += std::log(gain);
        ++gains[version].second;
      }
      std::printf(" %s%s | %s | %s%% | %s%% | %s |", number(seconds * 1e3, 3).c_str(), text.empty() ? "" : " (wrong)",
                  number(gain, 2).c_str(), number(100 * c.bytes() / seconds / bandwidth, 0).c_str(),
                  number(100 * copy / seconds, 0).c_str(), number(c.operations / seconds / 1e12, 2).c_str());
      std::fflush(stdout);
    }
    std::printf("\n");
  }
  std::printf("\nGeometric means of the gains, controls aside:");
  for (const std::string& version : versions)
    std::printf(" %s %s", version.c_str(), number(std::exp(gains[version].first / gains[version].second), 2).c_str());
  std::printf("\n");
  return wrong == 0 ? 0 : 1;
}

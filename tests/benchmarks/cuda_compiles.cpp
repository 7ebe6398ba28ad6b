// How long the compile of a trial takes, by the ways there are: nvcc whole, nvcc's passes for the device alone, NVRTC;
// and what it gains, in a project for 8.0 and 9.0, to leave out what the device does not load. One row a kernel,
// medians of wall time in turns. Needs nvcc and no device (docs/BENCHMARKS.md).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "tool/compile/compiler.h"
#include "tool/compile/device/device_half.h"
#include "tool/frontend/find/kernel_finder.h"

namespace {

namespace fs = std::filesystem;
using namespace hone;
using compile::DeviceHalf;

[[noreturn]] void stop(const std::string& why) {
  fmt::print(stderr, "{}\n", why);
  std::exit(3);
}

template <class Work>
double milliseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

std::string shown(const std::vector<double>& times, double whole) {
  return times.empty() ? fmt::format("{:>16}", "-")
                       : fmt::format("{:>7.0f} ({:>4.1f}x)", median(times), whole / median(times));
}

// Another text each time, as candidates are.
std::string candidate(const std::string& definition, unsigned number) {
  return fmt::format("// candidate {}\n{}\n", number, definition);
}

// A file's kernel, ready for candidates.
struct Kernel {
  Kernel(const fs::path& path, const std::vector<std::string>& architectures) : file(path) {
    CompileCommand command{file.parent_path(), file, "kernel.o", {"/usr/local/cuda/bin/nvcc", "-std=c++17", "-O3"}};
    command.arguments.insert(command.arguments.end(), architectures.begin(), architectures.end());
    command.arguments.insert(command.arguments.end(), {"-c", file});
    const auto found = frontend::find_kernels(command, {});
    if (!found || found->kernels.size() != 1)
      stop(file.string() + ": no kernel: " + (found ? "" : found.error().message()));
    compiler = std::make_unique<compile::Compiler>(runner, command);
    auto frozen = compiler->freeze(found->kernels.front().spec);
    if (!frozen) stop(frozen.error().message());
    unit = std::move(*frozen);
    auto compiled = compiler->compile(unit, unit.definition);
    auto* objects = compiled ? std::get_if<compile::Objects>(&*compiled) : nullptr;
    if (!objects) stop(file.string() + ": the original does not compile");
    original = std::move(*objects);
  }

  double whole(compile::Compiler& by, const std::string& source) const {
    return milliseconds([&] {
      const auto made = by.compile(unit, source, {}, compile::Builds::for_trial);
      if (!made || !std::holds_alternative<compile::Objects>(*made)) stop(file.string() + ": it does not compile");
    });
  }
  double by_device_code(const DeviceHalf& half, const std::string& source) const {
    return milliseconds([&] {
      const auto made = half.compile(source);
      if (!made || !*made) stop(file.string() + ": the candidate does not compile by its device code alone");
    });
  }

  fs::path file;
  os::PosixProcessRunner runner;
  std::unique_ptr<compile::Compiler> compiler;
  compile::FrozenUnit unit;
  compile::Objects original;
};

void compare_ways(const fs::path& file, unsigned rounds) {
  const Kernel kernel(file, {"-arch=sm_90"});
  std::unique_ptr<DeviceHalf> quick, nvcc;
  ::setenv("HONE_NVRTC", HONE_NVRTC, 1);
  const double opening = milliseconds([&] { quick = kernel.compiler->device_half(kernel.unit, kernel.original); });
  ::setenv("HONE_NVRTC", "", 1);
  nvcc = kernel.compiler->device_half(kernel.unit, kernel.original);

  std::vector<double> whole, device, nvrtc;
  for (unsigned round = 0; round < rounds; ++round) {
    const std::string source = candidate(kernel.unit.definition, round);
    whole.push_back(kernel.whole(*kernel.compiler, source));
    if (nvcc) device.push_back(kernel.by_device_code(*nvcc, source));
    if (quick && quick->is_nvrtc()) nvrtc.push_back(kernel.by_device_code(*quick, source));
  }
  fmt::print("{:<14} {:>7.0f} {} {} {:>7.0f}\n", file.stem().string(), median(whole), shown(device, median(whole)),
             shown(nvrtc, median(whole)), opening);
}

void compare_for_device(const fs::path& file, unsigned rounds) {
  const Kernel kernel(file, {"--generate-code=arch=compute_80,code=[compute_80,sm_80]",
                             "--generate-code=arch=compute_90,code=[compute_90,sm_90]"});
  constexpr const char* device = "sm_90";
  const auto for_device = kernel.compiler->for_device(device);
  ::setenv("HONE_NVRTC", HONE_NVRTC, 1);
  const auto half = kernel.compiler->device_half(kernel.unit, kernel.original);
  const auto half_for_device = for_device->device_half(kernel.unit, kernel.original, device);
  std::vector<double> whole, whole_for_device, by_half, by_half_for_device;
  for (unsigned round = 0; round < rounds; ++round) {
    const std::string source = candidate(kernel.unit.definition, round);
    whole.push_back(kernel.whole(*kernel.compiler, source));
    whole_for_device.push_back(kernel.whole(*for_device, source));
    if (half) by_half.push_back(kernel.by_device_code(*half, source));
    if (half_for_device) by_half_for_device.push_back(kernel.by_device_code(*half_for_device, source));
  }
  fmt::print("{:<14} {:>7.0f} {}", file.stem().string(), median(whole), shown(whole_for_device, median(whole)));
  if (half && half_for_device) fmt::print(" {:>7.0f} {}", median(by_half), shown(by_half_for_device, median(by_half)));
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Times the compiles of trials of CUDA kernels"};
  std::vector<fs::path> files;
  unsigned rounds = 9;
  bool for_device = false;
  app.add_option("FILE", files, "sources with one annotated kernel each; default: tests/benchmarks/cuda/device");
  app.add_flag("--for-device", for_device, "What it gains to compile for the device's architecture alone, of two");
  app.add_option("--rounds", rounds, "compiles of each kind");
  CLI11_PARSE(app, argc, argv);
  if (files.empty())
    for (const auto& entry : fs::directory_iterator(HONE_CUDA_KERNELS "/device")) files.push_back(entry.path());
  for (fs::path& file : files) file = fs::absolute(file);
  std::ranges::sort(files);
  if (for_device) {
    fmt::print("{:<14} {:>7} {:>16} {:>7} {:>16}\n", "ms, median", "whole", "for the device", "by half",
               "for the device");
    for (const fs::path& file : files) compare_for_device(file, rounds);
    return 0;
  }
  fmt::print("{:<14} {:>7} {:>16} {:>16} {:>7}\n", "ms, median", "whole", "device by nvcc", "device by NVRTC",
             "opening");
  for (const fs::path& file : files) compare_ways(file, rounds);
}

// How long the compile of a trial takes, by the ways there are: nvcc whole, nvcc's passes for the device alone, NVRTC.
// One row a kernel, medians of wall time in turns. Needs nvcc and no device (docs/BENCHMARKS.md).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "tool/evaluate/compiler.h"
#include "tool/evaluate/device_half.h"
#include "tool/frontend/frontend.h"

namespace {

namespace fs = std::filesystem;
using namespace hone;
using evaluate::DeviceHalf;

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

void measure(const fs::path& file, unsigned rounds) {
  const CompileCommand command{file.parent_path(),
                               file,
                               "kernel.o",
                               {"/usr/local/cuda/bin/nvcc", "-std=c++17", "-arch=sm_90", "-O3", "-c", file}};
  const auto found = frontend::find_kernels(command, {});
  if (!found || found->kernels.size() != 1)
    stop(file.string() + ": no kernel: " + (found ? "" : found.error().message()));
  const KernelSpec& spec = found->kernels.front().spec;
  os::PosixProcessRunner runner;
  evaluate::Compiler compiler(runner, command);
  const auto unit = compiler.freeze(spec);
  if (!unit) stop(unit.error().message());
  const auto original = compiler.compile(*unit, spec.unit.definition);
  const auto* objects = original ? std::get_if<evaluate::Objects>(&*original) : nullptr;
  if (!objects) stop(file.string() + ": the original does not compile");
  std::unique_ptr<DeviceHalf> quick, nvcc;
  ::setenv("HONE_NVRTC", HONE_NVRTC, 1);
  const double opening = milliseconds([&] { quick = compiler.device_half(*unit, *objects); });
  ::setenv("HONE_NVRTC", "", 1);
  nvcc = compiler.device_half(*unit, *objects);

  std::vector<double> whole, device, nvrtc;
  for (unsigned round = 0; round < rounds; ++round) {
    const std::string source = candidate(spec.unit.definition, round);
    whole.push_back(milliseconds([&] { (void)compiler.compile(*unit, source); }));
    const auto time = [&](const DeviceHalf& half, std::vector<double>& times) {
      times.push_back(milliseconds([&] {
        const auto made = half.compile(source);
        if (!made || !*made) stop(file.string() + ": the candidate does not compile by its device code alone");
      }));
    };
    if (nvcc) time(*nvcc, device);
    if (quick && quick->is_nvrtc()) time(*quick, nvrtc);
  }
  fmt::print("{:<14} {:>7.0f} {} {} {:>7.0f}\n", file.stem().string(), median(whole), shown(device, median(whole)),
             shown(nvrtc, median(whole)), opening);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Times the compiles of trials of __global__ kernels"};
  std::vector<fs::path> files;
  unsigned rounds = 9;
  app.add_option("FILE", files, "sources with one annotated kernel each; default: tests/benchmarks/cuda/device");
  app.add_option("--rounds", rounds, "compiles of each kind");
  CLI11_PARSE(app, argc, argv);
  if (files.empty())
    for (const auto& entry : fs::directory_iterator(HONE_CUDA_KERNELS "/device")) files.push_back(entry.path());
  std::ranges::sort(files);
  fmt::print("{:<14} {:>7} {:>16} {:>16} {:>7}\n", "ms, median", "whole", "device by nvcc", "device by NVRTC",
             "opening");
  for (const fs::path& file : files) measure(fs::absolute(file), rounds);
}

// For programs that write what transformations make of kernels: the kernel's workshop, how a genome is told, and
// what ends the program.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/frontend/find/kernel_finder.h"
#include "tool/model/candidate.h"
#include "tool/transforms/workshop.h"

namespace hone::test {

// Prints `what` and ends with 3 (the environment failed) where it is not right.
inline void require(bool right, const std::string& what) {
  if (right) return;
  fmt::print(stderr, "{}\n", what);
  std::exit(3);
}

// "restrict@0() vector_access@0(4,0,0)": transformation, site, arguments.
inline std::string shown(const Genome& genome) {
  std::string text;
  for (const Gene& gene : genome)
    text +=
        fmt::format("{}{}@{}({})", text.empty() ? "" : " ", gene.transform, gene.site, fmt::join(gene.arguments, ","));
  return text;
}

// The workshop of the one kernel in a file, for this machine's processor or an H200.
class OpenedFile {
 public:
  explicit OpenedFile(const std::filesystem::path& file) {
    CompileCommand command{file.parent_path(),
                           file,
                           "kernel.o",
                           {"/usr/local/cuda/bin/nvcc", "-std=c++17", "-arch=sm_90", "-O3", "-c", file}};
    if (file.extension() == ".cpp") command.arguments = {"g++", "-std=c++20", "-march=native", "-O3", "-c", file};
    const auto found = frontend::find_kernels(command, {});
    require(found && found->kernels.size() == 1,
            fmt::format("{}: no kernel: {}", file.string(), found ? "" : found.error().message()));
    spec_ = found->kernels.front().spec;
    auto workshop = frontend::Workshop::open(spec_, command, {});
    require(bool(workshop), workshop ? "" : workshop.error().message());
    workshop_ = std::move(*workshop);
  }
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;
  frontend::Workshop& workshop() { return *workshop_; }

 private:
  KernelSpec spec_;
  std::unique_ptr<frontend::Workshop> workshop_;
};

}  // namespace hone::test

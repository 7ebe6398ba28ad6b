#include "tool/cli/parse_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/frontend/find/kernel_finder.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::cli {
namespace {

using State = DoctorFinding::State;

// A file with one kernel that needs nothing but the standard library.
struct Sample {
  const char* file;
  const char* text;
};

constexpr Sample cpp{
    "kernel.cpp",
    "#include <cmath>\n"
    "#include <cstddef>\n"
    "#pragma hone kernel inout(x[0:n]) problem(n=64)\n"
    "void roots(float* x, std::size_t n) { for (std::size_t i = 0; i < n; ++i) x[i] = std::sqrt(x[i]); }\n"};

constexpr Sample cuda{"kernel.cu",
                      "#include <cmath>\n"
                      "__global__ void root(float* x, int n) {\n"
                      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "  if (i < n) x[i] = std::sqrt(x[i]);\n"
                      "}\n"
                      "#pragma hone kernel inout(x[0:n]) problem(n=64)\n"
                      "void roots(float* x, int n) { root<<<(n + 63) / 64, 64>>>(x, n); }\n"};

// The whole way of a sample through Clang, as a project of this compiler takes it; "": it is found, else why not.
std::string obstacle(const std::string& folder, const std::string& compiler, const Sample& sample) {
  const std::string file = folder + "/" + sample.file;
  if (const auto written = os::write_file_atomically(file, sample.text); !written) return written.error().message();
  const auto found = frontend::find_kernels({folder, file, "kernel.o", {compiler, "-c", file, "-o", "kernel.o"}}, {});
  if (!found) return found.error().message();
  if (!found->diagnostics.empty()) return found->diagnostics.front().message;
  return found->kernels.size() == 1 ? "" : "it does not see a kernel that is there";
}

bool reads_by_itself(const std::string& folder, const std::string& compiler, const Sample& sample) {
  os::Process process;
  process.arguments = {compiler, "-E", sample.file};
  process.directory = folder;
  const auto exit = os::PosixProcessRunner().run(process);
  return exit && exit->ok();
}

}  // namespace

std::vector<DoctorFinding> find_parses(const std::vector<std::string>& compilers, const std::string& nvcc) {
  const auto folder = os::TemporaryFolder::create("hone-doctor");
  if (!folder) return {{State::bad, "Clang", folder.error().message()}};
  const std::string path = folder->path().string();
  std::vector<DoctorFinding> findings;
  std::vector<std::string> readable;
  const auto look = [&](const std::string& compiler, const Sample& sample, const char* advice) {
    const std::string why = obstacle(path, compiler, sample);
    if (why.empty())
      readable.push_back(compiler);
    else if (reads_by_itself(path, compiler, sample))
      findings.push_back(
          {State::bad, "Clang", fmt::format("cannot read what {} compiles: {}; {}", compiler, why, advice)});
    else
      findings.push_back({State::absent, "Clang", fmt::format("{} does not find <cmath> itself", compiler)});
  };
  for (const std::string& compiler : compilers)
    look(compiler, cpp, "it asks that compiler with -E -v where its headers are");
  if (!nvcc.empty()) look(nvcc, cuda, "it wants the toolkit's headers beside nvcc, and those of nvcc's host compiler");
  if (!readable.empty())
    findings.insert(findings.begin(),
                    {State::good, "Clang", fmt::format("parses, with the headers of {}", fmt::join(readable, ", "))});
  return findings;
}

}  // namespace hone::cli

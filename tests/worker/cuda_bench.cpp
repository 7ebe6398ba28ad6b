#include "tests/worker/cuda_bench.h"

#include <fmt/format.h>
#include <unistd.h>

#include <future>
#include <map>
#include <mutex>

#include "tests/worker/judge_bench.h"
#include "tool/judge/device/device.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::test {
namespace {

struct Made {
  std::string object, complaint;
};
std::mutex mutex;
std::map<std::string, Made> made;

Made run_nvcc(const std::string& unit, std::size_t number) {
  static const os::TemporaryFolder folder = os::TemporaryFolder::create("hone-cuda-test").value();
  const auto text = folder.path() / fmt::format("unit{}.cu", number);
  const auto output = folder.path() / fmt::format("unit{}.so", number);
  if (!os::write_file_atomically(text, unit)) return {"", "cannot write " + text.string()};
  os::PosixProcessRunner runner;
  const auto exit = runner.run({.arguments = {nvcc(), "-std=c++17", "-O3", "-lineinfo", "-arch=native", "-shared",
                                              "-Xcompiler=-fPIC", text.string(), "-o", output.string()}});
  if (!exit) return {"", exit.error().message()};
  if (!exit->ok()) return {"", exit->out + exit->err};
  return {os::read_file(output).value_or(""), ""};
}

}  // namespace

const char* const device_error_text =
    "extern \"C\" const char* hone_device_error() { const cudaError_t e = cudaGetLastError(); "
    "return e == cudaSuccess ? nullptr : cudaGetErrorString(e); }\n";

std::string nvcc() {
  for (const char* path : {"/usr/local/cuda/bin/nvcc", "/usr/bin/nvcc"})
    if (access(path, X_OK) == 0) return path;
  return "";
}

std::string why_no_device() {
  const auto device = judge::Device::open(0);
  if (!device) return device.error().message();
  return nvcc().empty() ? "there is no nvcc" : "";
}

std::string compile_cuda_unit(const std::string& unit, std::string* complaint) {
  static std::size_t number = 0;
  std::unique_lock lock(mutex);
  auto found = made.find(unit);
  if (found == made.end()) {
    const std::size_t own = number++;
    lock.unlock();
    Made fresh = run_nvcc(unit, own);
    lock.lock();
    found = made.emplace(unit, std::move(fresh)).first;
  }
  if (complaint) *complaint = found->second.complaint;
  return found->second.object;
}

void compile_cuda_units(const std::vector<std::string>& units) {
  std::vector<std::future<std::string>> running;
  for (const std::string& unit : units)
    running.push_back(std::async(std::launch::async, [&unit] { return compile_cuda_unit(unit); }));
  for (auto& run : running) run.get();
}

std::string cuda_saxpy_unit(const std::string& definition, const std::vector<int>& sizes) {
  return Saxpy::unit(definition, sizes) + device_error_text;
}

bundle::Bundle cuda_saxpy(const std::string& original, const std::string& candidate, const std::vector<int>& sizes) {
  static std::uint64_t seed = 777;
  bundle::Bundle bundle;
  const KernelSpec spec = Saxpy::spec(sizes);
  bundle.kernel = spec;
  bundle.data = spec;
  bundle.data.cuda = true;
  bundle.plan.seed = ++seed;
  bundle.reference = compile_cuda_unit(cuda_saxpy_unit(original, sizes));
  if (!candidate.empty()) bundle.candidate = compile_cuda_unit(cuda_saxpy_unit(candidate, sizes));
  return bundle;
}

}  // namespace hone::test

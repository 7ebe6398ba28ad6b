#include "tool/compile/toolchain/compile_process.h"

#include <sys/stat.h>

#include "tool/os/files/files.h"
#include "tool/os/process/environment.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::compile {
namespace {

// CUDA objects for many architectures have tens of MiB.
constexpr std::size_t object_limit = std::size_t{256} << 20;
constexpr int patience = 4;     // times the processor's time: on a busy machine a compile waits for its turn
constexpr int background = 10;  // nice: a compile must not disturb a timing on the other core

os::Environment compile_environment() {
  os::Environment environment = os::minimal_environment({});
  for (const char* name : {"TMPDIR", "HOME"}) environment.insert_or_assign(name, std::string("."));
  return environment;
}

}  // namespace

os::Process compile_process(const CompileSetup& setup, const std::string& program, const std::string& folder,
                            std::stop_token stop) {
  os::Process process;
  process.directory = folder;
  process.timeout = patience * setup.limits.time;
  process.output_bytes = 1 << 20;
  process.nice = background;
  process.environment.emplace(compile_environment());
  process.stop = stop;
  process.arguments = {program};

  os::SandboxPolicy policy;
  policy.readable = os::system_folders();
  policy.readable.insert(policy.readable.end(), setup.toolchain.folders.begin(), setup.toolchain.folders.end());
  policy.writable = {folder};
  policy.address_space_bytes = setup.limits.memory_bytes * (setup.toolchain.nvcc ? 2 : 1);
  policy.file_bytes = object_limit;
  policy.cpu_seconds = static_cast<unsigned>(setup.limits.time.count());
  process.sandbox = std::move(policy);
  return process;
}

// The system kills the compiler proper, and its driver says so in its own words.
bool ran_out_of_time(const os::Exit& exit, const CompileLimits& limits) {
  if (exit.timed_out) return true;
  if (exit.ok() || exit.canceled || exit.over_disk || exit.seconds < static_cast<double>(limits.time.count()))
    return false;
  return exit.signal != 0 || exit.err.find("signal") != std::string::npos ||
         exit.err.find("Killed") != std::string::npos;
}

Result<std::string> read_object(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::size_t>(status.st_size) > object_limit) {
    return failure("the compiler succeeded but left no object", path);
  }
  return os::read_file(path);
}

}  // namespace hone::compile

#include "tool/compile/toolchain/compile_process.h"

#include <sys/stat.h>

#include "tool/os/files/files.h"
#include "tool/os/process/environment.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::compile {
namespace {

// CUDA objects for many architectures have tens of MiB.
constexpr std::size_t object_limit = std::size_t{256} << 20;
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
  process.timeout = setup.limits.time;
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

Result<std::string> read_object(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::size_t>(status.st_size) > object_limit) {
    return failure("the compiler succeeded but left no object", path);
  }
  return os::read_file(path);
}

}  // namespace hone::compile

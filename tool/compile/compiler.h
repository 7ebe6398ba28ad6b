// Compiles a kernel's unit with the project's own compiler and flags into shared objects, inside the sandbox.
//
// freeze() runs the preprocessor over the unit once, trusted, or for nvcc takes copies of the project's headers
// (header_tree.h), so that what follows needs no file of the project: a candidate's compile sees only the toolchain,
// the system headers and its own temp folder.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/compile/toolchain/compile_process.h"
#include "tool/compile/toolchain/compiler_report.h"
#include "tool/compile/unit/frozen_unit.h"
#include "tool/compile/unit/precompiled_preambles.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/verdict.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::compile {

class DeviceHalf;

struct Objects {
  std::string plain;      // bytes of the .so, the project's flags
  std::string sanitized;  // -O1 -fsanitize=address,undefined; empty where the compiler has no sanitizers installed, and
                          // of CUDA, whose sanitizers run the plain one
  std::string sanitizer_runtime;  // what LD_PRELOAD must name to load it: an absolute path on this machine
  std::string race_checked;  // -O1 -fsanitize=thread; empty for kernels of one thread and where it is not installed.
                             // Of CUDA: a candidate whose warps pause (race_pauses.h)
  std::string race_runtime;  // as sanitizer_runtime
  std::string relocatable;   // the plain one before it was linked (object_gain.h); empty of CUDA
  std::vector<long long> constants;  // that the source names (text_constants.h)
  bool may_allocate = true;          // on a device (device_allocations.h)
};

// for_trial: of CUDA the plain one alone, since most trials are never linked.  plain: that one alone of all languages,
// for who looks first whether it is wrong.
enum class Builds { all, for_trial, plain };

class Compiler {
 public:
  Compiler(os::ProcessRunner& runner, CompileCommand command, CompileLimits limits = {});
  ~Compiler();

  // The same for what only such a device ("sm_90") will load: of the project's architectures its own alone. nullptr:
  // there would be no difference, or the device is not known ("").
  std::unique_ptr<Compiler> for_device(const std::string& architecture) const;

  // Error: no such compiler, a command that compiles no source, a unit that the preprocessor refuses, or what it
  // calls in another source does not compile, or `stop` was requested meanwhile.
  Result<FrozenUnit> freeze(const KernelSpec& spec, std::stop_token stop = {});

  // The original, or a candidate's source, in the frozen unit. Its objects are compiled at once. Thread-safe.
  // A compile error is data: a Verdict that ended at Stage::compile with the errors cut to what matters.
  // Error: the compiler cannot be run, or `stop` was requested.
  Result<std::variant<Objects, Verdict>> compile(const FrozenUnit& unit, const std::string& source,
                                                 std::stop_token stop = {}, Builds builds = Builds::all);

  // The machine code alone, a section for each function (same_code.h), or why it does not compile. Not of CUDA.
  // Sandboxed and thread-safe as compile().
  Result<std::variant<std::string, Verdict>> compile_code(const FrozenUnit& unit, const std::string& source,
                                                          std::stop_token stop = {});

  // A quicker way for many candidates of a __global__ kernel: their device code alone, put into `original`, which is
  // what compile() made of the original. `architecture`: "sm_90" where all of it is for such devices. nullptr: there is
  // none for this unit. Thread-safe; borrows the unit and this.
  std::unique_ptr<DeviceHalf> device_half(const FrozenUnit& unit, const Objects& original,
                                          const std::string& architecture = {}, std::stop_token stop = {});

  // nvcc's complaint about the unit's whole file in another state, with `source` somewhere in it, compiled as the
  // project compiles it; "": there is none. Sandboxed as compile() is. Thread-safe.
  Result<std::string> complaint(const FrozenUnit& unit, const std::string& file_text, const std::string& source,
                                std::stop_token stop = {});

  // What the compiler says of the unit, compiled by itself for a look at it. nullopt: it does not compile. Sandboxed as
  // compile() is. Thread-safe.
  Result<std::optional<Explanation>> explain(const FrozenUnit& unit, const std::string& source,
                                             std::stop_token stop = {});

  // One object with lines, for a program that counts what is executed: without the instructions that valgrind does not
  // know (AVX-512). nullopt: it does not compile so. Sandboxed as compile() is. Thread-safe.
  Result<std::optional<std::string>> compile_for_counts(const FrozenUnit& unit, const std::string& source,
                                                        std::stop_token stop = {});

  // LLVM's, before anything is optimized; of Clang alone. nullopt: it does not compile. Sandboxed as compile() is.
  // Thread-safe.
  Result<std::optional<std::string>> compile_to_bitcode(const FrozenUnit& unit, const std::string& source,
                                                        std::stop_token stop = {});

  // Another program that reads generated code, in the same sandbox.
  Result<os::Process> process_beside(const std::string& program, const std::string& folder, std::stop_token stop) const;

  std::string identity() const;  // "g++ (Debian 12.2.0-14) 12.2.0", for the record; "" when there is none
  std::vector<std::string> library_folders() const;  // that the objects need libraries from, beyond the system's
  std::string sanitizer_runtime() const;             // absolute path of libasan.so or clang's; "" when there is none

 private:
  struct Attempt;
  struct Text;
  struct Build;
  const Result<CompileSetup>& setup() const;
  Result<FrozenUnit> preprocess(const CompileSetup& setup, const KernelSpec& spec, const char* mode);
  Result<FrozenUnit> freeze_headers(const CompileSetup& setup, const KernelSpec& spec);
  static std::string source_with_lines(const FrozenUnit& unit, const std::string& source);
  Result<std::variant<Objects, Verdict>> compile_all(const CompileSetup& setup, const FrozenUnit& unit,
                                                     const std::string& source, std::stop_token stop, Builds builds);
  os::Process confined(const CompileSetup& setup, const std::string& folder, std::stop_token stop) const;
  Result<Attempt> attempt(const CompileSetup& setup, const Build& build, std::stop_token stop);
  Result<Attempt> translate(const CompileSetup& setup, const Build& build, std::stop_token stop);
  Result<Attempt> step(const CompileSetup& setup, const Build& build, const std::vector<std::string>& words,
                       const std::string& object, const PrecompiledPreamble* preamble, std::stop_token stop);

  os::ProcessRunner& runner_;
  CompileCommand command_;
  CompileLimits limits_;
  PrecompiledPreambles preambles_;
  mutable std::once_flag asked_;
  mutable std::unique_ptr<Result<CompileSetup>>
      setup_;  // found on first use: asking a compiler takes a dozen processes
};

}  // namespace hone::compile

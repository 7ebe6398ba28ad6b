// Units of CUDA through the real nvcc, in the real sandbox. Nothing here needs a device; without nvcc it is skipped.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/compile/compiler.h"
#include "tool/os/files/files.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::compile {
namespace {
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

namespace fs = std::filesystem;

constexpr const char* nvcc = "/usr/local/cuda/bin/nvcc";

// A launcher and its kernel, as the frontend cuts them. BESIDE, INCLUDED and LISTED are in the project's headers.
KernelSpec spec_in(const std::string& folder) {
  KernelSpec spec;
  spec.cuda = true;
  spec.file = folder + "/my src/orig.cu";
  spec.line = 3;
  spec.unit.prologue = "#line 1 \"" + spec.file +
                       "\"\n#include \"beside.h\"\n#include <from_include_path.h>\n#include <listed.h>\n"
                       "#include <cuda_fp16.h>\n";
  spec.unit.definition =
      "void kernel(const float* x, float* y, int n) {\n  step<<<(n + 255) / 256, 256>>>(x, y, n);\n}";
  spec.unit.opening =
      "__global__ void step(const float* x, float* y, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) y[i] = x[i] * (BESIDE + INCLUDED + LISTED);\n}\n";
  spec.unit.definition_line = 12;
  spec.unit.closing = "";
  spec.unit.harness =
      "extern \"C\" __attribute__((visibility(\"default\"))) int hone_constant() { return BESIDE + INCLUDED + LISTED; "
      "}\n"
      "extern \"C\" __attribute__((visibility(\"default\"))) void hone_call(void* const* slots, void*) {\n"
      "  kernel((const float*)slots[0], (float*)slots[1], *(const int*)slots[2]);\n}\n";
  return spec;
}

struct Project {
  Project() {
    const auto write = [&](const char* file, const std::string& text) {
      EXPECT_TRUE(os::write_file_atomically(folder.path() / file, text));
    };
    // What each pass sees: with a header of the device's alone.
    write("my src/orig.cu",
          "#include \"beside.h\"\n#include <from_include_path.h>\n#include <listed.h>\n#ifdef __CUDA_ARCH__\n"
          "#include \"device_only.h\"\n#endif\n");
    write("my src/beside.h", "#pragma once\n#include \"../common/shared.h\"\n#define BESIDE (100 + SHARED)\n");
    write("my src/device_only.h", "#define DEVICE_ONLY 1\n");
    write("common/shared.h", "#define SHARED 7\n");
    write("inc/from_include_path.h", "#ifndef G\n#define G\nenum { INCLUDED = 1000 };\n#endif\n");
    write("third party/listed.h", "#define LISTED 10000\n");
    write("secret.h", "#define SECRET 1\n");
    write("more.rsp", "-isystem=\"" + (folder.path() / "third party").string() + "\"");
    CompileCommand command;
    command.directory = folder.path();
    command.file = folder.path() / "my src/orig.cu";
    command.arguments = {nvcc,
                         "-forward-unknown-to-host-compiler",
                         "-Iinc",
                         "--options-file",
                         "more.rsp",
                         "-O2",
                         "-std=c++17",
                         "--generate-code=arch=compute_90,code=[compute_90,sm_90]",
                         "-Xcompiler=-fvisibility=hidden,-Wall,-Werror",
                         "-MD",
                         "-MF",
                         "x.d",
                         "-x",
                         "cu",
                         "-c",
                         "my src/orig.cu",
                         "-o",
                         "x.o"};
    compiler = std::make_unique<Compiler>(runner, command);
    const auto frozen = compiler->freeze(spec_in(folder.path()));
    EXPECT_TRUE(frozen) << frozen.error().message();
    if (frozen) unit = *frozen;
    // From here on nothing of the project is needed.
    for (const char* part : {"my src", "inc", "common", "third party"}) fs::remove_all(folder.path() / part);
  }
  os::TemporaryFolder folder = os::TemporaryFolder::create("hone-cuda-compiler").value();
  os::PosixProcessRunner runner;
  std::unique_ptr<Compiler> compiler;
  FrozenUnit unit;
};

class CudaCompiler : public testing::Test {
 protected:
  void SetUp() override {
    if (::access(nvcc, X_OK) != 0) GTEST_SKIP() << "there is no " << nvcc;
    static Project project;
    project_ = &project;
  }

  std::variant<Objects, Verdict> compile(const std::string& source) {
    auto result = project_->compiler->compile(project_->unit, source);
    EXPECT_TRUE(result) << result.error().message();
    return std::move(*result);
  }
  Objects objects(const std::string& source) {
    auto result = compile(source);
    if (const Verdict* verdict = std::get_if<Verdict>(&result))
      ADD_FAILURE() << verdict->reason << "\n" << verdict->detail;
    return std::holds_alternative<Objects>(result) ? std::get<Objects>(result) : Objects{};
  }
  Verdict refused(const std::string& source) {
    auto result = compile(source);
    EXPECT_TRUE(std::holds_alternative<Verdict>(result)) << "it compiled";
    return std::holds_alternative<Verdict>(result) ? std::get<Verdict>(result) : Verdict{};
  }

  Project* project_ = nullptr;
};

// A candidate with a kernel of its own.
std::string launching(const std::string& body, const std::string& before = "") {
  return before + "static __global__ void mine(const float* x, float* y, int n) {\n" + body +
         "\n}\nvoid kernel(const float* x, float* y, int n) { mine<<<(n + 255) / 256, 256>>>(x, y, n); }\n";
}
const std::string index = "const int i = blockIdx.x * blockDim.x + threadIdx.x; ";

TEST_F(CudaCompiler, CompilesOriginalWithCopiesOfHeaders) {
  const Objects made = objects(project_->unit.definition);
  EXPECT_THAT(made.sanitized + made.race_checked, IsEmpty());
  EXPECT_THAT(made.plain, HasSubstr("sm_90"));
  const std::string path = project_->folder.path() / "loaded.so";
  ASSERT_TRUE(os::write_file_atomically(path, made.plain));
  void* loaded = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(loaded, nullptr) << ::dlerror();
  auto* constant = reinterpret_cast<int (*)()>(::dlsym(loaded, "hone_constant"));
  ASSERT_NE(constant, nullptr);
  EXPECT_EQ(constant(), 10000 + 1000 + 100 + 7);
  ::dlclose(loaded);
  EXPECT_FALSE(made.may_allocate);
}

TEST_F(CudaCompiler, NeedsNoLibraryForUncalledFunction) {
  FrozenUnit unit = project_->unit;
  unit.prologue += "extern \"C\" int of_a_library(int);\nint asks_it(int x) { return of_a_library(x); }\n";
  const auto made = project_->compiler->compile(unit, unit.definition);
  ASSERT_TRUE(made && std::holds_alternative<Objects>(*made));
  const std::string path = project_->folder.path() / "alone.so";
  ASSERT_TRUE(os::write_file_atomically(path, std::get<Objects>(*made).plain));
  void* loaded = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(loaded, nullptr) << ::dlerror();
  ::dlclose(loaded);
}

TEST_F(CudaCompiler, CopiesOnlyHeadersOfProject) {
  std::vector<std::string> names;
  for (const HeaderTree::Header& header : project_->unit.headers.headers)
    names.push_back(fs::path(header.path).filename());
  EXPECT_THAT(
      names, testing::UnorderedElementsAre("beside.h", "shared.h", "from_include_path.h", "listed.h", "device_only.h"));
}

TEST_F(CudaCompiler, CompilesCandidateWithOwnIncludesAndKernels) {
  const Objects made = objects(launching(index + "if (i < n) y[i] = __half2float(__float2half(x[i])) * BESIDE;",
                                         "#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n"));
  EXPECT_THAT(made.plain, HasSubstr("mine"));
}

TEST_F(CudaCompiler, BuildsObjectWithRacePausesForJudging) {
  const std::string source = launching("__shared__ float s[256]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads();\n" +
                                       index + "if (i < n) y[i] = s[255 - threadIdx.x];");
  const Objects made = objects(source);
  EXPECT_THAT(made.race_checked, AllOf(HasSubstr("mine"), HasSubstr("hone_pause")));
  EXPECT_THAT(made.plain, Not(HasSubstr("hone_pause")));
  const auto trial = project_->compiler->compile(project_->unit, source, {}, Builds::for_trial);
  ASSERT_TRUE(trial && std::holds_alternative<Objects>(*trial));
  EXPECT_EQ(std::get<Objects>(*trial).race_checked, "");
}

TEST_F(CudaCompiler, RefusesCandidateThatClashesWithRacePauses) {
  const Verdict verdict =
      refused(launching(index + "if (i < n) y[i] = x[i];", "") + "static __device__ int hone_pause;\n");
  EXPECT_THAT(verdict.reason, AllOf(StartsWith("with pauses at its barriers: "), HasSubstr("hone_pause")));
}

TEST_F(CudaCompiler, ReportsHostErrorAtLineOfCandidate) {
  const Verdict verdict =
      refused("\nvoid kernel(const float* x, float* y, int n) {\n  nothing<<<1, 1>>>(x, y, n);\n}\n");
  EXPECT_EQ(verdict.stage, Stage::compile);
  EXPECT_THAT(verdict.reason, AllOf(StartsWith("candidate:3: error: "), HasSubstr("nothing")));
  EXPECT_THAT(verdict.detail, HasSubstr("nothing<<<1, 1>>>(x, y, n);"));
  EXPECT_FALSE(verdict.sandbox.empty());
}

TEST_F(CudaCompiler, ReportsDeviceErrorAtLineOfCandidate) {
  const Verdict verdict = refused(launching(index + "\n  if (i < n) y[i] = std::exp(undefined_there);"));
  EXPECT_THAT(verdict.reason, AllOf(StartsWith("candidate:3: error: "), HasSubstr("undefined_there")));
}

TEST_F(CudaCompiler, ReportsPtxasError) {
  const Verdict verdict =
      refused(launching("__shared__ float s[100000]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); y[0] = s[n];"));
  EXPECT_THAT(verdict.reason, AllOf(StartsWith("ptxas error"), HasSubstr("mine(float const*, float*, int)"),
                                    HasSubstr("too much shared data")));
}

TEST_F(CudaCompiler, RefusesIncludeOutsideToolchain) {
  if (os::probe_sandbox()->name == "limits") GTEST_SKIP() << "a sandbox of limits alone hides no file";
  const std::string kernel = "void kernel(const float* x, float* y, int n) {}\n";
  const Verdict passwords = refused("#include \"/etc/passwd\"\n" + kernel);
  EXPECT_THAT(passwords.detail, Not(HasSubstr("root")));
  EXPECT_THAT(passwords.reason, StartsWith("candidate:1"));
  const Verdict secret = refused("#include \"" + (project_->folder.path() / "secret.h").string() + "\"\n" + kernel);
  EXPECT_THAT(secret.reason, StartsWith("candidate:1"));
}

TEST_F(CudaCompiler, StopsEndlessCompile) {
  os::PosixProcessRunner runner;
  CompileCommand command{project_->folder.path(), "/a.cu", "a.o", {nvcc, "-c", "/a.cu", "-o", "a.o"}};
  Compiler compiler(runner, command, {.time = std::chrono::seconds(2)});
  FrozenUnit unit = project_->unit;
  unit.headers.flags.clear();
  unit.opening.clear();
  unit.prologue.clear();
  unit.closing_and_harness.clear();
  const auto result =
      compiler.compile(unit,
                       "template <int N> struct S { static constexpr int v = S<N-1>::v + S<N-2>::v; };\n"
                       "constexpr long slow(long n) { return n < 2 ? n : slow(n - 1) + slow(n - 2); }\n"
                       "template <long N> struct T { enum { v = slow(24 + N % 2) + T<N - 1>::v * 0 }; };\n"
                       "template <> struct T<0> { enum { v = 0 }; };\n"
                       "int kernel() { return T<190>::v; }\n");
  ASSERT_TRUE(result) << result.error().message();
  ASSERT_TRUE(std::holds_alternative<Verdict>(*result));
}

TEST_F(CudaCompiler, LeavesNothingInTemporaryFolder) {
  const std::string own = project_->folder.path() / "own";
  fs::create_directory(own);
  ::setenv("TMPDIR", own.c_str(), 1);
  refused("nonsense\n");
  ::unsetenv("TMPDIR");
  EXPECT_TRUE(fs::is_empty(own));
}

TEST_F(CudaCompiler, ExplainsResourcesAndAssembly) {
  const auto explained = project_->compiler->explain(
      project_->unit, launching("__shared__ float s[256]; " + index +
                                "s[threadIdx.x] = i < n ? x[i] : 0; __syncthreads(); if (i < n) y[i] = s[255 - "
                                "threadIdx.x];"));
  ASSERT_TRUE(explained) << explained.error().message();
  ASSERT_TRUE(*explained);
  const auto& functions = (*explained)->functions;
  const auto mine = std::find_if(functions.begin(), functions.end(),
                                 [](const DeviceFunction& one) { return one.name.find("mine(") != std::string::npos; });
  ASSERT_NE(mine, functions.end()) << (*explained)->remarks;
  EXPECT_EQ(mine->architecture, "sm_90");
  EXPECT_EQ(mine->shared_bytes, 1024u);
  EXPECT_EQ(mine->barriers, 1u);
  EXPECT_EQ(mine->spill_load_bytes, 0u);
  EXPECT_GE(mine->registers, 4u);
  EXPECT_LE(mine->registers, 64u);
  // Not every toolkit is whole.
  if (::access("/usr/local/cuda/bin/cuobjdump", X_OK) != 0) return;
  EXPECT_THAT((*explained)->assembly, AllOf(HasSubstr("code for sm_90"), HasSubstr("LDS"), HasSubstr("BAR.SYNC")));
}

TEST_F(CudaCompiler, NamesItsCompiler) {
  EXPECT_THAT(project_->compiler->identity(), AllOf(StartsWith("nvcc "), HasSubstr(" with g")));
  EXPECT_EQ(project_->compiler->sanitizer_runtime(), "");
}

TEST_F(CudaCompiler, ReportsMissingHeaderAtSource) {
  const os::TemporaryFolder folder = os::TemporaryFolder::create("hone-cuda-compiler").value();
  const std::string file = folder.path() / "a.cu";
  ASSERT_TRUE(os::write_file_atomically(file, "#include <no_such_header.h>\n"));
  os::PosixProcessRunner runner;
  Compiler compiler(runner, {folder.path(), file, "a.o", {nvcc, "-c", file, "-o", "a.o"}});
  KernelSpec spec;
  spec.cuda = true;
  spec.file = file;
  EXPECT_THAT(compiler.freeze(spec).error().message(),
              AllOf(StartsWith(file), HasSubstr("no_such_header.h: No such file")));
}

TEST(CudaCompilerSetup, RequiresNvccForCudaKernel) {
  os::PosixProcessRunner runner;
  Compiler compiler(runner, {"/", "/a.cu", "a.o", {"g++", "-x", "c++", "-c", "/a.cu", "-o", "a.o"}});
  KernelSpec spec;
  spec.cuda = true;
  EXPECT_THAT(compiler.freeze(spec).error().message(), HasSubstr("does not compile CUDA for Hone; configure"));
}

TEST(DeviceFunctions, AreReadFromPtxasReport) {
  const auto functions = read_ptxas_report(
      "ptxas info    : 8 bytes gmem, 12 bytes cmem[3]\n"
      "ptxas info    : Compiling entry function '_Z4stepPKfPfi' for 'sm_80'\n"
      "ptxas info    : Function properties for _Z4stepPKfPfi\n"
      "    16 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 2 barriers, 16 bytes cumulative stack size, 4096 bytes smem, 372 bytes "
      "cmem[0], 8 bytes cmem[2]\n"
      "ptxas info    : Compile time = 3.2 ms\n"
      "ptxas info    : Compiling entry function 'plain' for 'sm_90a'\n"
      "ptxas info    : Function properties for _Z5otheri\n"
      "    96 bytes stack frame, 1 bytes spill stores, 1 bytes spill loads\n"
      "ptxas info    : Function properties for plain\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, 360 bytes cmem[0]\n");
  EXPECT_THAT(functions, ElementsAre(DeviceFunction{"step(float const*, float*, int)", "_Z4stepPKfPfi", "sm_80", 255, 2,
                                                    4096, 380, 16, 24, 32},
                                     DeviceFunction{"plain", "plain", "sm_90a", 8, 0, 0, 360, 0, 0, 0}));
  EXPECT_THAT(read_ptxas_report("ptxas info    : Used 8 registers\nnonsense\n"), IsEmpty());
}

}  // namespace
}  // namespace hone::compile

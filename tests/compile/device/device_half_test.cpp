// Candidates of __global__ kernels compiled by their device code alone: the real NVRTC and nvcc, in the real sandbox.
// Nothing here needs a device; without nvcc it is skipped.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/base/elf.h"
#include "tool/compile/compiler.h"
#include "tool/compile/device/device_half.h"
#include "tool/os/files/files.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::compile {
namespace {
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

namespace fs = std::filesystem;

constexpr const char* nvcc_path = "/usr/local/cuda/bin/nvcc";

// What stands around `kernel`, and what of it is in an unnamed namespace.
struct Around {
  std::string includes;
  std::string opening, closing;
  std::vector<std::string> flags;
};

const std::string original =
    "__global__ void kernel(const float* x, float* y, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = scaled(x[i]) / sqrtf(x[i] + OFFSET);\n}\n";
const std::string faster =
    "__device__ float half_of(float v) { return 0.5f * v; }\n"
    "__global__ void kernel(const float* x, float* y, int n) {\n"
    "  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = half_of(scaled(x[i])) / sqrtf(x[i] + OFFSET);\n}\n";

// A project with a header and its kernel's unit, as the frontend cuts it.
class DeviceHalfProject {
 public:
  explicit DeviceHalfProject(const Around& around = {}) {
    const fs::path file = folder_.path() / "src/kernel.cu";
    EXPECT_TRUE(os::write_file_atomically(file, "#include <scale.h>\n" + around.includes));
    EXPECT_TRUE(
        os::write_file_atomically(folder_.path() / "inc/scale.h",
                                  "#pragma once\n__device__ inline float scaled(float v) { return SCALE * v; }\n"));
    EXPECT_TRUE(os::write_file_atomically(secret(), "int secret;\n"));
    CompileCommand command{folder_.path(), file, "x.o", {nvcc_path, "-forward-unknown-to-host-compiler", "-Iinc"}};
    command.arguments.insert(command.arguments.end(), around.flags.begin(), around.flags.end());
    for (const char* word : {"-std=c++17", "--generate-code=arch=compute_90,code=[compute_90,sm_90]", "-DSCALE=3.0f",
                             "-Xcompiler=-DOFFSET=1.0f", "-c", "src/kernel.cu", "-o", "x.o"})
      command.arguments.emplace_back(word);
    KernelSpec spec;
    spec.cuda = spec.global = true;
    spec.file = file;
    spec.unit.prologue = "#line 1 \"" + spec.file + "\"\n#include <scale.h>\n" + around.includes;
    spec.unit.opening = around.opening;
    spec.unit.definition = original;
    spec.unit.definition_line = 7;
    spec.unit.closing = around.closing;
    spec.unit.harness =
        "extern \"C\" __attribute__((visibility(\"default\"))) void hone_call(void* const* slots, void*) {\n"
        "  kernel<<<1, 256>>>((const float*)slots[0], (float*)slots[1], *(const int*)slots[2]);\n}\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) int hone_constant() { return 17; }\n";
    compiler_ = std::make_unique<Compiler>(runner_, command);
    auto frozen = compiler_->freeze(spec);
    EXPECT_TRUE(frozen) << frozen.error().message();
    unit_ = *frozen;
    auto whole = compiler_->compile(unit_, unit_.definition);
    EXPECT_TRUE(whole && std::holds_alternative<Objects>(*whole)) << std::get<Verdict>(*whole).detail;
    objects_ = std::get<Objects>(*whole);
  }

  std::unique_ptr<DeviceHalf> half(bool with_nvrtc = true) {
    ::setenv("HONE_NVRTC", with_nvrtc ? HONE_NVRTC : "", 1);
    auto half = compiler_->device_half(unit_, objects_);
    ::setenv("HONE_NVRTC", HONE_NVRTC, 1);
    return half;
  }
  fs::path secret() const { return folder_.path() / "secret.h"; }
  fs::path folder() const { return folder_.path(); }
  Compiler& compiler() { return *compiler_; }
  const FrozenUnit& unit() const { return unit_; }
  const std::string& object() const { return objects_.plain; }

 private:
  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-device-half").value();
  os::PosixProcessRunner runner_;
  std::unique_ptr<Compiler> compiler_;
  FrozenUnit unit_;
  Objects objects_;
};

class DeviceHalfTest : public testing::Test {
 protected:
  void SetUp() override {
    if (::access(nvcc_path, X_OK) != 0) GTEST_SKIP() << "there is no " << nvcc_path;
    if (::access("/usr/local/cuda/lib64/libnvrtc.so", R_OK) != 0) GTEST_SKIP() << "there is no NVRTC";
  }

  // "" where it has to be compiled whole.
  static std::string compile(const DeviceHalf& half, const std::string& source) {
    auto object = half.compile(source);
    EXPECT_TRUE(object) << object.error().message();
    return object && *object ? **object : "";
  }
};

ElfSection section(const std::string& object, const std::string& name) {
  for (const ElfSection& one : elf_sections(object))
    if (one.name == name) return one;
  return {};
}

std::string bytes(const std::string& object, const std::string& name) {
  const ElfSection found = section(object, name);
  return object.substr(found.offset, found.size);
}

std::string room(const std::string& object) {
  return bytes(object, ".hone_device_code");
}

// For the device.
std::vector<std::string> defined_by(const std::string& object) {
  std::vector<std::string> names;
  for (const DeviceName& one : device_names(room(object))) names.push_back(one.name);
  return names;
}

// The instructions of the object's one kernel, as the device gets them.
std::string instructions(const std::string& object) {
  const std::string code = room(object);
  for (std::size_t at = code.find("\177ELF"); at != std::string::npos; at = code.find("\177ELF", at + 1)) {
    const std::string image = code.substr(at);
    for (const ElfSection& one : elf_sections(image))
      if (one.name.starts_with(".text.")) return image.substr(one.offset, one.size);
  }
  return {};
}

TEST_F(DeviceHalfTest, PutsNvrtcCodeIntoHostHalfOfOriginal) {
  DeviceHalfProject project;
  const auto half = project.half();
  ASSERT_NE(half, nullptr);
  EXPECT_TRUE(half->is_nvrtc());
  const std::string object = compile(*half, faster);
  ASSERT_EQ(object.size(), project.object().size());
  EXPECT_THAT(defined_by(object), Contains("_Z6kernelPKfPfi"));
  EXPECT_THAT(room(object), HasSubstr(".target sm_90")) << "the project wants PTX beside it";

  // Beyond the room it differs in the one pointer to it.
  const ElfSection at = section(object, ".hone_device_code");
  std::size_t changed = 0;
  for (std::size_t i = 0; i < object.size(); ++i)
    if (object[i] != project.object()[i] && (i < at.offset || i >= at.offset + at.size)) ++changed;
  EXPECT_THAT(changed, testing::AllOf(testing::Ge(1u), testing::Le(8u)));

  const std::string path = project.folder() / "loaded.so";
  ASSERT_TRUE(os::write_file_atomically(path, object));
  void* loaded = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(loaded, nullptr) << ::dlerror();
  EXPECT_EQ(reinterpret_cast<int (*)()>(::dlsym(loaded, "hone_constant"))(), 17);
  ::dlclose(loaded);
}

// Macros, headers, the standard and what the flags say of arithmetic reach NVRTC as they reach nvcc.
TEST_F(DeviceHalfTest, MakesSameInstructionsWithNvrtcAndNvcc) {
  std::vector<std::string> of_flags;
  for (const std::vector<std::string>& flags : {std::vector<std::string>{}, {"-use_fast_math"}, {"-maxrregcount=16"}}) {
    DeviceHalfProject project({.includes = "#include <cmath>\n#include <cstdint>\n", .flags = flags});
    const auto nvrtc = project.half(), passes = project.half(false);
    ASSERT_TRUE(nvrtc && passes);
    EXPECT_TRUE(nvrtc->is_nvrtc());
    EXPECT_FALSE(passes->is_nvrtc());
    const std::string candidate =
        "__global__ void kernel(const float* x, float* y, int n) {\n"
        "  const int64_t i = blockIdx.x * int64_t{256} + threadIdx.x;\n"
        "  if (i < n) y[i] = scaled(std::exp(x[i])) / std::sqrt(std::fmax(x[i], OFFSET));\n}\n";
    of_flags.push_back(instructions(compile(*nvrtc, candidate)));
    EXPECT_THAT(of_flags.back(), Not(IsEmpty()));
    EXPECT_EQ(of_flags.back(), instructions(compile(*passes, candidate)));
  }
  EXPECT_NE(of_flags[0], of_flags[1]);
}

TEST_F(DeviceHalfTest, UsesNvccForUnitThatNvrtcCannotRead) {
  DeviceHalfProject project({.includes = "#include <vector>\n"});
  const auto half = project.half();
  ASSERT_NE(half, nullptr);
  EXPECT_FALSE(half->is_nvrtc());
  EXPECT_THAT(defined_by(compile(*half, faster)), Contains("_Z6kernelPKfPfi"));
}

TEST_F(DeviceHalfTest, UsesNvccForFlagsUnknownToNvrtc) {
  DeviceHalfProject project({.flags = {"-Xcicc=-O2"}});
  const auto half = project.half();
  ASSERT_NE(half, nullptr);
  EXPECT_FALSE(half->is_nvrtc());
}

TEST_F(DeviceHalfTest, IsUnavailableForRelocatableDeviceCode) {
  DeviceHalfProject project({.flags = {"-rdc=true"}});
  EXPECT_EQ(project.half(), nullptr);
}

TEST_F(DeviceHalfTest, WorksWithUnoptimizedHostCode) {
  DeviceHalfProject project({.flags = {"-O0"}});
  const auto half = project.half();
  ASSERT_NE(half, nullptr);
  EXPECT_THAT(defined_by(compile(*half, faster)), Contains("_Z6kernelPKfPfi"));
}

TEST_F(DeviceHalfTest, AcceptsHostFunctionsInUnit) {
  DeviceHalfProject project({.opening = "int blocks_for(int n) { return (n + 255) / 256; }\n"});
  const auto half = project.half();
  ASSERT_NE(half, nullptr);
  EXPECT_TRUE(half->is_nvrtc());
  EXPECT_THAT(compile(*half, faster), Not(IsEmpty()));
}

// Their names hold a mark of the compile, which has to be that of the host's half.
TEST_F(DeviceHalfTest, KeepsNamesOfUnnamedNamespaceKnownToHost) {
  DeviceHalfProject project({.opening = "namespace {\n__constant__ float table[2] = {1, 2};\n", .closing = "}\n"});
  const auto half = project.half();
  ASSERT_NE(half, nullptr);
  EXPECT_TRUE(half->is_nvrtc());
  const std::string object = compile(*half, faster);
  const auto host = HostHalf::of(project.object());
  ASSERT_TRUE(host);
  std::size_t named = 0;
  for (const std::string& name : defined_by(object)) named += host->names(name);
  EXPECT_EQ(named, 2u) << "the kernel and the table";
}

// libcu++ says long long where the host's library says long.
TEST_F(DeviceHalfTest, UsesNvccIfNvrtcManglesNamesDifferently) {
  DeviceHalfProject project({.includes = "#include <cstdint>\n",
                             .opening = "__global__ void other(const int64_t* x) { if (x[0]) __trap(); }\n"});
  const auto half = project.half();
  ASSERT_NE(half, nullptr);
  EXPECT_FALSE(half->is_nvrtc());
  EXPECT_THAT(defined_by(compile(*half, faster)), testing::IsSupersetOf({"_Z6kernelPKfPfi", "_Z5otherPKl"}));
}

TEST_F(DeviceHalfTest, LeavesErrorsToNvcc) {
  DeviceHalfProject project;
  const auto half = project.half();
  ASSERT_NE(half, nullptr);
  const std::string wrong = "__global__ void kernel(const float* x, float* y, int n) {\n\n  y[0] = nowhere;\n}\n";
  EXPECT_EQ(compile(*half, wrong), "");
  auto told = project.compiler().compile(project.unit(), wrong);
  ASSERT_TRUE(told && std::holds_alternative<Verdict>(*told));
  EXPECT_THAT(std::get<Verdict>(*told).reason, StartsWith("candidate:3: error: identifier \"nowhere\" is undefined"));
}

TEST_F(DeviceHalfTest, LeavesVariantWithOwnLaunchToNvcc) {
  DeviceHalfProject project;
  const auto half = project.half();
  ASSERT_NE(half, nullptr);
  EXPECT_EQ(compile(*half, faster + "static void hone_launch_kernel(const float*, float*, int, cudaStream_t) {}\n"),
            "");
}

TEST_F(DeviceHalfTest, GivesNoObjectForOtherKernelName) {
  DeviceHalfProject project;
  const auto half = project.half();
  ASSERT_NE(half, nullptr);
  EXPECT_EQ(compile(*half, "__global__ void other(const float* x, float* y, int n) { y[0] = x[n]; }\n"), "");
}

TEST_F(DeviceHalfTest, RefusesIncludeOutsideToolchain) {
  if (os::probe_sandbox()->name == "limits") GTEST_SKIP() << "a sandbox of limits alone hides no file";
  DeviceHalfProject project;
  for (const bool with_nvrtc : {true, false}) {
    const auto half = project.half(with_nvrtc);
    ASSERT_NE(half, nullptr);
    const auto including = [&](const std::string& file) {
      return compile(*half, "#include \"" + file + "\"\n" + faster);
    };
    EXPECT_THAT(including("/usr/local/cuda/include/cuda_fp16.h"), Not(IsEmpty()));
    EXPECT_EQ(including("/etc/passwd"), "");
    EXPECT_EQ(including(project.secret()), "") << "what it holds would compile";
  }
}

TEST_F(DeviceHalfTest, ReportsRegistersFromPtxas) {
  DeviceHalfProject project;
  for (const bool with_nvrtc : {true, false}) {
    const auto explained = project.half(with_nvrtc)->explain(faster);
    ASSERT_TRUE(explained && *explained);
    const std::vector<DeviceFunction>& functions = (*explained)->functions;
    ASSERT_EQ(functions.size(), 1u) << (*explained)->remarks;
    EXPECT_EQ(functions[0].name, "kernel(float const*, float*, int)");
    EXPECT_EQ(functions[0].architecture, "sm_90");
    EXPECT_GE(functions[0].registers, 4u);
  }
}

TEST_F(DeviceHalfTest, PrecompilesHeaders) {
  DeviceHalfProject project({.includes = "#include <cuda_fp16.h>\n"});
  const auto half = project.half();
  ASSERT_TRUE(half && half->is_nvrtc());
  const auto explained = half->explain(faster);
  ASSERT_TRUE(explained && *explained);
  EXPECT_THAT((*explained)->remarks, HasSubstr("using precompiled header file"));
}

TEST_F(DeviceHalfTest, LeavesNothingInTemporaryFolder) {
  DeviceHalfProject project({.includes = "#include <cuda_fp16.h>\n"});
  const fs::path own = project.folder() / "own";
  fs::create_directory(own);
  fs::permissions(own, fs::perms(0777));
  ::setenv("TMPDIR", own.c_str(), 1);
  compile(*project.half(), faster);
  ::unsetenv("TMPDIR");
  EXPECT_TRUE(fs::is_empty(own));
}

}  // namespace
}  // namespace hone::compile

// `hone cc` in front of a real nvcc that compiles for two families of architectures, with lock files that say which
// variant was measured where. What is compiled needs no device; the last test runs it, and skips where there is none.
// Without nvcc all are skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include <nlohmann/json.hpp>

#include "tests/cuda_objects.h"
#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A kernel for each way in which a variant can be in such a file, and one to be captured. Each adds what tells who ran:
// the original 1, a variant the number of its family.
constexpr const char* kKernels = R"(#include "kernels.h"
static __global__ void add_one(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}
#pragma hone kernel inout(x[0:n]) problem(n=1000)
extern "C" void launcher(float* x, int n) {
  add_one<<<(n + 255) / 256, 256>>>(x, n);
}
#pragma hone kernel inout(x[0:n]) problem(n=1000) launch(grid((n + 255) / 256), block(256))
static __global__ void kernel(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}
void run_kernel(float* x, int n) {
  kernel<<<(n + 255) / 256, 256>>>(x, n);
}
#pragma hone kernel inout(x[0:n]) problem(n=1000) launch(grid((n + 255) / 256), block(256))
static __global__ void relaunched(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}
void run_relaunched(float* x, int n) {
  relaunched<<<(n + 255) / 256, 256>>>(x, n);
}
#pragma hone kernel inout(x[0:n]) problem(n=1000) stream(s)
void streamed(float* x, int n, cudaStream_t s) {
  add_one<<<(n + 255) / 256, 256, 0, s>>>(x, n);
}
void plain_launcher(float* x, int n) {
  add_one<<<(n + 255) / 256, 256>>>(x, n);
}
int line() { return __LINE__; }
)";
constexpr const char* kHeader = R"(extern "C" void launcher(float* x, int n);
void run_kernel(float* x, int n);
void run_relaunched(float* x, int n);
void streamed(float* x, int n, cudaStream_t s);
void plain_launcher(float* x, int n);
int line();
)";
// Says who ran each, and whether that is who should have: of the family in the first argument, else of the device's
// own, 9 for those newer than 9.
constexpr const char* kProgram = R"(#include <chrono>
#include <cstdio>
#include <cstdlib>
#include "kernels.h"
static int failures = 0;
static void expect(const char* what, int got, int wanted) {
  std::printf("%s: %d, %s\n", what, got, got == wanted ? "as it should be" : "WRONG");
  failures += got != wanted;
}
static int who(void (*run)(float*, int), float* x) {
  constexpr int n = 1000;
  float all[n];
  cudaMemset(x, 0, sizeof all);
  run(x, n);
  cudaMemcpy(all, x, sizeof all, cudaMemcpyDeviceToHost);
  for (int i = 1; i < n; ++i)
    if (all[i] != all[0]) return -1;
  return static_cast<int>(all[0]);
}
// Its first call of all is captured.
static void run_captured(float* x, int n) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  streamed(x, n, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
}
static double microseconds(void (*run)(float*, int), float* x) {
  constexpr int calls = 20000;
  cudaDeviceSynchronize();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) run(x, 32);
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
  cudaDeviceSynchronize();
  return taken.count() / calls;
}
int main(int argc, char** argv) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return std::puts("there is no CUDA device"), 77;
  float* x = nullptr;
  if (cudaMalloc(&x, 4000) != cudaSuccess) return std::puts("no memory"), 1;
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  std::printf("%s, sm_%d%d, line %d\n", device.name, device.major, device.minor, line());
  const int family = argc > 1 ? std::atoi(argv[1]) : device.major > 9 ? 9 : device.major;
  // An error of the program's own is still there behind the first, which asks CUDA what code it loaded.
  const cudaError_t own = cudaSetDevice(count);
  expect("launcher", who(launcher, x), family);
  expect("the program's error", cudaGetLastError(), own);
  expect("__global__ kernel", who(run_kernel, x), family);
  expect("kernel with another launch", who(run_relaunched, x), family);
  expect("captured", who(run_captured, x), family);
  expect("again", who(launcher, x), family);
  expect("error", cudaGetLastError(), cudaSuccess);
  for (int round = 0; round < 3; ++round)
    std::printf("a call takes %.3f us, one that chooses %.3f us\n", microseconds(plain_launcher, x),
                microseconds(launcher, x));
  return failures;
}
)";

std::string digits(int family) {
  return std::to_string(family);
}

// What a family's kernels add, in code that would not compile for an older one.
std::string helper(int family) {
  return "static __device__ float added(float x) {\n" +
         std::string(family == 9 ? "  asm volatile(\"fence.proxy.async;\");\n" : "") + "  return x + " +
         digits(family) + ";\n}\n";
}
std::string adding(const std::string& head) {
  return head + " {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) x[i] = added(x[i]);\n}\n";
}

class CudaArchitectures : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_nvcc()) GTEST_SKIP() << "there is no " << nvcc_program;
    project.write("kernels.cu", kKernels);
    project.write("kernels.h", kHeader);
    project.write("program.cu", kProgram);
  }

  // Text for devices in the object can be read.
  std::vector<std::string> both_{code_for("80"), code_for("90"), "--no-compress"};

  std::vector<std::string> nvcc(const std::vector<std::string>& flags) const {
    std::vector<std::string> all = both_;
    all.insert(all.end(), flags.begin(), flags.end());
    return nvcc_compile(all, project.source() / "kernels.cu", project.object("kernels.cu"));
  }
  Outcome compile(const std::vector<std::string>& flags = {}, const std::vector<std::string>& options = {}) const {
    return project.run(under_hone(HONE_PROGRAM, options, nvcc(flags)), project.source());
  }
  Outcome link(const std::vector<std::string>& flags = {}) const {
    std::vector<std::string> command = {nvcc_program, quick_dialect};
    command.insert(command.end(), both_.begin(), both_.end());
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(),
                   {"-Xcompiler", "-static-libstdc++,-static-libgcc", (project.source() / "program.cu").string(),
                    project.object("kernels.cu").string(), "-o", (project.build() / "program").string()});
    return project.run(command, project.source());
  }

  nlohmann::json list(const std::vector<std::string>& flags) const {
    const nlohmann::json entry = {{"directory", project.source().string()},
                                  {"file", (project.source() / "kernels.cu").string()},
                                  {"arguments", nvcc(flags)}};
    EXPECT_TRUE(os::write_file_atomically(project.build() / "compile_commands.json", nlohmann::json{entry}.dump()));
    const Outcome listed =
        project.run({HONE_PROGRAM, "list", "-p", project.build().string(), "--json"}, project.folder());
    return nlohmann::json::parse(listed.out)["kernels"];
  }
  // One parse says the keys of all kernels.
  std::string key(const std::string& name, const std::vector<std::string>& flags) {
    const std::vector<std::string> command = nvcc(flags);
    if (!keys_.contains(command))
      for (const nlohmann::json& kernel : list(flags)) keys_[command][kernel["name"]] = kernel["key"];
    return keys_[command][name];
  }
  void lock(const std::string& name, const std::optional<std::string>& variant, const std::string& measured_on,
            const std::vector<std::string>& flags = {}) {
    project.lock_variant(name, "kernels.cu", key(name, flags), variant, measured_on);
  }
  static std::string launcher_of(int family) {
    return helper(family) + adding("static __global__ void adds(float* x, int n)") +
           "extern \"C\" void launcher(float* x, int n) { adds<<<(n + 127) / 128, 128>>>(x, n); }\n";
  }
  static std::string kernel_of(int family) {
    return helper(family) + adding("static __global__ void kernel(float* x, int n)");
  }
  static std::string relaunched_of(int family) {
    const std::string original =
        "static __global__ void relaunched(float* x, int n) {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) x[i] += 1;\n}\n";
    return original + helper(family) + adding("static __global__ void adds(float* x, int n)") +
           "static void hone_launch_relaunched(float* x, int n, cudaStream_t stream) {\n"
           "  adds<<<(n + 127) / 128, 128, 0, stream>>>(x, n);\n}\n";
  }
  static std::string streamed_of(int family) {
    return helper(family) + adding("static __global__ void adds(float* x, int n)") +
           "void streamed(float* x, int n, cudaStream_t s) { adds<<<(n + 127) / 128, 128, 0, s>>>(x, n); }\n";
  }
  void lock_all(int family, const std::vector<std::string>& flags = {}) {
    const std::string architecture = "sm_" + digits(family) + "0";
    lock("launcher", launcher_of(family), architecture, flags);
    lock("kernel", kernel_of(family), architecture, flags);
    lock("relaunched", relaunched_of(family), architecture, flags);
    lock("streamed", streamed_of(family), architecture, flags);
  }
  void keep_original(const std::vector<std::string>& names) {
    for (const std::string& name : names) lock(name, std::nullopt, "sm_90");
  }

  std::string object() const { return project.read(project.object("kernels.cu")); }
  std::string ptx(const std::string& architecture) const { return ptx_of(object(), architecture); }
  std::string code_of(const std::string& architecture, const std::string& kernel) const {
    return tests::code_of(object(), architecture, kernel);
  }

  Project project;

 private:
  std::map<std::vector<std::string>, std::map<std::string, std::string>> keys_;  // by command and name
};

TEST_F(CudaArchitectures, KeepOriginalIfNotMeasured) {
  ASSERT_TRUE(project.run(nvcc({}), project.source()).ok());
  const std::vector<std::string> originals{code_of("sm_80", "_Z6kernelPfi"), code_of("sm_80", "_Z7add_onePfi"),
                                           code_of("sm_80", "_Z10relaunchedPfi")};
  EXPECT_THAT(originals[0], HasSubstr("add.f32"));
  lock_all(9);
  const Outcome compiled = compile();
  EXPECT_EQ(compiled.all(), "");
  EXPECT_TRUE(compiled.ok());
  EXPECT_THAT((std::vector{code_of("sm_80", "_Z6kernelPfi"), code_of("sm_80", "_Z7add_onePfi"),
                           code_of("sm_80", "_Z10relaunchedPfi")}),
              testing::ElementsAreArray(originals));
  EXPECT_THAT(ptx("sm_80"), Not(HasSubstr("fence.proxy.async")));
  EXPECT_EQ(count(ptx("sm_90"), "fence.proxy.async"), 4u) << "one of each variant";
  EXPECT_THAT(code_of("sm_90", "_Z6kernelPfi"), HasSubstr("fence.proxy.async"));
  const Outcome linked = link();
  EXPECT_TRUE(linked.ok()) << linked.all();
}

TEST_F(CudaArchitectures, HaveOwnVariantsInRelocatableCode) {
  const std::vector<std::string> flags{"-rdc=true", "-Werror", "all-warnings", "-Xcompiler",
                                       "-Wall,-Wextra,-Wno-unknown-pragmas"};
  lock_all(9, flags);
  lock_all(8, flags);
  const Outcome compiled = compile(flags);
  EXPECT_EQ(compiled.all(), "");
  EXPECT_EQ(count(ptx("sm_90"), "fence.proxy.async"), 4u);
  EXPECT_EQ(count(ptx("sm_80"), "0f41000000"), 4u) << "8, which the variants for it add";
  const Outcome linked = link({"-rdc=true"});
  EXPECT_TRUE(linked.ok()) << linked.all();
  const std::string first = object();
  fs::remove(project.object("kernels.cu"));
  ASSERT_TRUE(compile(flags).ok());
  EXPECT_TRUE(first == object()) << "two compiles give the same bytes";
}

TEST_F(CudaArchitectures, TakeVariantMeasuredOnDeviceThatTranslatesPtx) {
  lock("kernel", kernel_of(9), "sm_120");
  ASSERT_TRUE(compile().ok());
  EXPECT_THAT(code_of("sm_90", "_Z6kernelPfi"), HasSubstr("fence.proxy.async"));
  EXPECT_THAT(ptx("sm_80"), Not(HasSubstr("fence.proxy.async")));
}

TEST_F(CudaArchitectures, KeepOriginalWithNoteIfDeviceIsUnknown) {
  lock("kernel", kernel_of(9), "");
  keep_original({"launcher", "relaunched", "streamed"});
  const Outcome compiled = compile();
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, HasSubstr("kernels.cu:10: note: hone: 'kernel' is compiled for several families of "
                                      "architectures, and the lock file does not say which it was measured on; the "
                                      "original is compiled; run hone tune"));
  EXPECT_EQ(count(compiled.err, "\n"), 1u) << compiled.err;
  EXPECT_THAT(object(), Not(HasSubstr("fence.proxy.async")));
  EXPECT_EQ(compile({}, {"--locked"}).code, 1);
}

TEST_F(CudaArchitectures, KeepOriginalWithNoteIfVariantDoesNotCompile) {
  std::string wrong = launcher_of(9);
  wrong.insert(wrong.find("extern"), "constexpr int wrong = nothing;\n");
  lock("launcher", wrong, "sm_90");
  keep_original({"kernel", "relaunched", "streamed"});
  const Outcome compiled = compile();
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, AllOf(HasSubstr("kernels.cu:6: note: hone: the locked variant of 'launcher' is refused"),
                                  HasSubstr("hone/cas/")));
  EXPECT_EQ(count(compiled.err, "\n"), 1u) << compiled.err;
}

TEST_F(CudaArchitectures, AreListedPerKernel) {
  lock_all(9);
  lock("kernel", std::nullopt, "sm_86");
  nlohmann::json kernel;
  for (const nlohmann::json& one : list({}))
    if (one["name"] == "kernel") kernel = one;
  EXPECT_EQ(kernel["measured_on"], (nlohmann::json{"sm_86", "sm_90"}));
  EXPECT_EQ(kernel["linked"], true);
  EXPECT_EQ(kernel["state"], "tuned");
}

// With HONE_CARRY=<folder> the programs are left there, for a machine that has a device.
TEST_F(CudaArchitectures, ChooseVariantByDevice) {
  const auto built = [&](const std::string& name) {
    lock_all(9);
    lock_all(8);
    EXPECT_EQ(compile().all(), "");
    const Outcome linked = link();
    EXPECT_TRUE(linked.ok()) << linked.all();
    fs::rename(project.build() / "program", project.build() / name);
    if (const char* folder = std::getenv("HONE_CARRY"))
      fs::copy_file(project.build() / name, fs::path(folder) / name, fs::copy_options::overwrite_existing);
    return (project.build() / name).string();
  };
  const std::string both = built("both_families");
  const Outcome ran = project.run({both}, project.build());
  if (ran.code == 77 && !std::getenv("HONE_CARRY")) GTEST_SKIP() << ran.out;
  both_[1] = "--generate-code=arch=compute_90,code=sm_90";
  const std::string ptx_of_one = built("ptx_of_family_8");
  if (ran.code == 77) GTEST_SKIP() << ran.out;
  EXPECT_EQ(ran.code, 0) << ran.all();
  const std::string translating = "CUDA_FORCE_PTX_JIT=1";
  const Outcome translated = project.run({both}, project.build(), {translating});
  EXPECT_EQ(translated.code, 0) << "the newest PTX is still the device's own: " << translated.all();
  const Outcome older = project.run({ptx_of_one, "8"}, project.build(), {translating});
  EXPECT_EQ(older.code, 0) << "there is PTX of family 8 alone, whatever the device: " << older.all();
}

}  // namespace
}  // namespace hone::tests

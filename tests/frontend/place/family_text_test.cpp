// Variants in files that are compiled for two families of architectures: what nvcc makes of the text for each, and
// which of them a program calls. No device is needed: functions that the linker takes for CUDA's say what code is
// loaded and what is launched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "tests/cuda_objects.h"
#include "tests/frontend/cuda_kernels.h"
#include "tests/frontend/cuda_launches.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/frontend/place/variant_functions.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kBoth{"--generate-code=arch=compute_80,code=[compute_80,sm_80]",
                                     "--generate-code=arch=compute_90,code=[compute_90,sm_90]", "-std=c++17"};

// Of a launcher, whose launches tell who launched: the original blocks of 256 threads, a variant for family 8 of 64,
// and one for family 9 of 32, with an instruction that older ones lack.
const std::string kTimes =
    "static __global__ void times(float* x, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) x[i] *= 2;\n}\n";
std::string launching(unsigned family, const std::string& head = "void scale(float* x, int n)") {
  const std::string threads = family == 9 ? "32" : "64";
  return "static __device__ float twice(float x) {\n" +
         std::string(family == 9 ? "  asm volatile(\"fence.proxy.async;\");\n" : "") + "  return 2 * x;\n}\n" +
         "template <int N> __global__ void " + (family == 9 ? "__cluster_dims__(1, 1, 1) " : "") +
         "spread(float* x, int n) {\n"
         "  for (int i = threadIdx.x; i < n; i += N) x[i] = twice(x[i]);\n}\n" +
         head + " { spread<" + threads + "><<<1, " + threads + ">>>(x, n); }\n";
}
const std::string kPragma = "#pragma hone kernel inout(x[0:n]) problem(n=1000)\n";

struct Variant {
  unsigned family;
  std::string text;
};

class CudaFamilies : public testing::Test {
 protected:
  void SetUp() override { HONE_NEEDS_CUDA(); }

  static Result<Replacement> placed(const FoundKernel& kernel, const std::vector<Variant>& variants) {
    std::vector<FamilyVariant> all;
    for (const auto& [family, text] : variants) all.push_back({family, text, "hone/cas/" + std::to_string(family)});
    return replacement_by_family(kernel, all, {"#pragma nv_diagnostic push\n", "#pragma nv_diagnostic pop\n"});
  }
  // The file with the variants, or why they cannot be in it.
  static std::string rewritten(const Snippet& snippet, const std::vector<Variant>& variants) {
    const FoundKernels found = snippet.find(false);
    if (found.kernels.empty()) return found.diagnostics.at(0).message;
    auto ready = placed(found.kernels[0], variants);
    return ready ? rewrite(snippet.text(), "main.cu", {std::move(*ready)}) : ready.error().what;
  }

  static std::string nvcc(const Snippet& snippet, const std::string& text, const std::string& flags,
                          const std::string& output) {
    const std::string base = snippet.folder().string() + "/text";
    EXPECT_TRUE(os::write_file_atomically(base + ".cu", text));
    const std::string command = std::string(kNvcc) + " " + tests::quick_dialect + " " + flags + " -o " + output + " " +
                                base + ".cu > " + base + ".log 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << os::read_file(base + ".log").value_or("") << text;
    return os::read_file(output).value_or("");
  }
  static std::string ptx(const Snippet& snippet, const std::string& text, const std::string& architecture) {
    return nvcc(snippet, text, "-ptx -arch=" + architecture, snippet.folder().string() + "/text.ptx");
  }
  // A kernel's code alone. Its labels have its number among the kernels.
  static std::string code_of(const std::string& ptx, const std::string& kernel) {
    const std::size_t at = ptx.find(".entry " + kernel);
    if (at == std::string::npos) return "there is no " + kernel + " in:\n" + ptx;
    static const std::regex number("__BB[0-9]+_");
    return std::regex_replace(ptx.substr(at, ptx.find("\n}", at) - at), number, "__BB_");
  }

  // What the program says where the code that CUDA loads was compiled for each of these: "90", or "0" where CUDA knows
  // of none.
  static std::vector<std::string> said(const Snippet& snippet, const std::string& text, const std::string& flags = "") {
    const std::string fakes = R"(#include <cuda_runtime_api.h>
#include <cstdio>
#include <cstdlib>
static int loaded() { return std::atoi(std::getenv("LOADED")); }
extern "C" cudaError_t cudaGetDevice(int* device) { *device = 1; return cudaSuccess; }
extern "C" cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* code, const void*) {
  code->ptxVersion = loaded();
  return loaded() ? cudaSuccess : cudaErrorNoKernelImageForDevice;
}
extern "C" cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }
extern "C" cudaError_t cudaLaunchKernel(const void*, dim3 grid, dim3 block, void**, size_t, cudaStream_t) {
  std::printf("%ux%u ", grid.x, block.x);
  return cudaSuccess;
}
)";
    const std::string program = snippet.folder().string() + "/program";
    EXPECT_TRUE(os::write_file_atomically(snippet.folder() / "fakes.cpp", fakes));
    nvcc(snippet, text,
         "-Xlinker --allow-multiple-definition " + kBoth[0] + " " + kBoth[1] + " " + flags + " " +
             snippet.folder().string() + "/fakes.cpp",
         program);
    std::vector<std::string> all;
    for (const char* loaded : {"80", "90", "75", "0"}) {
      const std::string out = program + ".out";
      EXPECT_EQ(std::system(("LOADED=" + std::string(loaded) + " " + program + " > " + out).c_str()), 0);
      all.push_back(os::read_file(out).value_or(""));
    }
    return all;
  }
};

TEST_F(CudaFamilies, ChooseLauncherByLoadedCode) {
  const Snippet snippet = cuda_snippet(
      kTimes + "namespace app {\n" + kPragma +
          "void scale(float* x, int n) {\n  times<<<4, 256>>>(x, n);\n} static_assert(__LINE__ == 9, \"\");\n}\n"
          "int main() { app::scale(nullptr, 1000); app::scale(nullptr, 1000); }\n",
      kBoth);
  EXPECT_THAT(said(snippet, snippet.text()),
              ElementsAre("4x256 4x256 ", "4x256 4x256 ", "4x256 4x256 ", "4x256 4x256 "));
  EXPECT_THAT(said(snippet, rewritten(snippet, {{9, launching(9)}})),
              ElementsAre("4x256 4x256 ", "1x32 1x32 ", "4x256 4x256 ", "4x256 4x256 "));
  const std::string both = rewritten(snippet, {{8, launching(8)}, {9, launching(9)}});
  EXPECT_THAT(said(snippet, both, "-rdc=true"),
              ElementsAre("1x64 1x64 ", "1x32 1x32 ", "4x256 4x256 ", "4x256 4x256 "));
}

// Recursion, linkage, attributes, default arguments, references and macros stay the original's business.
TEST_F(CudaFamilies, KeepLauncherSignature) {
  const auto program = [](const std::string& head, const std::string& call) {
    return cuda_snippet(kTimes + "#define API __attribute__((noinline))\n#define INT_IS(x) int x\n" + kPragma + head +
                            " {\n  if (n > 2000) scale(x, n / 2);\n  times<<<4, 256>>>(x, n);\n}\nint main() { " +
                            call + " }\n",
                        kBoth);
  };
  for (const std::string head :
       {"extern \"C\" API void scale(float* x, int n)", "static void scale(float* x, int n) noexcept",
        "inline API void scale(float* x, INT_IS(n))", "[[gnu::cold]] auto scale(float* x, const int n) -> void"}) {
    const Snippet snippet = program(head, "scale(nullptr, 1000);");
    EXPECT_THAT(said(snippet, rewritten(snippet, {{8, launching(8, head)}, {9, launching(9, head)}})),
                ElementsAre("1x64 ", "1x32 ", "4x256 ", "4x256 "))
        << head;
  }
  const Snippet defaults = program("static void scale(float* x, int n = 3000)", "scale(nullptr);");
  EXPECT_THAT(said(defaults, rewritten(defaults, {{9, launching(9, "static void scale(float* x, int n = 3000)")}})),
              ElementsAre("4x256 4x256 ", "1x32 ", "4x256 4x256 ", "4x256 4x256 "));
}

TEST_F(CudaFamilies, ReturnResultOfChosenLauncher) {
  const std::string head = "int scale(float* x, int n)";
  const Snippet snippet = cuda_snippet("#include <cstdio>\n" + kTimes + kPragma + head +
                                           " { times<<<4, 256>>>(x, n); return 4; }\n"
                                           "int main() { std::printf(\"%d\", scale(nullptr, 1000)); }\n",
                                       kBoth);
  std::string variant = launching(9, head);
  variant.insert(variant.rfind('}'), "return 1; ");
  EXPECT_THAT(said(snippet, rewritten(snippet, {{9, variant}})),
              ElementsAre("4x256 4", "1x32 1", "4x256 4", "4x256 4"));
}

TEST_F(CudaFamilies, ChooseOwnLaunchByLoadedCode) {
  const Snippet snippet = cuda_snippet(
      file(kKernel,
           "void run(float* x, int n) {\n  scale<<<(n + 255) / 256, 256>>>(x, n);\n  scale<<<1, 32>>>(x, n);\n}\n") +
          "int main() { app::run(nullptr, 1000); }\n",
      kBoth);
  const auto bringing = [](const std::string& threads) {
    return kKernel + kOwnKernel + launcher("  four<<<1, " + threads + ", 0, stream>>>(x, n);\n");
  };
  EXPECT_THAT(said(snippet, rewritten(snippet, {{8, bringing("64")}, {9, bringing("96")}})),
              ElementsAre("1x64 1x32 ", "1x96 1x32 ", "4x256 1x32 ", "4x256 1x32 "));
  // Beside one that keeps the launch and changes the kernel.
  const std::string mixed = rewritten(snippet, {{8, kKernel}, {9, bringing("96")}});
  EXPECT_THAT(said(snippet, mixed, "-rdc=true"),
              ElementsAre("4x256 1x32 ", "1x96 1x32 ", "4x256 1x32 ", "4x256 1x32 "));
}

TEST_F(CudaFamilies, HideLauncherDeviceCodeFromOtherFamilies) {
  const Snippet snippet =
      cuda_snippet(kTimes + kPragma + "void scale(float* x, int n) { times<<<4, 256>>>(x, n); }\n", kBoth);
  const std::string text = rewritten(snippet, {{9, launching(9)}});
  EXPECT_THAT(ptx(snippet, text, "compute_90"), AllOf(HasSubstr("fence.proxy.async"), Not(HasSubstr("trap;"))));
  const std::string old = ptx(snippet, text, "compute_80");
  EXPECT_THAT(old, AllOf(Not(HasSubstr("fence.proxy")), HasSubstr("trap;")));
  EXPECT_EQ(code_of(old, "_Z5timesPfi"), code_of(ptx(snippet, snippet.text(), "compute_80"), "_Z5timesPfi"));
}

const std::string kHelped =
    "#include <cuda_fp16.h>\nstatic __constant__ float factors[2] = {2, 2};\n"
    "namespace { struct Pair { float a, b; }; __device__ float by(float x, int i) {\n  asm "
    "volatile(\"fence.proxy.async;\");\n"
    "  return x * factors[i & 1];\n} }\n"
    "__host__ __device__ constexpr int step() { return 1; }\n";

TEST_F(CudaFamilies, ReplaceKernelBodyForTheirFamilyOnly) {
  const Snippet snippet = cuda_snippet(file(kKernel, kSites), kBoth);
  const std::string variant =
      kHelped +
      "static __global__ void __launch_bounds__(256) scale(float* __restrict__ x, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) x[i] = by(x[i], i * step());\n}\n";
  const std::string text =
      rewritten(snippet, {{8, "static __device__ float by(float x) { return x + x; }\n" +
                                  kKernel.substr(0, kKernel.find("if (i")) + "if (i < n) x[i] = by(x[i]);\n}\n"},
                          {9, variant}});
  const std::string name = "_ZN3app5scaleEPfi", old = snippet.text();
  EXPECT_THAT(code_of(ptx(snippet, text, "compute_90"), name), AllOf(HasSubstr("fence.proxy"), HasSubstr("maxntid")));
  EXPECT_THAT(code_of(ptx(snippet, text, "compute_80"), name), AllOf(HasSubstr("add.f32"), Not(HasSubstr("maxntid"))));
  EXPECT_EQ(code_of(ptx(snippet, text, "compute_75"), name), code_of(ptx(snippet, old, "compute_75"), name));
  for (const std::string flags : {"", "-rdc=true "})
    nvcc(snippet, text, flags + "-c " + kBoth[0] + " " + kBoth[1], snippet.folder().string() + "/text.o");
}

TEST_F(CudaFamilies, SpecializeKernelTemplateForTheirFamilyOnly) {
  const Snippet snippet = cuda_snippet(
      "#pragma hone kernel inout(x[0:n]) problem(n=1000) launch(grid((n + 255) / 256), block(256)) "
      "instantiate(T=float)\n"
      "template <class T> __global__ void scale(T* x, int n) {\n  if (threadIdx.x < n) x[threadIdx.x] *= 2;\n}\n"
      "void run(float* x, double* y, int n) { scale<<<4, 256>>>(x, n); scale<<<4, 256>>>(y, n); }\n",
      kBoth);
  const std::string text = rewritten(
      snippet, {{9,
                 "template <> __global__ void scale<float>(float* x, int n) {\n"
                 "  asm volatile(\"fence.proxy.async;\");\n  if (threadIdx.x < n) x[threadIdx.x] *= 2;\n}\n"}});
  const std::string name = "_Z5scaleIfEvPT_i";
  EXPECT_THAT(code_of(ptx(snippet, text, "compute_90"), name), HasSubstr("fence.proxy"));
  EXPECT_EQ(code_of(ptx(snippet, text, "compute_80"), name), code_of(ptx(snippet, snippet.text(), "compute_80"), name));
  nvcc(snippet, text, "-rdc=true -c " + kBoth[0] + " " + kBoth[1], snippet.folder().string() + "/text.o");
}

TEST_F(CudaFamilies, AreRejectedWhenNothingCanChooseBetweenThem) {
  const auto why = [](const std::string& definition) {
    const Snippet snippet = cuda_snippet(kTimes + definition, kBoth);
    return rewritten(snippet, {{9, launching(9)}});
  };
  const std::string front = "the file is compiled for several families of architectures, and ";
  EXPECT_EQ(why(kPragma + "void scale(float* x, int n, int) { times<<<4, 256>>>(x, n); }\n"),
            front + "a parameter of it has no name");
  EXPECT_EQ(why("namespace app { void scale(float*, int); }\n" + kPragma +
                "void app::scale(float* x, int n) { times<<<4, 256>>>(x, n); }\n"),
            front + "it is defined outside of its namespace");
  EXPECT_EQ(why("#pragma hone kernel inout(x[0:n]) problem(n=1000) instantiate(T=float)\n"
                "template <class T> void scale(T* x, int n) { times<<<4, 256>>>(x, n); }\n"),
            front + "it is an instance of a template");
  EXPECT_EQ(why(kPragma + "void scale(float* x, int n) try { times<<<4, 256>>>(x, n); } catch (...) {}\n"),
            front + "its body does not stand in the file as a block of its own");
  const Snippet kernel = cuda_snippet(file(kKernel, kSites), kBoth);
  EXPECT_EQ(rewritten(kernel, {{9, "#define DEFINE(name) __global__ void name(float* x, int n) {}\nDEFINE(scale)\n"}}),
            front + "it hides the kernel");
}

TEST(VariantFunctions, ListsFunctionsByTokens) {
  const std::string text =
      "#define N 4\nstruct Pair { __device__ float sum() const { return 0; } };\n__constant__ float t[2] = {f(1), 2};\n"
      "template <int K = (3 > 2)> __global__ void __launch_bounds__(K * 64) many(float* x) noexcept(true);\n"
      "namespace { inline __host__ __device__ int both(int i) { return i; } }\nusing F = float (*)(int);\n"
      "template <> __global__ void inst<float, 4>(float* x) { if (x) { *x = 1; } }\n"
      "extern \"C\" {\n__device__ auto later(int n) -> decltype(n) { return n; }\n}\nvoid host(int n) { }\n";
  const std::vector<VariantFunction> all = functions_of(text);
  std::vector<std::string> seen;
  for (const VariantFunction& one : all)
    seen.push_back(one.name + (one.global ? " global" : "") + (one.device_alone ? " device" : "") +
                   (one.nested ? " nested" : "") +
                   (one.body ? " " + text.substr(one.body, one.body_end + 1 - one.body) : ""));
  EXPECT_THAT(seen, ElementsAre("many global", "both nested { return i; }", "inst global { if (x) { *x = 1; } }",
                                "later device nested { return n; }", "host { }"));
}

TEST(VariantFunctions, TakesDefinitionsAsCHadThemBefore1989) {
  const auto bodies = [](const std::string& text) {
    std::vector<std::string> names;
    for (const VariantFunction& one : functions_of(text))
      if (one.body_end > 0) names.push_back(one.name);
    return names;
  };
  EXPECT_THAT(bodies("void scale(x, y, n) const float* x;\nfloat* y; register int n;\n{ int i = 0; }\nint f() { }\n"),
              ElementsAre("scale", "f"));
  EXPECT_THAT(bodies("struct S; int g(S) noexcept; int h(S, T); struct T { };\nint k() { }\n"), ElementsAre("k"));
}

}  // namespace
}  // namespace hone::frontend

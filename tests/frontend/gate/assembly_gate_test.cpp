// asm statements of CUDA candidates as Clang's tree has them: where they may stand, where their text comes from, and
// what their operands bring. What the text itself may say is in ptx_policy_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "tests/frontend/cuda_kernels.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/os/files/files.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kOriginal = R"code(
#include "own.h"
__global__ void twice(const float* x, float* y, int n) {
  unsigned long long before, after;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  asm volatile("mov.u64 %0, %%%1;" : "=l"(after) : "C"(kTimer));
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1000)
void run(const float* x, float* y, int n) { twice<<<(n + 127) / 128, 128>>>(x, y, n); }
)code";

constexpr const char* kOwnHeader = R"code(#pragma once
__device__ static const char kTimer[] = "globaltimer";
#define READ_TIMER(t) asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) : "n"(0))
#define CLOCK_WORD "clock"
#define JOINED(a, b) a##b
#define TEXT_OF(x) #x
)code";

class AssemblyGate : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!has_cuda()) return;
    snippet_.emplace(
        cuda_snippet(kOriginal, {"--generate-code=arch=compute_90,code=[compute_90,sm_90]", "-std=c++20"}));
    snippet_->with_file("own.h", kOwnHeader);
    gate_.emplace(Gate::open(snippet_->kernel(), snippet_->command(), {}).value());
  }
  static void TearDownTestSuite() {
    gate_.reset();
    snippet_.reset();
  }
  void SetUp() override { HONE_NEEDS_CUDA(); }

  static std::string candidate(const std::string& body, const std::string& front, const std::string& host) {
    return front + "static __global__ void mine(const float* x, float* y, int n) {\n  unsigned r = 0;\n  " + body +
           "\n  y[0] = x[0] + r + n;\n}\nvoid run(const float* x, float* y, int n) {\n  " + host +
           "mine<<<(n + 127) / 128, 128>>>(x, y, n);\n}\n";
  }
  // A statement in the kernel's body (in its third line), and what stands in front of it.
  static std::string check(const std::string& body, const std::string& front = "", const std::string& host = "") {
    return gate_->check(candidate(body, front, host));
  }

  static std::optional<Snippet> snippet_;
  static std::optional<Gate> gate_;
};
std::optional<Snippet> AssemblyGate::snippet_;
std::optional<Gate> AssemblyGate::gate_;

constexpr const char* kHonest = R"code(#include <cstdint>
#define LOAD(a, b, c, d, from) \
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 " "{%0, %1, %2, %3}, [%4];" \
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(from))
template <int Stages> __device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Stages) : "memory");
}
static __device__ __forceinline__ uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
static __device__ void wait(uint32_t barrier, uint32_t phase) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra.uni over;\n"
      "bra.uni again;\n"
      "over:\n"
      "}" ::"r"(barrier), "r"(phase) : "memory");
}
static __global__ void mine(const float* x, float* y, int n) {
  __shared__ alignas(128) float tile[4][128];
  __shared__ alignas(8) uint64_t barrier;
  uint32_t a[4], b[2] = {1, 2};
  float d[4] = {};
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(1) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(512)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(tile[0])), "l"(x), "r"(512), "r"(shared_address(&barrier)) : "memory");
  }
  __syncthreads();
  wait(shared_address(&barrier), 0);
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(shared_address(tile[1])), "l"(x) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  wait_for_copies<0>();
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(shared_address(tile[threadIdx.x % 4])) : "memory");
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  float v, w, s, t;
  LOAD(v, w, s, t, x);
  uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("st.global.L1::no_allocate.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(y + n), "f"(v + w), "l"(policy)
               : "memory");
  asm volatile("" ::: "memory");
  y[threadIdx.x] = d[0] + d[1] + tile[1][threadIdx.x] + s + t;
}
void run(const float* x, float* y, int n) { mine<<<1, 128>>>(x, y, n); }
#undef LOAD
)code";

TEST_F(AssemblyGate, AcceptsCopiesMatricesBarriersAndHintsThatNvccTakes) {
  EXPECT_EQ(gate_->check(kHonest), "");
  const std::string file = (snippet_->folder() / "honest").string();
  ASSERT_TRUE(os::write_file_atomically(file + ".cu", kHonest));
  const std::string command = std::string(kNvcc) + " -std=c++17 -arch=sm_90 -cubin -o " + file + ".cubin " + file +
                              ".cu > " + file + ".log 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << os::read_file(file + ".log").value_or("");
}

TEST_F(AssemblyGate, AcceptsStatementsOfTheOriginal) {
  EXPECT_EQ(check("unsigned long long t; asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(t)); r = t;"), "");
  EXPECT_THAT(check("unsigned long long t; asm(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(t)); r = t;"),
              HasSubstr("'%globaltimer'"));
  EXPECT_THAT(check("unsigned long long t; static const char kTimer[] = \"clock64\";\n"
                    "  asm volatile(\"mov.u64 %0, %%%1;\" : \"=l\"(t) : \"C\"(kTimer)); r = t;"),
              HasSubstr("the constraint \"C\""));
}

// CUTLASS is such a library, if the original uses something of it. Of headers of the project's own, only what the
// original uses may be used.
TEST_F(AssemblyGate, AcceptsAssemblyOfLibrariesThatTheOriginalUses) {
  Snippet snippet = cuda_snippet(
      "#include <tiles/copy.h>\n#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64) launch(grid(1), block(64))\n"
      "__global__ void k(const float* x, float* y, int n) { y[threadIdx.x] = tiles::same(x[threadIdx.x]); }\n");
  snippet.with_file("library/tiles/copy.h",
                    "#pragma once\nnamespace tiles {\n__device__ inline float same(float v) { return v; }\n"
                    "__device__ inline void wait() { asm volatile(\"cp.async.wait_all;\" ::: \"memory\"); }\n}\n");
  const auto checked = [&](const std::string& folder) {
    snippet.with_flags({"-arch=sm_90", "-std=c++17", folder + (snippet.folder() / "library").string()});
    return gate(
        snippet.kernel(),
        "__global__ void k(const float* x, float* y, int n) { tiles::wait(); y[threadIdx.x] = x[threadIdx.x]; }\n",
        snippet.command(), {});
  };
  EXPECT_EQ(checked("-isystem="), "");
  EXPECT_THAT(checked("-I"), HasSubstr("'tiles::wait' is not used by the original"));
}

TEST_F(AssemblyGate, ReportsLineOfWord) {
  EXPECT_THAT(check("asm volatile(\n    \"mov.u32 %0, 1;\\n\"\n    \"mov.u32 %0, %%clock;\" : \"=r\"(r));"),
              StartsWith("<candidate>:5: '%clock' in assembly"));
  EXPECT_THAT(check("\n  READ_TIMER(r);"), StartsWith("<candidate>:4: '%globaltimer' in assembly"));
}

struct BadAssembly {
  const char* what;
  const char* body;
  const char* reason;
  const char* front = "";
  const char* host = "";
};
void PrintTo(const BadAssembly& bad, std::ostream* out) {
  *out << bad.what;
}

class AssemblyGateViolation : public AssemblyGate, public testing::WithParamInterface<BadAssembly> {};

TEST_P(AssemblyGateViolation, IsRejectedWithReason) {
  const BadAssembly& bad = GetParam();
  EXPECT_THAT(check(bad.body, bad.front, bad.host), AllOf(StartsWith("<candidate>:"), HasSubstr(bad.reason)));
}

#define STOP "asm volatile(\"trap;\");"

INSTANTIATE_TEST_SUITE_P(
    Texts, AssemblyGateViolation,
    testing::Values(
        BadAssembly{"joined strings", "asm volatile(\"mov.u32 %0, %%clo\" \"ck;\" : \"=r\"(r));", "'%clock'"},
        BadAssembly{"a header's macro", "asm volatile(\"mov.u32 %0, %%\" CLOCK_WORD \";\" : \"=r\"(r));", "'%clock'"},
        BadAssembly{"escapes", "asm volatile(\"\\x74\\162ap;\");", "'trap'"},
        BadAssembly{"escaped percent", "asm volatile(\"mov.u32 %0, \\x25\\45clock;\" : \"=r\"(r));", "'%clock'"},
        BadAssembly{"a macro made a string", "asm volatile(TEXT_OF(trap;));", "'trap'"},
        BadAssembly{"a pasted asm", "JOINED(as, m)(\"trap;\");", "'trap'"},
        BadAssembly{"a word split by a line", "asm volatile(\"mov.u32 %0, %%clo\\\nck;\" : \"=r\"(r));", "'%clock'"},
        BadAssembly{"a UTF-8 string", "asm volatile(u8\"trap;\");", "unicode string literal"},
        BadAssembly{"other spelling", "__asm__ __volatile__(\"trap;\");", "'trap'"},
        BadAssembly{"a string of C++26", "constexpr const char* t = \"trap;\"; asm volatile((t));",
                    "expected string literal"},
        BadAssembly{"text of an operand", "asm volatile(\"%0\" : : \"C\"(kTimer));", "the constraint \"C\""},
        BadAssembly{"an operand in memory", "asm volatile(\"st.global.f32 %0, 0f00000000;\" : \"=m\"(y[0]));",
                    "the constraint \"=m\""},
        BadAssembly{"a symbol", "asm volatile(\"mov.u64 %0, %1;\" : \"=l\"(x) : \"i\"(kTimer));",
                    "the constraint \"i\""},
        BadAssembly{"a named operand", "asm volatile(\"mov.u32 %[to], 1;\" : [to] \"=r\"(r));", "'%' in assembly"},
        BadAssembly{"a clobbered register", "asm volatile(\"\" ::: \"r1\");", "may clobber \"memory\""}));

INSTANTIATE_TEST_SUITE_P(
    Places, AssemblyGateViolation,
    testing::Values(
        BadAssembly{"file scope", "", "inline assembly", "asm(\".global .u32 mine_too;\");\n"},
        BadAssembly{"namespace", "", "inline assembly", "namespace { asm(\"trap;\"); }\n"},
        BadAssembly{"host code", "", "inline assembly", "", "asm volatile(\"\" ::: \"memory\");\n  "},
        BadAssembly{"lambda of the host", "", "inline assembly", "", "[] { asm volatile(\"\"); }();\n  "},
        BadAssembly{"both sides", "", "inline assembly", "static __host__ __device__ void h() { asm(\"\"); }\n"},
        BadAssembly{"constexpr", "", "inline assembly", "static constexpr void h(bool b) { if (b) asm(\"\"); }\n"},
        BadAssembly{"goto", "asm goto(\"bra %l0;\" :::: out); out:", "'asm goto' is not allowed"},
        BadAssembly{"braces", "asm { trap }", "expected"},
        BadAssembly{"name of a function", "h();", "the attribute 'asm'",
                    "static __device__ void h() asm(\"vprintf\");\n"},
        BadAssembly{"name of a variable", "extern __device__ int v asm(\"counter\"); r = v;", "the attribute 'asm'"},
        BadAssembly{"register", "register unsigned q asm(\"%clock\"); r = q;", "the attribute 'asm'"},
        BadAssembly{"template", "", "'trap'", "template <class T> __device__ void h() { " STOP " }\n"},
        BadAssembly{"discarded branch", "", "'trap'",
                    "template <class T> __device__ void h() { if constexpr (false) { " STOP " } }\n"},
        BadAssembly{"member of a template", "", "'trap'",
                    "template <class T> struct S { static __device__ void h() { " STOP " } };\n"},
        BadAssembly{"local class", "struct S { __device__ static void h() { " STOP " } }; S::h();", "'trap'"},
        BadAssembly{"lambda", "auto h = [] { " STOP " }; h();", "'trap'"},
        BadAssembly{"type of a lambda", "using T = decltype([] { " STOP " }); T()();", "'trap'"},
        BadAssembly{"statement expression", "r = sizeof(({ " STOP " 1; }));", "'trap'"},
        BadAssembly{"default argument", "r = h();", "'trap'",
                    "static __device__ int h(int v = [] { " STOP " return 1; }()) { return v; }\n"},
        BadAssembly{"initializer of a member", "S s; r = s.v;", "'trap'",
                    "struct S { int v = 0; __device__ S() : v(({ " STOP " 1; })) {} };\n"},
        BadAssembly{"friend", "", "'trap'", "struct S { friend __device__ void h(S) { " STOP " } };\n"}));

INSTANTIATE_TEST_SUITE_P(
    Others, AssemblyGateViolation,
    testing::Values(
        BadAssembly{"text by architecture", "asm volatile(PICKED(__CUDA_ARCH__));", "__CUDA_ARCH__",
                    "#define T_900 \"\"\n#define T_800 \"trap;\"\n#define PICK(a) T_##a\n#define PICKED(a) PICK(a)\n"},
        BadAssembly{
            "text by compiler", "asm volatile(PICKED(__EDG__));", "'__EDG__' differs between",
            "#define T_1 \"trap;\"\n#define T___EDG__ \"\"\n#define PICK(a) T_##a\n#define PICKED(a) PICK(a)\n"},
        BadAssembly{"text by target", "NV_IF_TARGET(NV_IS_DEVICE, (" STOP "));", "'NV_IF_TARGET' differs between",
                    "#include <cuda/std/cstdint>\n"},
        BadAssembly{"clock of cuda::ptx", "r = cuda::ptx::get_sreg_clock();", "reads a clock", "#include <cuda/ptx>\n"},
        BadAssembly{"timer of cuda::ptx", "r = cuda::ptx::get_sreg_globaltimer();", "reads a clock",
                    "#include <cuda/ptx>\n"},
        BadAssembly{"trap of cuda::ptx", "cuda::ptx::trap();", "ends the program", "#include <cuda/ptx>\n"},
        BadAssembly{"clock of cuda::std", "r = cuda::std::chrono::system_clock::now().time_since_epoch().count();",
                    "clock", "#include <cuda/std/chrono>\n"}));

}  // namespace
}  // namespace hone::frontend

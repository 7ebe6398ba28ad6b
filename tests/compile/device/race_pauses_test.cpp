#include "tool/compile/device/race_pauses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace hone::compile {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(RacePauses, StartEachKernel) {
  EXPECT_EQ(
      with_pauses("template <int n>\n__global__ void __launch_bounds__(256, f(n)) k(int* x) {\n  x[0] = n;\n}\n"),
      "template <int n>\n__global__ void __launch_bounds__(256, f(n)) k(int* x) { ::hone_pause(0);\n  x[0] = n;\n}\n");
}

TEST(RacePauses, SkipDeclaredKernels) {
  const std::string text = "__global__ void k(int* x);\nvoid f() { k<<<1, 32>>>(nullptr); }\n";
  EXPECT_EQ(with_pauses(text), text);
}

TEST(RacePauses, FollowEachBarrier) {
  for (const char* barrier :
       {"__syncthreads()", "__syncwarp(mask(3))", "block.sync()", "cg::sync(tile)", "bar->wait(bar->arrive())",
        "pipe.consumer_wait()", "__pipeline_wait_prior(0)", "__threadfence()"}) {
    const std::string call = barrier;
    EXPECT_EQ(with_pauses("if (more) " + call + ";\nelse x = 0;"),
              "if (more) " + call + ", ::hone_pause(0);\nelse x = 0;");
  }
}

TEST(RacePauses, FollowBarriersInAssembly) {
  const std::string wait = "asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");";
  EXPECT_EQ(with_pauses("if (more)\n  " + wait + "\nelse __syncthreads();"),
            "if (more)\n  { " + wait + " ::hone_pause(0); }\nelse __syncthreads(), ::hone_pause(1);");
  for (const char* text : {"cp.async.wait_group 0;", "{ mbarrier.try_wait.b64 p, [%0], 0; }", "membar.gl;"}) {
    const std::string statement = "__asm__(\"" + std::string(text) + "\" :: \"r\"(f(1)));";
    EXPECT_EQ(with_pauses(statement), "{ " + statement + " ::hone_pause(0); }");
  }
  for (const char* text :
       {"asm(\"mma.sync.aligned;\");", "asm volatile(\"\" ::: \"memory\");", "basm(\"bar.sync 1;\");"})
    EXPECT_EQ(with_pauses(text), text);
}

TEST(RacePauses, AreNumbered) {
  EXPECT_EQ(
      with_pauses("__global__ void k() { __syncthreads(); __syncthreads(); }"),
      "__global__ void k() { ::hone_pause(0); __syncthreads(), ::hone_pause(1); __syncthreads(), ::hone_pause(2); }");
}

TEST(RacePauses, IgnoreTextThatOnlyLooksLikeBarrier) {
  for (const char* text :
       {"// __syncthreads();\n", "/* __global__ void f() { */ int x;", "const char* s = \"__syncthreads();\";",
        "auto s = R\"x(__syncthreads(); )\" __syncthreads();)x\";", "__device__ void sync(int);",
        "int sum = 1'000 + wait(2);", "const auto token = bar.wait();", "for (;; __syncthreads()) {}", "int sync = 3;",
        "int all = __syncthreads_or(x);"})
    EXPECT_EQ(with_pauses(text), text);
}

TEST(RacePauses, AreInsertedIntoMacros) {
  EXPECT_THAT(with_pauses("#define STEP(x) \\\n  do { x; __syncthreads(); } while (0)\n"),
              HasSubstr("x; __syncthreads(), ::hone_pause(0); }"));
}

TEST(RacePauses, KeepLineNumbers) {
  const std::string text = "\n__global__\nvoid k() \n{\n __syncthreads (\n ) ;\n}\n/* open";
  const std::string paused = with_pauses(text);
  EXPECT_EQ(std::ranges::count(paused, '\n'), std::ranges::count(text, '\n'));
  EXPECT_THAT(paused, HasSubstr(" ) , ::hone_pause(1);"));
}

TEST(RacePauses, AreDefinedOncePerFile) {
  EXPECT_THAT(std::string(pause_definition), HasSubstr("hone_pause(unsigned place) {"));
  EXPECT_THAT(with_pauses(pause_definition), Not(HasSubstr("::hone_pause")));
}

}  // namespace
}  // namespace hone::compile

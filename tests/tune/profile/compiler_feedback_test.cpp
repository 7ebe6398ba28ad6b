// What compilers say and write, as prompts show it; the machine's rates; the roofline's figures.
#include "tool/tune/profile/compiler_feedback.h"

#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/judge/machine/turn_lock.h"
#include "tool/tune/facts/machine_rates.h"
#include "tool/tune/facts/roofline.h"

namespace hone::tune {
namespace {

const std::string source =
    "void f(float* x, int n) {\n"
    "  for (int i = 0; i < n; ++i)\n"
    "    x[i] = x[i] / 3;\n"
    "  for (int i = 1; i < n; ++i) x[i] += x[i - 1];\n"
    "}\n";

TEST(CompilerRemarks, OfGccAreReportedOncePerLine) {
  EXPECT_EQ(vectorization_remarks("candidate:2:21: optimized: loop vectorized using 32 byte vectors\n"
                                  "candidate:2:21: optimized: loop vectorized using 32 byte vectors\n"
                                  "candidate:2:21: missed: couldn't vectorize loop\n"
                                  "candidate:4:21: missed: couldn't vectorize loop\n"
                                  "candidate:4:31: missed: not vectorized, possible dependence between data-refs\n"
                                  "candidate:3:10: missed: statement clobbers memory: x = f ();\n"
                                  "/usr/include/c++/12/bits/stl.h:7:3: missed: couldn't vectorize loop\n",
                                  source),
            "- line 2 `for (int i = 0; i < n; ++i)`: loop vectorized using 32 byte vectors\n"
            "- line 4 `for (int i = 1; i < n; ++i) x[i] += x[i - 1];`: not vectorized (not vectorized, possible "
            "dependence between data-refs)\n");
}

TEST(CompilerRemarks, OfClangAreUnderstood) {
  EXPECT_EQ(vectorization_remarks(
                "candidate:2:3: remark: vectorized loop (vectorization width: 8, interleaved count: 4) "
                "[-Rpass=loop-vectorize]\n"
                "candidate:4:3: remark: loop not vectorized: value that could not be identified as reduction is used "
                "outside the loop [-Rpass-analysis=loop-vectorize]\n"
                "candidate:4:3: remark: loop not vectorized [-Rpass-missed=loop-vectorize]\n",
                source),
            "- line 2 `for (int i = 0; i < n; ++i)`: vectorized loop (vectorization width: 8, interleaved count: 4)\n"
            "- line 4 `for (int i = 1; i < n; ++i) x[i] += x[i - 1];`: not vectorized (value that could not be "
            "identified as reduction is used outside the loop)\n");
}

TEST(CompilerRemarks, AreShortenedAndNonsenseIsIgnored) {
  std::string many;
  for (int line = 1; line < 30; ++line) many += "candidate:" + std::to_string(line) + ":1: missed: why not\n";
  const std::string text = vectorization_remarks(many, source, 3);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_EQ(vectorization_remarks("candidate:\ncandidate:x\ncandidate:99999999999999:1: \n: : :\n\0", source), "");
}

const std::string assembly = R"(
	.file	"unit.cpp"
	.file 1 "unit.cpp"
	.file 2 "candidate"
_Z1fPfi:
	.loc 2 2 3
	xorl	%eax, %eax
.L3:
	.loc 2 3 5
	vmovups	(%rdi,%rax), %ymm0
	vdivps	%ymm1, %ymm0, %ymm0
	vmovups	%ymm0, (%rdi,%rax)
	.loc 1 40 7
	addq	$32, %rax
	cmpq	%rdx, %rax
	jne	.L3
	.loc 2 4 3
.L5:
	.loc 2 4 31
	vaddss	4(%rdi,%rax,4), %xmm0, %xmm0
	vmovss	%xmm0, 8(%rsp)
	call	_Z1gf@PLT
	incq	%rax
	jne	.L5	# back
	ret
_Z1gf:
.L7:
	vmulps	%ymm1, %ymm0, %ymm0
	jne	.L7
)";

TEST(InnermostLoops, AreListedWithSourceLinesForKernelOnly) {
  EXPECT_EQ(
      innermost_loops(assembly, "_Z1fPfi", source),
      "- line 3 `x[i] = x[i] / 3;`: 6 instructions: 1 of 1 floating-point operations packed, vectors of 256 bits, 1 "
      "divisions and square roots\n"
      "- line 4 `for (int i = 1; i < n; ++i) x[i] += x[i - 1];`: 5 instructions: 0 of 1 floating-point operations "
      "packed, 1 vector moves to or from the stack (spills), calls _Z1gf\n");
  EXPECT_EQ(innermost_loops(assembly, "_Z1h", source), "");
  EXPECT_EQ(innermost_loops("f:\n.L1:\n\tfadd v0.4s, v0.4s, v1.4s\n\tb.ne .L1\n", "f", source), "") << "not x86";
}

search::TaskFacts facts() {
  search::TaskFacts facts;
  facts.hardware.bandwidth = 10e9;
  facts.hardware.peak_operations = 100e9;
  facts.problems = {{"n=1", 1, 4e-3, 8e6, 10e9, 20e6, 0.8e-3}, {"n=2", 1, 1e-3}};
  return facts;
}

TEST(AchievedRates, FollowFromTimeBytesAndOperations) {
  Measurement measurement;
  for (const char* label : {"n=1", "n=2", "n=3"}) {
    ProblemMeasurement problem;
    problem.label = label;
    problem.reference_seconds = 4e-3;
    problem.candidate_seconds = 2e-3;
    measurement.problems.push_back(problem);
  }
  EXPECT_EQ(achieved(facts(), measurement),
            "- n=1: 10.0 Gop/s (10% of the machine's 100 G); 4.00 GB/s; 2.5 times the least time that these rates "
            "allow\n");
  EXPECT_EQ(achieved(facts(), measurement, false),
            "- n=1: 5.00 Gop/s (5% of the machine's 100 G); 2.00 GB/s; 5.0 times the least time that these rates "
            "allow\n");
  EXPECT_EQ(achieved({}, measurement), "") << "nothing is known";
}

KernelSpec on_elements_of(unsigned bytes) {
  KernelSpec spec;
  spec.parameters.emplace_back().element.fields.push_back({.type = {.kind = ScalarKind::floating, .size = bytes}});
  return spec;
}

const DeviceRates h200{"NVIDIA H200", 4e12, 6e13, 3e13, 1.2e14, 0};

Verdict on_a_device(double bytes) {
  Verdict verdict;
  verdict.architecture = "sm_90";
  verdict.measurement.problems.push_back({.label = "n=1", .bytes = bytes});
  return verdict;
}

TEST(DeviceRoofline, IsNoLongerThanOriginal) {
  search::TaskFacts facts;
  facts.problems = {{.label = "n=1", .seconds = 1e-6}};
  add_device_roofline(facts, on_elements_of(4), on_a_device(8e6), h200);
  EXPECT_DOUBLE_EQ(facts.problems[0].floor_seconds, 1e-6);
  EXPECT_DOUBLE_EQ(facts.problems[0].bandwidth, 8e12) << "what the original reached is possible";
  search::TaskFacts partly;
  partly.problems = {{.label = "n=1", .seconds = 1e-8}};
  add_device_roofline(partly, on_elements_of(4), on_a_device(8e6), h200);
  EXPECT_EQ(partly.problems[0].bytes, 0) << "nobody moves that much: it reads a part of its arrays";
  EXPECT_EQ(partly.problems[0].floor_seconds, 0);
  LaunchCounters kernel;
  kernel.float_instructions = 6e8;
  kernel.float_multiply_adds = 0;
  add_counters(facts, {.problem = "n=1", .kernels = {kernel}});
  EXPECT_DOUBLE_EQ(facts.problems[0].floor_seconds, 1e-6) << "its operations would take 10 us";
}

TEST(DeviceRoofline, IsLongerOfMemoryAndComputeTime) {
  search::TaskFacts facts;
  facts.hardware.gpu = "made by NVIDIA";
  facts.problems = {{.label = "n=1"}, {.label = "n=2"}};
  add_device_roofline(facts, on_elements_of(4), on_a_device(8e6), h200);
  EXPECT_EQ(facts.hardware.gpu, "NVIDIA H200 (sm_90), made by NVIDIA");
  EXPECT_DOUBLE_EQ(facts.problems[0].floor_seconds, 2e-6);
  EXPECT_EQ(facts.problems[0].bandwidth, h200.copied) << "what stands beside the floor";
  EXPECT_EQ(facts.problems[1].floor_seconds, 0) << "nothing is known of it";
  EXPECT_EQ(facts.hardware.peaks.size(), 3u) << "it has no tensor cores";

  LaunchCounters kernel;
  kernel.times = 3;
  kernel.float_instructions = 1.5e8;
  kernel.float_multiply_adds = 0.5e8;
  add_counters(facts, {.problem = "n=1", .kernels = {kernel}});
  EXPECT_DOUBLE_EQ(facts.problems[0].operations, 6e8);
  EXPECT_DOUBLE_EQ(facts.problems[0].floor_seconds, 1e-5);
  add_counters(facts, {.problem = "n=3", .kernels = {kernel}});
  EXPECT_EQ(facts.problems[1].operations, 0) << "another problem was counted";
  EXPECT_EQ(facts.problems[0].bytes, 8e6) << "bytes were not counted";

  kernel.bytes_read = kernel.bytes_written = 1.2e6;
  add_counters(facts, {.problem = "n=1", .kernels = {kernel}});
  EXPECT_DOUBLE_EQ(facts.problems[0].bytes, 8e6) << "7.2e6, and the rest stayed in the cache";
  kernel.bytes_written = 0.2e6;
  add_counters(facts, {.problem = "n=1", .kernels = {kernel}});
  EXPECT_DOUBLE_EQ(facts.problems[0].bytes, 4.2e6) << "it does not touch all of them";
}

TEST(DeviceRoofline, UsesRateOfElementType) {
  for (const auto& [bytes, rate] : {std::pair{2u, 1.2e14}, {4u, 6e13}, {8u, 3e13}}) {
    search::TaskFacts facts;
    add_device_roofline(facts, on_elements_of(bytes), on_a_device(8e6), h200);
    EXPECT_EQ(facts.hardware.peak_operations, rate);
  }
  search::TaskFacts facts;
  add_device_roofline(facts, {}, on_a_device(8e6), h200);
  EXPECT_EQ(facts.hardware.peak_operations, 0) << "it computes on integers alone";
  search::TaskFacts unknown;
  add_device_roofline(unknown, on_elements_of(4), on_a_device(8e6), std::nullopt);
  EXPECT_TRUE(unknown.hardware.gpu.empty()) << "an older worker measured nothing";
}

TEST(MachineRates, UseBandwidthOfMatchingDataSize) {
  const MachineRates rates{{{1e4, 4e11}, {1e6, 1e11}, {3e7, 1e10}}, 1e11};
  EXPECT_EQ(rates.bandwidth(10), 4e11);
  EXPECT_EQ(rates.bandwidth(2e6), 1e11);
  EXPECT_EQ(rates.bandwidth(1e9), 1e10);
  EXPECT_EQ(rates.memory_bandwidth(), 1e10);
}

TEST(MachineRates, AreMeasuredOnceAndNeverDuringTiming) {
  auto timing = std::make_unique<judge::TurnLock>(judge::TurnLock::acquire("cpu"));
  if (!timing->held()) GTEST_SKIP() << "there is no lock on this machine";
  auto measured = std::async(std::launch::async, [] { return &machine_rates(1, 128); });
  EXPECT_EQ(measured.wait_for(std::chrono::seconds(1)), std::future_status::timeout) << "somebody is timing";
  timing.reset();
  const MachineRates* rates = measured.get();
  ASSERT_EQ(rates->streaming.size(), 4u);
  for (const auto& one : rates->streaming) EXPECT_GT(one.bandwidth, 1e6);
  EXPECT_GT(rates->flops, 1e7);
  EXPECT_EQ(&machine_rates(1, 128), rates);
}

TEST(MachineRates, CoverSeveralThreads) {
  const MachineRates& two = machine_rates(2, 256);
  ASSERT_EQ(two.streaming.size(), 4u);
  EXPECT_GT(two.flops, 1e7);
  EXPECT_GT(two.memory_bandwidth(), 1e6);
}

}  // namespace
}  // namespace hone::tune

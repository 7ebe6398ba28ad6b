// The real program on a project with a CUDA kernel, on a machine that need not have a device.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cache/digest.h"
#include "cache/lock_file.h"
#include "cache/store.h"
#include "cuda_project.h"
#include "tests/llm/loopback_server.h"
#include "tool/trust/signed_record.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CudaProgram : public CudaProject {};

TEST_F(CudaProgram, TunesKernelOnMachineWithoutDevice) {
  const Ended tuned = hone({"tune", "--proposer", model_saying(candidate), "--strategy", "judge", "--trials", "2",
                            "--budget", "3m", "--executor", executor, "--json", "-"});
  EXPECT_EQ(tuned.code, 0) << tuned.out << tuned.err;
  const auto lock = cache::LockFile::read(folder() / "hone.lock");
  ASSERT_TRUE(lock && lock->entries.size() == 1) << tuned.err;
  const cache::LockEntry& entry = lock->entries.front();
  EXPECT_EQ(entry.target, "cuda compute_90 sm_90") << "the architectures";
  EXPECT_EQ(entry.measured_on, "sm_90");
  EXPECT_THAT(entry.evidence, StartsWith("cuda compute_90 sm_90 on sm_90: nvcc "));
  ASSERT_TRUE(entry.variant);
  EXPECT_THAT(os::read_file(folder() / "hone" / "cas" / *entry.variant).value_or(""), HasSubstr("by_stride<<<128"));

  const Ended listed = hone({"list", "--json"});
  EXPECT_EQ(json::parse(listed.out)["kernels"][0]["state"], "tuned");
  const Ended verified = hone({"verify", "--executor", executor, "--json"});
  EXPECT_EQ(json::parse(verified.out)["kernels"][0]["right"], true) << verified.err;
}

// nvcc takes seconds to compile it.
TEST_F(CudaProgram, JudgesWinnersAloneBesideOriginalInDouble) {
  const std::string beside = "beside the original in double";
  EXPECT_THAT(hone({"eval", "--kernel", "scale", "--executor", executor, "candidate.cu"}).out, Not(HasSubstr(beside)));
  ASSERT_EQ(hone({"tune", "--proposer", model_saying(candidate), "--strategy", "judge", "--trials", "1", "--budget",
                  "3m", "--executor", executor})
                .code,
            0);
  EXPECT_THAT(hone({"verify", "--executor", executor}).out, HasSubstr(beside));
}

// Nobody could judge it here, so nobody may lock it.
TEST_F(CudaProgram, RefusesStrangersRecordWithoutDevice) {
  if (fs::exists("/dev/nvidia0")) GTEST_SKIP() << "there is a device";
  ASSERT_EQ(hone({"tune", "--proposer", model_saying(candidate), "--strategy", "judge", "--trials", "2", "--budget",
                  "3m", "--executor", executor})
                .code,
            0);
  const cache::LockEntry entry = cache::LockFile::read(folder() / "hone.lock").value().entries.at(0);
  std::optional<std::string> record, blob;
  {
    const cache::Store store({{folder() / "cache" / "hone", false}}, [](const std::string&) {});
    record = store.record(entry.key), blob = store.blob(*entry.variant);
  }
  ASSERT_TRUE(record && blob);
  const auto stranger = trust::SigningKey::generate();
  const llm::LoopbackServer server(
      {llm::answer(200, *trust::sign_record(*record, *stranger)), llm::answer(200, *blob)});
  const std::string untuned = "{ \"version\": 1, \"kernels\": [] }\n";
  write("hone.lock", untuned);
  for (const char* there : {"hone", "cache"}) fs::remove_all(folder() / there);
  ::setenv("HONE_CACHE_URL", server.url().c_str(), 1);
  const Ended tuned = hone({"tune"});
  ::unsetenv("HONE_CACHE_URL");
  EXPECT_EQ(tuned.code, 3);
  EXPECT_THAT(tuned.err, AllOf(HasSubstr("whom this project does not trust, so it has to be judged here"),
                               HasSubstr("there is no CUDA device here")));
  EXPECT_EQ(server.received().size(), 2u) << "it was there to be had";
  EXPECT_EQ(os::read_file(folder() / "hone.lock").value(), untuned);
}

// What a search by the built-in proposer says: it tries no attribute that is for CPUs.
const auto tries_no_cpu_attribute = AllOf(HasSubstr("[1/2] "), Not(HasSubstr("isa")), Not(HasSubstr("not allowed")));

TEST_F(CudaProgram, FindsFastestByComparingBestCandidates) {
  ::setenv("PRETEND_WIDE", "1", 1);
  const Ended tuned = hone({"tune", "--trials", "2", "--budget", "3m", "--executor", executor});
  ::unsetenv("PRETEND_WIDE");
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_THAT(tuned.out + tuned.err, tries_no_cpu_attribute);
  const std::size_t second = tuned.err.find("[2/2] ") + 6;
  const std::string name = tuned.err.substr(second, tuned.err.find(": ", second) - second);
  EXPECT_THAT(tuned.err, HasSubstr(name + " is faster than "));
  EXPECT_THAT(hone({"show", "scale"}).out, HasSubstr(name)) << tuned.err;
}

TEST_F(CudaProgram, TunesTemplateInstances) {
  write("kernel.cu", R"(#include "factor.h"
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1<<20) launch(grid((n + Block - 1) / Block), block(Block)) \
    instantiate(T=float, Block=256)
template <class T, int Block>
__global__ void __launch_bounds__(Block) times_factor(const T* x, T* y, int n) {
  const int i = blockIdx.x * Block + threadIdx.x;
  if (i < n) y[i] = FACTOR * x[i];
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1<<20) instantiate(T=float)
template <class T> void scale(const T* x, T* y, int n) {
  times_factor<T, 256><<<(n + 255) / 256, 256>>>(x, y, n);
}
template void scale<float>(const float*, float*, int);
)");
  write("candidate.cu",
        "template <> void scale<float>(const float* x, float* y, int n) {\n"
        "  times_factor<float, 512><<<(n + 511) / 512, 512>>>(x, y, n);\n}\n");
  const auto eval_one = [&](const std::string& name) {
    const Ended ended = hone({"eval", "--kernel", name, "--executor", executor, "--json", "candidate.cu"});
    const json answer = json::parse(ended.out, nullptr, false);
    EXPECT_TRUE(answer.is_object()) << ended.out << ended.err;
    return answer.is_object() ? answer : json::object();
  };
  EXPECT_EQ(eval_one("scale<float>")["right"], true);
  write("candidate.cu",
        "template <> __global__ void __launch_bounds__(256) times_factor<float, 256>(const float* x, float* y, "
        "int n) {\n  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) y[i] = FACTOR * "
        "x[i];\n}\n");
  EXPECT_EQ(eval_one("times_factor<float, 256>")["right"], true);

  const Ended tuned = hone({"tune", "--trials", "2", "--budget", "3m", "--executor", executor, "--json", "-"});
  const json kernels = json::parse(tuned.out, nullptr, false);
  ASSERT_TRUE(kernels.is_object()) << tuned.out << tuned.err;
  ASSERT_EQ(kernels["kernels"].size(), 2u);
  EXPECT_THAT(tuned.out, HasSubstr("times_factor<float, 256>"));
  EXPECT_THAT(tuned.out + tuned.err, tries_no_cpu_attribute);
  unsigned tried = 0;
  for (const json& one : kernels["kernels"]) {
    EXPECT_EQ(one["trials"]["compiled"], one["trials"]["total"]) << "the gate and nvcc take them: " << tuned.err;
    tried += one["trials"]["total"].get<unsigned>();
  }
  EXPECT_GT(tried, 0u);
}

TEST_F(CudaProgram, KeepsFasterLockedVariantInForcedSearch) {
  const auto tune = [this](const std::string& threads) {
    const std::string model = model_saying("void scale(const float* x, float* y, int n) {\n  times_factor<<<(n + " +
                                           threads + " - 1) / " + threads + ", " + threads + ">>>(x, y, n);\n}\n");
    const Ended tuned = hone({"tune", "--force", "--proposer", model, "--strategy", "free", "--trials", "1", "--budget",
                              "3m", "--executor", executor, "--json", "-"});
    const auto lock = cache::LockFile::read(folder() / "hone.lock");
    EXPECT_TRUE(lock && lock->entries.size() == 1 && lock->entries.front().variant) << tuned.err;
    const json answer = json::parse(tuned.out, nullptr, false);
    return std::pair{os::read_file(folder() / "hone" / "cas" / lock->entries.front().variant.value_or("")).value_or(""),
                     answer.is_object() ? answer["kernels"][0]["message"].get<std::string>() : tuned.err};
  };
  EXPECT_THAT(tune("512").first, HasSubstr("512"));
  ::setenv("PRETEND_WIDE", "1", 1);  // what is compared second is the faster
  const auto [kept, why] = tune("128");
  ::unsetenv("PRETEND_WIDE");
  EXPECT_THAT(kept, HasSubstr("512"));
  EXPECT_THAT(why, HasSubstr("the locked variant stays: it is 1.50x [1.50, 1.50] as fast as idea"));
  EXPECT_THAT(tune("128").first, HasSubstr("128")) << "equally fast: the newer";

  // However fast it was once.
  const std::string broken = "void scale(const float* x, float* y, int n) { gone<<<1, 1>>>(x, y, n); }\n";
  write("hone/cas/" + cache::sha256(broken), broken);
  auto lock = cache::LockFile::read(folder() / "hone.lock").value();
  cache::LockEntry fast = lock.entries.front();
  fast.variant = cache::sha256(broken);
  fast.speedup = fast.speedup_low = fast.speedup_high = 50;
  lock.put(fast);
  write("hone.lock", lock.text());
  EXPECT_THAT(tune("512").first, HasSubstr("512"));
}

TEST_F(CudaProgram, TunesLaunchesOfGlobalKernelIfAllAreVisible) {
  const std::string global = R"(static __global__ void scale(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
)";
  const std::string clauses =
      "#pragma hone kernel inout(x[0:n]) problem(n=1<<20) launch(grid((n + 255) / 256), block(256))\n";
  const std::string site = "void run(float* x, int n) { scale<<<(n + 255) / 256, 256>>>(x, n); }\n";
  const std::string own = global + R"(static __global__ void by_stride(float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2;
}
static void hone_launch_scale(float* x, int n, cudaStream_t stream) { by_stride<<<128, 256, 0, stream>>>(x, n); }
)";
  const std::vector<std::string> show{"show", "scale", "--prompt", "--strategy", "free", "--executor", executor};
  write("kernel.cu", clauses + global + site);
  EXPECT_THAT(hone(show).out, AllOf(HasSubstr("launched with grid((n + 255) / 256), block(256). You may rewrite it"),
                                    HasSubstr("static void hone_launch_scale(float *x, int n, cudaStream_t stream)")));
  write("model", "#!/bin/sh\ncat > prompt\ncat <<'END'\nname: stride\n\n```cuda\n" + own +
                     "```\n\nthought: fewer blocks\nEND\n");
  fs::permissions(folder() / "model", fs::perms::owner_all);
  const Ended tuned = hone({"tune", "--proposer", "command:" + (folder() / "model").string(), "--strategy", "free",
                            "--trials", "1", "--budget", "3m", "--executor", executor});
  const auto lock = cache::LockFile::read(folder() / "hone.lock");
  ASSERT_TRUE(lock && lock->entries.size() == 1 && lock->entries.front().variant) << tuned.out << tuned.err;
  EXPECT_THAT(os::read_file(folder() / "hone" / "cas" / *lock->entries.front().variant).value_or(""),
              AllOf(HasSubstr("static __global__ void by_stride(float* x, int n) {"),
                    HasSubstr("  // Faster: fewer blocks\n  by_stride<<<128, 256, 0, stream>>>(x, n);\n}\n")));

  EXPECT_EQ(json::parse(hone({"list", "--json"}).out)["kernels"][0]["linked"], true);

  write("kernel.cu", clauses + global + site + "auto* const pointer = scale;\n");
  EXPECT_THAT(hone(show).out, HasSubstr("keeps this launch (line 7 uses it otherwise than by <<<…>>>): the grid"));
  EXPECT_THAT(eval(own)["reason"].get<std::string>(),
              HasSubstr("'hone_launch_scale' is not allowed, the kernel keeps its launch: line 7 uses it otherwise"));
  EXPECT_EQ(json::parse(hone({"list", "--json"}).out)["kernels"][0]["linked"], false);
  const Ended again = hone({"tune", "--trials", "1", "--budget", "2m", "--executor", executor});
  EXPECT_THAT(again.out + again.err,
              AllOf(HasSubstr("'scale' keeps its launches: line 7 uses it otherwise"), HasSubstr("[1/1] ")))
      << "what is locked does not fit, so it searches again";
}

TEST_F(CudaProgram, RequiresDeviceBeforeCompiling) {
  if (fs::exists("/dev/nvidia0")) GTEST_SKIP() << "there is a device";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"eval", "--kernel", "scale", "candidate.cu"}, {"tune", "--trials", "1"}}) {
    const Ended ended = hone(words);
    EXPECT_EQ(ended.code, 3) << words.front();
    EXPECT_THAT(ended.err, AllOf(HasSubstr("there is no CUDA device here"), HasSubstr("--executor \"command:srun")))
        << words.front();
  }
}

TEST_F(CudaProgram, RejectsCandidateThatDoesNotCompile) {
  EXPECT_EQ(eval(candidate)["right"], true);
  const json wrong = eval("void scale(const float* x, float* y, int n) {\n  nothing<<<1, 1>>>(x, y, n);\n}\n");
  EXPECT_EQ(wrong["right"], false);
  EXPECT_THAT(wrong["reason"].get<std::string>(), HasSubstr("candidate>:2:"));
  const json large = eval(
      "static __global__ void large(const float* x, float* y, int n) {\n  __shared__ float s[20000];\n"
      "  s[threadIdx.x] = x[0];\n  __syncthreads();\n  y[0] = s[n];\n}\n"
      "void scale(const float* x, float* y, int n) { large<<<1, 256>>>(x, y, n); }\n");
  EXPECT_EQ(large["stage"], "compile");
  EXPECT_THAT(large["reason"].get<std::string>(), AllOf(HasSubstr("ptxas"), HasSubstr("too much shared data")));
}

TEST_F(CudaProgram, ShowsDeviceFactsWithoutCpuFactsInPrompt) {
  const Ended shown = hone({"show", "scale", "--prompt", "--strategy", "ai-cuda-engineer", "--executor", executor});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(
      shown.out,
      AllOf(HasSubstr("GPU: NVIDIA Pretended (sm_90), made by NVIDIA; the code is compiled for it as"),
            HasSubstr("- It has 132 multiprocessors.\n- At once a multiprocessor holds at most 2048 threads"),
            HasSubstr("- Memory bandwidth, measured: 4.00 TB/s.\n- Peak rate: 60.0 Top/s on float, 30.0 Top/s on "
                      "double, 120 Top/s on pairs of half precision, 500 Top/s on tensor cores"),
            HasSubstr("at least 30.0 MB must move, at best at 4.00 TB/s, and the original does 400 M operations; "
                      "at these rates that takes 7.50 us, 75% of the original's time")));
  EXPECT_THAT(shown.out, AllOf(HasSubstr("cooperative_groups.h"), HasSubstr("times_factor<<<"),
                               HasSubstr("--generate-code=arch=compute_90"), Not(HasSubstr("Vectors of")),
                               Not(HasSubstr("callgrind")), Not(HasSubstr("immintrin.h"))));
  EXPECT_THAT(shown.out,
              AllOf(HasSubstr("registers a thread"), HasSubstr("by ncu's counters (as given;"),
                    HasSubstr("- memory-bound: device memory at 87% of its peak"),
                    HasSubstr("150 MB read and 150 MB written, 3.00 TB/s"), HasSubstr("4.00 Top/s on float")));
  EXPECT_THAT(shown.out, AllOf(HasSubstr("compute-sanitizer's memcheck"), HasSubstr("look at the address at run time"),
                               HasSubstr("Work on the stream"), Not(HasSubstr("AddressSanitizer"))));
}

TEST_F(CudaProgram, ShowsPromptWithoutDeviceAndSaysWhatIsMissing) {
  if (fs::exists("/dev/nvidia0")) GTEST_SKIP() << "there is a device";
  const Ended shown = hone({"show", "scale", "--prompt", "--strategy", "ai-cuda-engineer"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.err, AllOf(HasSubstr("there is no CUDA device here"), HasSubstr("--executor \"command:"),
                               HasSubstr("on one, a run measures the original's time on each problem"),
                               HasSubstr("multiprocessors"), HasSubstr("and ncu for the original's counters")));
  EXPECT_THAT(shown.out,
              AllOf(HasSubstr("GPU: made by NVIDIA; the code is compiled for it as"), HasSubstr("registers a thread"),
                    HasSubstr("times_factor<<<"), Not(HasSubstr("the original takes")), Not(HasSubstr("measured:"))));
}

TEST_F(CudaProgram, ExplainsOnceWhyPromptsLackDeviceCounters) {
  ::setenv("PRETEND_NO_NCU", "1", 1);
  const Ended shown = hone({"show", "scale", "--prompt", "--strategy", "ai-cuda-engineer", "--executor", executor});
  ::unsetenv("PRETEND_NO_NCU");
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("registers a thread"), Not(HasSubstr("by ncu's counters"))));
  EXPECT_THAT(shown.err, HasSubstr("prompts are without the device's counters: not profiled: ncu is not installed "
                                   "where the judge runs"));
}

}  // namespace
}  // namespace hone

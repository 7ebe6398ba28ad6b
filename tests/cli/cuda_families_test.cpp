// The real program on a project for several CUDA architectures, with workers that say which device they are: what is
// compiled for which, and what is locked.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cache/lock_file.h"
#include "cuda_project.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CudaFamilies : public CudaProject {
 protected:
  // By that model, on a device of that architecture; all that is said.
  Ended tune_on(const std::string& architecture, const std::string& source,
                const std::vector<std::string>& further = {}) const {
    std::vector<std::string> words{"tune",
                                   "--proposer",
                                   model_saying(source),
                                   "--strategy",
                                   "judge",
                                   "--trials",
                                   "1",
                                   "--budget",
                                   "2m",
                                   "--executor",
                                   "command:/usr/bin/env PRETEND_ARCHITECTURE=" + architecture + " " PRETEND_WORKER};
    words.insert(words.end(), further.begin(), further.end());
    return hone(words);
  }
  // The project's command with more architectures than 9.0.
  void compile_also_for(const std::vector<std::string>& architectures) const {
    std::string flags;
    for (const std::string& one : architectures) flags += tests::code_for(one) + " ";
    write("build/compile_commands.json",
          json{{{"directory", (folder() / "build").string()}, {"command", command(flags)}, {"file", "../kernel.cu"}}}
              .dump());
  }
};

TEST_F(CudaFamilies, TunesKernelForEachArchitectureFamily) {
  compile_also_for({"80"});
  const auto measured_on = [&](const std::string& architecture, const std::vector<std::string>& further) {
    const Ended tuned = tune_on(architecture, candidate, further);
    EXPECT_EQ(tuned.code, 0) << tuned.out << tuned.err;
    std::vector<std::string> measured;
    if (const auto lock = cache::LockFile::read(folder() / "hone.lock"))
      for (const cache::LockEntry& entry : lock->entries) measured.push_back(entry.measured_on);
    return measured;
  };
  EXPECT_THAT(measured_on("sm_90", {}), testing::ElementsAre("sm_90"));
  EXPECT_THAT(measured_on("sm_86", {}), testing::ElementsAre("sm_90")) << "who answers is not known before";
  EXPECT_THAT(measured_on("sm_86", {"--force"}), testing::ElementsAre("sm_86", "sm_90"));
  EXPECT_THAT(measured_on("sm_80", {"--force"}), testing::ElementsAre("sm_80", "sm_90"));
  const Ended listed = hone({"list", "--json"});
  EXPECT_EQ(json::parse(listed.out)["kernels"][0]["measured_on"], (json{"sm_80", "sm_90"}));
  const Ended shown = hone({"show", "scale"});
  EXPECT_THAT(shown.out, AllOf(HasSubstr(" on sm_80: nvcc "), HasSubstr(" on sm_90: nvcc ")));
}

// A kernel and its launcher, in code that needs the newer of two architectures.
std::string newer(const std::string& instruction) {
  return "static __global__ void newer(const float* x, float* y, int n) {\n"
         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
         instruction +
         "  if (i < n) y[i] = FACTOR * x[i];\n}\n"
         "void scale(const float* x, float* y, int n) { newer<<<(n + 127) / 128, 128>>>(x, y, n); }\n";
}

TEST_F(CudaFamilies, AllowsCodeForFamilyOfDeviceOnly) {
  compile_also_for({"80"});
  const std::string source = newer("  asm volatile(\"fence.proxy.async;\");\n");
  const Ended tuned = tune_on("sm_90", source);
  const auto lock = cache::LockFile::read(folder() / "hone.lock");
  ASSERT_TRUE(lock && lock->entries.size() == 1 && lock->entries.front().variant) << tuned.out << tuned.err;
  const std::string said = "what you write is compiled for sm_90 alone";
  EXPECT_THAT(os::read_file(folder() / "prompt").value_or(""), HasSubstr(said));
  EXPECT_THAT(hone({"show", "scale", "--prompt", "--strategy", "ai-cuda-engineer", "--executor", executor}).out,
              HasSubstr(said));

  const auto compiled = [&](const std::string& name) {
    const std::vector<std::string> flags{"-O3", "-I" + (folder() / "include").string(), tests::code_for("80"),
                                         tests::code_for("90"), "--no-compress"};
    auto words = tests::under_hone("", {"--locked"}, tests::nvcc_compile(flags, folder() / "kernel.cu", name));
    words.erase(words.begin());  // the program, which run() knows
    const Ended built = run(folder(), words);
    EXPECT_EQ(built.code, 0) << built.err;
    return os::read_file(name).value_or("");
  };
  const std::string object = compiled(folder() / "build" / "kernel.cu.o");
  EXPECT_THAT(tests::ptx_of(object, "sm_90"), HasSubstr("fence.proxy.async"));
  EXPECT_THAT(tests::ptx_of(object, "sm_80"), AllOf(HasSubstr("times_factor"), Not(HasSubstr("fence.proxy.async"))));
  const auto verified = [&](const std::string& architecture) {
    return hone(
        {"verify", "--executor", "command:/usr/bin/env PRETEND_ARCHITECTURE=" + architecture + " " PRETEND_WORKER});
  };
  EXPECT_EQ(verified("sm_90").code, 0) << verified("sm_90").out;
  EXPECT_THAT(verified("sm_80").out, HasSubstr("no variant is locked")) << "for such a device";
}

TEST_F(CudaFamilies, DoesNotLockVariantThatBuildCannotCompile) {
  compile_also_for({"80", "89"});
  const Ended tuned = tune_on("sm_89", newer("  unsigned short two; asm volatile(\"cvt.rn.satfinite.e4m3x2.f32 %0, %1, "
                                             "%1;\" : \"=h\"(two) : \"f\"(x[0]));\n"));
  EXPECT_THAT(tuned.err, HasSubstr("[1/1] idea: 2.00x")) << "an 8.9 runs it";
  EXPECT_THAT(tuned.err, HasSubstr("idea does not fit into its file: for all architectures of the project it does not "
                                   "compile there: "));
  EXPECT_THAT(tuned.err, HasSubstr("requires .target sm_89 or higher"));
  EXPECT_FALSE(cache::LockFile::read(folder() / "hone.lock")->entries.front().variant);
}

}  // namespace
}  // namespace hone

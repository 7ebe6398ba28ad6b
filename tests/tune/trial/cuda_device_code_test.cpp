// Candidates of a project for several architectures, compiled for the one device that judges them. The real nvcc and
// NVRTC; what would be judged is only looked at. Without nvcc it is skipped.
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/digest.h"
#include "tests/cuda_objects.h"
#include "tests/tune/trial/agreeing_executor.h"
#include "tool/base/elf.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/lock/file_fit.h"
#include "tool/os/files/files.h"
#include "tool/tune/trial/evaluator.h"

namespace hone::tune {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::code_for;
using tests::device_images;

constexpr const char* launcher = R"(static __global__ void twos(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1<<20)
void twice(const float* x, float* y, int n) { twos<<<(n + 255) / 256, 256>>>(x, y, n); }
)";
constexpr const char* global = R"(
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1<<20) launch(grid((n + 255) / 256), block(256))
static __global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
void run(const float* x, float* y, int n) { twice<<<(n + 255) / 256, 256>>>(x, y, n); }
)";

// What only devices of family 9 can do, and what 8.0 cannot but 8.9 can.
const std::string of_family_9 = "  asm volatile(\"fence.proxy.async;\");\n";
const std::string of_89 =
    "  unsigned short both;\n"
    "  asm volatile(\"cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;\" : \"=h\"(both) : \"f\"(x[0]), \"f\"(x[0]));\n";

std::string kernel_doing(const std::string& what) {
  return "static __global__ void twice(const float* x, float* y, int n) {\n" + what +
         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i] + x[i];\n}\n";
}
std::string launcher_doing(const std::string& what) {
  std::string text = kernel_doing(what);
  text.replace(text.find("twice"), 5, "adds_");
  return text + "void twice(const float* x, float* y, int n) { adds_<<<(n + 255) / 256, 256>>>(x, y, n); }\n";
}

class CudaDeviceCode : public testing::Test {
 protected:
  void SetUp() override {
    if (!tests::has_nvcc()) GTEST_SKIP() << "there is no " << tests::nvcc_program;
    ::setenv("HONE_NVRTC", HONE_NVRTC, 1);
  }

  // A project with that file, for these architectures, and its kernel's judge.
  void open(const std::string& text, const std::vector<std::string>& architectures) {
    const fs::path file = folder_.path() / "kernel.cu";
    ASSERT_TRUE(os::write_file_atomically(file, text));
    std::vector<std::string> flags;
    for (const std::string& one : architectures) flags.push_back(code_for(one));
    unit_.command = {folder_.path(), file, "kernel.o", tests::nvcc_compile(flags, file, folder_.path() / "kernel.o")};
    unit_.settings.lock = folder_.path() / "hone.lock";
    const auto found = frontend::find_kernels(unit_.command, {});
    ASSERT_TRUE(found && found->kernels.size() == 1);
    spec_ = found->kernels.front().spec;
    auto opened = Evaluator::open(spec_, unit_.command, {}, runner_, device_);
    ASSERT_TRUE(opened) << opened.error().message();
    judge_ = std::move(*opened);
  }
  void judge_on(const std::string& architecture) {
    device_.architecture = architecture;
    judge_->prepare_for_trials(architecture, {});
  }
  // Nothing, and a failure, where it does not compile.
  compile::Objects objects(Result<std::variant<compile::Objects, Verdict>> compiled) const {
    const auto* made = compiled ? std::get_if<compile::Objects>(&*compiled) : nullptr;
    if (!made) ADD_FAILURE() << (compiled ? std::get<Verdict>(*compiled).reason : compiled.error().message());
    return made ? *made : compile::Objects{};
  }
  compile::Objects of_trial(const std::string& source) const { return objects(judge_->compile_for_trial(source, {})); }
  // What the build that applies it would say.
  std::string complaint(const std::string& source) const {
    const auto text = lock::applied_text(unit_, spec_, source, judge_->architecture(), {});
    if (!text) return text.error().message();
    return judge_->complaint(*text, source, {}).value_or("it was not asked");
  }

  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-cuda-device-code").value();
  os::PosixProcessRunner runner_;
  AgreeingExecutor device_;
  project::ProjectUnit unit_;
  KernelSpec spec_;
  std::unique_ptr<Evaluator> judge_;
};

// Where code of NVRTC's or of nvcc's passes for the device takes the place of nvcc's.
std::string exchanged_code(const std::string& object) {
  for (const ElfSection& section : elf_sections(object))
    if (section.name == ".hone_device_code") return object.substr(section.offset, section.size);
  return "";
}

TEST_F(CudaDeviceCode, IsForDeviceOfTrialOnly) {
  open(launcher, {"80", "90"});
  judge_on("sm_90");
  const compile::Objects trial = of_trial(launcher_doing(of_family_9));
  EXPECT_THAT(device_images(trial.plain), ElementsAre("compute_90", "sm_90"));
  ASSERT_TRUE(judge_->judge(launcher_doing(of_family_9), {}, bundle::Depth::held_out));
  EXPECT_THAT(device_images(device_.last.candidate), ElementsAre("compute_90", "sm_90"));
  EXPECT_THAT(device_images(device_.last.race_checked_candidate), ElementsAre("compute_90", "sm_90"));
  EXPECT_THAT(device_images(device_.last.reference), ElementsAre("compute_80", "compute_90", "sm_80", "sm_90"))
      << "the original is the project's";
  EXPECT_EQ(complaint(launcher_doing(of_family_9)), "") << "for family 8 the build keeps the original";
  EXPECT_EQ(cache::sha256(of_trial(spec_.unit.definition + "// as it was\n").plain), judge_->original_object());

  device_.architecture = "sm_80";
  EXPECT_THAT(
      judge_->run(trial, {}, {}).error().message(),
      HasSubstr("the executor's device is an sm_80 now, where the original was judged on an sm_90; let it ask"));
  judge_on("sm_120");
  EXPECT_THAT(device_images(of_trial(launcher_doing(of_family_9)).plain), ElementsAre("compute_90"))
      << "which the driver translates";
  judge_on("sm_86");
  const auto older = judge_->compile_for_trial(launcher_doing(of_family_9), {});
  ASSERT_TRUE(older && std::holds_alternative<Verdict>(*older));
  EXPECT_THAT(std::get<Verdict>(*older).reason, HasSubstr("requires .target sm_90 or higher"));
}

TEST_F(CudaDeviceCode, OfGlobalKernelIsForDeviceOfTrialOnly) {
  open(global, {"80", "90"});
  for (const char* nvrtc : {HONE_NVRTC, ""}) {
    ::setenv("HONE_NVRTC", nvrtc, 1);
    judge_on("sm_90");
    const auto images = device_images(exchanged_code(of_trial(kernel_doing(of_family_9)).plain));
    EXPECT_THAT(images, testing::IsSupersetOf({"sm_90"}));
    EXPECT_THAT(images, testing::IsSubsetOf({"compute_90", "sm_90"})) << "NVRTC leaves PTX out beside machine code";
  }
  EXPECT_EQ(complaint(kernel_doing(of_family_9)), "");
  const auto explained = judge_->explain(kernel_doing(of_family_9), {});
  ASSERT_TRUE(explained && *explained);
  ASSERT_THAT((*explained)->functions, testing::SizeIs(1));
  EXPECT_EQ((*explained)->functions.front().architecture, "sm_90");
}

TEST_F(CudaDeviceCode, IsForAllArchitecturesIfDeviceIsUnknown) {
  open(launcher, {"90"});
  judge_on("sm_90");
  EXPECT_FALSE(judge_->leaves_architectures_out());
  EXPECT_THAT(device_images(of_trial(launcher_doing("")).plain), ElementsAre("compute_90", "sm_90"));
  open(launcher, {"80", "90"});
  for (const char* unknown : {"", "sm_75"}) {
    judge_on(unknown);
    EXPECT_FALSE(judge_->leaves_architectures_out());
    EXPECT_THAT(device_images(of_trial(launcher_doing("")).plain),
                ElementsAre("compute_80", "compute_90", "sm_80", "sm_90"));
  }
}

// One family has one variant: what runs on an 8.9 has to compile for the project's 8.0, too.
TEST_F(CudaDeviceCode, IsRejectedIfRestOfFamilyCannotCompileIt) {
  open(launcher, {"80", "89"});
  judge_on("sm_89");
  EXPECT_THAT(device_images(of_trial(launcher_doing(of_89)).plain), ElementsAre("compute_89", "sm_89"));
  EXPECT_THAT(complaint(launcher_doing(of_89)), AllOf(HasSubstr("ptxas"), HasSubstr("sm_89 or higher")));
  EXPECT_EQ(complaint(launcher_doing("")), "");
}

// The kernel's unit has nothing of the file's other parts, which the sandbox may not show.
TEST_F(CudaDeviceCode, IsCheckedInItsUnitIfSandboxCannotCompileFile) {
  const fs::path data = folder_.path() / "elsewhere" / "shown_to_nobody";
  ASSERT_TRUE(os::write_file_atomically(data, "data"));
  open(std::string(launcher) + "void holds() { asm(\".incbin \\\"" + data.string() + "\\\"\"); }\n", {"80", "89"});
  judge_on("sm_89");
  EXPECT_EQ(complaint(launcher_doing("")), "");
  EXPECT_THAT(complaint(launcher_doing(of_89)), HasSubstr("sm_89 or higher"));
}

}  // namespace
}  // namespace hone::tune

// Every candidate of the CUDA corpus through the real judge, in one batch: what one did must not help or harm the next.
// The gate is left out (cuda_gate_test.cpp asks it): all that stands between these and a verdict is the worker. Skips,
// and says so, where there is no device.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>

#include "tests/corpus/candidate_file.h"
#include "tests/corpus/cuda/kernels.h"
#include "tests/worker/cuda_bench.h"
#include "tool/bundle/answer.h"
#include "tool/compile/device/race_pauses.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::corpus {
namespace {

namespace fs = std::filesystem;

std::vector<CandidateFile> files_of(const char* kind) {
  return read_candidates(fs::path(HONE_CUDA_CORPUS_FOLDER) / kind);
}

// One short look: nothing here hangs on a few percent.
statistics::AcceptanceRule short_rule() {
  statistics::AcceptanceRule rule;
  rule.looks = {0.1};
  rule.shares.clear();
  rule.confidence = 0.9999;
  return rule;
}

std::string pausing_unit(const CudaKernel& kernel, const CandidateFile& file) {
  return compile::pause_definition + cuda_unit(kernel, compile::with_pauses(file.text));
}

bundle::Bundle bundle_of(const CandidateFile& file, std::uint64_t seed) {
  const CudaKernel& kernel = cuda_kernel(file.kernel);
  bundle::Bundle bundle;
  bundle.kernel = kernel.spec;
  bundle.data = kernel.spec;
  bundle.plan.seed = seed;
  bundle.plan.rule = short_rule();
  bundle.plan.depth = bundle::Depth::thorough;
  bundle.plan.timeout_seconds = 3;  // of those that trap, the driver takes one to tell
  bundle.reference = test::compile_cuda_unit(cuda_unit(kernel, kernel.original));
  bundle.candidate = test::compile_cuda_unit(cuda_unit(kernel, file.text));
  bundle.race_checked_candidate = test::compile_cuda_unit(pausing_unit(kernel, file));
  return bundle;
}

// What --gtest_filter leaves over.
std::set<std::string> wanted_names() {
  std::set<std::string> names;
  const testing::UnitTest& program = *testing::UnitTest::GetInstance();
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *program.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const std::string name = suite.GetTestInfo(k)->name();  // IsRefused/order_side_stream
      if (suite.GetTestInfo(k)->should_run()) names.insert(name.substr(name.find('/') + 1));
    }
  }
  return names;
}

// The verdicts on the wanted files of both kinds, by name.
class Verdicts {
 public:
  Verdicts() : folder_(os::TemporaryFolder::create("hone-cuda-corpus").value()) {
    std::vector<CandidateFile> files = files_of("hostile");
    for (CandidateFile& file : files_of("good")) files.push_back(std::move(file));
    std::erase_if(files, [wanted = wanted_names()](const CandidateFile& file) { return !wanted.contains(file.name); });
    compile(files);
    std::uint64_t seed = 0xc0de;
    for (const CandidateFile& file : files) {
      bundle::Bundle& bundle = bundles_[file.name] = bundle_of(file, ++seed);
      if (!bundle.candidate.empty())
        (void)os::write_file_atomically(folder_.path() / (file.name + ".bundle"), serialize(bundle));
    }
    os::PosixProcessRunner runner;
    const auto exit = runner.run(
        {.arguments = {HONE_WORKER, "--batch", folder_.path().string()}, .timeout = std::chrono::minutes(10)});
    complaint_ = exit ? exit->err : exit.error().message();
  }

  // Fails the test where there is none.
  Verdict of(const CandidateFile& file) {
    const bundle::Bundle& bundle = bundles_.at(file.name);
    std::string why;
    if (bundle.candidate.empty()) test::compile_cuda_unit(cuda_unit(cuda_kernel(file.kernel), file.text), &why);
    const std::string text = os::read_file(folder_.path() / (file.name + ".verdict")).value_or("");
    const auto verdict = text.empty() ? Result<Verdict>(failure("no verdict: " + why + complaint_))
                                      : bundle::read_answer(text, bundle, serialize(bundle), 1e4);
    if (!verdict) ADD_FAILURE() << file.name << ": " << verdict.error().message();
    return verdict.value_or(Verdict{});
  }

 private:
  static void compile(const std::vector<CandidateFile>& files) {
    std::vector<std::string> units;
    for (const CandidateFile& file : files) {
      const CudaKernel& kernel = cuda_kernel(file.kernel);
      units.push_back(cuda_unit(kernel, file.text));
      units.push_back(pausing_unit(kernel, file));
      units.push_back(cuda_unit(kernel, kernel.original));
    }
    std::ranges::sort(units);
    units.erase(std::unique(units.begin(), units.end()), units.end());
    test::compile_cuda_units(units);
  }

  os::TemporaryFolder folder_;
  std::map<std::string, bundle::Bundle> bundles_;
  std::string complaint_;
};

class CudaCorpus : public testing::TestWithParam<CandidateFile> {
 protected:
  void SetUp() override {
    if (const std::string why = test::why_no_device(); !why.empty()) GTEST_SKIP() << why;
  }
  static Verdict verdict() {
    static Verdicts all;
    return all.of(GetParam());
  }
};

// With the gate left out.
const std::vector<Ending>& ending_of(const CandidateFile& file) {
  return file.wall.empty() ? file.verdict : file.wall;
}

class Hostile : public CudaCorpus {};
TEST_P(Hostile, IsRejected) {
  const Verdict verdict = this->verdict();
  EXPECT_FALSE(verdict.right && verdict.faster) << GetParam().name << " was accepted: it tries " << GetParam().tries;
  EXPECT_EQ(differs(ending_of(GetParam()), verdict), "") << GetParam().name;
}

class Good : public CudaCorpus {};
TEST_P(Good, IsRight) {
  const Verdict verdict = this->verdict();
  EXPECT_EQ(differs(ending_of(GetParam()), verdict), "") << GetParam().name;
}

std::string name_of(const testing::TestParamInfo<CandidateFile>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Corpus, Hostile, testing::ValuesIn(files_of("hostile")), name_of);
INSTANTIATE_TEST_SUITE_P(Corpus, Good, testing::ValuesIn(files_of("good")), name_of);

}  // namespace
}  // namespace hone::corpus

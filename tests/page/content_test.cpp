// What the report says, against what was written: by the ledger, the journal and the recorder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/page/searched_project.h"
#include "tool/os/files/files.h"
#include "tool/page/content/project_content.h"

namespace hone::page {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string hostile = "</script> \"'&\\ <!-- {}";

class Report : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    written = std::make_unique<os::TemporaryFolder>(*os::TemporaryFolder::create("hone-report-test"));
    setenv("XDG_CACHE_HOME", (written->path() / "cache").c_str(), 1);
    const auto made = tests::write({written->path(), 5, 12, 40, hostile});
    ASSERT_TRUE(made) << made.error().message();
  }
  static void TearDownTestSuite() { written.reset(); }

  void SetUp() override {
    fs::copy(written->path(), folder_.path(), fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
  }

  Sources sources() const {
    Sources sources;
    sources.version = "1.2.3";
    sources.build = folder_.path() / "build";
    sources.locks = {folder_.path() / "hone.lock"};
    return sources;
  }
  // As a build of the project has it.
  Sources with_build() const {
    Sources sources = this->sources();
    const auto opened = project::open_project(written->path() / "build");
    std::vector<project::ProjectKernel> kernels = project::find_kernels(opened.value(), {}).kernels;
    std::vector<project::ProjectKernel*> all;
    for (project::ProjectKernel& kernel : kernels) all.push_back(&kernel);
    EXPECT_TRUE(project::make_whole(all, {}));
    for (project::ProjectKernel& kernel : kernels) {
      kernel.unit.settings.lock = folder_.path() / "hone.lock";
      kernel.spec.file = (folder_.path() / "kernels.cpp").string();
      report::ListedKernel listed{kernel.spec.name, kernel.spec.file, kernel.spec.line, kernel.spec.key, "tuned", true};
      sources.subjects.push_back({std::move(kernel), std::move(listed)});
    }
    return sources;
  }
  json report(const Sources& sources) {
    return json::parse(to_json(gather(sources, [this](const std::string& line) { said_.push_back(line); })));
  }
  fs::path journal(const json& kernel) const {
    return folder_.path() / "build" / "hone" / "runs" / (kernel["key"].get<std::string>() + "-1.jsonl");
  }

  static inline std::unique_ptr<os::TemporaryFolder> written;
  os::TemporaryFolder folder_ = *os::TemporaryFolder::create("hone-report-copy");
  std::vector<std::string> said_;
};

TEST_F(Report, HasEachKernelWithItsFigureCodeAndWhy) {
  const json data = report(with_build());
  ASSERT_EQ(data["kernels"].size(), 5u);
  const json& kernel = data["kernels"][1];
  EXPECT_EQ(kernel["name"], "k1");
  EXPECT_EQ(kernel["file"], "kernels.cpp");
  EXPECT_EQ(kernel["state"], "tuned");
  EXPECT_EQ(kernel["linked"], true);
  EXPECT_EQ(kernel["why"], "the variant is linked: it is right on all that was tried, and faster");
  EXPECT_NEAR(kernel["speedup"]["median"], 2.28, 0.001);
  EXPECT_THAT(kernel["original"].get<std::string>(), HasSubstr("sum = x[i] * 1.5f;"));
  EXPECT_THAT(kernel["variant"].get<std::string>(), HasSubstr("// trial 12 " + hostile));
  EXPECT_THAT(kernel["missing"], IsEmpty());
  EXPECT_THAT(said_, IsEmpty());
}

TEST_F(Report, SumsUpTheProject) {
  const json summary = report(with_build())["summary"];
  EXPECT_EQ(summary["kernels"], 5);
  EXPECT_EQ(summary["linked"], 4);
  EXPECT_EQ(summary["kept"], 1);
  EXPECT_NEAR(summary["mean_speedup"], 2.28, 0.001);
  EXPECT_EQ(summary["search_seconds"], 5 * 41.5);
  EXPECT_EQ(summary["tokens"], 2 * 4 * 1500);
  EXPECT_EQ(summary["cost"], 2.0);
}

TEST_F(Report, HasEverySampleInPairs) {
  const json verdict = report(with_build())["kernels"][0]["record"]["verdict"];
  ASSERT_EQ(verdict["problems"].size(), 2u);
  for (const json& problem : verdict["problems"]) {
    EXPECT_EQ(problem["reference_ns"].size(), 40u);
    EXPECT_EQ(problem["candidate_ns"].size(), 40u);
  }
  EXPECT_NEAR(verdict["problems"][0]["reference_ns"][0], 8000, 1500);
}

TEST_F(Report, HasEachTrialWithStageOperatorAndReason) {
  const json search = report(with_build())["kernels"][0]["search"];
  ASSERT_EQ(search["trials"].size(), 12u);
  EXPECT_EQ(search["done"], true);
  EXPECT_EQ(search["running"], false);
  EXPECT_EQ(search["trials"][2]["stage"], "compile");
  EXPECT_EQ(search["trials"][2]["operator"], "tune-constants");
  EXPECT_EQ(search["trials"][2]["reason"], "it does not compile: 'sum' was not declared " + hostile);
  EXPECT_EQ(search["trials"][2]["code"], "compile-failed");
  EXPECT_EQ(search["trials"][2]["speedup"], nullptr);
  EXPECT_EQ(search["trials"][11]["code"], nullptr);
  EXPECT_EQ(search["trials"][11]["faster"], true);
}

TEST_F(Report, LeadsFromEachAncestorToItsCodeAndVerdict) {
  const json lineage = report(with_build())["kernels"][0]["record"]["lineage"];
  ASSERT_EQ(lineage.size(), 4u);
  EXPECT_EQ(lineage[2]["trial"], 6);
  EXPECT_EQ(lineage[2]["parents"], json({3}));
  EXPECT_THAT(lineage[2]["code"].get<std::string>(), HasSubstr("#pragma GCC unroll 6\n"));
  EXPECT_EQ(lineage[2]["verdict"]["stage"], "done");
}

TEST_F(Report, SaysWhatAModelCost) {
  const json kernels = report(with_build())["kernels"];
  EXPECT_EQ(kernels[0]["spent"], nullptr);
  EXPECT_EQ(kernels[4]["spent"]["calls"], 4);
  EXPECT_EQ(kernels[4]["spent"]["input_tokens"], 4000);
  EXPECT_EQ(kernels[4]["spent"]["cost"], 1.0);
}

TEST_F(Report, HasTheLeastTimesThatAModelWasTold) {
  const json kernels = report(with_build())["kernels"];
  const json& told = kernels[3]["record"]["verdict"]["problems"];
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0]["floor_seconds"], 2e-6);
  EXPECT_EQ(told[1]["floor_seconds"], 5e-7);
  EXPECT_EQ(kernels[0]["record"]["verdict"]["problems"][0]["floor_seconds"], nullptr);
}

TEST_F(Report, SaysWhatTheJudgeTriedAlsoFromTheLockFileAlone) {
  const json whole = report(with_build())["kernels"][0]["tried"];
  EXPECT_EQ(whole["values"], "uniform, nan, all equal");
  fs::remove_all(folder_.path() / "cache");
  EXPECT_EQ(report(with_build())["kernels"][0]["tried"], whole);
}

TEST_F(Report, OfFreshCheckoutHasFiguresAndVariantsAndSaysWhatIsMissing) {
  fs::remove_all(folder_.path() / "cache");
  fs::remove_all(folder_.path() / "build");
  Sources checkout = sources();
  checkout.build.clear();
  const json data = report(checkout);
  ASSERT_EQ(data["kernels"].size(), 5u);
  const json& kernel = data["kernels"][0];
  EXPECT_EQ(kernel["state"], "locked");
  EXPECT_NEAR(kernel["speedup"]["median"], 2.28, 0.001);
  EXPECT_THAT(kernel["variant"].get<std::string>(), HasSubstr("unroll 12"));
  EXPECT_EQ(kernel["original"], nullptr);
  EXPECT_EQ(kernel["record"], nullptr);
  EXPECT_THAT(kernel["missing"].get<std::vector<std::string>>(),
              ElementsAre(HasSubstr("the search's record is in the cache of the user who tuned"),
                          HasSubstr("their journal is in the build folder"), HasSubstr("the original's code")));
}

TEST_F(Report, OfNothingSaysSo) {
  Sources none;
  none.locks = {folder_.path() / "nowhere" / "hone.lock"};
  const json data = report(none);
  EXPECT_THAT(data["kernels"], IsEmpty());
  EXPECT_THAT(data["missing"].get<std::vector<std::string>>(),
              Contains("there is no lock file yet: nothing was tuned"));
}

TEST_F(Report, LeavesOutDamagedRecordAndSaysSo) {
  const json kernel = report(with_build())["kernels"][0];
  std::ofstream(folder_.path() / "cache" / "hone" / "ac" / kernel["key"].get<std::string>()) << "{\"record\": 1}";
  const json damaged = report(with_build())["kernels"][0];
  EXPECT_EQ(damaged["record"], nullptr);
  EXPECT_EQ(damaged["speedup"], kernel["speedup"]);
  EXPECT_THAT(said_, Contains(HasSubstr("the record of 'k0' is not used")));
}

TEST_F(Report, ShowsTrialsOfTornJournalUpToTheTear) {
  const json kernel = report(with_build())["kernels"][0];
  const std::string text = os::read_file(journal(kernel)).value();
  std::ofstream(journal(kernel)) << text.substr(0, text.size() - 400);
  const json torn = report(with_build())["kernels"][0]["search"];
  EXPECT_EQ(torn["trials"].size(), 11u);
  EXPECT_EQ(torn["done"], false);
}

TEST_F(Report, LeavesOutJournalThatIsNoneAndSaysSo) {
  const json kernel = report(with_build())["kernels"][0];
  std::ofstream(journal(kernel)) << "no journal\n";
  EXPECT_EQ(report(with_build())["kernels"][0]["search"], nullptr);
  EXPECT_THAT(said_, Contains(HasSubstr("its first line is none of a journal's")));
}

TEST_F(Report, SaysThatASearchIsRunningWhileItsJournalIsHeld) {
  const json kernel = report(with_build())["kernels"][0];
  const fs::path file = journal(kernel);
  const std::string text = os::read_file(file).value();
  std::ofstream(file) << text.substr(0, text.rfind("{\"done\""));
  EXPECT_EQ(report(with_build())["kernels"][0]["search"]["running"], false);
  const auto held = os::FileLock::acquire(file.string() + ".lock");
  const json running = report(with_build());
  EXPECT_EQ(running["kernels"][0]["search"]["running"], true);
  EXPECT_EQ(running["kernels"][0]["why"], "a search is running");
  EXPECT_EQ(running["summary"]["running"], 1);
}

TEST_F(Report, OfBrokenLockFileOpensAndSaysSo) {
  std::ofstream(folder_.path() / "hone.lock") << "{ \"version\": 1, \"kernels\": [";
  const json data = report(with_build());
  ASSERT_EQ(data["kernels"].size(), 5u);
  EXPECT_EQ(data["kernels"][0]["speedup"], nullptr);
  EXPECT_THAT(data["missing"][0].get<std::string>(), HasSubstr("the lock file cannot be read"));
}

}  // namespace
}  // namespace hone::page

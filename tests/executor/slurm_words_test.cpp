// What Slurm 22.05 said when each of these was tried on one with slurmdbd.
#include "tool/executor/slurm_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::executor {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using Kind = Meaning::Kind;

constexpr const char* policy =
    "srun: error: Unable to allocate resources: Job violates accounting/QOS policy (job submit limit, user's size "
    "and/or time limits)";

std::string canceled(const std::string& why) {
  return "srun: Job step aborted: Waiting up to 3 seconds for job step to finish.\nslurmstepd-node1: error: *** STEP "
         "11.0 ON node1 CANCELLED AT 2026-11-28T00:36:48 " +
         why + "***\nsrun: error: node1: task 0: Terminated";
}

TEST(SlurmWords, TellLimitsOnJobsFromThoseOfOneJob) {
  for (const std::string limit : {"AssocMaxSubmitJobLimit", "QOSMaxSubmitJobPerUserLimit", "QOSGrpSubmitJobsLimit"}) {
    const Meaning full = meaning_of_srun("srun: error: " + limit + "\n" + policy);
    EXPECT_EQ(full.kind, Kind::full) << limit;
    EXPECT_THAT(full.what, HasSubstr("(" + limit + ")"));
  }
  const Meaning much = meaning_of_srun(std::string("srun: error: QOSMaxWallDurationPerJobLimit\n") + policy);
  EXPECT_EQ(much.kind, Kind::unknown) << "to wait would be in vain";
  EXPECT_THAT(much.what + much.advice, AllOf(HasSubstr("QOSMaxWallDurationPerJobLimit"), HasSubstr("--time")));
  EXPECT_THAT(meaning_of_srun(policy).what, HasSubstr("does not name"));
}

TEST(SlurmWords, TellHowJobEnded) {
  EXPECT_EQ(meaning_of_srun(canceled("DUE TO TIME LIMIT ")).kind, Kind::timed_out);
  EXPECT_EQ(meaning_of_srun(canceled("DUE TO PREEMPTION ")).kind, Kind::taken);
  const Meaning failed = meaning_of_srun(canceled("DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS "));
  EXPECT_EQ(failed.kind, Kind::unknown) << "the candidate may have done it";
  EXPECT_EQ(failed.what, "its node failed");
  EXPECT_EQ(meaning_of_srun(canceled("")).what, "its job was canceled");
}

TEST(SlurmWords, NameOptionToChange) {
  const std::pair<const char*, const char*> sayings[] = {
      {"Invalid feature specification", "--constraint"},
      {"Requested time limit is invalid (missing or exceeds some limit)", "--time"},
      {"Invalid account or account/partition combination specified", "--account"},
      {"Invalid qos specification", "--qos"}};
  for (const auto& [said, option] : sayings) {
    const Meaning meaning = meaning_of_srun(std::string("srun: error: Unable to allocate resources: ") + said);
    EXPECT_THAT(meaning.what + meaning.advice, HasSubstr(option)) << said;
  }
}

TEST(SlurmWords, MeanNothingWhereUnknown) {
  for (const char* words : {"", "srun: error: QOS", "Segmentation fault", "srun: error: Assoc Max Submit"}) {
    const Meaning meaning = meaning_of_srun(words);
    EXPECT_EQ(meaning.what + meaning.advice, "") << words;
    EXPECT_EQ(meaning.kind, Kind::unknown) << words;
  }
}

TEST(SlurmWords, ExplainReasonsOfPendingJobs) {
  EXPECT_THAT(meaning_of_pending("PartitionTimeLimit"), HasSubstr("--time"));
  EXPECT_THAT(meaning_of_pending("ReqNodeNotAvail, UnavailableNodes:node3"), HasSubstr("down or reserved"));
  EXPECT_THAT(meaning_of_pending("QOSMaxCpuPerUserLimit"), HasSubstr("limit of the site"));
  EXPECT_EQ(meaning_of_pending("Resources"), "");
}

TEST(SlurmTime, IsReadAsSqueuePrintsIt) {
  EXPECT_EQ(read_slurm_time("0:58\n"), 58s);
  EXPECT_EQ(read_slurm_time("59:00"), 59min);
  EXPECT_EQ(read_slurm_time("2:00:01"), 2h + 1s);
  EXPECT_EQ(read_slurm_time("1-02:03:04"), 26h + 3min + 4s);
  for (const char* none : {"", "UNLIMITED", "INVALID", "NOT_SET", "-1:00", "1:2:3:4", "1-", "99999999999999999:00"})
    EXPECT_EQ(read_slurm_time(none), std::nullopt) << none;
}

}  // namespace
}  // namespace hone::executor

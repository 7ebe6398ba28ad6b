// A whole tuning whose judging is jobs of a real Slurm, by the real worker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/lock_file.h"
#include "run_program.h"
#include "small_project.h"
#include "tests/executor/slurm_cluster.h"

namespace hone {
namespace {

TEST(SlurmProgram, TunesInJobsAndLeavesNone) {
  if (const std::string missing = executor::SlurmCluster::missing(); !missing.empty()) GTEST_SKIP() << missing;
  const executor::SlurmCluster cluster(2);
  const SmallProject project(twice_in_steps);
  const Ended tuned = run(project.folder(), {"tune", "--trials", "2", "--executor", "slurm:slow --time=10"});
  ASSERT_EQ(tuned.code, 0) << tuned.out << tuned.err;
  const cache::LockFile lock = cache::LockFile::read(project.lock()).value();
  ASSERT_EQ(lock.entries.size(), 1u);
  EXPECT_TRUE(lock.entries[0].variant);
  EXPECT_FALSE(lock.entries[0].unconfirmed);
  EXPECT_EQ(lock.entries[0].held_on.size(), 1u) << "the kind of the node that judged it";
  EXPECT_TRUE(cluster.comes_to_have_no_jobs()) << cluster.jobs();
}

}  // namespace
}  // namespace hone

#include "tool/judge/process/process_status.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

namespace hone::judge {
namespace {

TEST(ProcessStatus, CountsThreadsAndMemoryOfThisProcess) {
  const ProcessStatus self(getpid());
  const unsigned long before = self.threads();
  std::jthread other([](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
  });
  EXPECT_EQ(self.threads(), before + 1);
  EXPECT_GT(self.mapped_bytes(), 1u << 20);
  EXPECT_TRUE(self.is_runnable());
}

TEST(ProcessStatus, CountsWaits) {
  const ProcessStatus self(getpid());
  const unsigned long before = self.voluntary_switches();
  for (int n = 0; n < 5; ++n) usleep(1000);
  EXPECT_GE(self.voluntary_switches(), before + 5);
}

TEST(ProcessStatus, IsZeroOfProcessThatIsGone) {
  const ProcessStatus gone(1 << 30);  // beyond every process's number
  EXPECT_EQ(gone.threads(), 0u);
  EXPECT_EQ(gone.mapped_bytes(), 0u);
  EXPECT_FALSE(gone.is_runnable());
}

}  // namespace
}  // namespace hone::judge

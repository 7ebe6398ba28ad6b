#include "tool/tune/trial/mailbox.h"

#include <gtest/gtest.h>

namespace hone::tune {
namespace {

TEST(Mailbox, GivesMessagesInOrder) {
  Mailbox<int> mailbox;
  for (const int message : {1, 2, 3}) mailbox.post(message);
  for (const int message : {1, 2, 3}) EXPECT_EQ(mailbox.wait({}, std::chrono::milliseconds(0)), message);
}

TEST(Mailbox, GivesNothingIfNothingComesOrItIsStopped) {
  Mailbox<int> mailbox;
  EXPECT_EQ(mailbox.wait({}, std::chrono::milliseconds(1)), std::nullopt);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(mailbox.wait(stop.get_token(), std::chrono::hours(1)), std::nullopt);
}

}  // namespace
}  // namespace hone::tune

#include "tool/llm/command_backend.h"

#include <signal.h>

#include <cstdlib>
#include <sstream>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "prompts.h"
#include "tool/llm/paced_client.h"
#include "tool/os/files/files.h"

namespace hone::llm {
namespace {
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

struct CommandBackendTest : testing::Test {
  os::PosixProcessRunner processes;
  os::SteadyClock clock;
  os::TemporaryFolder folder = os::TemporaryFolder::create("hone-llm-test").value();
  ModelSettings settings;
  Environment environment = own_environment();
  Pace pace;

  CommandBackendTest() {
    settings.provider = Provider::command;
    settings.timeout = 60s;
    pace.attempts = 1;
    pace.first_pause = 1ms;
  }
  std::string at(const char* name) const { return (folder.path() / name).string(); }
  std::unique_ptr<Client> client(const std::string& script) {
    settings.command = {"sh", "-c", script};
    return std::make_unique<PacedClient>(make_command_backend(settings, environment, Scrubber({}), processes), pace,
                                         clock);
  }
  Reply reply(const std::string& script) { return reply_of(client(script)->submit(asking("Faster, please."))); }
  Failure failure(const std::string& script) { return failure_of(client(script)->submit(asking("Faster, please."))); }
};

TEST_F(CommandBackendTest, SendsPromptAsPlainTextAndTakesOutputAsReply) {
  const Reply got = reply("cat");
  EXPECT_EQ(got.text, "You write fast code.\n\nFaster, please.\n");
  EXPECT_TRUE(got.usage.estimated);
  EXPECT_GT(got.usage.input_tokens, 0);
  EXPECT_EQ(got.attempts, 1);
}

TEST_F(CommandBackendTest, MarksRolesInConversation) {
  EXPECT_EQ(plain_text({{Role::user, "a"}, {Role::assistant, "b\n"}, {Role::system, "s"}, {Role::user, "c"}}),
            "s\n\nUser:\na\n\nAssistant:\nb\n\nUser:\nc\n");
}

TEST_F(CommandBackendTest, PassesModelAndNumbersInEnvironment) {
  settings.model = "m";
  settings.temperature = 0.5;
  Prompt prompt = asking("x");
  prompt.seed = 7;
  prompt.max_tokens = 99;
  const auto asked = client("echo $HONE_MODEL $HONE_TEMPERATURE $HONE_SEED $HONE_MAX_TOKENS");
  EXPECT_EQ(reply_of(asked->submit(prompt)).text, "m 0.5 7 99\n");
}

TEST_F(CommandBackendTest, PassesOnlyGivenEnvironment) {
  environment = {{"PATH", "/usr/bin:/bin"}, {"OTHER_CLIENTS_KEY", "theirs"}};
  ::setenv("HONE_API_KEY", "sk-hone-secret-0123456789", 1);
  const Reply got = reply("env");
  ::unsetenv("HONE_API_KEY");
  EXPECT_THAT(got.text, HasSubstr("OTHER_CLIENTS_KEY=theirs"));
  EXPECT_THAT(got.text, Not(HasSubstr("sk-hone-secret")));
}

TEST_F(CommandBackendTest, DoesNotBlockOnLongUnreadPrompt) {
  const auto asked = client("echo short");
  EXPECT_EQ(reply_of(asked->submit(asking(std::string(5'000'000, 'x')))).text, "short\n");
}

TEST_F(CommandBackendTest, ReplacesInvalidUtf8InReply) {
  EXPECT_EQ(reply(R"(printf 'a\377b')").text,
            "a\xEF\xBF\xBD"
            "b");
}

TEST_F(CommandBackendTest, CutsOffEndlessOutput) {
  settings.reply_bytes = 1 << 20;
  const Failure got = failure("yes");
  EXPECT_EQ(got.kind, FailureKind::too_large);
  EXPECT_LT(got.seconds, 30);
}

TEST_F(CommandBackendTest, RejectsBlankOutput) {
  const Failure got = failure("echo ' '; echo 'no credit left' >&2");
  EXPECT_EQ(got.kind, FailureKind::malformed);
  EXPECT_THAT(got.what, HasSubstr("no credit left"));
}

TEST_F(CommandBackendTest, ReportsExitStatusAndCleanErrorOutput) {
  const Failure got = failure(R"(echo partial; printf '\033[31mquota\nexceeded\a' >&2; exit 3)");
  EXPECT_EQ(got.kind, FailureKind::exhausted);
  EXPECT_FALSE(got.ends_the_run);
  EXPECT_THAT(got.what, HasSubstr("'sh' ended with exit status 3"));
  EXPECT_THAT(got.what, HasSubstr("quota exceeded"));
  EXPECT_THAT(got.what, Not(HasSubstr("\033")));
}

TEST_F(CommandBackendTest, ReportsSignal) {
  EXPECT_THAT(failure("kill -9 $$").what, HasSubstr("signal 9"));
}

TEST_F(CommandBackendTest, RetriesFailedCommand) {
  pace.attempts = 3;
  const Reply got = reply("if mkdir '" + at("once") + "' 2>/dev/null; then exit 1; fi; echo better");
  EXPECT_EQ(got.text, "better\n");
  EXPECT_EQ(got.attempts, 2);
}

TEST_F(CommandBackendTest, EndsRunIfProgramIsMissing) {
  settings.command = {"no-such-language-model"};
  const auto asked =
      std::make_unique<PacedClient>(make_command_backend(settings, environment, Scrubber({}), processes), pace, clock);
  const Failure got = failure_of(asked->submit(asking("x")));
  EXPECT_EQ(got.kind, FailureKind::unreachable);
  EXPECT_TRUE(got.ends_the_run);
  EXPECT_THAT(got.what, HasSubstr("no-such-language-model"));
}

std::vector<pid_t> pids_in(const std::string& file) {
  std::vector<pid_t> pids;
  std::istringstream lines(os::read_file(file).value_or(""));
  for (pid_t pid; lines >> pid;) pids.push_back(pid);
  return pids;
}

// The pids that the script writes, once it has.
std::vector<pid_t> all_pids_in(const std::string& file) {
  for (int i = 0; i < 5000; ++i) {
    if (const auto pids = pids_in(file); pids.size() == 3) return pids;
    std::this_thread::sleep_for(1ms);
  }
  return {};
}

bool die(const std::vector<pid_t>& pids) {
  for (const pid_t pid : pids) {
    for (int i = 0; i < 5000 && ::kill(pid, 0) == 0; ++i) std::this_thread::sleep_for(1ms);
    if (::kill(pid, 0) == 0) return false;
  }
  return true;
}

// Children that leave the session and ignore what they can, too.
std::string never_ends(const std::string& file) {
  return "trap '' TERM INT HUP; (trap '' TERM; setsid sleep 1000 & echo $! >>'" + file +
         "'; sleep 1000) & echo $$ $! >>'" + file + "'; sleep 1000";
}

TEST_F(CommandBackendTest, KillsTimedOutCommandWithItsChildren) {
  settings.timeout = 500ms;
  const Failure got = failure(never_ends(at("pids")));
  EXPECT_EQ(got.kind, FailureKind::timeout);
  EXPECT_FALSE(got.ends_the_run);
  EXPECT_THAT(got.what, HasSubstr("0.5 s"));
  EXPECT_TRUE(die(pids_in(at("pids"))));  // as many as there was time for
}

TEST_F(CommandBackendTest, KillsCommandOfStoppedCall) {
  const auto asked = client(never_ends(at("pids")));
  std::stop_source stop;
  auto outcome = asked->submit(asking("x"), stop.get_token());
  const auto pids = all_pids_in(at("pids"));
  ASSERT_FALSE(pids.empty());
  stop.request_stop();
  EXPECT_EQ(failure_of(std::move(outcome)).kind, FailureKind::canceled);
  EXPECT_TRUE(die(pids));
}

TEST_F(CommandBackendTest, KillsCommandsAndAnswersCallsWhenDestroyed) {
  auto asked = client(never_ends(at("pids")));
  auto flying = asked->submit(asking("x"));
  const auto pids = all_pids_in(at("pids"));
  ASSERT_FALSE(pids.empty());
  asked.reset();
  EXPECT_EQ(failure_of(std::move(flying)).kind, FailureKind::canceled);
  EXPECT_TRUE(die(pids));
}

}  // namespace
}  // namespace hone::llm

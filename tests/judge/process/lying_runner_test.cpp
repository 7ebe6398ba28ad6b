// What a runner says is a claim: one test a lie, each told by a real process on the real channel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tool/judge/ground/shared_memory.h"
#include "tool/judge/process/runner.h"

namespace hone::judge {
namespace {
using testing::HasSubstr;
using Kind = RunnerFailure::Kind;

class LyingRunner : public testing::Test {
 protected:
  static Runner start(const std::string& lie) {
    auto runner = Runner::start(lie, {.program = HONE_LYING_RUNNER});
    EXPECT_TRUE(runner) << runner.error().message();
    return std::move(*runner);
  }

  // A request of each kind until one fails, as the judge makes them.
  static RunnerAnswer<void> use(Runner& runner) {
    const std::vector<runner::Scalar> scalars(2);
    HONE_CHECK(runner.ready());
    HONE_CHECK(runner.assign_problem(0, scalars));
    HONE_CHECK(runner.evaluate(scalars, 3));
    const SharedMemory inputs = SharedMemory::create(4096, SharedMemory::Access::read_only).value();
    const SharedMemory outputs = SharedMemory::create(4096, SharedMemory::Access::read_write).value();
    const runner::Region regions[] = {{0, 4096, 0, 0}, {0, 4096, 1, 0}};
    HONE_CHECK(runner.map(1, regions, inputs.handle(), outputs.handle()));
    const std::vector<runner::Binding> bindings(2);
    HONE_CHECK(runner.bind(1, bindings, scalars));
    HONE_CHECK(runner.call(1, {}, 0.2));
    HONE_CHECK(runner.call(1, {}, 0.2));
    return runner.unmap(1);
  }

  static RunnerFailure failure_of(const std::string& lie) {
    Runner runner = start(lie);
    const auto used = use(runner);
    EXPECT_FALSE(used) << "the lie '" << lie << "' was believed";
    if (used) return {};
    EXPECT_FALSE(runner.ready() && runner.unmap(1)) << "the liar lives on";
    return used.error();
  }

  static std::size_t open_descriptors() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
  }
};

TEST_F(LyingRunner, IsAcceptedWhenItTellsNoLie) {
  Runner runner = start("none");
  const auto used = use(runner);
  EXPECT_TRUE(used) << used.error().text;
}

// To map a device's memory takes long.
TEST_F(LyingRunner, IsToldToMapLentMemoryOnceForEachSet) {
  Runner runner = start("lending");
  const SharedMemory file = SharedMemory::create(4096, SharedMemory::Access::read_write).value();
  const auto memory = [&](std::uint64_t number) { return SharedHandle{file.descriptor(), 4096, number}; };
  const auto told = [&](unsigned set, const SharedHandle& inputs, const SharedHandle& outputs) {
    const runner::Region regions[] = {{0, 4096, 0, 0}, {0, 4096, 1, 0}};
    EXPECT_TRUE(runner.map(set, regions, inputs, outputs));
    return static_cast<runner::Lending>(runner.addresses(set).front());
  };
  EXPECT_EQ(told(0, memory(1), memory(2)), runner::Lending::anew);
  EXPECT_EQ(told(0, memory(1), memory(2)), runner::Lending::as_before);
  EXPECT_EQ(told(1, memory(1), memory(2)), runner::Lending::anew);
  EXPECT_EQ(told(0, memory(1), memory(3)), runner::Lending::anew);
  ASSERT_TRUE(runner.restart());
  EXPECT_EQ(told(0, memory(1), memory(3)), runner::Lending::anew);
  EXPECT_EQ(told(0, file.host_handle(), file.host_handle()), runner::Lending::none);
}

TEST_F(LyingRunner, IsStoppedForAnsweringTwice) {
  const RunnerFailure failure = failure_of("twice");
  EXPECT_EQ(failure.kind, Kind::nonsense);
  EXPECT_THAT(failure.text, testing::AnyOf(HasSubstr("without being asked"), HasSubstr("another request")));
}

TEST_F(LyingRunner, IsStoppedForAnsweringBeforeRequest) {
  const RunnerFailure failure = failure_of("early");
  EXPECT_EQ(failure.kind, Kind::nonsense);
  EXPECT_THAT(failure.text, testing::AnyOf(HasSubstr("without being asked"), HasSubstr("another request")));
}

TEST_F(LyingRunner, IsStoppedForSecondHello) {
  EXPECT_EQ(failure_of("two hellos").kind, Kind::nonsense);
}

TEST_F(LyingRunner, IsStoppedForAnsweringAnotherRequest) {
  EXPECT_THAT(failure_of("other request").text, HasSubstr("answered another request"));
}

TEST_F(LyingRunner, IsStoppedForReplyOfWrongLength) {
  EXPECT_THAT(failure_of("short").text, HasSubstr("of another kind"));
  EXPECT_THAT(failure_of("long").text, HasSubstr("of another kind"));
  EXPECT_THAT(failure_of("enormous").text, HasSubstr("of another kind"));
  EXPECT_THAT(failure_of("one byte").text, HasSubstr("no reply"));
  EXPECT_THAT(failure_of("fault of full length").text, HasSubstr("of another kind"));
}

TEST_F(LyingRunner, IsStoppedForUnknownReplyKind) {
  EXPECT_EQ(failure_of("unknown answer").kind, Kind::nonsense);
}

TEST_F(LyingRunner, IsStoppedForOtherProtocolVersion) {
  EXPECT_THAT(failure_of("stale version").text, HasSubstr("no reply"));
}

TEST_F(LyingRunner, IsReportedAsCrashedForInventedFault) {
  const RunnerFailure failure = failure_of("fault");
  EXPECT_EQ(failure.kind, Kind::crashed);
  EXPECT_EQ(failure.fault.signal, -12345);
}

TEST_F(LyingRunner, HasItsTextEscaped) {
  const RunnerFailure said = failure_of("escapes");
  EXPECT_EQ(said.text, "could not do what the judge asked: \\x1b]0;owned\\x07faster: 9.00x\\x0d \\xff\\u202e");
  const RunnerFailure hello = failure_of("hello with escapes");
  EXPECT_EQ(hello.kind, Kind::refused_to_load);
  EXPECT_EQ(hello.text, "does not load: no such file");
  EXPECT_THAT(failure_of("hello without symbol").text,
              HasSubstr("'zlib_crc' is defined in another file, or in a library"));
}

TEST_F(LyingRunner, HasUnterminatedTextCutAtFieldEnd) {
  EXPECT_EQ(failure_of("unterminated").text.size(),
            std::string("could not do what the judge asked: ").size() + runner::text_bytes);
}

TEST_F(LyingRunner, IsStoppedForImpossibleAddresses) {
  EXPECT_THAT(failure_of("addresses").text, HasSubstr("where no memory is"));
}

TEST_F(LyingRunner, IsStoppedForClosingItsChannel) {
  EXPECT_THAT(failure_of("closed").text, HasSubstr("closed its channel"));
  EXPECT_THAT(failure_of("half closed").text, HasSubstr("closed its channel"));
  // The next request may be on its way already when it stops to listen; then it is the clock that ends it.
  const RunnerFailure deaf = failure_of("deaf");
  if (deaf.kind != Kind::timed_out) EXPECT_THAT(deaf.text, HasSubstr("closed its channel"));
  EXPECT_THAT(failure_of("empty").text, HasSubstr("closed its channel"));
}

TEST_F(LyingRunner, TimesOutWhenSilent) {
  Runner runner = start("silent");
  ASSERT_TRUE(runner.ready());
  const auto called = runner.call(1, {}, 0.05);
  ASSERT_FALSE(called);
  EXPECT_EQ(called.error().kind, Kind::timed_out);
}

TEST_F(LyingRunner, HasDescriptorsInRepliesClosed) {
  Runner runner = start("descriptor");
  ASSERT_TRUE(runner.ready());
  const std::vector<runner::Scalar> scalars(2);
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(runner.assign_problem(0, scalars));
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(LyingRunner, IsReplacedByWorkingProcessOnRestart) {
  Runner runner = start("two hellos");
  ASSERT_FALSE(use(runner));
  ASSERT_TRUE(runner.restart());
  EXPECT_TRUE(runner.ready());
}

}  // namespace
}  // namespace hone::judge

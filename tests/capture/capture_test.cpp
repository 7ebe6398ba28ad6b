// From calls in a process to problems and inputs in a folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "tool/capture/captures.h"
#include "tool/capture/recorder/recorder.h"
#include "tool/os/files/files.h"

namespace hone::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr unsigned kSigned = static_cast<unsigned>(ScalarKind::signed_integer);
constexpr unsigned kFloating = static_cast<unsigned>(ScalarKind::floating);

// As the text in a kernel's body does it.
void blur(const std::vector<float>& x, int n, int depth = 0) {
  hone_capture_mark mark __attribute__((cleanup(hone_capture_end))) = {};
  const hone_capture_value scalars[] = {{"n", &n, 1, sizeof n, kSigned}};
  if (hone_capture_call(&mark, "blur", scalars, 1)) {
    const hone_capture_value arrays[] = {{"x", x.data(), x.size(), sizeof(float), kFloating}};
    hone_capture_inputs(&mark, "blur", scalars, 1, arrays, 1);
  }
  if (depth > 0) blur(std::vector<float>(x.begin() + 1, x.end()), n - 1, depth - 1);
}

// What a process of its own recorded.
std::vector<CapturedCall> captured(const std::function<void()>& program) {
  const auto folder = os::TemporaryFolder::create("hone-capture-test").value();
  const pid_t child = fork();
  if (child == 0) {
    setenv("HONE_CAPTURE", folder.path().c_str(), 1);
    program();
    std::exit(0);
  }
  waitpid(child, nullptr, 0);
  std::vector<CapturedCall> calls;
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    for (CapturedCall& call : read_recording(os::read_file(file.path()).value())) calls.push_back(std::move(call));
  return calls;
}

// As if each call had taken as long: what the machine does meanwhile decides nothing.
std::vector<CapturedCall> captured_evenly(const std::function<void()>& program) {
  std::vector<CapturedCall> calls = captured(program);
  for (CapturedCall& call : calls) call.nanoseconds = 100 * call.calls;
  return calls;
}

TEST(Capture, CountsProblemsAndKeepsInputs) {
  const auto folder = os::TemporaryFolder::create("hone-captures").value();
  const auto calls = captured_evenly([] {
    for (int i = 0; i < 3000; ++i) blur(std::vector<float>(4, static_cast<float>(i)), 4);
    for (int i = 0; i < 5; ++i) blur({1, 2}, 2);
  });
  const auto kernels = add_captures(folder.path(), calls);
  ASSERT_TRUE(kernels) << kernels.error().message();
  const CapturedKernel kernel = read_captures(folder.path(), "blur");
  EXPECT_EQ(kernel.calls(), 3005u);
  ASSERT_THAT(kernel.problems, SizeIs(2));
  EXPECT_EQ(kernel.problems[0].calls, 3000u);
  EXPECT_EQ(label_of(kernel.problems[0]), "n=4");
  EXPECT_THAT(kernel.problems[0].inputs, SizeIs(5));  // calls 1, 2, 10, 100, 1000
  EXPECT_THAT(kernel.problems[1].inputs, SizeIs(1));  // all alike
  const auto array = read_array(folder.path(), kernel.problems[1].inputs[0].at("x"));
  ASSERT_TRUE(array) << array.error().message();
  EXPECT_EQ(*array, std::string(reinterpret_cast<const char*>(std::vector<float>{1, 2}.data()), 8));
}

TEST(Capture, AddsLaterRuns) {
  const auto folder = os::TemporaryFolder::create("hone-captures").value();
  for (int run = 0; run < 2; ++run) ASSERT_TRUE(add_captures(folder.path(), captured([] { blur({1, 2}, 2); })));
  const CapturedKernel kernel = read_captures(folder.path(), "blur");
  EXPECT_EQ(kernel.calls(), 2u);
  ASSERT_THAT(kernel.problems, SizeIs(1));
  EXPECT_THAT(kernel.problems[0].inputs, SizeIs(1));
}

TEST(Capture, CountsCallsOfAllThreadsAndOfForkedProcesses) {
  const auto calls = captured([] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([] {
        for (int call = 0; call < 500; ++call) blur({1, 2}, 2);
      });
    for (std::thread& thread : threads) thread.join();
    const pid_t child = fork();
    blur({1, 2}, 2);
    if (child == 0) std::exit(0);
    waitpid(child, nullptr, 0);
  });
  const auto folder = os::TemporaryFolder::create("hone-captures").value();
  ASSERT_TRUE(add_captures(folder.path(), calls));
  EXPECT_EQ(read_captures(folder.path(), "blur").calls(), 2002u);
}

TEST(Capture, TakesACallWithinACallForPartOfIt) {
  const auto folder = os::TemporaryFolder::create("hone-captures").value();
  ASSERT_TRUE(add_captures(folder.path(), captured([] {
                             for (int i = 0; i < 3; ++i) blur({1, 2, 3, 4}, 4, 2);
                           })));
  const CapturedKernel kernel = read_captures(folder.path(), "blur");
  ASSERT_THAT(kernel.problems, SizeIs(1));
  EXPECT_EQ(label_of(kernel.problems[0]), "n=4");
  EXPECT_EQ(kernel.calls(), 3u);
  EXPECT_GT(kernel.problems[0].nanoseconds, 0u);
}

TEST(Capture, LosesLittleOfAKilledProcess) {
  const auto folder = os::TemporaryFolder::create("hone-captures").value();
  const auto calls = captured([] {
    for (int i = 0; i < 5000; ++i) blur({1, 2}, 2);
    kill(getpid(), SIGKILL);
  });
  ASSERT_TRUE(add_captures(folder.path(), calls));
  const CapturedKernel kernel = read_captures(folder.path(), "blur");
  EXPECT_GT(kernel.calls(), 4400u);
  EXPECT_THAT(kernel.problems.at(0).inputs, SizeIs(1));
}

TEST(Capture, IsIgnoredByGitUntilItsUserWantsIt) {
  const auto folder = os::TemporaryFolder::create("hone-captures").value();
  const auto to = folder.path() / "hone" / "captures";
  ASSERT_TRUE(add_captures(to, captured([] { blur({1, 2}, 2); })));
  EXPECT_THAT(os::read_file(to / ".gitignore").value(), ::testing::EndsWith("\n*\n"));
  std::filesystem::remove(to / ".gitignore");
  ASSERT_TRUE(add_captures(to, captured([] { blur({1, 2}, 2); })));
  EXPECT_FALSE(std::filesystem::exists(to / ".gitignore"));
}

TEST(Capture, CountsOnlyWhereAnExtentIsTooLarge) {
  const auto calls = captured([] {
    void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const int n = 1 << 20;
    const hone_capture_value scalars[] = {{"n", &n, 1, sizeof n, kSigned}};
    const hone_capture_value arrays[] = {{"x", page, 1u << 20, sizeof(float), kFloating}};
    hone_capture_mark mark = {};
    if (hone_capture_call(&mark, "wrong", scalars, 1)) hone_capture_inputs(&mark, "wrong", scalars, 1, arrays, 1);
    hone_capture_end(&mark);
    blur({1, 2}, 2);
  });
  const auto folder = os::TemporaryFolder::create("hone-captures").value();
  ASSERT_TRUE(add_captures(folder.path(), calls));
  const CapturedKernel wrong = read_captures(folder.path(), "wrong");
  EXPECT_EQ(wrong.calls(), 1u);
  ASSERT_THAT(wrong.problems, SizeIs(1));
  EXPECT_THAT(wrong.problems[0].inputs, IsEmpty());
  EXPECT_EQ(read_captures(folder.path(), "blur").calls(), 1u);
}

TEST(Capture, ReadsWhatIsWholeOfATornRecording) {
  const auto folder = os::TemporaryFolder::create("hone-capture-test").value();
  const pid_t child = fork();
  if (child == 0) {
    setenv("HONE_CAPTURE", folder.path().c_str(), 1);
    blur({1, 2}, 2);
    blur({3, 4}, 2);
    std::exit(0);
  }
  waitpid(child, nullptr, 0);
  const std::string whole = os::read_file(std::filesystem::directory_iterator(folder.path())->path()).value();
  const std::vector<CapturedCall> all = read_recording(whole);
  ASSERT_THAT(all, SizeIs(3));  // two inputs, one count
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    const std::vector<CapturedCall> some = read_recording(whole.substr(0, bytes));
    ASSERT_LE(some.size(), all.size());
    for (const CapturedCall& one : some)  // counts are those so far
      if (one.calls == 0)
        EXPECT_THAT(all, ::testing::Contains(one));
      else
        EXPECT_LE(one.calls, 2u);
  }
}

TEST(Capture, RefusesADamagedArray) {
  const auto folder = os::TemporaryFolder::create("hone-captures").value();
  ASSERT_TRUE(add_captures(folder.path(), captured([] { blur({1, 2}, 2); })));
  const CapturedArray array = read_captures(folder.path(), "blur").problems.at(0).inputs.at(0).at("x");
  ASSERT_TRUE(os::write_file_atomically(folder.path() / "cas" / (array.digest + ".zst"), "rubbish"));
  EXPECT_FALSE(read_array(folder.path(), array));
}

TEST(Capture, KeepsTheProblemsOfMostCallsWithinItsLimits) {
  const auto folder = os::TemporaryFolder::create("hone-captures").value();
  const auto calls = captured_evenly([] {
    for (int n = 1; n <= 5; ++n)
      for (int call = 0; call < n; ++call)
        blur(std::vector<float>(static_cast<std::size_t>(n), static_cast<float>(call)), n);
  });
  ASSERT_TRUE(add_captures(folder.path(), calls, {.problems = 2, .inputs = 1}));
  const CapturedKernel kernel = read_captures(folder.path(), "blur");
  EXPECT_EQ(kernel.calls(), 15u);
  EXPECT_EQ(kernel.other_calls, 6u);
  ASSERT_THAT(kernel.problems, SizeIs(2));
  EXPECT_EQ(label_of(kernel.problems[0]), "n=5");
  EXPECT_THAT(kernel.problems[0].inputs, SizeIs(1));
}

}  // namespace
}  // namespace hone::capture

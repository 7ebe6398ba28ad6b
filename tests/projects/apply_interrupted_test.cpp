// What a compile leaves that is interrupted, and how `hone cc` ends when its compiler does.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr const char* kScale = R"(#include <cstdio>
#include <vector>
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= 2;
}
int main() {
  std::vector<float> x{1, 2};
  scale(x.data(), 2);
  std::printf("%g %g\n", x[0], x[1]);
}
)";

bool soon(const std::function<bool()>& holds) {
  for (int look = 0; look < 10'000; ++look, std::this_thread::sleep_for(1ms))
    if (holds()) return true;
  return false;
}

// Of all processes, those whose command line has the word.
unsigned processes_with(const std::string& word) {
  unsigned found = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error))
    found += os::read_file(entry.path() / "cmdline").value_or("").find(word) != std::string::npos;
  return found;
}

class InterruptedCompile : public testing::Test {
 protected:
  void SetUp() override {
    project.write("scale.cpp", kScale);
    project.lock_variant("scale", "scale.cpp", project.key_of_file("scale", "scale.cpp"),
                         "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 3;\n}\n");
  }

  // `hone cc` of scale.cpp by that compiler, not waited for.
  pid_t start(const std::string& compiler) const {
    const std::string source = (project.source() / "scale.cpp").string(), object = project.object("scale.cpp").string();
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    if (::chdir(project.source().c_str()) != 0) ::_exit(127);
    ::execl(HONE_PROGRAM, HONE_PROGRAM, "cc", "--", compiler.c_str(), "-Wall", "-Wno-unknown-pragmas", "-c",
            source.c_str(), "-o", object.c_str(), nullptr);
    ::_exit(127);
  }
  static int ended(pid_t pid) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    return status;
  }
  // A compiler that says where it is, half-way through its object, and then does as told.
  std::string compiler(const std::string& then) {
    const std::string path = (project.folder() / "cc.sh").string();
    project.write("../cc.sh",
                  "#!/bin/sh\n[ \"$1\" = -print-file-name=include ] && exec g++ \"$@\"\n"
                  "for word; do [ \"$before\" = -o ] && object=$word; before=$word; done\ncase $object in *.o) ;; *) "
                  "exec g++ \"$@\";; esac\n"
                  "printf half > \"$object\"\n" +
                      then + "\n");
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  bool half_way() const { return project.read(project.object("scale.cpp")) == "half"; }
  std::string says() { return project.link_and_run({"scale.cpp"}).out; }

  Project project;
};

TEST_F(InterruptedCompile, RemovesCompilerAndHalfObjectIfKilled) {
  const std::string word = "4242." + std::to_string(::getpid());
  const pid_t pid = start(compiler("sleep " + word + " & wait"));
  ASSERT_TRUE(soon([&] { return half_way() && processes_with(word) > 0; }));
  ::kill(pid, SIGKILL);
  ended(pid);
  EXPECT_TRUE(soon([&] { return processes_with(word) == 0; }));
  EXPECT_TRUE(soon([&] { return !fs::exists(project.object("scale.cpp")); }));
  ASSERT_TRUE(project.compile("scale.cpp").ok());
  EXPECT_EQ(says(), "3 6\n");
  EXPECT_FALSE(fs::exists(project.object("scale.cpp").string() + ".hone"));
}

TEST_F(InterruptedCompile, LeavesNoPartialObjectIfKilledAtAnyMoment) {
  std::mt19937 random(std::random_device{}());
  for (int run = 0; run < 12; ++run) {
    fs::remove(project.object("scale.cpp"));
    const pid_t pid = start("g++");
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 700));
    ::kill(pid, SIGKILL);
    const bool whole = ended(pid) == 0;
    EXPECT_TRUE(soon([&] { return processes_with(project.object("scale.cpp").string()) == 0; }));
    if (whole || fs::exists(project.object("scale.cpp"))) EXPECT_EQ(says(), "3 6\n");
  }
  ASSERT_TRUE(project.compile("scale.cpp").ok());
  EXPECT_EQ(says(), "3 6\n");
}

TEST_F(InterruptedCompile, ForwardsSignalAndEndsLikeCompiler) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    ::signal(number, SIG_DFL);  // whoever started the tests in the background has it ignored
    fs::remove(project.object("scale.cpp"));
    const pid_t pid = start(compiler("exec sleep 1000"));
    ASSERT_TRUE(soon([&] { return half_way(); }));
    std::this_thread::sleep_for(20ms);  // from the shell to sleep
    ::kill(pid, number);
    const int status = ended(pid);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), number);
  }
}

TEST_F(InterruptedCompile, ReturnsExitCodeOfCompilerThatHandlesSignal) {
  const pid_t pid = start(compiler("trap 'exit 7' TERM; echo > \"$object.ready\"; while :; do sleep 0.01; done"));
  ASSERT_TRUE(soon([&] { return fs::exists(project.object("scale.cpp").string() + ".ready"); }));
  ::kill(pid, SIGTERM);
  const int status = ended(pid);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_F(InterruptedCompile, EndsWithSignalOfCrashedCompiler) {
  const int status = ended(start(compiler("ulimit -c 0; kill -SEGV $$")));
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGSEGV);
}

TEST_F(InterruptedCompile, FailsEvenIfCallerIgnoresChildren) {
  project.write("scale.cpp", std::string(kScale) + "int broken( { }\n");
  const Outcome compiled = project.run(
      {"sh", "-c", "trap '' CHLD; exec \"$0\" cc -- g++ -Wno-unknown-pragmas -c scale.cpp -o x.o", HONE_PROGRAM},
      project.source());
  EXPECT_EQ(compiled.code, 1) << compiled.all();
}

TEST_F(InterruptedCompile, KeepsDaemonOfSuccessfulCompile) {
  const std::string word = "4343." + std::to_string(::getpid());
  const int status = ended(start(compiler("setsid sleep " + word + " </dev/null >/dev/null 2>&1 &\nexit 0")));
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(soon([&] { return processes_with(word) == 1; }));
  project.run({"sh", "-c",
               "for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline | grep -q '^sleep " + word +
                   "' && kill ${p#/proc/}; done; true"},
              project.folder());
}

}  // namespace
}  // namespace hone::tests

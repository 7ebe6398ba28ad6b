// `hone suggest` on programs that are really compiled and run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kWork = R"(#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
static float half(float x) { return x * 0.5f; }
void smooth(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += half(x[i] + k) / (1 + sum * sum);
    y[i] = sum;
  }
}
void work(int rounds) {
  std::vector<float> x(10000, 1.0f), y(10000);
  for (int i = 0; i < rounds; ++i) smooth(x.data(), y.data(), 10000);
  std::printf("%g\n", y[5]);
}
)";

class Suggest : public testing::Test {
 protected:
  os::TemporaryFolder folder_ = *os::TemporaryFolder::create("hone-suggest-test");
  fs::path root_ = folder_.path();

  os::Exit run(const std::vector<std::string>& command) {
    os::Process process;
    process.arguments = command;
    process.directory = root_.string();
    auto exit = os::PosixProcessRunner().run(process);
    EXPECT_TRUE(exit) << exit.error().message();
    return exit ? *exit : os::Exit{};
  }
  void compile(const std::string& rest, std::vector<std::string> flags = {"-O1", "-g"}) {
    ASSERT_TRUE(os::write_file_atomically(root_ / "app.cpp", kWork + rest));
    flags.insert(flags.begin(), "g++");
    flags.insert(flags.end(), {"app.cpp", "-o", "app", "-pthread"});
    const json entry = {
        {"directory", root_.string()}, {"file", "app.cpp"}, {"command", "g++ -O1 -g -c app.cpp -o app.o"}};
    ASSERT_TRUE(os::write_file_atomically(root_ / "compile_commands.json", json::array({entry}).dump()));
    const os::Exit built = run(flags);
    ASSERT_TRUE(built.ok()) << built.err;
  }
  os::Exit suggest(std::vector<std::string> options = {}, std::vector<std::string> program = {"./app"}) {
    options.insert(options.begin(), {HONE_PROGRAM, "suggest"});
    options.push_back("--");
    options.insert(options.end(), program.begin(), program.end());
    return run(options);
  }
  // Its stdout begins with the program's own line.
  static json answer(const os::Exit& exit) { return json::parse(exit.out.substr(exit.out.find('{')), nullptr, false); }
  static void expect_smooth_first(const os::Exit& exit) {
    const json document = answer(exit);
    ASSERT_TRUE(document.is_object()) << exit.out << exit.err;
    ASSERT_FALSE(document["functions"].empty()) << exit.out << exit.err;
    EXPECT_EQ(document["functions"][0]["name"], "smooth") << exit.out;
  }
};

constexpr const char* kMain = "int main() { work(2000); }\n";

TEST_F(Suggest, NamesLoopWritesAnnotationAndLeavesTheRest) {
  compile(kMain);
  const os::Exit exit = suggest({"--json"});
  EXPECT_EQ(exit.code, 0) << exit.err;
  expect_smooth_first(exit);
  const json first = answer(exit)["functions"][0];
  EXPECT_EQ(first["annotatable"], true);
  EXPECT_EQ(first["pragma"], "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=512)");
  EXPECT_GT(first["in_loops"], 0.5) << "its helper's time is its own";
  EXPECT_EQ(*os::read_file(root_ / "app.cpp"), std::string(kWork) + kMain);

  const os::Exit asked = suggest({"--apply"});
  EXPECT_EQ(asked.code, 1) << "nobody said yes";
  EXPECT_EQ(*os::read_file(root_ / "app.cpp"), std::string(kWork) + kMain);

  const os::Exit applied = suggest({"--apply", "--yes"});
  EXPECT_EQ(applied.code, 0) << applied.err;
  EXPECT_THAT(*os::read_file(root_ / "app.cpp"),
              HasSubstr("problem(n=512)\nvoid smooth(const float* x, float* y, int n) {\n"));
  const os::Exit listed = run({HONE_PROGRAM, "list", "-p", ".", "--json"});
  EXPECT_EQ(json::parse(listed.out)["kernels"][0]["name"], "smooth") << listed.err;
}

TEST_F(Suggest, NamesSourceThatCrashesClangAndGoesOnWithTheRest) {
  ASSERT_TRUE(os::write_file_atomically(root_ / "crash.cpp", R"(#pragma clang __debug crash
float decay(float x, int n) {
  for (int i = 0; i < n; ++i) x = x * 0.999f + 1.0f / (1 + x * x);
  return x;
}
)"));
  compile("float decay(float, int);\nint main() { work(1000); std::printf(\"%g\\n\", decay(1, 20000000)); }\n",
          {"-O1", "-g", "crash.cpp"});
  json commands = json::parse(*os::read_file(root_ / "compile_commands.json"));
  commands.push_back(
      {{"directory", root_.string()}, {"file", "crash.cpp"}, {"command", "g++ -O1 -g -c crash.cpp -o crash.o"}});
  ASSERT_TRUE(os::write_file_atomically(root_ / "compile_commands.json", commands.dump()));
  const os::Exit exit = suggest();
  EXPECT_EQ(exit.code, 0) << exit.out << exit.err;
  EXPECT_THAT(exit.out + exit.err, HasSubstr("smooth"));
  EXPECT_THAT(exit.out + exit.err, HasSubstr("crash.cpp: Clang, with which Hone reads sources, ends abnormally on it"));
}

TEST_F(Suggest, GoesByNamesWithoutDebugInfo) {
  compile(kMain, {"-O1", "-fno-inline"});
  const os::Exit exit = suggest({"--json"});
  expect_smooth_first(exit);
  EXPECT_THAT(exit.err, HasSubstr("build it with -g"));
}

TEST_F(Suggest, SaysThatProgramIsStripped) {
  compile(kMain, {"-O1", "-s"});
  const os::Exit exit = suggest();
  EXPECT_EQ(exit.code, 1);
  EXPECT_THAT(exit.err, HasSubstr("has no symbols"));
}

TEST_F(Suggest, SaysThatProgramIsLinkedStatically) {
  compile(kMain, {"-O1", "-static"});
  const os::Exit exit = suggest();
  EXPECT_EQ(exit.code, 3);
  EXPECT_THAT(exit.err, HasSubstr("linked statically"));
}

TEST_F(Suggest, SaysThatRunWasTooShort) {
  compile("int main() { work(1); }\n");
  const os::Exit exit = suggest();
  EXPECT_EQ(exit.code, 1);
  EXPECT_THAT(exit.err, HasSubstr("too little to say where"));
}

TEST_F(Suggest, SaysThatProgramBlocksTheSignal) {
  compile(
      "#include <csignal>\nint main() { sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, nullptr); "
      "work(2000); }\n");
  const os::Exit exit = suggest();
  EXPECT_EQ(exit.code, 1);
  EXPECT_THAT(exit.err, HasSubstr("it blocks the signal SIGURG"));
}

TEST_F(Suggest, LeavesProgramsLimitsAndDescriptorsAlone) {
  compile(
      "#include <sys/resource.h>\n#include <unistd.h>\n"
      "int main() { for (int i = 3; i < 100; ++i) close(i); rlimit most{100, 100}; setrlimit(RLIMIT_FSIZE, &most);"
      " work(2000); }\n");
  const os::Exit exit = suggest({"--json"});
  EXPECT_THAT(exit.err, testing::Not(HasSubstr("was ended by")));
  expect_smooth_first(exit);
}

TEST_F(Suggest, CountsWhatCrashedProgramDid) {
  compile("int main() { work(2000); std::abort(); }\n");
  const os::Exit exit = suggest({"--json"});
  expect_smooth_first(exit);
  EXPECT_THAT(exit.err, HasSubstr("was ended by Aborted"));
}

TEST_F(Suggest, CountsThreadsAndChildren) {
  compile("#include <thread>\nint main() { std::thread a(work, 1000), b(work, 1000); a.join(); b.join(); }\n");
  expect_smooth_first(suggest({"--json"}));
  compile(
      "#include <sys/wait.h>\n#include <unistd.h>\n"
      "int main() { if (fork() == 0) { work(2000); _exit(0); } wait(nullptr); }\n");
  expect_smooth_first(suggest({"--json"}));
  expect_smooth_first(suggest({"--json"}, {"sh", "-c", "./app; true"}));
}

TEST_F(Suggest, SaysThatProgramIsNotThere) {
  compile(kMain);
  const os::Exit exit = suggest({}, {"./nobody"});
  EXPECT_EQ(exit.code, 3);
  EXPECT_THAT(exit.err, HasSubstr("cannot be started"));
}

}  // namespace
}  // namespace hone

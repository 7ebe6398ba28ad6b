// Nothing that is committed or shared tells who tuned, where and when. A user with a name that is nowhere else tunes on
// a machine with such a name, in such a folder; then everything that was written is read.
#include <gmock/gmock.h>
#include <unistd.h>
#include <zstd.h>

#include <memory>

#include "tests/llm/loopback_server.h"
#include "tests/projects/project.h"
#include "tests/projects/traces.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kUser = "quetzalcoatl";
constexpr const char* kFolder = "nightingale";
constexpr const char* kHost = "zanzibar";

constexpr const char* kList = R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(Hone REQUIRED)
add_executable(app main.cpp grow.cpp sums.cpp)
hone_target(app TRIALS 1 BUDGET 60s)
)";
// Both are found several times faster, so a busy machine hides neither gain.
constexpr const char* kGrow = R"(#include "place.h"
extern "C" float expf(float) noexcept;
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100000)
void grow(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = expf(x[i]);
}
)";
constexpr const char* kSums = R"(#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=3000)
void running_sums(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = 0;
    for (int j = 0; j <= i; ++j) y[i] += x[j];
  }
}
)";
constexpr const char* kMain = R"(#include <cstdio>
#include <vector>
void grow(const float* x, float* y, int n);
void running_sums(const float* x, float* y, int n);
int main() {
  const int n = 200;
  std::vector<float> x(n, 1), y(n);
  grow(x.data(), y.data(), n);
  running_sums(x.data(), y.data(), n);
  std::printf("%g\n", y[0]);
}
)";
// A model that first writes what no compiler takes, so that a compiler's words get into the next prompt.
constexpr const char* kModel = R"(#!/bin/sh
cat > /dev/null
printf 'name: one pass\nthought: each sum is the last one and one more\n```cpp\n'
echo 'void running_sums(const float* x, float* y, int n) {'
if mkdir "$0.asked" 2> /dev/null; then echo '  return undeclared;'; fi
echo '  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i];
    y[i] = sum;
  }
}'
printf '```\n'
)";

class Privacy : public testing::Test {
 protected:
  // Once: what is tested is what came of it.
  static void SetUpTestSuite() {
    made = std::make_unique<Project>(std::string(kFolder) + " source");
    made->write("CMakeLists.txt", kList);
    made->write("place.h", "#define HERE __FILE__\n");
    made->write("grow.cpp", kGrow);
    made->write("sums.cpp", kSums);
    made->write("main.cpp", kMain);
    fs::create_directories(home());
    std::ofstream(home() / "model") << kModel;
    fs::permissions(home() / "model", fs::perms(0755));
    const std::string build = made->build().string(), captured = (made->folder() / "capturing").string();
    const std::string package = std::string("-DHone_DIR=") + HONE_PACKAGE, source = made->source().string();
    must({"cmake", "-S", source, "-B", captured, "-G", "Ninja", package, "-DHONE_MODE=capture"});
    must({"cmake", "--build", captured});
    must({HONE_PROGRAM, "capture", "-p", captured, "--", captured + "/app"});
    must({"cmake", "-S", source, "-B", build, "-G", "Ninja", package, "-DCMAKE_BUILD_TYPE=Release"});
    must({HONE_PROGRAM, "tune", "-p", build, "grow"});
    must({HONE_PROGRAM, "tune", "-p", build, "running_sums", "--trials", "2", "--strategy", "full", "--proposer",
          "command:" + (home() / "model").string(), "--executor",
          "command:env MACHINE=" + host() + " " + HONE_PACKAGE + "/libexec/hone/hone-worker -"});
    must({"cmake", "--build", build});
  }
  static void TearDownTestSuite() { made.reset(); }

  static fs::path home() { return made->folder() / ("home-of-" + std::string(kUser)); }
  static fs::path user_store() { return made->folder() / "user cache" / "hone"; }

  // As that user, on that machine; where this one cannot be given another name, under its own.
  static std::vector<std::string> renamed() {
    static const bool can = std::system("unshare --uts hostname zanzibar 2>/dev/null") == 0;
    if (!can) return {};
    return {"unshare", "--uts", "sh", "-c", std::string("hostname ") + kHost + " && exec \"$@\"", "sh"};
  }
  static std::string host() {
    if (!renamed().empty()) return kHost;
    char name[256] = {};
    ::gethostname(name, sizeof name - 1);
    return std::string(name).size() > 4 ? name : kHost;
  }
  static Outcome as_user(std::vector<std::string> command, const std::vector<std::string>& more = {}) {
    const auto words = renamed();
    command.insert(command.begin(), words.begin(), words.end());
    std::vector<std::string> environment = {"HOME=" + home().string(), std::string("USER=") + kUser,
                                            std::string("LOGNAME=") + kUser, "HOSTNAME=" + host()};
    environment.insert(environment.end(), more.begin(), more.end());
    return made->run(std::move(command), made->source(), environment);
  }
  static void must(const std::vector<std::string>& command) {
    const Outcome done = as_user(command);
    ASSERT_TRUE(done.ok()) << command.front() << ' ' << command[1] << ": " << done.all();
  }

  static std::vector<std::string> traces(const std::string& text) {
    static const Traces all({kUser, kFolder, host(), made->folder().filename().string()}, std::time(nullptr));
    return all.in(text);
  }

  static std::string without(std::string text, const std::string& part) {
    for (std::size_t at = 0; (at = text.find(part, at)) != text.npos;) text.erase(at, part.size());
    return text;
  }

  static std::string unpacked(const std::string& bytes) {
    std::string to(1 << 24, '\0');
    const std::size_t size = ZSTD_decompress(to.data(), to.size(), bytes.data(), bytes.size());
    EXPECT_FALSE(ZSTD_isError(size));
    return to.substr(0, size);
  }

  // Reads a folder's files, names and all.
  static void expect_no_trace(const fs::path& folder, std::size_t least_files) {
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      EXPECT_THAT(traces(entry.path().lexically_relative(folder).string()), IsEmpty());
      if (!entry.is_regular_file()) continue;
      ++files;
      const std::string bytes = made->read(entry.path());
      const bool is_packed = entry.path().extension() == ".zst";
      EXPECT_THAT(traces(is_packed ? unpacked(bytes) : bytes), IsEmpty()) << entry.path();
    }
    EXPECT_GE(files, least_files) << folder;
  }

  static std::unique_ptr<Project> made;
};

std::unique_ptr<Project> Privacy::made;

TEST_F(Privacy, TracesAreFoundWherePlanted) {
  constexpr std::time_t first_of_december = 1'796'083'200, tenth = first_of_december + 9 * 24 * 60 * 60;
  for (const std::time_t now : {std::time(nullptr), first_of_december, tenth})
    for (const char* format :
         {"%Y-%m-%dT%H:%M:%SZ", "on %d %b %Y.", "%e %B %Y", "%s", "{\"at\": %s123}", "log.%Y%m%d"}) {
      char date[64];
      ::strftime(date, sizeof date, format, ::gmtime(&now));
      EXPECT_THAT(Traces({}, now).in(date), testing::Not(IsEmpty())) << date;
    }
  for (const char* text :
       {"by Quetzalcoatl", "x=/home/ada/a.cpp:3", "ssh 10.1.2.3", "zanzibar.lab", "\"/usr/bin/g++\""})
    EXPECT_THAT(traces(text), testing::Not(IsEmpty())) << text;
  for (const char* text : {"g++ (Debian 12.2.0-14) 12.2.0", "0.000020261127", "a / b", "src/home/a.cpp", "1.2.3"})
    EXPECT_THAT(traces(text), IsEmpty()) << text;
}

TEST_F(Privacy, LockFileHasNoTrace) {
  const std::string lock = made->read(made->lock());
  EXPECT_EQ(count(lock, "\"seal\""), 2u) << lock;
  EXPECT_THAT(traces(lock), IsEmpty());
}

TEST_F(Privacy, ProjectsStoreAndCapturesHaveNoTrace) {
  EXPECT_TRUE(fs::exists(made->source() / "hone/captures"));
  expect_no_trace(made->source() / "hone", 6);
}

TEST_F(Privacy, UsersStoreHasNoTrace) {
  expect_no_trace(user_store(), 4);
}

TEST_F(Privacy, WhatIsPushedHasNoTrace) {
  const llm::LoopbackServer server(
      {[asked = 0](llm::LoopbackServer::Talk& talk) mutable { llm::answer(asked++ % 2 == 0 ? 404 : 201, "")(talk); }});
  const Outcome pushed =
      as_user({HONE_PROGRAM, "cache", "push", "-p", made->build().string()}, {"HONE_CACHE_URL=" + server.url()});
  EXPECT_THAT(pushed.out, HasSubstr("2 variants and 2 records went to")) << pushed.all();
  ASSERT_THAT(server.received(), SizeIs(8));
  for (const llm::Received& request : server.received()) {
    EXPECT_THAT(traces(request.body), IsEmpty());
    for (const auto& [name, value] : request.headers)
      if (name != "host") {
        EXPECT_THAT(traces(value), IsEmpty()) << name;
      }
  }
}

// What goes from machine to machine, into merge requests, and to whoever is shown a report.
TEST_F(Privacy, FiguresAndReportsHaveNoTrace) {
  const std::string build = made->build().string();
  const auto said = [&](std::vector<std::string> words) {
    words.insert(words.begin(), HONE_PROGRAM);
    words.insert(words.end(), {"-p", build});
    return as_user(std::move(words)).out;
  };
  const std::string verified = said({"verify", "--json"});
  EXPECT_THAT(verified, AllOf(HasSubstr("\"grow\""), HasSubstr("\"file\": \"sums.cpp\"")));
  EXPECT_THAT(traces(verified), IsEmpty());
  const std::string data = said({"report", "--json"}), page = said({"report", "-o", "-"});
  EXPECT_THAT(data, HasSubstr("\"running_sums\""));
  EXPECT_THAT(page, HasSubstr("running_sums"));
  // It is headed by the name of the project's own folder. Licenses of what is in the page name Debian's.
  for (const std::string& reported : {data, page})
    EXPECT_THAT(traces(without(without(reported, made->source().filename()), "/usr/share/common-licenses/")),
                IsEmpty());
  const std::string comment = said({"report", "--markdown"});
  EXPECT_THAT(comment, HasSubstr("running_sums"));
  EXPECT_THAT(traces(comment), IsEmpty());
}

// Without debug information, which has the folder as any compiler's has.
TEST_F(Privacy, ObjectsHaveNoTrace) {
  std::size_t objects = 0;
  for (const auto& entry : fs::recursive_directory_iterator(made->build() / "CMakeFiles" / "app.dir")) {
    if (entry.path().extension() != ".o") continue;
    ++objects;
    EXPECT_THAT(traces(made->run({"strings", "-a", entry.path().string()}, made->folder()).out), IsEmpty())
        << entry.path();
  }
  EXPECT_EQ(objects, 3u);
}

TEST_F(Privacy, ExportedTrainingDataHasNoTrace) {
  const Outcome exported = as_user({HONE_PROGRAM, "export", "-p", made->build().string()});
  EXPECT_THAT(exported.out, HasSubstr("undeclared")) << exported.all();
  EXPECT_THAT(traces(exported.out), IsEmpty());
}

}  // namespace
}  // namespace hone::tests

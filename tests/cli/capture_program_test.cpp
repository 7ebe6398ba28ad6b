// hone capture on real programs: from a compile with what records, to a judgment on what was recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "run_program.h"
#include "small_project.h"

namespace hone {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using Json = nlohmann::json;

// A build folder with one source in it, which is a whole program.
class CapturedProject {
 public:
  CapturedProject(const std::string& source, const std::string& flags, const std::string& compiler = "g++",
                  const std::string& name = "kernel.cpp")
      : project_("", flags), compiler_(compiler + " " + flags), name_(name) {
    project_.write(name, source);
    project_.write("build/compile_commands.json", "[{\"directory\": \"" + build().string() + "\", \"command\": \"" +
                                                      compiler_ + " -o kernel.o -c ../" + name + "\", \"file\": \"../" +
                                                      name + "\"}]");
  }

  std::filesystem::path build() const { return project_.folder() / "build"; }
  const SmallProject& files() const { return project_; }

  // "" or what went wrong, or was said.
  std::string make(const std::string& mode = "capture") const {
    const std::string compile = std::string(HONE_PROGRAM) + " cc --mode " + mode + " -- " + compiler_ +
                                " -o kernel.o -c ../" + name_ + " && g++ -o app kernel.o " + HONE_RECORDER +
                                " -lpthread";
    const Ended ended = shell(compile);
    return ended.code == 0 ? ended.err : "failed: " + ended.err;
  }

  Ended shell(const std::string& line) const {
    const std::string output = (project_.folder() / "shell").string();
    const int status =
        std::system(("cd " + build().string() + " && (" + line + ") >" + output + ".out 2>" + output + ".err").c_str());
    return {WEXITSTATUS(status), 0, project_.read(output + ".out"), project_.read(output + ".err")};
  }

  Ended hone(const std::vector<std::string>& words) const { return run(build(), words); }

  // Captured calls by kernel: the first of its problems, and how many calls there were.
  std::map<std::string, std::string> capture() const {
    const Ended ended = hone({"capture", "--json", "--", "./app"});
    std::map<std::string, std::string> kernels;
    if (ended.code != 0) return {{"failed", ended.err}};
    const Json answer = Json::parse(ended.out);
    for (const Json& kernel : answer.at("kernels"))
      kernels[kernel.at("name")] = kernel.at("problems").at(0).at("problem").get<std::string>() + ", " +
                                   std::to_string(kernel.at("calls").get<int>()) + " calls, " +
                                   kernel.at("problems").at(0).at("inputs").dump() + " inputs";
    return kernels;
  }

 private:
  SmallProject project_;
  std::string compiler_, name_;
};

const char* const kinds = R"(#include <thread>
#include <vector>
namespace app {
#pragma hone kernel in(x[0:n])
float sum(const float* x, int n) noexcept {
  float total = 0;
  for (int i = 0; i < n; ++i) total += x[i];
  return total;
}
class Filter {
  static constexpr int taps = 3;
 public:
  #pragma hone kernel in(x[0:n+taps]) inout(y[0:n])
  static void run(const float* x, float* y, long n, double factor) {
    for (long i = 0; i < n; ++i) y[i] += static_cast<float>(factor) * (x[i] + x[i + taps]);
  }
};
#pragma hone kernel in(x[0:n*N]) instantiate(T=int, N=2)
template <class T, int N>
T most(const T* x, int n) {
  T best = x[0];
  for (int i = 1; i < n * N; ++i)
    if (x[i] > best) best = x[i];
  return best;
}
}  // namespace app
#pragma hone kernel in(x[0:n])
extern "C" long halves(const int* x, int n) {
  if (n <= 1) return n == 1 ? x[0] : 0;
  return halves(x, n / 2) + halves(x + n / 2, n - n / 2);
}
#pragma hone kernel in(x[0:4])
int thrown(const int* x) {
  if (x[0] > 2) throw 1;
  return x[1];
}
int main() {
  std::vector<float> x(100, 1.0f), y(100);
  std::vector<int> whole(100, 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 25; ++i) app::sum(x.data(), 100);
    });
  for (std::thread& thread : threads) thread.join();
  app::Filter::run(x.data(), y.data(), 50, 0.5);
  long all = app::most<int, 2>(whole.data(), 10) + app::most<int, 1>(whole.data(), 10);
  for (int i = 0; i < 3; ++i) all += halves(whole.data(), 64);
  for (whole[0] = 0; whole[0] < 6; ++whole[0]) {
    try {
      all += thrown(whole.data());
    } catch (int) {
    }
  }
  return all > 1000;
}
)";

TEST(CaptureProgram, RecordsFunctionsOfAllKinds) {
  const CapturedProject project(
      kinds, "-std=c++17 -O1 -Wall -Wextra -Wconversion -Wshadow -pedantic -Werror -Wno-unknown-pragmas");
  ASSERT_EQ(project.make(), "");
  EXPECT_THAT(
      project.capture(),
      UnorderedElementsAre(Pair("app::sum(float const*, int)", HasSubstr("n=100, 100 calls")),
                           Pair("app::Filter::run(float const*, float*, long, double)", HasSubstr("n=50, 1 calls")),
                           Pair("int app::most<int, 2>(int const*, int)", HasSubstr("n=10, 1 calls")),
                           Pair("halves", HasSubstr("n=64, 3 calls")),
                           Pair("thrown(int const*)", HasSubstr("one size, 6 calls"))));
}

const char* const in_c = R"(#include <stddef.h>
#pragma hone kernel in(x[0:n]) inout(y[0:n])
void add(n, x, y)
  int n;
  const double *x;
  double *y;
{
  int i;
  for (i = 0; i < n; ++i) y[i] += x[i];
}
#pragma hone kernel in(x[0:n])
static double dot(const double *x, size_t n) {
  double sum = 0;
  size_t i;
  for (i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}
int main(void) {
  static double x[8] = {1, 2, 3}, y[8];
  int i;
  for (i = 0; i < 12; ++i) add(8, x, y);
  return dot(y, 3) > 1e9;
}
)";

TEST(CaptureProgram, RecordsC) {
  const CapturedProject project(
      in_c, "-std=c89 -O1 -Wall -Wextra -Wdeclaration-after-statement -pedantic -Werror -Wno-unknown-pragmas", "gcc",
      "kernel.c");
  ASSERT_EQ(project.make(), "");
  EXPECT_THAT(project.capture(),
              UnorderedElementsAre(Pair("add", HasSubstr("n=8, 12 calls")), Pair("dot", HasSubstr("n=3, 1 calls"))));
}

// Real rows are short, and its columns must not leave the matrix. The factors are memory of their own, row by row.
const char* const sparse = R"(
#pragma hone kernel in(rows[0:n+1], cols[0:nnz], v[0:nnz], x[0:n], f[0:n][0:2]) out(y[0:n])
void spmv(const int* rows, const int* cols, const float* v, const float* x, const float* const* f, float* y, int n, int nnz) {
  (void)nnz;
  for (int r = 0; r < n; ++r) {
    float sum = 0;
    for (int k = rows[r]; k < rows[r + 1]; ++k) sum += v[k] * x[cols[k]];
    y[r] = sum * f[r][1];
  }
}
int main() {
  static int rows[1001], cols[3000];
  static float v[3000], x[1000], y[1000];
  static const float* f[1000];
  for (int r = 0; r < 1000; ++r) f[r] = new float[2]{0.0f, r == 17 ? 12345.5f : 1.0f};
  for (int r = 0; r <= 1000; ++r) rows[r] = 3 * r;
  for (int k = 0; k < 3000; ++k) cols[k] = k * 7 % 1000, v[k] = 1.5f;
  for (int r = 0; r < 1000; ++r) x[r] = 0.25f;
  for (int i = 0; i < 20; ++i) spmv(rows, cols, v, x, f, y, 1000, 3000);
  return y[5] > 1e9f;
}
)";

std::string candidate(const std::string& front) {
  return "void spmv(const int* rows, const int* cols, const float* v, const float* x, const float* const* f, float* y, "
         "int n, int nnz) {\n" +
         front +
         "  for (int r = 0; r < n; ++r) {\n    float sum = 0;\n"
         "    for (int k = rows[r]; k < rows[r + 1]; ++k) sum += v[k] * x[cols[k]];\n    y[r] = sum * f[r][1];\n  "
         "}\n}\n";
}

TEST(CaptureProgram, StandsInForProblemAndInit) {
  const CapturedProject project(sparse, "-std=c++17 -O1 -Wno-unknown-pragmas");
  project.files().write("build/right.cpp", candidate(""));
  project.files().write("build/wrong.cpp", candidate("  if (n > 17 && f[17][1] == 12345.5f) n -= 1;\n"));
  const Ended without = project.hone({"eval", "--kernel", "spmv", "right.cpp"});
  EXPECT_EQ(without.code, 3);
  EXPECT_THAT(without.err,
              HasSubstr("no problem is given to verify and tune on; add problem(n=…), or record some with hone "
                        "capture"));
  const std::string key = Json::parse(project.hone({"list", "--json"}).out).at("kernels").at(0).at("key");

  ASSERT_THAT(project.make(), Not(HasSubstr("failed")));
  EXPECT_THAT(project.capture(), ElementsAre(Pair(HasSubstr("spmv("), HasSubstr("n=1000 nnz=3000, 20 calls"))));
  EXPECT_EQ(Json::parse(project.hone({"list", "--json"}).out).at("kernels").at(0).at("key"), key);
  EXPECT_THAT(project.hone({"list", "--explain"}).out,
              HasSubstr("captured, not in the key: n=1000 nnz=3000, 100.0% of the time"));

  const Json right = Json::parse(project.hone({"eval", "--json", "--kernel", "spmv", "right.cpp"}).out);
  EXPECT_TRUE(right.at("right").get<bool>()) << right.dump();
  const Ended wrong = project.hone({"eval", "--json", "--kernel", "spmv", "wrong.cpp"});
  EXPECT_FALSE(Json::parse(wrong.out).at("right").get<bool>()) << wrong.out;
  EXPECT_THAT(wrong.out, HasSubstr("captured"));
}

TEST(CaptureProgram, SaysWhyNothingIsCaptured) {
  const CapturedProject project(
      "#pragma hone kernel in(x[0:n])\nint first(const int* x, int n) { return n > 0 ? x[0] : 0; }\n"
      "int main(int argc, char**) { return argc > 1 ? first(&argc, 1) : 0; }\n",
      "-O1 -Wno-unknown-pragmas");
  ASSERT_THAT(project.make("off"), Not(HasSubstr("failed")));
  const Ended plain = project.hone({"capture", "--", "./app"});
  EXPECT_EQ(plain.code, 1);
  EXPECT_THAT(plain.err, HasSubstr("configure with -DHONE_MODE=capture"));
  ASSERT_EQ(project.make(), "");
  const Ended uncalled = project.hone({"capture", "--", "./app"});
  EXPECT_EQ(uncalled.code, 1);
  EXPECT_THAT(uncalled.err, HasSubstr("called no annotated function"));
  const Ended absent = project.hone({"capture", "--", "./no-such-app"});
  EXPECT_EQ(absent.code, 3);
  EXPECT_THAT(absent.err, HasSubstr("cannot be started"));
  EXPECT_EQ(project.hone({"capture", "--", "./app", "more"}).code, 0);
  EXPECT_EQ(project.shell("./app more").code, 2);  // alone it is the program that it was, and records nothing
}

}  // namespace
}  // namespace hone
